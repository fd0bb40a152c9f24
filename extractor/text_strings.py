"""Text strings (ISO 32000-1, 7.9.2.2): bytes to Unicode.

In: bytes of a string object. Out: str without byte order marks, language escapes and control characters.
"""

from __future__ import annotations

import re
from typing import Any

_LANGUAGE_ESCAPE = re.compile("\x1b[^\x1b]*\x1b")
_CONTROLS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufffe\uffff]")
_SURROGATES = re.compile("[\ud800-\udfff]")


def decode_text(value: Any) -> str | None:
    """Return a text string object as str, or None where `value` is none.

    Args:
        value: bytes in UTF-16 or UTF-8 with a byte order mark or in PDFDocEncoding, or a str already decoded.
    """
    if isinstance(value, str):
        text = value
    elif isinstance(value, bytes):
        text = _decode(value)
    else:
        return None
    text = _SURROGATES.sub("", text)
    return _CONTROLS.sub("", _LANGUAGE_ESCAPE.sub("", text))


def _decode(data: bytes) -> str:
    if data[:2] == b"\xfe\xff":
        return data[2:].decode("utf-16-be", "ignore")
    if data[:2] == b"\xff\xfe":
        return data[2:].decode("utf-16-le", "ignore")
    if data[:3] == b"\xef\xbb\xbf":
        return data[3:].decode("utf-8", "ignore")
    if data.isascii():
        return data.decode("ascii")
    from pdfminer.utils import PDFDocEncoding

    return "".join(PDFDocEncoding[byte] for byte in data)
