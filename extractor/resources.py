"""Named resources of a content stream (ISO 32000-1, 7.8.3), looked up once each.

In: a resource dictionary. Out: font numbers, XObjects, property lists, graphics state parameters by name. It must not
know what is done with them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from extractor.objects import as_array, as_name, as_number, entry, raw_entry, resolve


class Parameters(NamedTuple):
    """What a graphics state parameter dictionary (Table 58) says of text and of what covers it; None: nothing."""

    opaque: bool | None
    """Whether /ca paints opaquely (11.6.4.4)."""
    plain: bool | None
    """Whether /BM replaces what is below (11.3.5)."""
    font: tuple[int, float] | None
    """Number and size of /Font."""


class Resources:
    """A resource dictionary with look-ups remembered; the same fonts and forms recur thousands of times on a page."""

    def __init__(self, dictionary: Mapping[str, Any] | None, font_number: Callable[[Any], int]) -> None:
        """Remember `dictionary` and how a font dictionary (or a reference to one) becomes a number."""
        self._dictionary = dictionary if dictionary is not None else {}
        self._font_number = font_number
        self._fonts: dict[str, int] = {}
        self._xobjects: dict[str, tuple[Any, Any]] = {}
        self._parameters: dict[str, Parameters] = {}

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

    def parameters(self, name: str) -> Parameters:
        """Return what the graphics state parameter dictionary called `name` says (8.4.5); nothing if there is none."""
        found = self._parameters.get(name)
        if found is None:
            found = self._parameters[name] = self._read_parameters(name)
        return found

    def _read_parameters(self, name: str) -> Parameters:
        parameters = entry(entry(self._dictionary, "/ExtGState"), name)
        alpha, blend = as_number(entry(parameters, "/ca")), as_name(entry(parameters, "/BM"))
        font = as_array(entry(parameters, "/Font"))
        return Parameters(
            None if alpha is None else alpha >= 1.0,
            None if blend is None else blend in ("Normal", "Compatible"),
            (self.font_of(font[0]), as_number(font[1]) or 0.0)
            if font is not None and len(font) == 2
            else None,
        )
