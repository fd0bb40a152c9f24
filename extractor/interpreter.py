"""Interprets content streams (rules R1, R2; ISO 32000-1, 7.8.2, 8.8, 8.10) into show runs.

In: the bytes of a stream and its resources. Out: `ShowRuns`. Geometry, Unicode and visibility are decided later, over
whole columns; here only the state is followed. It must not import pypdf.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from itertools import islice
from typing import Any

from extractor import tokens
from extractor.graphics_state import GraphicsState
from extractor.inline_images import image_end, where_text_goes_on
from extractor.instructions import Instructions, Issues, SettingTable
from extractor.marked_content import MarkedContent
from extractor.objects import as_dictionary, as_name, entry, numbers, raw_entry, reference_key
from extractor.options import Limits
from extractor.resources import Resources
from extractor.show_runs import IDENTITY, Clip, Matrix, ShowRuns, multiply


class Interpreter(Instructions):
    """The operators of one page, its forms and its annotations, in paint order."""

    def __init__(
        self,
        resources: Resources,
        decode: Callable[[Any], bytes],
        hidden: Callable[[Any], bool],
        issues: Issues,
        limits: Limits,
        settings: SettingTable,
    ) -> None:
        """Start with the initial graphics state.

        Args:
            resources: the page's resources.
            decode: gives the decoded bytes of a stream object.
            hidden: tells whether an optional content group or membership is off (8.11).
            issues: where recovered faults go.
            limits: what the page may cost.
            settings: the document's memory of settings.
        """
        self.runs = ShowRuns()
        marked = MarkedContent(hidden, self.runs.spans)
        state = GraphicsState(self.runs, marked, resources, limits.saved_states)
        super().__init__(state, marked, issues, settings, limits.nesting)
        self._decode, self._hidden, self._limits = decode, hidden, limits
        self._operators_left, self._forms_left, self._bytes_left = (
            limits.operators,
            limits.forms,
            limits.content,
        )
        self._active: set[int] = set()
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

    # -- whole instructions ------------------------------------------------------------------------------------------

    def _graphics(self, match: re.Match[bytes]) -> None:
        self._state.paint(match[0])

    def _block(self, match: re.Match[bytes]) -> None:
        self._state.paint_apart(match[0])

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


def _shown_behind(
    prepare: Callable[[Interpreter, re.Match[bytes]], bool],
    show: Callable[[Interpreter, re.Match[bytes]], None],
) -> Callable[[Interpreter, re.Match[bytes]], bool]:
    """Return the method of a token that holds a text behind what prepares it."""

    def prepare_and_show(interpreter: Interpreter, match: re.Match[bytes]) -> bool:
        if prepare(interpreter, match):
            return True
        show(interpreter, match)
        return False

    return prepare_and_show


_SHOWS: dict[str, Callable[[Interpreter, re.Match[bytes]], None]] = {
    "literal": Interpreter._literal,
    "hex": Interpreter._hex,
    "any": Interpreter._any,
    "string": Interpreter._shown_string,
}
_METHODS: dict[str, Callable[[Interpreter, re.Match[bytes]], bool | None]] = {
    **dict.fromkeys(
        ("first", "rectangle", "matrix", "begun", "second", "at", "set", "third"), Interpreter._step
    ),
    **dict.fromkeys(("placed", "behind"), Interpreter._placed),
    **_SHOWS,
    **{"set_" + kind: _shown_behind(Interpreter._step, show) for kind, show in _SHOWS.items()},
    **{"placed_" + kind: _shown_behind(Interpreter._placed, show) for kind, show in _SHOWS.items()},
    **dict.fromkeys(("concatenated", "drawn"), Interpreter._concatenated),
    "clip": Interpreter._clip,
    "block": Interpreter._block,
    "graphics": Interpreter._graphics,
    "numeric": Interpreter._numeric,
    "named": Interpreter._named,
    "marked": Interpreter._marked_content,
    "image": Interpreter._image,
    "number": Interpreter._number,
    "name": Interpreter._name,
    "literal_or_hex": Interpreter._string,
    "open": Interpreter._open_container,
    "close": Interpreter._close_container,
    "long_string": Interpreter._long_string,
}

_NAMES = {number: name for name, number in tokens.GROUPS.items()}
_KINDS = tuple(_METHODS.get(_NAMES.get(number, ""), _ignore) for number in range(len(_NAMES) + 1))
"""The method of each kind of token, indexed by its number."""
