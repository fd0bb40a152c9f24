"""The parent's side of the extracting child: start it, ask it, give it deadlines, kill and replace it.

In: files and page spans. Out: planned documents and pages, one for each page asked for, whatever happened
to the child. It must not know of Beam, and it never reads a PDF itself.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import IO, Any

from pipeline.extraction import extraction_id
from pipeline.protocol import Channel, ChannelClosedError, DeadlineError
from pipeline.records import FoundFile, PageRows, PageSpan, PlannedDocument
from pipeline.rows import failed_row
from pipeline.settings import Settings
from pipeline.wording import without_numbers

CHILD_MODULE = "pipeline.worker_main"
"""What the child runs: a module name."""
_READY_SECONDS = 300.0
"""Starting Python on a loaded machine can take long; the deadline of work begins after the child said it
is ready."""
_BYTES_A_SECOND = 20e6
_SEGMENT_SECONDS = 900.0
"""Deadline of building one index segment: some seconds are usual."""
_LOSSES_A_SPAN = 6
"""Children lost on one span before the rest of the span is given up: a poisoned book must not take the
night."""
_MEMORY_EXIT = 77  # worker_main.MEMORY_EXIT, which imports the extractor
_STDERR_TAIL = 2000


class ChildStartError(Exception):
    """The child process cannot be started at all: the run cannot go on."""


class SegmentError(Exception):
    """An index segment cannot be built from a part."""


@dataclass(frozen=True)
class _Lost:
    """Why a child is no more."""

    reason: str
    message: str


def child_setup(settings: Settings, passwords: list[str]) -> dict[str, Any]:
    """Return what a child must know, for its first frame.

    Passwords travel over the pipe, never in arguments.
    """
    return {
        "memory_mb": settings.limits.memory_mb,
        "page_seconds": settings.limits.page_seconds,
        "open_seconds": settings.limits.open_seconds,
        "max_file_bytes": settings.discover.max_file_mb << 20,
        "passwords": passwords,
        "sidecar": settings.passwords.sidecar,
        "options": dict(settings.extractor),
        "extraction_id": extraction_id(settings.extractor),
        "stem": settings.index.stem or None,
    }


class Worker:
    """One child process at a time, replaced lazily when it died, was killed or has done enough."""

    def __init__(self, settings: Settings, passwords: list[str]) -> None:
        self._limits = settings.limits
        self._setup = child_setup(settings, passwords)
        self._process: subprocess.Popen[bytes] | None = None
        self._channel: Channel | None = None
        self._stderr: IO[bytes] | None = None
        self._served = 0
        self.lost = 0
        """Children killed or found dead so far."""

    @property
    def process_id(self) -> int | None:
        """The child's process id, None while there is no child."""
        return None if self._process is None else self._process.pid

    def plan(self, file: FoundFile) -> PlannedDocument:
        """Hash and open one file; a file that cannot be opened comes back with its reason."""
        seconds = self._limits.open_seconds + file.size / _BYTES_A_SECOND
        doc_id: str | None = None
        size = file.size
        planned = None
        try:
            for header, _ in self._ask({"kind": "plan", "path": file.path}, seconds, seconds):
                if header["kind"] == "hashed":
                    doc_id, size = header["doc_id"], header["size"]
                elif header["kind"] == "refused":
                    planned = _unplanned(file, doc_id, header["reason"], header["message"])
                elif header["kind"] == "planned":
                    facts = header["facts"]
                    planned = PlannedDocument(file.path, size, file.mtime_ns, doc_id, header["pages"], facts)
        except _LostChildError as lost:
            return _unplanned(file, doc_id, lost.cause.reason, lost.cause.message)
        return planned or _unplanned(file, doc_id, "crash", "the process gave no answer")

    def extract(self, span: PageSpan) -> Iterator[PageRows]:
        """Yield every page of `span` in order, extracted or failed; a lost child costs the page it was at."""
        index, losses = span.first, 0
        while index <= span.last:
            started = False
            try:
                for header, blobs in self._ask(_extract_request(span, index), *self._seconds(span)):
                    started = started or header["kind"] == "opened"
                    if header["kind"] == "page":
                        yield PageRows(span.doc_id, header["page_index"], header["row"], *blobs)
                        index += 1
                    elif header["kind"] == "refused":
                        yield from _failed_pages(span, index, _Lost(header["reason"], header["message"]))
                        return
                return
            except _LostChildError as lost:
                losses += 1
                if losses >= _LOSSES_A_SPAN or (losses > 1 and not started):
                    yield from _failed_pages(span, index, lost.cause)
                    return
                if started:
                    yield _failed_page(span, index, lost.cause)
                    index += 1

    def build_segment(self, parts: list[str], folder: str) -> None:
        """Build the index segment of some parts; raises SegmentError when it failed twice."""
        request = {"kind": "segment", "parts": parts, "folder": folder, "seconds": _SEGMENT_SECONDS}
        for attempt in (1, 2):
            try:
                for header, _ in self._ask(request, _SEGMENT_SECONDS, _SEGMENT_SECONDS):
                    raise SegmentError(f"{folder}: {header['message']}")
                return
            except _LostChildError as lost:
                if attempt == 2:
                    raise SegmentError(f"{folder}: {lost.cause.message}") from lost

    def close(self) -> None:
        """End the child, if there is one."""
        if self._process is not None:
            self._end(kill=False)

    def _seconds(self, span: PageSpan) -> tuple[float, float]:
        return self._limits.open_seconds + span.size / _BYTES_A_SECOND, self._limits.page_seconds

    def _ask(
        self, request: Mapping[str, Any], first_seconds: float, next_seconds: float
    ) -> Iterator[tuple[dict[str, Any], list[bytes]]]:
        """Send one request and yield its frames but the last.

        Raises _LostChildError when the child is lost.
        """
        channel = self._started()
        seconds = first_seconds
        try:
            channel.send(request)
            while True:
                header, blobs = channel.receive(seconds)
                if header["kind"] in ("done", "refused"):
                    self._recycle(header["resident"])
                    break
                yield header, blobs
                seconds = next_seconds
        except DeadlineError:
            self._end(kill=True)
            self.lost += 1
            cause = _Lost("timeout", f"not done within {seconds:g} seconds; the process was killed")
            raise _LostChildError(cause) from None
        except ChannelClosedError:
            raise _LostChildError(self._autopsy()) from None
        except GeneratorExit:
            self._end(kill=True)  # nobody wants the rest: its frames must not be taken for the next answer
            raise
        if header["kind"] == "refused":
            yield header, blobs

    def _started(self) -> Channel:
        if self._channel is not None:
            return self._channel
        self._stderr = tempfile.TemporaryFile()  # noqa: SIM115 - lives as long as the child
        self._process = subprocess.Popen(
            [sys.executable, "-m", CHILD_MODULE],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._stderr,
            env=_child_environment(),
            process_group=0,  # the terminal's Ctrl-C is for the pipeline, which lets pages finish
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        channel = Channel(self._process.stdout.fileno(), self._process.stdin.fileno())
        try:
            channel.send(self._setup)
            channel.receive(_READY_SECONDS)
        except DeadlineError as error:
            self._end(kill=True)
            raise ChildStartError(
                f"the extracting process was not ready within {_READY_SECONDS:g} s"
            ) from error
        except ChannelClosedError as error:
            raise ChildStartError(
                f"the extracting process cannot be started: {self._autopsy().message}"
            ) from error
        self._channel, self._served = channel, 0
        return channel

    def _recycle(self, resident: int) -> None:
        self._served += 1
        if self._served >= self._limits.recycle_documents or resident > self._limits.recycle_mb << 20:
            self._end(kill=False)

    def _end(self, *, kill: bool) -> None:
        process, self._process, self._channel = self._process, None, None
        if process is None:
            return
        if kill:
            process.kill()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                pipe.close()
        try:
            process.wait(timeout=5.0)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        if self._stderr is not None:
            self._stderr.close()
            self._stderr = None

    def _autopsy(self) -> _Lost:
        """Say why the child ended by itself, and clear it away."""
        process = self._process
        assert process is not None
        try:
            code = process.wait(timeout=10.0)
        except subprocess.TimeoutExpired:
            process.kill()
            code = process.wait()
        tail = self._last_words()
        self._end(kill=False)
        self.lost += 1
        if code in (_MEMORY_EXIT, -signal.SIGKILL):
            return _Lost("memory", f"needs more memory than the limit of {self._limits.memory_mb} MB")
        if code == -signal.SIGXCPU:
            return _Lost("timeout", "the limit of CPU time was met")
        ended = f"signal {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"
        return _Lost("crash", f"the process ended with {ended}{tail}")

    def _last_words(self) -> str:
        if self._stderr is None or self._stderr.closed:
            return ""
        length = self._stderr.seek(0, os.SEEK_END)
        self._stderr.seek(max(0, length - _STDERR_TAIL))
        lines = self._stderr.read().decode("utf-8", "replace").strip().splitlines()
        places = [line.strip() for line in lines if line.strip()]
        return f": {without_numbers(places[-1])[:300]}" if places else ""


class _LostChildError(Exception):
    def __init__(self, cause: _Lost) -> None:
        super().__init__(cause.message)
        self.cause = cause


def _child_environment() -> dict[str, str]:
    """Return the child's environment.

    One numeric thread, and no allocator that reserves address space ahead.
    """
    fixed = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "ARROW_DEFAULT_MEMORY_POOL": "system"}
    path = os.pathsep.join([part for part in sys.path if part])
    return {**os.environ, **fixed, "PYTHONPATH": path, "PYTHONHASHSEED": "0", "PYTHONUNBUFFERED": "1"}


def _extract_request(span: PageSpan, first: int) -> dict[str, Any]:
    return {"kind": "extract", "path": span.path, "doc_id": span.doc_id, "first": first, "last": span.last}


def _unplanned(file: FoundFile, doc_id: str | None, reason: str, message: str) -> PlannedDocument:
    return PlannedDocument(file.path, file.size, file.mtime_ns, doc_id, reason=reason, message=message)


def _failed_page(span: PageSpan, index: int, cause: _Lost) -> PageRows:
    return PageRows(span.doc_id, index, failed_row(cause.reason, cause.message))


def _failed_pages(span: PageSpan, first: int, cause: _Lost) -> Iterator[PageRows]:
    return (_failed_page(span, index, cause) for index in range(first, span.last + 1))
