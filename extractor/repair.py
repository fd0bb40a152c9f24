"""The last resort for a broken file: let qpdf rewrite it, when pikepdf is installed.

In: the bytes of a file. Out: the bytes of a file without damage or encryption, or None. It must not know our
own reading of PDF.
"""

from __future__ import annotations

import importlib.util
import io
from collections.abc import Iterable

from extractor.captured_logs import logs_as_issues
from extractor.issues import IssueLog
from extractor.syntax import Buffer

_LOGGERS = ("pikepdf", "pikepdf._core")


def can_repair() -> bool:
    """Tell whether pikepdf is installed."""
    return importlib.util.find_spec("pikepdf") is not None


def rewrite(data: Buffer, passwords: Iterable[str], issues: IssueLog) -> bytes | None:
    """Return the file as qpdf repairs it, None if it cannot."""
    import pikepdf  # an optional extra, and slow to import

    for password in (*passwords, ""):
        try:
            with (
                logs_as_issues(_LOGGERS, "qpdf", issues),
                pikepdf.open(io.BytesIO(data[:]), password=password, suppress_warnings=True) as pdf,
            ):
                rewritten = io.BytesIO()
                pdf.save(rewritten)
                return rewritten.getvalue()
        except pikepdf.PasswordError:
            continue
        except (pikepdf.PdfError, RuntimeError, ValueError, OSError):
            return None
    return None
