"""What a reader of a page's text should know about its quality.

In: text and counts. Out: flags, stable words. It must not know glyphs.
"""

from __future__ import annotations

from typing import Protocol

_FEW = 10
"""Characters of text up to which a page of images counts as a scan: a page number or a stamp is not its text."""
_SCAN = 0.25
"""Part of the page that the images of a scan cover at least, together: a logo on an empty page is no scan."""
_UNMAPPED = 0.3
"""Part of the visible glyphs without Unicode from which a page's text is not what it shows."""
_STRANGE = 0.2
"""Part of the characters in private use areas or unassigned from which text is garbage."""


class _Counts(Protocol):
    @property
    def visible(self) -> int: ...
    @property
    def unmapped(self) -> int: ...
    @property
    def invisible(self) -> int: ...
    @property
    def overprinted(self) -> int: ...
    @property
    def hidden(self) -> int: ...
    @property
    def white(self) -> int: ...
    @property
    def covered(self) -> int: ...


def page_flags(text: str, counts: _Counts, images: int, covered: float) -> tuple[str, ...]:
    """Return the flags of a page.

    Flags: needs_ocr (large images and next to no text), blank (no images, no text), ocr_layer (most text is
    invisible), garbled (private use characters instead of text), unmapped (many glyphs without Unicode), overprinted,
    hidden_text, white_text, covered_text.

    Args:
        text: of the page.
        counts: what became of its glyphs.
        images: number of images painted.
        covered: their areas together as a part of the page's.
    """
    flags = []
    characters = len(text) - text.count("\n") - text.count(" ")
    if characters <= _FEW and covered >= _SCAN and counts.unmapped <= _FEW:
        flags.append("needs_ocr")
    if not characters and not images and not counts.unmapped:
        flags.append("blank")
    if counts.visible and counts.invisible * 2 > counts.visible:
        flags.append("ocr_layer")
    if characters and sum(map(_is_strange, text)) > _STRANGE * characters:
        flags.append("garbled")
    if counts.unmapped > _UNMAPPED * max(counts.visible, 1):
        flags.append("unmapped")
    for name, count in (
        ("overprinted", counts.overprinted),
        ("hidden_text", counts.hidden),
        ("white_text", counts.white),
        ("covered_text", counts.covered),
    ):
        if count:
            flags.append(name)
    return tuple(flags)


def _is_strange(character: str) -> bool:
    return "\ue000" <= character <= "\uf8ff" or character >= "\U000f0000"
