"""Named resources of a content stream (ISO 32000-1, 7.8.3), looked up once each.

In: a resource dictionary. Out: font numbers, XObjects, property lists, graphics state parameters by name. It must not
know what is done with them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from extractor.objects import as_dictionary, entry, raw_entry, resolve


class Resources:
    """A resource dictionary with look-ups remembered; the same fonts and forms recur thousands of times on a page."""

    def __init__(self, dictionary: Mapping[str, Any] | None, font_number: Callable[[Any], int]) -> None:
        """Remember `dictionary` and how a font dictionary (or a reference to one) becomes a number."""
        self._dictionary = dictionary if dictionary is not None else {}
        self._font_number = font_number
        self._fonts: dict[str, int] = {}
        self._xobjects: dict[str, tuple[Any, Any]] = {}

    def font(self, name: str) -> int:
        """Return the number of the font called `name`; a missing font has the number of the fall-back font."""
        number = self._fonts.get(name)
        if number is None:
            number = self._font_number(raw_entry(entry(self._dictionary, "/Font"), name))
            self._fonts[name] = number
        return number

    def font_of(self, dictionary: Any) -> int:
        """Return the number of a font given by its dictionary, as the gs operator does (8.4.5)."""
        return self._font_number(dictionary)

    def xobject(self, name: str) -> tuple[Any, Any]:
        """Return the XObject called `name` as (as it stands, resolved); (None, None) where there is none."""
        found = self._xobjects.get(name)
        if found is None:
            raw = raw_entry(entry(self._dictionary, "/XObject"), name)
            found = (raw, resolve(raw))
            self._xobjects[name] = found
        return found

    def properties(self, name: str) -> Any:
        """Return the property list called `name` as it stands, a reference included (14.6.2)."""
        return raw_entry(entry(self._dictionary, "/Properties"), name)

    def parameters(self, name: str) -> Mapping[str, Any] | None:
        """Return the graphics state parameter dictionary called `name` (8.4.5), or None."""
        return as_dictionary(raw_entry(entry(self._dictionary, "/ExtGState"), name))
