"""Where an inline image ends (ISO 32000-1, 8.9.7): its bytes are data, whatever operators they look like.

In: the content and the place behind ID. Out: the offset behind EI. It must not decode images.
"""

from __future__ import annotations

import re

from extractor.tokens import WHITE

_END = re.compile(
    WHITE + rb"EI(?=" + WHITE + rb"[\t\n\x0c\r -~]{0,9}\Z|" + WHITE + rb"[\t\n\x0c\r -~]{10}|\Z)"
)
"""EI between white space, with text behind it: image data may hold the two letters."""
_AFTER_DATA = re.compile(WHITE + rb"*EI(?=[\x00\t\n\x0c\r ()<>\[\]{}/%]|\Z)")
_GOES_ON = re.compile(rb"(?<=[\x00\t\n\x0c\r ])(?:Q|q|BT|EMC)(?=[\x00\t\n\x0c\r ])")
_NUMBER = rb"[\x00\t\n\x0c\r ]+(\d{1,9})"
_WIDTH, _HEIGHT = re.compile(rb"/W(?:idth)?" + _NUMBER), re.compile(rb"/H(?:eight)?" + _NUMBER)
_BITS = re.compile(rb"/B(?:PC|itsPerComponent)" + _NUMBER)
_MASK = re.compile(rb"/I(?:M|mageMask)[\x00\t\n\x0c\r ]+true")
_FILTER = re.compile(rb"/F(?:ilter)?(?=[\x00\t\n\x0c\r /\[])")
_SPACE = re.compile(rb"/C(?:S|olorSpace)[\x00\t\n\x0c\r ]*/(\w+)")
_COMPONENTS = {b"G": 1, b"DeviceGray": 1, b"RGB": 3, b"DeviceRGB": 3, b"CMYK": 4, b"DeviceCMYK": 4}


def image_end(content: bytes, header: bytes, start: int) -> int:
    """Return the offset behind an image's EI, or -1 where there is none.

    Args:
        content: the content stream.
        header: from BI to ID.
        start: offset of the first byte of data.
    """
    length = _plain_length(header)
    if length is not None:
        found = _AFTER_DATA.match(content, start + length)
        if found is not None:
            return found.end()
    found = _END.search(content, start - 1)
    return found.end() if found is not None else -1


def where_text_goes_on(content: bytes, start: int) -> int:
    """Return the offset of the next operator that begins or ends text or state, the content's length if there is none."""
    found = _GOES_ON.search(content, start)
    return found.start() if found is not None else len(content)


def _plain_length(header: bytes) -> int | None:
    """Return the number of data bytes of an image without filters, in a device colour space or a mask; else None."""
    width, height = _WIDTH.search(header), _HEIGHT.search(header)
    if width is None or height is None or _FILTER.search(header):
        return None
    if _MASK.search(header):
        bits = 1
    else:
        space, depth = _SPACE.search(header), _BITS.search(header)
        components = _COMPONENTS.get(space.group(1)) if space is not None else None
        if components is None or depth is None:
            return None
        bits = components * int(depth.group(1))
    return (int(width.group(1)) * bits + 7) // 8 * int(height.group(1))
