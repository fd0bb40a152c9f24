"""Reads the operands of a content stream that are not written plainly, object by object (ISO 32000-1, 7.3, 7.8.2).

In: matches of tokens that are single objects. Out: a list of operands for the operator that follows. It must not know
what operators do.
"""

from __future__ import annotations

import re
from typing import Any

from extractor import tokens


class OperandReader:
    """The operands read so far, and the arrays and dictionaries that are still open."""

    def __init__(self, nesting: int) -> None:
        """Start without operands; `nesting` bounds the depth of arrays and dictionaries."""
        self._nesting = nesting
        self._operands: list[Any] = []
        self._open: list[list[Any]] = []
        self._content, self._jump, self._unclosed = b"", 0, False

    def _push(self, value: Any) -> None:
        (self._open[-1] if self._open else self._operands).append(value)

    def push_true(self) -> None:
        """The object true (7.3.2)."""
        self._push(True)

    def push_false(self) -> None:
        """The object false (7.3.2)."""
        self._push(False)

    def push_null(self) -> None:
        """The object null (7.3.9)."""
        self._push(None)

    def _number(self, match: re.Match[bytes]) -> None:
        self._push(tokens.number(match[tokens.NUMBER]))

    def _name(self, match: re.Match[bytes]) -> None:
        self._push(tokens.name(match[tokens.NAME]))

    def _string(self, match: re.Match[bytes]) -> None:
        self._push(tokens.string(match[tokens.STRING]))

    def _long_string(self, match: re.Match[bytes]) -> bool | None:
        if self._unclosed:
            return None
        start = match.start(tokens.LONG_STRING)
        end = tokens.long_string_end(self._content, start)
        if end < 0:
            self._unclosed = True  # the brackets of the rest don't match: look no more, it would be quadratic
            return None
        self._push(tokens.string(self._content[start:end]))
        self._jump = end
        return True

    def _open_container(self, match: re.Match[bytes]) -> None:
        if len(self._open) < self._nesting:
            self._open.append([])

    def _close_container(self, match: re.Match[bytes]) -> None:
        if not self._open:
            return
        values = self._open.pop()
        if match[tokens.CLOSE] == b"]":
            self._push(values)
        else:
            names = [key for key in values[::2] if isinstance(key, str)]
            self._push(dict(zip(names, values[1::2], strict=False)) if len(names) * 2 == len(values) else {})
