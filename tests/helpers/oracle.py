"""A slow, scalar reading of rules R1 and R4: an object a glyph, formulas as ISO 32000-1 has them.

In: a program of operators as (name, operands). Out: glyphs, to be compared with the columns of the
extractor. It shares no code and no idea with them: matrices are multiplied one by one, copies are
searched for among all earlier glyphs.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

Matrix = tuple[float, float, float, float, float, float]
Operator = tuple[str, tuple[object, ...]]
IDENTITY: Matrix = (1, 0, 0, 1, 0, 0)
ASCENT, DESCENT = 0.8, -0.2


@dataclass(frozen=True)
class OracleGlyph:
    """One painted glyph, in user space."""

    text: str
    start: tuple[float, float]
    end: tuple[float, float]
    pen: tuple[float, float]
    direction: tuple[float, float]
    height: float


@dataclass(frozen=True)
class State:
    """The text state and the matrix: what q saves."""

    ctm: Matrix = IDENTITY
    size: float = 1
    tc: float = 0
    tw: float = 0
    th: float = 1
    leading: float = 0
    rise: float = 0


def multiply(first: Matrix, second: Matrix) -> Matrix:
    """Return first x second: a point goes through `first`, then through `second` (8.3.4)."""
    a, b, c, d, e, f = first
    g, h, i, j, k, m = second
    return (a * g + b * i, a * h + b * j, c * g + d * i, c * h + d * j, e * g + f * i + k, e * h + f * j + m)


def transform(matrix: Matrix, x: float, y: float) -> tuple[float, float]:
    """Return the point (x, y) through the matrix."""
    a, b, c, d, e, f = matrix
    return (a * x + c * y + e, b * x + d * y + f)


class Oracle:
    """Interprets a program operator by operator."""

    def __init__(self, widths: Mapping[str, float]) -> None:
        self.widths = widths
        self.glyphs: list[OracleGlyph] = []
        self.state = State()
        self.saved: list[State] = []
        self.tm = self.tlm = IDENTITY

    def run(self, program: Sequence[Operator]) -> list[OracleGlyph]:
        """Return the glyphs that the program paints."""
        for name, operands in program:
            self._apply(name, operands)
        return self.glyphs

    def _apply(self, name: str, operands: tuple) -> None:  # type: ignore[type-arg]
        match name:
            case "q":
                self.saved.append(self.state)
            case "Q":
                self.state = self.saved.pop() if self.saved else self.state
            case "cm":
                self.state = replace(self.state, ctm=multiply(operands, self.state.ctm))
            case "BT":
                self.tm = self.tlm = IDENTITY
            case "ET":
                pass
            case "Tf":
                self.state = replace(self.state, size=operands[0])
            case "Tc":
                self.state = replace(self.state, tc=operands[0])
            case "Tw":
                self.state = replace(self.state, tw=operands[0])
            case "Tz":
                self.state = replace(self.state, th=operands[0] / 100)
            case "TL":
                self.state = replace(self.state, leading=operands[0])
            case "Ts":
                self.state = replace(self.state, rise=operands[0])
            case "Td":
                self._move(*operands)
            case "TD":
                self.state = replace(self.state, leading=-operands[1])
                self._move(*operands)
            case "Tm":
                self.tm = self.tlm = operands
            case "T*":
                self._move(0, -self.state.leading)
            case "Tj":
                self._show(operands[0])
            case "'":
                self._move(0, -self.state.leading)
                self._show(operands[0])
            case '"':
                self.state = replace(self.state, tw=operands[0], tc=operands[1])
                self._move(0, -self.state.leading)
                self._show(operands[2])
            case "TJ":
                for part in operands:
                    if isinstance(part, str):
                        self._show(part)
                    else:
                        shift = -part / 1000 * self.state.size * self.state.th
                        self.tm = multiply((1, 0, 0, 1, shift, 0), self.tm)
            case _:
                raise ValueError(name)

    def _move(self, x: float, y: float) -> None:
        self.tm = self.tlm = multiply((1, 0, 0, 1, x, y), self.tlm)

    def _show(self, text: str) -> None:
        for character in text:
            state = self.state
            scale: Matrix = (state.size * state.th, 0, 0, state.size, 0, state.rise)
            rendering = multiply(multiply(scale, self.tm), state.ctm)
            width = self.widths[character]
            start, end = transform(rendering, 0, 0), transform(rendering, width, 0)
            space = state.tw if character == " " else 0
            advance = (width * state.size + state.tc + space) * state.th
            self.tm = multiply((1, 0, 0, 1, advance, 0), self.tm)
            pen = transform(multiply(multiply((1, 0, 0, 1, 0, state.rise), self.tm), state.ctm), 0, 0)
            top, bottom = transform(rendering, 0, ASCENT), transform(rendering, 0, DESCENT)
            one = transform(rendering, 1, 0)
            along = math.dist(one, start)
            direction = ((one[0] - start[0]) / along, (one[1] - start[1]) / along)
            self.glyphs.append(OracleGlyph(character, start, end, pen, direction, math.dist(top, bottom)))


def copies(glyphs: Sequence[OracleGlyph]) -> set[int]:
    """Return the indices of the copies by R4: each glyph against every earlier kept one."""
    dropped: set[int] = set()
    for index, glyph in enumerate(glyphs):
        if glyph.text == " ":
            continue
        earlier = (glyphs[k] for k in range(index) if k not in dropped)
        if any(_repeats(glyph, other) for other in earlier):
            dropped.add(index)
    return dropped


def _repeats(glyph: OracleGlyph, other: OracleGlyph) -> bool:
    if glyph.text != other.text or math.dist(glyph.direction, other.direction) > 1e-3:
        return False
    if abs(glyph.height - other.height) > 0.05 * max(glyph.height, other.height):
        return False
    dx, dy = glyph.start[0] - other.start[0], glyph.start[1] - other.start[1]
    ux, uy = other.direction
    return abs(dx * ux + dy * uy) <= 0.1 * glyph.height and abs(dy * ux - dx * uy) <= 0.2 * glyph.height


def content_of(program: Sequence[Operator], font: str = "/F") -> str:
    """Return the program as a content stream; Tf gets the font's name, TJ its brackets."""
    lines = []
    for name, operands in program:
        parts = [_syntax(operand) for operand in operands]
        if name == "Tf":
            parts = [font, *parts]
        elif name == "TJ":
            parts = ["[", *parts, "]"]
        lines.append(" ".join([*parts, name]))
    return "\n".join(lines)


def _syntax(operand: object) -> str:
    return f"({operand})" if isinstance(operand, str) else f"{operand:.6f}"
