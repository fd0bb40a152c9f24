"""The graphics state as far as text depends on it (ISO 32000-1, 8.4, 9.3, 9.4), one method an operator.

In: operands. Out: show operations written to `ShowRuns` together with the state they are shown in. It must not know
tokens, streams or forms. Lengths are in unscaled text space units until geometry turns them into points.
"""

from __future__ import annotations

from binascii import unhexlify
from typing import Any

from extractor import tokens
from extractor.marked_content import MarkedContent
from extractor.resources import Resources
from extractor.show_runs import IDENTITY, Clip, Matrix, PaintState, ShowRuns, multiply

Saved = tuple[Any, ...]


class GraphicsState:
    """The parameters that q saves and Q restores, the text matrices, and the recording of what is shown."""

    def __init__(
        self, runs: ShowRuns, marked: MarkedContent, resources: Resources, saved_states: int
    ) -> None:
        """Start with the initial values (Table 52, Table 104); `saved_states` bounds the stack of q."""
        self.runs, self.marked, self.resources = runs, marked, resources
        self.ctm: Matrix = IDENTITY
        self.clip_path: Clip | None = None
        self.form, self.annotation = 0, False
        self.graphics: bytes | None = None
        """The last run of path operators, whose last subpaths W intersects with."""
        self.position = 0
        """Offset of the current operator in its stream."""
        self._font, self._size = resources.font(""), 0.0
        self._tc = self._tw = self._tl = self._rise = 0.0
        self._th, self._mode, self._white, self._opaque = 1.0, 0, False, True
        self._linear = (1.0, 0.0, 0.0, 1.0)
        self._e = self._f = 0.0
        self._stale_row = self._stale_paint = self._moved = True
        self._stack: list[Saved] = []
        self._unstored, self._saved_states = 0, saved_states

    # -- saving and restoring (8.4.2) --------------------------------------------------------------------------------

    def snapshot(self) -> Saved:
        """Return everything that q saves."""
        return (
            self.ctm, self.clip_path, self._font, self._size, self._tc, self._tw, self._tl, self._rise, self._th,
            self._mode, self._white, self._opaque, self.resources, self.form, self.annotation,
        )  # fmt: skip

    def restore(self, saved: Saved) -> None:
        """Bring back a snapshot."""
        (
            self.ctm, self.clip_path, self._font, self._size, self._tc, self._tw, self._tl, self._rise, self._th,
            self._mode, self._white, self._opaque, self.resources, self.form, self.annotation,
        ) = saved  # fmt: skip
        self.changed()

    def initialise(self, ctm: Matrix) -> None:
        """Set the initial values (Table 52) for an annotation: what the page left behind does not concern it."""
        self.ctm, self.clip_path, self.annotation, self.form = ctm, None, True, 0
        self._size = self._tc = self._tw = self._tl = self._rise = 0.0
        self._th, self._mode, self._white, self._opaque = 1.0, 0, False, True
        self.changed()

    def changed(self) -> None:
        """Note that state was set from outside, so that the next show writes new rows."""
        self._stale_row = self._stale_paint = True

    def begin_stream(self) -> Saved:
        """Start a form's own stack and text matrices; return what `end_stream` needs."""
        outer = (self.snapshot(), self._stack, self._unstored, self._linear, self._e, self._f)
        self._stack, self._unstored = [], 0
        return outer

    def end_stream(self, outer: Saved) -> None:
        """Return to the state before the form: a form leaves nothing behind (8.10.1)."""
        saved, self._stack, self._unstored, self._linear, self._e, self._f = outer
        self.restore(saved)
        self._moved = True

    def save_state(self) -> None:
        """Operator q."""
        if len(self._stack) < self._saved_states:
            self._stack.append(self.snapshot())
        else:
            self._unstored += 1

    def restore_state(self) -> None:
        """Operator Q; one without its q is passed over."""
        if self._unstored:
            self._unstored -= 1
        elif self._stack:
            self.restore(self._stack.pop())

    def restart_state(self) -> None:
        """Operators Q and q, one behind the other."""
        if self._stack and not self._unstored:
            self.restore(self._stack[-1])
        elif not self._unstored:
            self.save_state()

    def concatenate(self, a: float, b: float, c: float, d: float, e: float, f: float) -> None:
        """Operator cm."""
        self.ctm = multiply((a, b, c, d, e, f), self.ctm)
        self._stale_row = True

    def set_parameters(self, name: str) -> None:
        """Operator gs: /Font of the parameter dictionary concerns text, /ca and /BM what covers it (8.4.5, 11.6.4)."""
        opaque, plain, font = self.resources.parameters(name)
        if opaque is not None:
            self._opaque = opaque
        if plain is not None:
            self._opaque = self._opaque and plain
        if font is not None:
            self._font, self._size = font
            self._stale_row = True

    def paint(self, path: bytes) -> None:
        """Remember a run of path operators: W may clip with it, and what it fills covers text shown before (B4)."""
        self.graphics = path
        if self._opaque:
            self.runs.add_cover(path, self.ctm, self.clip_path)

    def paint_apart(self, path: bytes) -> None:
        """Take a run of path operators between its own q and Q: it may cover text, and leaves nothing behind."""
        if self._opaque and b"cm" not in path:
            self.runs.add_cover(path, self.ctm, self.clip_path)

    def paint_image(self, opaque: bool) -> None:
        """Count an image, which fills the unit square (8.9.5)."""
        self.runs.add_image(self.ctm)
        if opaque and self._opaque:
            self.runs.add_cover(b"0 0 1 1 re f ", self.ctm, self.clip_path)

    def clip(self) -> None:
        """Operators W and W*: the path before them is kept as bytes and measured only if text is shown under it."""
        if self.graphics is not None:
            self.clip_path = Clip(self.clip_path, self.graphics, self.ctm)
            self.graphics = None
            self._stale_paint = True

    def clip_with(self, token: bytes) -> None:
        """Operators re, W and n: a rectangle that is nothing but a clip, with its operators."""
        self.graphics = token[:-1].rstrip(b"W*\x00\t\n\x0c\r n")
        self.clip()

    # -- colour (8.6.8): only whether it is white --------------------------------------------------------------------

    def _set_white(self, white: bool) -> None:
        if white != self._white:
            self._white = white
            self._stale_paint = True

    def set_gray(self, gray: float) -> None:
        """Operator g."""
        self._set_white(gray >= 1.0)

    def set_rgb(self, red: float, green: float, blue: float) -> None:
        """Operator rg."""
        self._set_white(red >= 1.0 and green >= 1.0 and blue >= 1.0)

    def set_cmyk(self, cyan: float, magenta: float, yellow: float, black: float) -> None:
        """Operator k."""
        self._set_white(cyan <= 0.0 and magenta <= 0.0 and yellow <= 0.0 and black <= 0.0)

    def set_colour_space(self, name: str) -> None:
        """Operator cs: the initial colour of a space is black in all but a few."""
        self._set_white(False)

    def set_colour(self, *components: float) -> None:
        """Operators sc and scn: one or three components of one, or four of nought, are taken for white."""
        if len(components) == 4:
            self._set_white(all(value == 0.0 for value in components))
        else:
            self._set_white(len(components) in (1, 3) and all(value == 1.0 for value in components))

    # -- text state (9.3) --------------------------------------------------------------------------------------------

    def set_character_spacing(self, spacing: float) -> None:
        """Operator Tc."""
        self._tc = spacing
        self._stale_row = True

    def set_word_spacing(self, spacing: float) -> None:
        """Operator Tw."""
        self._tw = spacing
        self._stale_row = True

    def set_scaling(self, percent: float) -> None:
        """Operator Tz."""
        self._th = percent / 100.0
        self._stale_row = True

    def set_leading(self, leading: float) -> None:
        """Operator TL."""
        self._tl = leading

    def set_font(self, name: str, size: float) -> None:
        """Operator Tf."""
        self._font = self.resources.font(name)
        self._size = size
        self._stale_row = True

    def set_mode(self, mode: float) -> None:
        """Operator Tr."""
        self._mode = int(mode)
        self._stale_paint = True

    def set_rise(self, rise: float) -> None:
        """Operator Ts."""
        self._rise = rise
        self._stale_row = True

    # -- text position (9.4.1, 9.4.2) --------------------------------------------------------------------------------

    def begin_text(self) -> None:
        """Operator BT."""
        self._linear = (1.0, 0.0, 0.0, 1.0)
        self._e = self._f = 0.0
        self._moved = True

    def end_text(self) -> None:
        """Operator ET: what is shown without a new BT goes on from the same matrices, as readers do."""

    def move(self, tx: float, ty: float) -> None:
        """Operator Td."""
        a, b, c, d = self._linear
        self._e += tx * a + ty * c
        self._f += tx * b + ty * d
        self._moved = True

    def move_and_set_leading(self, tx: float, ty: float) -> None:
        """Operator TD."""
        self._tl = -ty
        self.move(tx, ty)

    def set_text_matrix(self, a: float, b: float, c: float, d: float, e: float, f: float) -> None:
        """Operator Tm."""
        self._linear = (a, b, c, d)
        self._e, self._f = e, f
        self._moved = True

    def next_line(self) -> None:
        """Operator T*."""
        self.move(0.0, -self._tl)

    # -- showing (9.4.3) ---------------------------------------------------------------------------------------------

    def show(self, text: bytes) -> None:
        """Operator Tj."""
        self.add_show([text], [b"", b""], self.position)

    def show_adjusted(self, elements: list[Any]) -> None:
        """Operator TJ with an array read object by object."""
        pieces: list[bytes] = []
        adjustments = [b""]
        for element in elements:
            if isinstance(element, bytes):
                pieces.append(element)
                adjustments.append(b"")
            elif isinstance(element, float):
                adjustments[-1] += b" %f" % element
        self.add_show(pieces, adjustments, self.position)

    def next_line_show(self, text: bytes) -> None:
        """Operator '."""
        self.next_line()
        self.show(text)

    def next_line_show_spaced(self, word: float, character: float, text: bytes) -> None:
        """Operator "."""
        self.set_word_spacing(word)
        self.set_character_spacing(character)
        self.next_line_show(text)

    def add_show(
        self, pieces: list[bytes], adjustments: list[bytes], position: int, *, marked: bool = False
    ) -> None:
        """Record one show operation.

        Args:
            pieces: strings, codes still packed.
            adjustments: the numbers before each piece and, last, behind them all: one more than pieces.
            position: offset of the operation in its stream.
            marked: whether brackets in the pieces are marked as `tokens.split_flat` does.
        """
        runs = self.runs
        joined = b"".join(pieces)
        runs.strings.append(tokens.unmark(joined) if marked else joined)
        runs.sizes += map(len, pieces)
        self._end_show(adjustments, position)

    def add_digits(self, pieces: list[bytes], adjustments: list[bytes], position: int) -> None:
        """Record one show operation whose pieces are written in hexadecimal, without their brackets."""
        sizes = list(map(len, pieces))
        digits = b"".join(pieces)
        if any(size & 1 for size in set(sizes)) or not digits.isalnum():
            self.add_show([tokens.string(b"<" + piece + b">") for piece in pieces], adjustments, position)
            return
        runs = self.runs
        runs.digit_shows.append(len(runs.strings))
        runs.strings.append(unhexlify(digits))
        runs.sizes += sizes
        self._end_show(adjustments, position)

    def _end_show(self, adjustments: list[bytes], position: int) -> None:
        runs = self.runs
        runs.sizes.append(0)
        runs.adjustments += adjustments
        missing = len(runs.sizes) - len(runs.adjustments)
        if missing:  # an array that is damaged, such as [<41>5<42
            runs.adjustments = (runs.adjustments + [b""] * missing)[: len(runs.sizes)]
        if self._moved:
            self._begin_segment()
        if self._stale_row or self._stale_paint or self.marked.changed:
            self._begin_row()
        runs.show_end.append(len(runs.sizes))
        runs.show_row.append(len(runs.rows) - 1)
        runs.show_segment.append(len(runs.segment_e) - 1)
        runs.show_operation.append(position)

    def _begin_segment(self) -> None:
        runs = self.runs
        if not runs.linear or runs.linear[-1] != self._linear:
            runs.linear.append(self._linear)
        runs.segment_linear.append(len(runs.linear) - 1)
        runs.segment_e.append(self._e)
        runs.segment_f.append(self._f)
        self._moved = False

    def _begin_row(self) -> None:
        runs = self.runs
        if not runs.matrices or runs.matrices[-1] is not self.ctm:
            runs.matrices.append(self.ctm)
        if self._stale_paint or self.marked.changed:
            marked = self.marked
            paint = PaintState(
                self._mode,
                self.clip_path,
                self._white,
                marked.hidden,
                marked.span,
                self.form,
                self.annotation,
            )
            if not runs.paints or runs.paints[-1] != paint:
                runs.paints.append(paint)
            marked.changed = False
        matrix, paint_row = len(runs.matrices) - 1, len(runs.paints) - 1
        runs.rows.append(
            (self._font, self._size, self._tc, self._tw, self._th, self._rise, matrix, paint_row)
        )
        self._stale_row = self._stale_paint = False
