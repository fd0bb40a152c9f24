"""Interprets content streams (rules R1, R2; ISO 32000-1, 7.8.2, 8.8, 8.10) into show runs.

In: the bytes of a stream and its resources. Out: `ShowRuns`. Geometry, Unicode and visibility are decided later, over
whole columns; here only the state is followed. It must not import pypdf.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from itertools import islice
from typing import Any, Protocol

from extractor import tokens
from extractor.graphics_state import GraphicsState
from extractor.inline_images import image_end, where_text_goes_on
from extractor.marked_content import MarkedContent
from extractor.objects import as_dictionary, as_name, entry, numbers, raw_entry, reference_key
from extractor.operand_reader import OperandReader
from extractor.operators import OPERATORS, Operator, operands_fit
from extractor.options import Limits
from extractor.resources import Resources
from extractor.show_runs import IDENTITY, Clip, Matrix, ShowRuns, multiply

_COLOURS = frozenset((b"sc", b"scn"))
_KEEPS_OPERANDS = frozenset((b"true", b"false", b"null"))


_MOST_SETTINGS = 4096
_Steps = list[tuple[Callable[..., Any], bool, tuple[Any, ...]]]
"""Functions of operators, whether the interpreter itself carries them out, and their operands."""


class Issues(Protocol):
    """Where recovered faults are recorded."""

    def add(self, code: str, message: str) -> None:
        """Record one fault."""


class Interpreter(OperandReader):
    """The operators of one page, its forms and its annotations, in paint order."""

    def __init__(
        self,
        resources: Resources,
        decode: Callable[[Any], bytes],
        hidden: Callable[[Any], bool],
        issues: Issues,
        limits: Limits,
    ) -> None:
        """Start with the initial graphics state.

        Args:
            resources: the page's resources.
            decode: gives the decoded bytes of a stream object.
            hidden: tells whether an optional content group or membership is off (8.11).
            issues: where recovered faults go.
            limits: what the page may cost.
        """
        super().__init__(limits.nesting)
        self.runs = ShowRuns()
        self._marked = MarkedContent(hidden, self.runs.spans)
        self._state = GraphicsState(self.runs, self._marked, resources, limits.saved_states)
        self._decode, self._hidden, self._issues, self._limits = decode, hidden, issues, limits
        self._operators_left, self._forms_left, self._bytes_left = (
            limits.operators,
            limits.forms,
            limits.content,
        )
        self._active: set[int] = set()
        self._font_tokens: dict[bytes, tuple[str, float]] = {}
        self._settings_known: dict[bytes, _Steps] = {}
        self._endless = False

    # -- streams and forms -------------------------------------------------------------------------------------------

    def run(self, content: bytes) -> None:
        """Interpret one stream from its first to its last token; what limits cut off is recorded."""
        outer = self._content, self._operands, self._open
        self._content, self._operands, self._open = content, [], []
        self._unclosed = self._endless = False
        self._bytes_left -= len(content)
        if self._bytes_left >= 0:
            self._run_tokens(content)
        if self._operators_left <= 0 or self._bytes_left < 0:
            self._issues.add("limit", "the page's content exceeds the limits; the rest of it is left out")
        self._content, self._operands, self._open = outer

    def _run_tokens(self, content: bytes) -> None:
        position = 0
        while self._operators_left > 0:
            count = 0
            found = islice(tokens.TOKEN.finditer(content, position), self._operators_left)
            for count, match in enumerate(found, 1):  # noqa: B007 - the count is read after the loop
                if _KINDS[match.lastindex](self, match):  # type: ignore[index]
                    break
            else:
                self._operators_left -= count
                return
            self._operators_left -= count
            position = self._jump

    def run_appearance(self, stream: Any, placement: Matrix) -> bool:
        """Interpret an annotation's appearance stream under `placement` (12.5.5); return whether it shows text."""
        shows = len(self.runs.show_end)
        saved = self._begin_annotation(placement)
        self._paint_form(stream, stream, "")
        self._state.restore(saved)
        return len(self.runs.show_end) > shows

    def run_value(self, content: bytes, resources: Resources) -> None:
        """Interpret content made for an annotation without an appearance of its own; user space, marked as such."""
        saved = self._begin_annotation(IDENTITY)
        self._state.resources = resources
        self.run(content)
        self._state.restore(saved)

    def _begin_annotation(self, placement: Matrix) -> tuple[Any, ...]:
        state = self._state
        saved = state.snapshot()
        state.initialise(placement)
        return saved

    def paint_xobject(self, name: str) -> None:
        """Operator Do: a form is interpreted in place (R2), an image is counted."""
        raw, xobject = self._state.resources.xobject(name)
        if not isinstance(xobject, Mapping):
            self._issues.add("missing_xobject", f"there is no XObject {name}")
            return
        subtype = as_name(entry(xobject, "/Subtype"))
        membership = raw_entry(xobject, "/OC")
        hidden = membership is not None and self._hidden(membership)
        if subtype == "Image":
            if not hidden:
                self._state.paint_image(not any(key in xobject for key in ("/SMask", "/Mask", "/ImageMask")))
        elif subtype == "Form" or (subtype is None and entry(xobject, "/BBox") is not None):
            self._marked.begin_hidden(hidden)
            self._paint_form(raw, xobject, name)
            self._marked.end()

    def _paint_form(self, raw: Any, form: Any, name: str) -> None:
        key = reference_key(raw) or id(form)
        if key in self._active:
            self._issues.add("form_cycle", f"form XObject {name} paints itself; painted once")
            return
        if len(self._active) >= self._limits.form_depth or self._forms_left <= 0:
            self._issues.add(
                "limit", f"form XObject {name} is nested too deeply or painted too often; left out"
            )
            return
        self._forms_left -= 1
        outer, depth = self._state.begin_stream(), self._marked.depth
        self._active.add(key)
        self._enter_form(form, name)
        self.run(self._decode(form))
        self._active.discard(key)
        self._marked.unwind(depth)
        self._state.end_stream(outer)

    def _enter_form(self, form: Mapping[str, Any], name: str) -> None:
        state = self._state
        matrix = numbers(entry(form, "/Matrix"), 6)
        if matrix is not None:
            state.ctm = multiply(matrix, state.ctm)  # type: ignore[arg-type]
        box = numbers(entry(form, "/BBox"), 4)
        if box is not None and box[0] != box[2] and box[1] != box[3]:
            path = b"%f %f %f %f re" % (box[0], box[1], box[2] - box[0], box[3] - box[1])
            state.clip_path = Clip(state.clip_path, path, state.ctm)
        own = as_dictionary(entry(form, "/Resources"))
        if own is not None:
            state.resources = Resources(own, state.resources.font_of)
        self.runs.forms.append(name)
        state.form = len(self.runs.forms)
        state.changed()

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

    # -- whole instructions ------------------------------------------------------------------------------------------

    def _graphics(self, match: re.Match[bytes]) -> None:
        self._state.paint(match[0])

    def _block(self, match: re.Match[bytes]) -> None:
        self._state.paint_apart(match[0])

    def _clip(self, match: re.Match[bytes]) -> None:
        self._state.graphics = match[0][:-1].rstrip(b"W*\x00\t\n\x0c\r n")
        self._state.clip()

    def _place(self, match: re.Match[bytes]) -> None:
        """Carry out Td or Tm."""
        start = match.start(tokens.PLACED)
        operands = self._content[match.start() : start].split()
        try:
            if match[tokens.PLACED] == b"Td":
                tx, ty = operands[-2:]
                self._state.move(float(tx), float(ty))
            else:
                self._state.set_text_matrix(*map(float, operands[-6:]))
        except (ValueError, TypeError):  # operands that are missing, malformed or kept from before
            self._call(
                match[tokens.PLACED], self._content[match.start() : start].replace(b"\0", b" ").split()
            )
        self._operands.clear()

    def _placed(self, match: re.Match[bytes]) -> bool:
        """Carry out Td or Tm, and the settings behind it."""
        self._place(match)
        return self._set(match[tokens.PLACE], match.end())

    def _settings(self, match: re.Match[bytes]) -> bool:
        return self._set(match[tokens.SETTING], match.end())

    def _set(self, token: bytes, end: int) -> bool:
        """Carry out the operators of a setting; return whether there have been too many operators."""
        steps = self._settings_known.get(token)
        if steps is None:
            found = tokens.setting_operators(token)
            steps = [(*_OPERATORS[name], operands) for name, operands in found if name in _OPERATORS]
            if len(self._settings_known) < _MOST_SETTINGS:
                self._settings_known[token] = steps
        state = self._state
        for function, ours, operands in steps:
            function(self if ours else state, *operands)
        if self._operands:
            self._operands.clear()
        self._operators_left -= len(steps)
        self._jump = end
        return self._operators_left <= 0

    def _array_literal(self, match: re.Match[bytes]) -> None:
        parts = match[tokens.ARRAY_LITERAL].replace(b")", b"(").split(b"(")
        self._state.add_show(parts[1::2], parts[::2], match.start())

    def _array_hex(self, match: re.Match[bytes]) -> None:
        parts = match[tokens.ARRAY_HEX].replace(b">", b"<").split(b"<")
        self._state.add_digits(parts[1::2], parts[::2], match.start())

    def _array_any(self, match: re.Match[bytes]) -> None:
        body = match[tokens.ARRAY_ANY]
        flat = tokens.split_flat(body)
        if flat is not None:
            self._state.add_show(flat[1::2], flat[::2], match.start(), marked=True)
            return
        parts = tokens.LITERALS.split(body)
        if b"<" in b"".join(parts[::2]):
            parts = tokens.STRINGS.split(body)
            pieces = list(map(tokens.string, parts[1::2]))
        else:
            pieces = [tokens.unescape(piece) if b"\\" in piece else piece for piece in parts[1::2]]
        self._state.add_show(pieces, parts[::2], match.start())

    def _plain_show(self, match: re.Match[bytes]) -> None:
        token = match[tokens.SHOW][:-2].rstrip(b"\x00\t\n\x0c\r ")
        self._state.add_show([tokens.string(token)], [b"", b""], match.start())

    def _font_size(self, match: re.Match[bytes]) -> None:
        token = match[tokens.FONT]
        known = self._font_tokens.get(token)
        if known is None:
            name, size, _ = token.replace(b"\0", b" ").split()
            known = self._font_tokens[token] = tokens.name(name), tokens.number(size)
        self._state.set_font(*known)
        self._operands.clear()

    def _numeric(self, match: re.Match[bytes]) -> None:
        name = match[tokens.NUMERIC]
        bare = _BARE.get(name)
        if bare is not None and not self._operands:
            bare[0](self if bare[1] else self._state)
            return
        parts = match[0].split()
        plain = _PLAIN.get(name)
        if plain is not None and len(parts) > plain[1] and not self._operands:
            try:
                plain[0](self._state, *map(float, parts[-1 - plain[1] : -1]))
                return
            except ValueError:
                pass  # malformed numbers are read one by one below
        if name in OPERATORS:
            start = match.start(tokens.NUMERIC)
            self._state.position = start
            self._call(name, self._content[match.start() : start].replace(b"\0", b" ").split())
        if name not in _KEEPS_OPERANDS:
            self._operands.clear()

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
        function, ours = _OPERATORS[name]
        function(self if ours else self._state, *operands)

    def _named(self, match: re.Match[bytes]) -> None:
        name, operator = match[tokens.NAMED].replace(b"\0", b" ").split()
        known = _OPERATORS.get(operator)
        if operator == b"scn":
            self._state.set_colour()
        elif known is not None:
            known[0](self if known[1] else self._state, tokens.name(name))
        self._operands.clear()

    def _marked_content(self, match: re.Match[bytes]) -> None:
        token = match[tokens.MARKED]
        if token.endswith(b"BDC"):
            self._marked.begin_token(token, self._state.resources)
        self._operands.clear()

    def _image(self, match: re.Match[bytes]) -> bool:
        self._state.paint_image(b"/IM" not in match[tokens.IMAGE])
        self._operands.clear()
        start = match.end(tokens.IMAGE)
        end = -1 if self._endless else image_end(self._content, match[tokens.IMAGE], start)
        if end < 0:
            self._endless = (
                True  # where one image has no end no later one has: look no more, it would be quadratic
            )
            self._issues.add(
                "inline_image", "an inline image has no end; reading goes on at the next text or state"
            )
            end = where_text_goes_on(self._content, start)
        self._jump = end
        return True


def _ignore(interpreter: Interpreter, match: re.Match[bytes]) -> None:
    """Pass over a token that means nothing to text: comments, braces, stray bytes."""


def _bound(operator: Operator) -> tuple[Callable[..., Any], bool]:
    """Return an operator's function and whether the interpreter itself carries it out rather than its state."""
    ours = hasattr(Interpreter, operator.method)
    return getattr(Interpreter if ours else GraphicsState, operator.method), ours


_OPERATORS = {name: _bound(operator) for name, operator in OPERATORS.items()}
_BARE = {
    name: _OPERATORS[name]
    for name, operator in OPERATORS.items()
    if not operator.kinds and name not in _COLOURS
}
"""Operators without operands."""
_PLAIN = {
    name: (_OPERATORS[name][0], operator.operands)
    for name, operator in OPERATORS.items()
    if operator.kinds and set(operator.kinds) == {"n"}
}
"""Operators of numbers only, all of which change the state, with the number of operands."""

_METHODS: dict[int, Callable[[Interpreter, re.Match[bytes]], bool | None]] = {
    tokens.CLIP: Interpreter._clip,
    tokens.SETTING: Interpreter._settings,
    tokens.PLACED: Interpreter._place,
    tokens.PLACE: Interpreter._placed,
    tokens.ARRAY_LITERAL: Interpreter._array_literal,
    tokens.ARRAY_HEX: Interpreter._array_hex,
    tokens.ARRAY_ANY: Interpreter._array_any,
    tokens.SHOW: Interpreter._plain_show,
    tokens.BLOCK: Interpreter._block,
    tokens.GRAPHICS: Interpreter._graphics,
    tokens.NUMERIC: Interpreter._numeric,
    tokens.FONT: Interpreter._font_size,
    tokens.NAMED: Interpreter._named,
    tokens.MARKED: Interpreter._marked_content,
    tokens.IMAGE: Interpreter._image,
    tokens.NUMBER: Interpreter._number,
    tokens.NAME: Interpreter._name,
    tokens.STRING: Interpreter._string,
    tokens.OPEN: Interpreter._open_container,
    tokens.CLOSE: Interpreter._close_container,
    tokens.LONG_STRING: Interpreter._long_string,
}

_KINDS = tuple(_METHODS.get(kind, _ignore) for kind in range(tokens.JUNK + 1))
"""The method of each kind of token, indexed by its number."""
