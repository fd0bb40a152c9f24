"""The annotations of a page that a viewer shows (ISO 32000-1, 12.5), with what it paints for them.

In: a page's /Annots and the state of optional content. Out: appearance streams with their rectangles, in
drawing order, and the value of a form field that has none. It must not interpret appearance streams.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from extractor.objects import (
    as_array,
    as_dictionary,
    as_integer,
    as_name,
    entry,
    is_stream,
    numbers,
    raw_entry,
    resolve,
)
from extractor.optional_content import OptionalContent
from extractor.text_strings import decode_text

_HIDDEN_FLAGS = 2 | 32
"""Flags Hidden and NoView (table 165)."""

_PASSWORD_FLAG = 1 << 13
"""Field flag Password (table 228): the value must not be shown."""

_NEVER_PAINTED = frozenset(("Popup", "Link"))
"""A pop-up is a window of its own; of a link viewers paint a border at most."""

_NEVER_PAINTED_SYNTAX = re.compile(
    rb"/Subtype[\x00\t\n\x0c\r ]*+/(?:Link|Popup)(?![^\x00\t\n\x0c\r ()<>\[\]{}/%])"
)
"""What stands in an annotation of such a kind."""

_MAX_PARENTS = 32
"""Levels of form fields (12.7.3.1)."""

_MAX_CHOSEN = 100
"""Options that are chosen in a list."""

_LONGEST_VALUE = 100_000
"""Characters of a field's value."""


@dataclass(frozen=True, slots=True)
class AnnotationSource:
    """One annotation that a viewer shows.

    Attributes:
        kind: Subtype name, such as "Widget" or "FreeText".
        appearance: The form XObject that is painted (12.5.5), or None.
        rect: x0, y0, x1, y1 in user space, in order.
        value: The text that a viewer lays out in `rect` itself where the appearance is missing or shows none.
    """

    kind: str
    appearance: Any
    rect: tuple[float, float, float, float]
    value: str | None = None


def read_annotations(value: Any, content: OptionalContent, limit: int) -> tuple[AnnotationSource, ...]:
    """Return the annotations of a page's /Annots that a viewer shows, `limit` entries looked at."""
    found: list[AnnotationSource] = []
    for item in (as_array(value) or ())[:limit]:
        annotation = as_dictionary(item)
        if annotation is None:
            continue
        source = _read_annotation(annotation, content)
        if source is not None:
            found.append(source)
    return tuple(found)


def says_it_is_never_painted(source: bytes) -> bool:
    """Tell from the bytes of an annotation, before it is parsed, that a viewer paints nothing of it."""
    return source.count(b"/Subtype") == 1 and _NEVER_PAINTED_SYNTAX.search(source) is not None


def _read_annotation(annotation: Mapping[str, Any], content: OptionalContent) -> AnnotationSource | None:
    """Return one annotation, None if a viewer shows nothing of it."""
    kind = as_name(entry(annotation, "/Subtype")) or ""
    if kind in _NEVER_PAINTED or (as_integer(entry(annotation, "/F")) or 0) & _HIDDEN_FLAGS:
        return None
    corners = numbers(entry(annotation, "/Rect"), 4)
    if corners is None or content.hidden(raw_entry(annotation, "/OC")):
        return None
    rect = (
        min(corners[0], corners[2]),
        min(corners[1], corners[3]),
        max(corners[0], corners[2]),
        max(corners[1], corners[3]),
    )
    appearance = _appearance(annotation)
    painted = resolve(raw_entry(as_dictionary(entry(annotation, "/AP")), "/N")) is not None
    text = None if painted and kind != "Widget" else _laid_out_text(annotation, kind)
    return AnnotationSource(kind, appearance, rect, text) if appearance is not None or text else None


def _appearance(annotation: Mapping[str, Any]) -> Any:
    """Return the normal appearance stream in its current state (12.5.5), or None."""
    normal = resolve(raw_entry(as_dictionary(entry(annotation, "/AP")), "/N"))
    if is_stream(normal):
        return normal
    states = as_dictionary(normal)
    if states is None:
        return None
    state = as_name(entry(annotation, "/AS")) or as_name(field_attribute(annotation, "/V"))
    for name in (state, "Off"):
        chosen = entry(states, f"/{name}") if name else None
        if is_stream(chosen):
            return chosen
        if name and name == as_name(entry(annotation, "/AS")):
            return None
    return None


def _laid_out_text(annotation: Mapping[str, Any], kind: str) -> str | None:
    """Return text that viewers lay out themselves: the value of a field, the contents of a FreeText."""
    if kind == "FreeText":
        return _text(entry(annotation, "/Contents"))
    if kind != "Widget" or as_name(field_attribute(annotation, "/FT")) not in ("Tx", "Ch"):
        return None
    if (as_integer(field_attribute(annotation, "/Ff")) or 0) & _PASSWORD_FLAG:
        return None
    value = field_attribute(annotation, "/V")
    if is_stream(value):
        return _text(value.get_data())
    chosen = as_array(value)
    texts = [_text(item) for item in ([value] if chosen is None else chosen[:_MAX_CHOSEN])]
    shown = dict(filter(None, map(_option, as_array(field_attribute(annotation, "/Opt")) or ())))
    return "\n".join(shown.get(text, text) for text in texts if text) or None


def _option(option: Any) -> tuple[str, str] | None:
    """Return what an option of a choice field exports and what it shows, where the two differ (table 231)."""
    texts = [_text(item) for item in (as_array(option) or ())[:2]]
    return (texts[0], texts[1]) if len(texts) == 2 and texts[0] and texts[1] else None


def _text(value: Any) -> str | None:
    """Return a text string, cut to a length that a field can show; a name is none."""
    value = resolve(value)
    return decode_text(value[:_LONGEST_VALUE]) if isinstance(value, bytes) else None


def field_attribute(field: Mapping[str, Any], key: str) -> Any:
    """Return an attribute of a form field, inherited through /Parent (12.7.3.1), or None."""
    node: Mapping[str, Any] | None = field
    for _ in range(_MAX_PARENTS):
        if node is None:
            return None
        value = entry(node, key)
        if value is not None:
            return value
        node = as_dictionary(raw_entry(node, "/Parent"))
    return None
