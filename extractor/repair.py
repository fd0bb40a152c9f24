"""The last resort for a broken file: let qpdf rewrite it, when pikepdf is installed.

In: the bytes of a file. Out: the bytes of a file without damage or encryption, or None. It must not know our
own reading of PDF.
"""

from __future__ import annotations

import importlib.util
import io
import logging
from collections.abc import Iterable

from extractor.captured_logs import logs_as_issues
from extractor.issues import IssueLog
from extractor.syntax import Buffer


def can_repair() -> bool:
    """Tell whether pikepdf is installed."""
    return importlib.util.find_spec("pikepdf") is not None


def _loggers() -> list[str]:
    """Return the names of pikepdf's loggers; a filter on one does not hold for those below it."""
    return [name for name in logging.root.manager.loggerDict if name.split(".")[0] == "pikepdf"]


def rewrite(data: Buffer, passwords: Iterable[str], issues: IssueLog) -> bytes | None:
    """Return the file as qpdf repairs it, None if it cannot."""
    import pikepdf  # an optional extra, and slow to import

    for password in (*passwords, ""):
        try:
            with (
                logs_as_issues(_loggers(), "qpdf", issues),
                pikepdf.open(io.BytesIO(data[:]), password=password, suppress_warnings=True) as pdf,
            ):
                rewritten = io.BytesIO()
                pdf.save(rewritten, fix_metadata_version=False)
                return rewritten.getvalue()
        except pikepdf.PasswordError:
            continue
        except (pikepdf.PdfError, RuntimeError, ValueError, OSError):
            return None
    return None
