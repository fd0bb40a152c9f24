"""What libraries log while we call them, as issues instead of lines on the application's terminal.

In: names of loggers and an issue log. Out: issues. Nothing changes for anyone else: the filter that is added
lets every message pass that is logged outside of such a call, in this thread or another.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar

from extractor.issues import IssueLog

_CAPTURED_IN: ContextVar[tuple[str, IssueLog] | None] = ContextVar("captured_in", default=None)


class _CaptureFilter(logging.Filter):
    """Takes messages out of the log and into the issue log of the context that caused them."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Tell whether a message is none of ours; record it if it is."""
        captured = _CAPTURED_IN.get()
        if captured is None:
            return True
        code, issues = captured
        issues.add(code, record.getMessage())
        return False


_CAPTURE = _CaptureFilter()


@contextmanager
def logs_as_issues(loggers: Sequence[str], code: str, issues: IssueLog) -> Iterator[None]:
    """Let what these loggers get from this context become issues with a code while the block runs."""
    for name in loggers:
        logging.getLogger(name).addFilter(_CAPTURE)
    token = _CAPTURED_IN.set((code, issues))
    try:
        yield
    finally:
        _CAPTURED_IN.reset(token)
