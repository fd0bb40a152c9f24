"""Names of files as text that every table, report and terminal can carry.

In: paths as the operating system gives them (bytes, or str with surrogate escapes). Out: valid Unicode
from which the path can be had back, whatever bytes it holds. It must not open a file nor know what is in
one.
"""

from __future__ import annotations

import os
import re

MEMBER_MARK = "!/"
"""Stands between the path of an archive and the name of a file in it."""

_LITERAL_ESCAPE = re.compile(r"\\(?=x[0-9a-f]{2})")
_ESCAPE = re.compile(rb"\\x([0-9a-f]{2})")
_SURROGATE = re.compile("[\udc80-\udcff]")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")


def path_text(path: str | bytes) -> str:
    r"""Return `path` as valid Unicode, one to one: a byte that is no UTF-8 becomes ``\xNN``."""
    name = os.fsdecode(path)
    name = _LITERAL_ESCAPE.sub(r"\\x5c", name)
    return _SURROGATE.sub(lambda match: f"\\x{ord(match.group()) - 0xDC00:02x}", name)


def text_path(text: str) -> str:
    """Return the operating system's path (str with surrogate escapes) that `path_text` made `text` from."""
    raw = _ESCAPE.sub(lambda match: bytes([int(match.group(1), 16)]), text.encode("utf-8"))
    return os.fsdecode(raw)


def shown(text: str) -> str:
    """Return a path for a terminal or a log line.

    Control characters and line ends escaped, so it stays one line.
    """
    return _CONTROL.sub(lambda match: match.group().encode("unicode_escape").decode("ascii"), text)


def split_member(text: str) -> tuple[str, str | None]:
    """Split the text of a path into the file's path and the name inside the archive.

    None for a plain file.
    """
    lowered = text.lower()
    at = lowered.find(".zip" + MEMBER_MARK)
    if at < 0:
        return text, None
    cut = at + len(".zip")
    return text[:cut], text[cut + len(MEMBER_MARK) :]


def is_url(text: str) -> bool:
    """Tell whether `text` names a file system by its scheme (gs://, s3://), rather than a local path."""
    return re.match(r"[A-Za-z][A-Za-z0-9+.-]+://", text) is not None
