"""Runs the Beam graph beside the main thread, which shows progress and listens to signals.

In: files and a stage context. Out: the summaries of the parts written, and Beam's counters. The first
interrupt lets pages in flight finish; the second ends the process at once, which no commit minds.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import signal
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import FrameType
from typing import Any

from pipeline.counters import NAMESPACE
from pipeline.progress import Display, Fraction, Log, watch
from pipeline.records import FoundFile, PartSummary, RunFailedError
from pipeline.runner import is_local, make_pipeline
from pipeline.staging import ProgressReader
from pipeline.transforms import StageContext, build_graph, summaries
from pipeline.wording import without_numbers

_INTERRUPTED = 130
_OVERHEARD = 20_000
"""Characters kept of what Beam prints."""
_ALL_PAGES = (0, 2**31 - 1)

PageRange = tuple[int, int]


@dataclass
class BeamOutcome:
    """What the pipeline left behind."""

    parts: list[PartSummary] = field(default_factory=list)
    counters: dict[str, int] = field(default_factory=dict)
    stopped: bool = False


def run_beam(
    files: Sequence[FoundFile],
    known: Mapping[str, Sequence[PageRange]],
    context: StageContext,
    beam_options: Sequence[str],
    log: Log,
) -> BeamOutcome:
    """Run the graph over `files`, some thousands at a time, and return when all are done.

    `known` are the pages that need no extraction, as ranges (first, last) by document.
    """
    outcome = BeamOutcome()
    failure: list[BaseException] = []
    done = threading.Event()
    waves = _Waves(files, known, context, beam_options, outcome)
    thread = threading.Thread(target=_execute, args=(waves, failure, done))
    reader = ProgressReader(context.staging)
    said = Overheard()
    with (
        contextlib.redirect_stderr(said) if is_local(beam_options) else contextlib.nullcontext(),
        _signals(context, log),
        Display(log, Fraction(len(files), sum(item.size for item in files))) as display,
    ):
        thread.start()
        watch(reader.poll, done.wait, display)
        thread.join()
    if failure:
        raise RunFailedError(_first_line(failure[0]), said.text) from failure[0]
    outcome.stopped = context.staging.stopping
    return outcome


class Overheard(io.TextIOBase):
    """Takes what Beam's own runner prints to standard error, tracebacks above all, and keeps the end of it."""

    def __init__(self) -> None:
        self.text = ""

    def writable(self) -> bool:
        """Tell that it can be written to."""
        return True

    def write(self, text: str) -> int:
        """Take a piece of text."""
        self.text = (self.text + text)[-_OVERHEARD:]
        return len(text)


@dataclass
class _Waves:
    """The files of a run, dealt to Beam a wave at a time: its runner holds what travels between stages in memory."""

    files: Sequence[FoundFile]
    known: Mapping[str, Sequence[PageRange]]
    context: StageContext
    beam_options: Sequence[str]
    outcome: BeamOutcome

    def run(self) -> None:
        """Run wave after wave; a document whose copy was extracted in an earlier one is known."""
        known, size = dict(self.known), max(1, self.context.settings.run.wave_documents)
        for start in range(0, len(self.files), size):
            if self.context.staging.stopping:
                return
            parts = self._run_wave(self.files[start : start + size], known)
            self.outcome.parts += parts
            known.update({doc_id: [_ALL_PAGES] for part in parts for doc_id in part.pages})

    def _run_wave(
        self, files: Sequence[FoundFile], known: Mapping[str, Sequence[PageRange]]
    ) -> list[PartSummary]:
        staging = self.context.staging
        staging.forget_result()
        staging.write_known(known)
        pipeline = make_pipeline(self.context.settings.run.workers, self.beam_options)
        build_graph(pipeline, list(files), self.context)
        result = pipeline.run()
        result.wait_until_finish()
        for name, amount in _counters(result).items():
            self.outcome.counters[name] = self.outcome.counters.get(name, 0) + amount
        return summaries(staging)


def _execute(waves: _Waves, failure: list[BaseException], done: threading.Event) -> None:
    """Run the pipeline; whatever goes wrong is handed to the main thread."""
    try:
        waves.run()
    except Exception as error:
        failure.append(error)
    finally:
        done.set()


def _counters(result: Any) -> dict[str, int]:
    found = result.metrics().query()
    counted = {
        counter.key.metric.name: int(counter.committed or 0)
        for counter in found["counters"]
        if counter.key.metric.namespace == NAMESPACE
    }
    return dict(sorted(counted.items()))


def _first_line(error: BaseException) -> str:
    """Return the part of Beam's report that a person can use: the last line names the exception itself."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    wanted = [line for line in lines if "Error" in line.split(":", 1)[0]]
    chosen = (wanted or lines or [type(error).__name__])[-1]
    chosen = re.sub(r"\s*\[while running '[^']*'\]", "", chosen)
    return without_numbers(re.sub(r"^(?:[\w]+\.)+\w+: ", "", chosen))[:500]


@contextmanager
def _signals(context: StageContext, log: Log) -> Iterator[None]:
    """Catch SIGINT and SIGTERM for the time of the run."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(_number: int, _frame: FrameType | None) -> None:
        if context.staging.stopping:
            log.say("stop", "Stopped. The last commit is untouched; run the same command again to go on.")
            os._exit(_INTERRUPTED)
        context.staging.request_stop()
        log.say(
            "stopping",
            "Finishing the pages in flight, then committing. Press Ctrl-C again to stop now.",
        )

    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, old in before.items():
            signal.signal(number, old)
