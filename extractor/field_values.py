"""The text of a form field or note that has no appearance of its own, laid out as a viewer would (ISO 32000-1, 12.7.3.3).

In: the value and the annotation's rectangle. Out: a content stream in a font whose codes are UTF-16, with its resources.
Only the words and roughly their place matter: viewers differ in fonts and sizes too.
"""

from __future__ import annotations

from typing import Any

_LARGEST = 12.0
"""Points; the size that viewers choose for fields that leave it open."""
_LINE = 1.2
_FONT: dict[str, Any] = {
    "/Type": "/Font",
    "/Subtype": "/Type0",
    "/BaseFont": "/Helvetica",
    "/Encoding": "/Identity-H",
    "/ToUnicode": "/Identity-H",
    "/DescendantFonts": [
        {"/Type": "/Font", "/Subtype": "/CIDFontType2", "/BaseFont": "/Helvetica", "/DW": 500}
    ],
}
RESOURCES: dict[str, Any] = {"/Font": {"/Value": _FONT}}
"""Resources of the content made here."""


def value_content(value: str, rect: tuple[float, float, float, float]) -> bytes:
    """Return a content stream in user space that shows `value`, one line a line, from the top of `rect`."""
    lines = [line for line in value.replace("\r\n", "\n").replace("\r", "\n").split("\n") if line.strip()]
    height = max(rect[3] - rect[1], 1.0)
    size = min(_LARGEST, height / max(len(lines), 1) / _LINE)
    shown = b" T* ".join(
        b"<" + line.encode("utf-16-be", "replace").hex().encode() + b"> Tj" for line in lines
    )
    start = rect[0], rect[3] - size
    return b"BT /Value %f Tf %f TL %f %f Td %s ET" % (size, size * _LINE, *start, shown)
