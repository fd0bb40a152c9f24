"""What a person, or a log, sees while a run is going on.

In: sums of what is done, and what there is to do. Out: a rich display on a terminal, plain lines or JSON
lines otherwise, all on standard error. It must not know where the sums come from.
"""

from __future__ import annotations

import contextlib
import json
import logging
import os
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from types import TracebackType
from typing import Any, Self, TextIO

_PLAIN_SECONDS = 10.0
"""Time between two plain lines."""
_OPENING_SHARE = 0.08
"""Share of a run's time that hashing and opening takes, about: one part in twelve, by bytes."""


class Log:
    """Lines for the operator, as text or as JSON, on standard error."""

    def __init__(self, form: str = "text", stream: TextIO | None = None) -> None:
        self._json = form == "json"
        self._stream = stream if stream is not None else sys.stderr

    @property
    def is_json(self) -> bool:
        """Whether lines are JSON objects."""
        return self._json

    @property
    def stream(self) -> TextIO | None:
        """Where the lines go; None where standard error is closed."""
        return self._stream

    def say(self, event: str, message: str, **fields: Any) -> None:
        """Write one line: `message` for people, `event` and `fields` for machines."""
        if self._json:
            moment = datetime.now(UTC).isoformat(timespec="milliseconds")
            line = json.dumps(
                {"time": moment, "event": event, "message": message, **fields}, ensure_ascii=False
            )
        else:
            line = message
        if self._stream is None:
            return  # standard error is closed
        with contextlib.suppress(
            OSError
        ):  # a log on a full disk, or that nobody reads, is no reason to stop a run
            print(line, file=self._stream, flush=True)


def quiet_libraries() -> None:
    """Silence the libraries' logs: Beam warns while it is imported, and says a fault of ours ten times."""
    logging.getLogger().setLevel(logging.CRITICAL)
    logging.getLogger("apache_beam").setLevel(logging.CRITICAL)


class Fraction:
    """How much of a run is done, and when it will be over."""

    def __init__(self, files: int, size: int) -> None:
        self.files = files
        self.size = size
        self._started = time.monotonic()
        self._opened: float | None = None
        self._before = 0.0

    def of(self, done: Mapping[str, float]) -> float:
        """Return the share done, from 0 to 1: bytes opened, and pages of as many as there will be."""
        opened = self._opened_share(done)
        return opened * _OPENING_SHARE + (1 - _OPENING_SHARE) * self._extracted_share(done, opened)

    def _opened_share(self, done: Mapping[str, float]) -> float:
        if done.get("documents", 0) >= self.files:
            return 1.0
        return min(1.0, (done.get("bytes", 0) + 1) / (self.size + 1))

    def _extracted_share(self, done: Mapping[str, float], opened: float) -> float:
        """Return the share of the pages; while files are opened there are as many as their bytes promise."""
        pages = max(1.0, done.get("planned_pages", 0) - done.get("known_pages", 0)) / max(opened, 1e-9)
        return min(1.0, done.get("pages", 0) / pages)

    def seconds_left(self, done: Mapping[str, float]) -> float | None:
        """Return the seconds that are left, by the pace of the stage that is going on.

        None while nobody can tell.
        """
        now = time.monotonic()
        if done.get("documents", 0) < self.files:
            share, elapsed = self.of(done), now - self._started
            return elapsed / share - elapsed if share > 0.02 * _OPENING_SHARE else None
        if self._opened is None:
            self._opened, self._before = now, done.get("pages", 0)
        pages = done.get("planned_pages", 0) - done.get("known_pages", 0) - self._before
        share, elapsed = (done.get("pages", 0) - self._before) / max(1.0, pages), now - self._opened
        return elapsed / share - elapsed if share > 0.02 else None


class Display(AbstractContextManager["Display"]):
    """Shows the sums of a run as they grow."""

    def __init__(self, log: Log, fraction: Fraction) -> None:
        self._log = log
        self._fraction = fraction
        self._last = time.monotonic()
        self._rich: Any = None
        self._task: Any = None

    def __enter__(self) -> Self:
        if (
            sys.stderr is not None
            and sys.stderr.isatty()
            and not self._log.is_json
            and os.environ.get("TERM") != "dumb"
        ):
            self._rich = _rich_progress(self._log.stream)
            self._task = self._rich.add_task("reading", total=1.0, detail="")
            self._rich.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._rich is not None:
            self._rich.stop()

    def update(self, done: Mapping[str, float]) -> None:
        """Show `done`; plain lines come every few seconds only."""
        share = self._fraction.of(done)
        left = self._fraction.seconds_left(done)
        detail = describe(done, self._fraction)
        if self._rich is not None:
            remaining = f"{_duration(left)} left" if left is not None else ""
            self._rich.update(self._task, completed=share, detail=f"{detail}  {remaining}")
        elif time.monotonic() - self._last >= _PLAIN_SECONDS:
            self._last = time.monotonic()
            remaining = f", {_duration(left)} left" if left is not None else ""
            sums = {name: int(amount) for name, amount in done.items()}
            self._log.say(
                "progress", f"{share:4.0%}  {detail}{remaining}", share=round(share, 4), eta=left, **sums
            )


def describe(done: Mapping[str, float], fraction: Fraction) -> str:
    """Return the sums in words."""
    parts = [f"{int(done.get('documents', 0)):,} of {fraction.files:,} documents"]
    parts.append(f"{format_bytes(done.get('bytes', 0))} of {format_bytes(fraction.size)}")
    planned = done.get("planned_pages", 0) - done.get("known_pages", 0)
    parts.append(f"{int(done.get('pages', 0)):,} of {int(max(planned, done.get('pages', 0))):,} pages")
    failed = int(done.get("failed_documents", 0) + done.get("failed_pages", 0))
    if failed:
        parts.append(f"{failed:,} failed")
    return ", ".join(parts)


def watch(
    poll: Callable[[], Mapping[str, float]], finished: Callable[[float], bool], display: Display
) -> None:
    """Show what `poll` returns until `finished` (which waits for the seconds given) says so."""
    while not finished(0.25):
        display.update(poll())
    display.update(poll())


def format_bytes(size: float) -> str:
    """Return a size for people, in units of 1000."""
    for unit in ("B", "kB", "MB", "GB"):
        if size < 1000:
            return f"{size:.0f} {unit}" if unit == "B" else f"{size:.1f} {unit}"
        size /= 1000
    return f"{size:.1f} TB"


def _duration(seconds: float) -> str:
    whole = int(seconds + 0.5)
    hours, minutes = whole // 3600, whole % 3600 // 60
    if hours:
        return f"{hours} h {minutes:02} min"
    return f"{minutes} min {whole % 60:02} s" if minutes else f"{whole} s"


def _rich_progress(stream: TextIO | None) -> Any:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (BarColumn(), TextColumn("{task.percentage:3.0f}%"), TextColumn("{task.fields[detail]}"))
    return Progress(*columns, TimeElapsedColumn(), console=Console(file=stream), transient=True)
