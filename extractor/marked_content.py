"""Marked content (ISO 32000-1, 14.6) as far as text depends on it: optional content (8.11), ActualText (14.9.4).

In: BMC, BDC and EMC operators. Out: whether content is hidden now, and the replacement text it belongs to. It must not
know glyphs.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from extractor import tokens
from extractor.fonts.characters import clean_text
from extractor.objects import entry, resolve
from extractor.resources import Resources
from extractor.text_strings import decode_text

_ACTUAL_TEXT = re.compile(rb"/ActualText[\x00\t\n\x0c\r ]*+(" + tokens.LITERAL + rb"|" + tokens.HEX + rb")")
_NAME = re.compile(rb"/[^\x00\t\n\x0c\r ()<>\[\]{}/%]*")
_DEEPEST = 10_000


class MarkedContent:
    """The stack of open marked-content sequences; it is independent of q and Q."""

    def __init__(self, hidden: Callable[[Any], bool], spans: list[str]) -> None:
        """Remember how optional content is judged and where replacement texts are collected."""
        self._judge, self._spans = hidden, spans
        self._stack: list[tuple[bool, int]] = []
        self._unstored = 0
        self.hidden = False
        """Whether what is painted now is in optional content that is off."""
        self.span = 0
        """Number of the replacement text, from 1, that what is painted now belongs to; 0 for none."""
        self.changed = False
        """Whether either has changed since the last show."""

    @property
    def depth(self) -> int:
        """The number of open sequences."""
        return len(self._stack)

    def begin_token(self, token: bytes, resources: Resources) -> None:
        """Open a sequence from a whole BDC instruction: tag, then a property list or its name."""
        if (
            b"<<" in token and b"/ActualText" not in token
        ):  # a structure element's content: nearly all of them
            self._begin(False, None)
            return
        names = _NAME.findall(token)
        replacement = _ACTUAL_TEXT.search(token)
        hidden, text = False, None
        if replacement is not None:
            text = decode_text(tokens.string(replacement.group(1)))
        elif b"<<" not in token and len(names) == 2:
            hidden, text = self._look_up(tokens.name(names[0]), tokens.name(names[1]), resources)
        self._begin(hidden, text)

    def begin(self, tag: Any, properties: Any, resources: Resources) -> None:
        """Open a sequence from operands read object by object."""
        hidden, text = False, None
        if isinstance(properties, str):
            hidden, text = self._look_up(str(tag), properties, resources)
        elif isinstance(properties, Mapping):
            text = decode_text(resolve(properties.get("/ActualText")))
        self._begin(hidden, text)

    def begin_plain(self) -> None:
        """Open a sequence without properties."""
        self._begin(False, None)

    def begin_hidden(self, hidden: bool) -> None:
        """Open a sequence around an XObject whose /OC is off."""
        self._begin(hidden, None)

    def end(self) -> None:
        """Close the innermost sequence; one that was never opened is passed over."""
        if self._unstored:
            self._unstored -= 1
        elif self._stack:
            before = self.hidden, self.span
            self.hidden, self.span = self._stack.pop()
            self.changed = self.changed or before != (self.hidden, self.span)

    def unwind(self, depth: int) -> None:
        """Close what a form opened and left open."""
        self._unstored = 0
        while len(self._stack) > depth:
            self.end()

    def _look_up(self, tag: str, name: str, resources: Resources) -> tuple[bool, str | None]:
        properties = resources.properties(name)
        if tag == "/OC":
            return self._judge(properties), None
        return False, decode_text(entry(resolve(properties), "/ActualText"))

    def _begin(self, hidden: bool, text: str | None) -> None:
        if len(self._stack) >= _DEEPEST:
            self._unstored += 1
            return
        self._stack.append((self.hidden, self.span))
        if hidden and not self.hidden:
            self.hidden = self.changed = True
        if text is not None and not self.span:
            self._spans.append(_one_line(text))
            self.span = len(self._spans)
            self.changed = True


def _one_line(text: str) -> str:
    """Return a replacement text as words with one space between them, fit for a page's text."""
    return " ".join(clean_text(text).split()) or (" " if text.isspace() else "")
