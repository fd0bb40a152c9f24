"""Which optional content a viewer shows when it opens a document (ISO 32000-1, 8.11).

In: the catalog's /OCProperties, and the group or membership dictionary that content or an annotation names.
Out: whether it is hidden. It must not know where that dictionary was named.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from extractor.objects import as_array, as_dictionary, as_name, entry, raw_entry, reference_key, resolve

_MAX_DEPTH = 32
"""Levels of a visibility expression (8.11.2.2); deeper ones count as visible."""

_MAX_TERMS = 2_000
"""Groups looked at for one membership dictionary."""


class OptionalContent:
    """The default configuration of a document's optional content groups."""

    def __init__(self, properties: Any) -> None:
        default = entry(properties, "/D")
        self._base_off = as_name(entry(default, "/BaseState")) == "OFF"
        self._on = _group_keys(entry(default, "/ON"))
        self._off = _group_keys(entry(default, "/OFF"))
        self._any = as_dictionary(properties) is not None

    def hidden(self, value: Any) -> bool:
        """Tell whether a group (8.11.2.1) or a membership dictionary (8.11.2.2) is off."""
        if not self._any:
            return False
        dictionary = as_dictionary(value)
        if dictionary is None:
            return False
        if as_name(entry(dictionary, "/Type")) == "OCMD":
            return not self._member_visible(dictionary)
        return not self._group_visible(value, dictionary)

    def _group_visible(self, value: Any, group: Mapping[str, Any]) -> bool:
        """Tell whether a group is on, by the configuration and by its usage for viewing (8.11.4.4)."""
        intents = as_array(entry(group, "/Intent")) or (entry(group, "/Intent") or "/View",)
        if not {as_name(intent) for intent in intents} & {"View", "All"}:
            return True
        view = entry(entry(group, "/Usage"), "/View")
        if as_name(entry(view, "/ViewState")) == "OFF":
            return False
        key = reference_key(value)
        if key in self._off:
            return False
        return not self._base_off or key in self._on

    def _member_visible(self, member: Mapping[str, Any]) -> bool:
        """Tell whether a membership dictionary is visible: /VE before /OCGs with the policy /P."""
        expression = as_array(entry(member, "/VE"))
        if expression:
            return self._expression(expression, 0, [_MAX_TERMS])
        groups = raw_entry(member, "/OCGs")
        listed = as_array(groups)
        states = [
            self._group_visible(group, dictionary)
            for group in ([groups] if listed is None else listed[:_MAX_TERMS])
            if (dictionary := as_dictionary(group)) is not None
        ]
        if not states:
            return True
        policy = as_name(entry(member, "/P"))
        if policy == "AllOn":
            return all(states)
        if policy == "AllOff":
            return not any(states)
        if policy == "AnyOff":
            return not all(states)
        return any(states)

    def _expression(self, value: Any, depth: int, budget: list[int]) -> bool:
        """Evaluate a visibility expression: a group, or an array of an operator and its operands.

        Arrays may share elements, so that a short expression can stand for 2 to the power of its depth terms:
        `budget` counts down the terms that are still looked at; beyond it, all are visible.
        """
        budget[0] -= 1
        terms = as_array(value)
        if terms is None:
            group = as_dictionary(value)
            return group is None or self._group_visible(value, group)
        if depth >= _MAX_DEPTH or budget[0] < 0 or not terms:
            return True
        operator = as_name(terms[0])
        operands = (
            self._expression(term, depth + 1, budget)
            for term in terms[1:_MAX_TERMS]
            if resolve(term) is not None
        )
        if operator == "Not":
            return not next(operands, False)
        return any(operands) if operator == "Or" else all(operands)


def _group_keys(value: Any) -> frozenset[int]:
    """Return the object numbers of the groups in an array."""
    return frozenset(key for group in as_array(value) or () if (key := reference_key(group)))
