"""Carries out the instructions of a content stream that are written plainly (ISO 32000-1, 7.8.2): settings, places, shows.

In: matches of tokens that are whole instructions. Out: calls of the graphics state's methods, one an operator. It must not
know streams, forms or images; what concerns them is a method of the class that reads streams.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from extractor import tokens
from extractor.graphics_state import GraphicsState
from extractor.marked_content import MarkedContent
from extractor.operand_reader import OperandReader
from extractor.operators import OPERATORS, operands_fit

_COLOURS = frozenset((b"sc", b"scn"))
_KEEPS_OPERANDS = frozenset((b"true", b"false", b"null"))
_FUNCTIONS: dict[bytes, Callable[..., Any]] = {
    name: getattr(GraphicsState, operator.method)
    for name, operator in OPERATORS.items()
    if hasattr(GraphicsState, operator.method)
}
"""Operators that change the graphics state."""
_BARE = {name for name, operator in OPERATORS.items() if not operator.kinds and name not in _COLOURS}
"""Operators without operands."""
_PLAIN = {
    name: (_FUNCTIONS[name], operator.operands)
    for name, operator in OPERATORS.items()
    if operator.kinds and set(operator.kinds) == {"n"}
}
"""Operators of numbers only, all of which change the state, with the number of operands."""
_NOTHING = frozenset((b"ET",))

_Steps = tuple[list[tuple[Callable[..., Any] | None, tuple[Any, ...]]], int]


class Issues(Protocol):
    """Where recovered faults are recorded."""

    def add(self, code: str, message: str) -> None:
        """Record one fault."""


class SettingTable(dict[bytes, _Steps]):
    """A table from a setting to its steps, parsed once each: a function of the state and its operands.

    None in place of the function is the end of marked content. With the steps goes the number of operators. Settings recur
    from word to word and from page to page; the table belongs to one document.
    """

    _CAPACITY = 4096

    def __missing__(self, token: bytes) -> _Steps:
        """Parse a setting."""
        steps: list[tuple[Callable[..., Any] | None, tuple[Any, ...]]] = []
        operators = tokens.setting_operators(token)
        for name, operands in operators:
            if name == b"q" and steps and steps[-1][0] is GraphicsState.restore_state:
                steps[-1] = (GraphicsState.restart_state, ())
            elif name == b"EMC":
                steps.append((None, ()))
            elif name in _FUNCTIONS and name not in _NOTHING:
                steps.append((_FUNCTIONS[name], operands))
        if len(self) < self._CAPACITY:
            self[token] = steps, len(operators)
        return steps, len(operators)


class Instructions(OperandReader):
    """Carries out what needs nothing but the graphics state and the open marked content."""

    def __init__(
        self,
        state: GraphicsState,
        marked: MarkedContent,
        issues: Issues,
        settings: SettingTable,
        nesting: int,
    ) -> None:
        """Remember the state to change; `nesting` bounds the depth of arrays and dictionaries."""
        super().__init__(nesting)
        self._state, self._marked, self._issues, self._settings_known = state, marked, issues, settings
        self._operators_left = 0

    # -- settings and places -----------------------------------------------------------------------------------------

    def _set(self, token: bytes) -> None:
        """Carry out the operators of a setting."""
        steps, operators = self._settings_known[token]
        state = self._state
        for function, operands in steps:
            if function is None:
                self._marked.end()
            else:
                function(state, *operands)
        self._operators_left -= operators

    def _move(self, numbers: list[bytes], name: bytes) -> None:
        """Carry out Td, TD, Tm or cm."""
        function, count = _PLAIN[name]
        try:
            function(self._state, *map(float, numbers[-count:]))
        except (ValueError, TypeError):  # operands that are missing, malformed or kept from before
            self._call(name, b" ".join(numbers).replace(b"\0", b" ").split())
        if self._operands:
            self._operands.clear()

    def _step(self, match: re.Match[bytes]) -> bool:
        """Carry out what precedes a text that is set anew; return whether there have been too many operators."""
        first, rectangle, matrix, begun, second, at, place, third = match.group(*tokens.STEP)
        if self._operands:
            self._operands.clear()
        self._set(first)
        if rectangle is not None:
            self._state.clip_with(rectangle)
        if matrix is not None:
            self._move(matrix.split(), b"cm")
        if begun is not None:
            self._marked.begin_token(begun, self._state.resources)
        if second is not None:
            self._set(second)
        if place is not None:
            self._move(at.split(), place)
            if third is not None:
                self._set(third)
        self._jump = match.end()
        return self._operators_left <= 0

    def _placed(self, match: re.Match[bytes]) -> bool:
        """Carry out Td, TD or Tm, and the settings behind it."""
        name, settings = match.group(*tokens.PLACE)
        self._move(self._content[match.start() : match.start(tokens.PLACE[0])].split(), name)
        if settings is not None:
            self._set(settings)
            self._jump = match.end()
        return self._operators_left <= 0

    def _concatenated(self, match: re.Match[bytes]) -> None:
        """Carry out cm, and the path operators behind it."""
        self._move(self._content[match.start() : match.start(tokens.CONCATENATED)].split(), b"cm")
        drawn = match[tokens.DRAWN]
        if drawn is not None:
            self._state.paint(drawn)

    def _clip(self, match: re.Match[bytes]) -> None:
        self._state.clip_with(match[0])

    # -- showing -----------------------------------------------------------------------------------------------------

    def _literal(self, match: re.Match[bytes]) -> None:
        group = match.lastindex or 0
        parts = match[group].replace(b")", b"(").split(b"(")
        self._state.add_show(parts[1::2], parts[::2], match.start(group))

    def _hex(self, match: re.Match[bytes]) -> None:
        group = match.lastindex or 0
        parts = match[group].replace(b">", b"<").split(b"<")
        self._state.add_digits(parts[1::2], parts[::2], match.start(group))

    def _any(self, match: re.Match[bytes]) -> None:
        group = match.lastindex or 0
        body, start = match[group], match.start(group)
        flat = tokens.split_flat(body)
        if flat is not None:
            self._state.add_show(flat[1::2], flat[::2], start, marked=True)
            return
        parts = tokens.LITERALS.split(body)
        if b"<" in b"".join(parts[::2]):
            parts = tokens.STRINGS.split(body)
            pieces = list(map(tokens.string, parts[1::2]))
        else:
            pieces = [tokens.unescape(piece) if b"\\" in piece else piece for piece in parts[1::2]]
        self._state.add_show(pieces, parts[::2], start)

    def _shown_string(self, match: re.Match[bytes]) -> None:
        group = match.lastindex or 0
        self._state.add_show([tokens.string(match[group])], [b"", b""], match.start(group))

    # -- single operators --------------------------------------------------------------------------------------------

    def _numeric(self, match: re.Match[bytes]) -> None:
        name = match[tokens.NUMERIC]
        parts = match[0].split()
        plain = _PLAIN.get(name)
        if plain is not None and len(parts) > plain[1] and not self._operands:
            try:
                plain[0](self._state, *map(float, parts[-1 - plain[1] : -1]))
                return
            except ValueError:
                pass  # malformed numbers are read one by one below
        if name in _BARE and not self._operands:
            self._carry_out(name, ())
            return
        if name in OPERATORS:
            start = match.start(tokens.NUMERIC)
            self._state.position = start
            self._call(name, self._content[match.start() : start].replace(b"\0", b" ").split())
        if name not in _KEEPS_OPERANDS:
            self._operands.clear()

    def _carry_out(self, name: bytes, operands: Sequence[Any]) -> None:
        function = _FUNCTIONS.get(name)
        if function is not None:
            function(self._state, *operands)
        else:
            getattr(self, OPERATORS[name].method)(*operands)

    def _call(self, name: bytes, inline: list[bytes]) -> None:
        """Carry out an operator whose operands may be of any kind and number, given as objects and inline numbers."""
        operands = [*self._operands, *map(tokens.number, inline)]
        kinds = OPERATORS[name].kinds
        if name in _COLOURS:
            operands = [operand for operand in operands if isinstance(operand, float)]
        elif len(operands) < len(kinds):
            self._issues.add(
                "operands", f"operator {name!r} has {len(operands)} operands and needs {len(kinds)}"
            )
            return
        else:
            operands = operands[len(operands) - len(kinds) :]
            if not operands_fit(kinds, operands):
                self._issues.add("operands", f"operator {name!r} has operands of a wrong type")
                return
        self._carry_out(name, operands)

    def _named(self, match: re.Match[bytes]) -> None:
        name, operator = match[tokens.NAMED].replace(b"\0", b" ").split()
        if operator == b"scn":
            self._state.set_colour()
        elif operator in OPERATORS:
            self._carry_out(operator, (tokens.name(name),))
        self._operands.clear()

    # -- marked content ----------------------------------------------------------------------------------------------

    def begin_marked_content(self, tag: str) -> None:
        """Operator BMC."""
        self._marked.begin_plain()

    def begin_marked_content_with_properties(self, tag: Any, properties: Any) -> None:
        """Operator BDC, its operands read object by object."""
        self._marked.begin(tag, properties, self._state.resources)

    def end_marked_content(self) -> None:
        """Operator EMC."""
        self._marked.end()

    def _marked_content(self, match: re.Match[bytes]) -> None:
        token = match[tokens.MARKED]
        if token.endswith(b"BDC"):
            self._marked.begin_token(token, self._state.resources)
        self._operands.clear()
