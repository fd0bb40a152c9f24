"""Every threshold and limit of the extraction, each with its unit, direction and reason.

In: nothing. Out: one frozen `Options` value that the other modules read. It must not know how a value is used.
Lengths are in units of a glyph's height (ascent to descent, after all matrices) unless a line says otherwise.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from extractor.open_options import OpenOptions


@dataclass(frozen=True, slots=True)
class OverprintOptions:
    """When a glyph is a copy of an earlier one (rules R4 and B1)."""

    along: float = 0.1
    """Largest distance of the starts along the baseline; a real neighbour is a whole advance away."""
    across: float = 0.2
    """Largest distance across the baseline; wider, since shadows also move down."""
    height: float = 0.05
    """Largest relative difference of the heights."""
    direction: float = 2.0
    """Largest angle between the two baselines, in degrees: rounding of matrices, not another direction."""
    run_length: int = 3
    """Fewest glyphs in a run that may be a copy with a larger offset (B1)."""
    run_across: float = 0.5
    """Largest distance across the baseline of such a run."""
    run_along: float = 0.5
    """Largest distance along the baseline of such a run, in units of its smallest advance."""
    long_run: int = 6
    """Fewest glyphs in a run that may be a copy with an offset beyond its smallest advance: no other text has so many
    letters in common with text that it covers."""
    long_run_along: float = 0.3
    """Largest distance along the baseline of such a run."""


@dataclass(frozen=True, slots=True)
class GapOptions:
    """When a gap separates words (rules R5, B2, B3)."""

    word: float = 0.15
    """A gap over this is a space, in units of the current glyph's height (R5)."""
    cjk_border: float = 0.4
    """The same between a CJK character and a Latin letter or digit on a page that spaces such borders."""
    cjk_borders: int = 4
    """Fewest such borders with a gap between the two limits before a page is taken to space them."""
    jump_back: float = 1.0
    """A move back along the baseline over this separates words (B3)."""
    tracked_letters: int = 4
    """Fewest glyphs of a line before its letter gaps can be judged (B2)."""
    tracked_least: float = 0.04
    """A line is looked at when more than half of its gaps are over this: kerning stays below it."""
    tracked_most: float = 1.0
    """Gaps over this are no letter gaps, whatever the line: columns of a table."""
    tracked_spread: float = 0.12
    """Gaps of letter-spaced text differ from their median by at most this."""
    tracked_step: float = 0.3
    """A step of this size between a line's uneven letter gaps and its word gaps tells them apart."""
    tracked_apart: float = 0.5
    """Letters shown one by one this far apart are letter-spaced only where their gaps are the evenest thing about them."""
    tight_letters: int = 20
    """Fewest gaps of a line without any space before smaller gaps are taken for word gaps."""
    tight_least: float = 0.06
    """Smallest gap that may be a word gap in such a line."""
    tight_step: float = 0.04
    """Least difference between its letter gaps and its word gaps."""
    tight_word: float = 0.12
    """Gaps over this are spaces in lines of pages without painted spaces whose other gaps are below `tight_least`."""
    tight_close: float = 0.6
    """Part of such a line's gaps that must be."""
    between_shows: float = 0.1
    """A gap over this is a space between two show operations of several letters each, set close, on a page that paints
    its spaces."""
    painted_spaces: int = 5
    """Fewest painted spaces of such a page."""
    leader: int = 6
    """Fewest equal signs in a row that are a leader."""
    leader_gap: float = 0.03
    """A gap at the end of a leader that is wider than those between its dots by more than this is a space."""
    tight_between: float = 0.02
    """Part of such a line's gaps that may lie between the two."""


@dataclass(frozen=True, slots=True)
class LineOptions:
    """When a line ends (rule R6)."""

    move: float = 0.5
    """A move across the baseline over this starts a line, in units of the larger of the two heights (R6)."""
    drop_cap: float = 1.8
    """A first letter this many times as tall as the next may be a drop cap."""
    drop_cap_gap: float = 0.3
    """Largest gap between a drop cap and the next letter, in units of the next letter's height."""
    direction: float = 15.0
    """A turn of the baseline over this many degrees starts a line; letters along a curve turn less."""
    curve: float = 35.0
    """Degrees that letters set close to each other may turn: dancing letters, tight curves."""
    curve_gap: float = 0.3
    """Largest gap between such letters."""


@dataclass(frozen=True, slots=True)
class LayoutOptions:
    """How text is set on a character grid (R10)."""

    gap: float = 2.0
    """A gap over this many cells is a gap of the grid; smaller ones are one space, as in justified text."""
    blanks: int = 2
    """Fewest blanks for such a gap: it still shows where text needed more cells than its place has."""
    blank_columns: int = 40
    """Most blank columns of the whole grid in a run."""
    blank_rows: int = 2
    """Most blank rows in a run."""


@dataclass(frozen=True, slots=True)
class ColumnOptions:
    """When a gap below R11's limit divides columns all the same: articles are set with gutters of 12 points."""

    narrow: float = 0.5
    """A gutter of running text is over this part of the limit."""
    lines: int = 8
    """Fewest lines of running text at each side of such a gutter."""
    letters: float = 20.0
    """Fewest characters that a line of running text has on average; cells of tables have less."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What one page may cost before extraction stops with what it has; hostile files reach these, real ones do not."""

    operators: int = 5_000_000
    """Tokens interpreted on a page, forms included."""
    content: int = 512 << 20
    """Bytes of content streams interpreted on a page, a form counted each time it is painted."""
    glyphs: int = 2_000_000
    """Glyphs painted on a page."""
    forms: int = 20_000
    """Form XObjects painted on a page."""
    form_depth: int = 28
    """Depth of nested forms; cycles are found before that (B5)."""
    saved_states: int = 10_000
    """Depth of the graphics state stack; deeper q operators are counted, not stored."""
    nesting: int = 200
    """Depth of nested arrays and dictionaries in a content stream."""


@dataclass(frozen=True, slots=True)
class Options:
    """All options of page extraction."""

    overprint: OverprintOptions = field(default_factory=OverprintOptions)
    gaps: GapOptions = field(default_factory=GapOptions)
    lines: LineOptions = field(default_factory=LineOptions)
    layout: LayoutOptions = field(default_factory=LayoutOptions)
    columns: ColumnOptions = field(default_factory=ColumnOptions)
    limits: Limits = field(default_factory=Limits)
    opening: OpenOptions = field(default_factory=OpenOptions)
    annotations: bool = True
    """Whether the appearance streams of visible annotations are part of the page."""
    keep_clipped: bool = False
    """Whether text that lies wholly outside its clipping path stays in the page's text (B4)."""
