"""One page from its content to its text: the recipe, a line a step, and the border where errors become values.

In: a page's source and what its document shares. Out: `Page`, whose results are made when asked for and once, and
`PageResult`, a whole page as a value. It must not know what a step does inside.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from time import process_time
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from extractor.accents import compose_accents
from extractor.bidi import reorder_lines
from extractor.clusters import settle_clusters
from extractor.columns import column_text
from extractor.covered import find_covered
from extractor.decided import Decided
from extractor.errors import ExtractionError
from extractor.explain import Explanation, explain_page
from extractor.field_values import RESOURCES, value_content
from extractor.flags import page_flags
from extractor.fragments import fill_holes
from extractor.geometry import build_glyphs
from extractor.glyph_records import GlyphRecord, list_glyphs
from extractor.glyph_table import Classes, GlyphTable
from extractor.glyphs import CLIPPED, COPY, KEPT, LAYER_OFF, OFF_PAGE, Bools, Glyphs, Ints
from extractor.hyphens import show_soft_hyphens
from extractor.instructions import SettingTable
from extractor.interpreter import Interpreter
from extractor.issues import Issue, IssueLog
from extractor.layout import layout_text
from extractor.lines import Sequence, read_sequence
from extractor.objects import entry, numbers
from extractor.options import Options
from extractor.overprint import find_copies
from extractor.page_text import Frame, Lines, PageText, Words, build_text
from extractor.pages import PageSource
from extractor.resources import Resources
from extractor.rows import TextGlyphs
from extractor.show_runs import IDENTITY, Matrix, ShowRuns
from extractor.tokens import NumberTable
from extractor.vertical import order_columns, set_directions
from extractor.visible import judge_visible
from extractor.word_splits import split_words


@dataclass(frozen=True, slots=True)
class Counts:
    """What became of the glyphs of a page (R12): painted = visible + overprinted + off_page + hidden."""

    painted: int = 0
    visible: int = 0
    """Kept in the text."""
    overprinted: int = 0
    """Dropped as copies (R4, B1)."""
    off_page: int = 0
    """Centre outside the visible box (R3)."""
    hidden: int = 0
    """In optional content that is off or wholly outside the clipping path (B4)."""
    unmapped: int = 0
    """Of the visible ones, those without Unicode."""
    inserted_spaces: int = 0
    """Spaces that rules put into the text."""
    from_forms: int = 0
    """Of the visible ones, those painted by form XObjects."""
    from_annotations: int = 0
    """Of the visible ones, those painted by annotations."""
    invisible: int = 0
    """Of the visible ones, those in render mode 3 or 7, such as an OCR layer."""
    white: int = 0
    """Of the visible ones, those painted in white."""
    covered: int = 0
    """Of the visible ones, those under an area or image painted later (B4)."""


@dataclass(frozen=True, slots=True)
class Shared:
    """What the pages of a document share."""

    table: GlyphTable
    decode: Callable[[Any], bytes]
    hidden: Callable[[Any], bool]
    options: Options
    adjustments: NumberTable = field(default_factory=NumberTable)
    settings: SettingTable = field(default_factory=SettingTable)


class Page:
    """A page; nothing is extracted before it is asked for, and once only."""

    def __init__(self, source: PageSource, shared: Shared, log: IssueLog) -> None:
        """Remember where the page comes from."""
        self._source, self._shared, self._log = source, shared, log
        self.index: int = source.index
        """Counted from 0."""
        self.number: int = source.index + 1
        """Counted from 1, for people."""
        self.label: str = source.label
        self.rotation: int = source.rotation
        self.frame = Frame(source.visible_box, source.rotation, source.user_unit)
        self.width, self.height = self.frame.size
        """Points, as shown: /Rotate applied."""

    # -- steps -------------------------------------------------------------------------------------------------------

    @cached_property
    def _runs(self) -> ShowRuns:
        source, shared, options = self._source, self._shared, self._shared.options
        resources = Resources(source.resources, shared.table.font_number)
        interpreter = Interpreter(
            resources, shared.decode, shared.hidden, self._log, options.limits, shared.settings
        )
        interpreter.run(source.content)
        for annotation in source.annotations if options.annotations else ():
            appearance, shown = annotation.appearance, False
            if appearance is not None:
                shown = interpreter.run_appearance(appearance, placement(appearance, annotation.rect))
            if annotation.value and not shown:
                made = Resources(RESOURCES, shared.table.font_number)
                interpreter.run_value(value_content(annotation.value, annotation.rect), made)
        return interpreter.runs

    @cached_property
    def glyphs(self) -> Glyphs:
        """Every painted glyph, copies and printer's marks included (R3), in paint order."""
        shared = self._shared
        glyphs = build_glyphs(self._runs, shared.table, shared.adjustments, shared.options.limits.glyphs)
        return set_directions(glyphs, shared.table.text_class[glyphs.text_id])

    @cached_property
    def classes(self) -> Classes:
        """Class bits of each painted glyph's own text; uint16[painted]."""
        return self._shared.table.text_class[self.glyphs.text_id]

    @cached_property
    def _fates(self) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
        options = self._shared.options
        fate = judge_visible(self.glyphs, self._source.visible_box, options.keep_clipped)
        twin = find_copies(self.glyphs, fate == KEPT, self.classes, options.overprint)
        settle_clusters(self.glyphs, fate == KEPT, twin)
        fate[twin >= 0] = COPY
        return fate, twin

    @property
    def fate(self) -> NDArray[np.uint8]:
        """What became of each painted glyph: KEPT, OFF_PAGE, LAYER_OFF, CLIPPED or COPY; uint8[painted]."""
        return self._fates[0]

    @property
    def twin(self) -> NDArray[np.int64]:
        """The kept glyph that each copy repeats, -1 for all others; int64[painted]."""
        return self._fates[1]

    @cached_property
    def visible_glyphs(self) -> Glyphs:
        """The glyphs that make the page's text (R3, R4), in paint order."""
        return self.glyphs.select(self.fate == KEPT)

    @cached_property
    def _said(self) -> tuple[Ints, Bools]:
        table, kept = self._shared.table, self.fate == KEPT
        return compose_accents(self.glyphs, kept, apply_spans(self.glyphs, kept, table), table)

    @cached_property
    def _reading(self) -> tuple[Sequence, Ints]:
        options, table, (said, absorbed) = self._shared.options, self._shared.table, self._said
        kept, classes = (self.fate == KEPT) & ~absorbed, table.text_class[said]
        sequence = read_sequence(self.glyphs, kept, classes, options.gaps, options.lines)
        sequence = fill_holes(self.glyphs, kept, classes, sequence, options.gaps)
        return reorder_lines(
            self.glyphs, order_columns(self.glyphs, sequence), said, table, options.gaps, self.twin
        )

    @property
    def sequence(self) -> Sequence:
        """The glyphs of the text in reading order, with what separates them."""
        return self._reading[0]

    @cached_property
    def said(self) -> Ints:
        """Text id of what each painted glyph says in the text, replacement texts (14.9.4) applied; int32[painted]."""
        return show_soft_hyphens(self.glyphs, *self._reading, self._shared.table)

    @cached_property
    def _text(self) -> PageText:
        said = self.said  # it may add texts, so it comes before the columns
        columns = self._shared.table.text_columns
        return split_words(build_text(self.glyphs, said, self.sequence, self.twin, self.frame, columns))

    # -- results -----------------------------------------------------------------------------------------------------

    def text(self) -> str:
        """Return the page's text: words separated by one space, lines by one newline."""
        return self._text.text

    @property
    def _text_glyphs(self) -> TextGlyphs:
        said, options = self.said, self._shared.options
        return TextGlyphs(
            self.glyphs, said, self._shared.table.text_class[said], self.sequence, self.rotation, options
        )

    def layout_text(self) -> str:
        """Return the page's text on a character grid, one text line a printed row (R10)."""
        return layout_text(self._text_glyphs, self._shared.options.layout)

    def column_text(self, k: float = 3.0) -> str:
        """Return the page's text with columns one after the other (R11).

        Args:
            k: a horizontal gap over this many median advances of the page splits.
        """
        return column_text(self._text_glyphs, k, self._shared.options.columns)

    @property
    def _decided(self) -> Decided:
        said, absorbed = self._said
        return Decided(
            self.glyphs, self.fate, self.twin, (self.fate == KEPT) & ~absorbed, self._shared.table.text_class[said],
            self.said, self.sequence, self.frame, self._shared.options,
        )  # fmt: skip

    def explain(self, near: str | None = None) -> Explanation:
        """Return what separates each two neighbours and why glyphs are not in the text (B8).

        Args:
            near: tell only about the places where this text stands.
        """
        return explain_page(self._decided, near)

    def glyph_records(self, painted: bool = False) -> list[GlyphRecord]:
        """Return all that is known of each visible glyph, or of all painted ones, in paint order."""
        decided = self._decided
        return list_glyphs(decided, [font.name for font in self._shared.table.fonts], painted)

    @property
    def lines(self) -> Lines:
        """The lines, as columns."""
        return self._text.lines

    @property
    def words(self) -> Words:
        """The words, as columns."""
        return self._text.words

    @property
    def images(self) -> int:
        """Number of images painted."""
        return self._runs.images

    @cached_property
    def counts(self) -> Counts:
        """What became of the page's glyphs."""
        fate, paint = self.fate, self.glyphs.paint
        kept = fate == KEPT
        paints = self._runs.paints
        by_fate = np.bincount(fate, minlength=5).tolist()

        def kept_where(flags: list[bool]) -> int:
            return int(np.count_nonzero(np.array(flags, np.bool_)[paint] & kept)) if any(flags) else 0

        return Counts(
            painted=len(fate),
            visible=by_fate[KEPT],
            overprinted=by_fate[COPY],
            off_page=by_fate[OFF_PAGE],
            hidden=by_fate[LAYER_OFF] + by_fate[CLIPPED],
            unmapped=int(np.count_nonzero(kept & (self.said == 0) & (self.glyphs.text_id == 0))),
            inserted_spaces=self._text.inserted_spaces,
            from_forms=kept_where([state.form > 0 and not state.annotation for state in paints]),
            from_annotations=kept_where([state.annotation for state in paints]),
            invisible=kept_where([state.mode in (3, 7) for state in paints]),
            white=kept_where([state.white and state.mode in (0, 4) for state in paints]),
            covered=int(np.count_nonzero(find_covered(self.glyphs, kept))) if self._runs.covers else 0,
        )

    @property
    def flags(self) -> tuple[str, ...]:
        """What a reader of the results should know: needs_ocr, garbled, ..."""
        area = self.width * self.height / self.frame.unit**2
        return page_flags(
            self.text(), self.counts, self.images, self._runs.image_area / area if area else 0.0
        )

    @property
    def issues(self) -> tuple[Issue, ...]:
        """Faults recovered so far on this page."""
        return self._log.items


def placement(appearance: Any, rect: tuple[float, float, float, float]) -> Matrix:
    """Return the matrix A of 12.5.5, which maps an appearance's transformed bounding box to the annotation's Rect."""
    box = numbers(entry(appearance, "/BBox"), 4)
    if box is None:
        return (1.0, 0.0, 0.0, 1.0, rect[0], rect[1])
    a, b, c, d, e, f = numbers(entry(appearance, "/Matrix"), 6) or IDENTITY
    corners = [(x * a + y * c + e, x * b + y * d + f) for x in box[::2] for y in box[1::2]]
    x0, x1 = min(x for x, _ in corners), max(x for x, _ in corners)
    y0, y1 = min(y for _, y in corners), max(y for _, y in corners)
    sx = (rect[2] - rect[0]) / (x1 - x0) if x1 > x0 else 1.0
    sy = (rect[3] - rect[1]) / (y1 - y0) if y1 > y0 else 1.0
    return (sx, 0.0, 0.0, sy, rect[0] - x0 * sx, rect[1] - y0 * sy)


def apply_spans(glyphs: Glyphs, kept: Bools, table: GlyphTable) -> Ints:
    """Return the text ids with each ActualText span's text at its first kept glyph and nothing at its others.

    Args:
        glyphs: the painted glyphs.
        kept: bool[n]: glyphs of the page's text.
        table: the document's texts; replacement texts are added.
    """
    spans = glyphs.runs.spans
    if not spans:
        return glyphs.text_id
    of_paint = np.array([paint.span for paint in glyphs.runs.paints], np.int64)
    span = np.where(kept, of_paint[glyphs.paint], 0)
    inside = np.flatnonzero(span)
    said = glyphs.text_id.copy()
    said[inside] = 0
    numbers_used, first = np.unique(span[inside], return_index=True)
    for number, place in zip(numbers_used.tolist(), inside[first].tolist(), strict=True):
        said[place] = table.intern(spans[number - 1])
    return said


@dataclass(frozen=True)
class PageResult:
    """A whole page as a value, also of a page that failed."""

    page_index: int
    status: str
    """"ok" or "failed"."""
    reason: str | None = None
    message: str | None = None
    text: str = ""
    width: float = 0.0
    height: float = 0.0
    rotation: int = 0
    label: str = ""
    counts: Counts = field(default_factory=Counts)
    images: int = 0
    flags: tuple[str, ...] = ()
    issues: tuple[str, ...] = ()
    ms: float = 0.0
    """CPU time, milliseconds."""
    lines: Lines | None = None
    words: Words | None = None


class HasPages(Protocol):
    """A document whose pages can be asked for."""

    def __getitem__(self, index: int) -> Page:
        """Return a page."""


def extract_page(document: HasPages, index: int) -> PageResult:
    """Return one page of an open document as a value; what a bad page raises becomes a failed result.

    Args:
        document: an open document.
        index: of the page, from 0.
    """
    begun = process_time()
    try:
        page = document[index]
        text, counts = page.text(), page.counts
        return PageResult(
            index, "ok", text=text, width=page.width, height=page.height, rotation=page.rotation, label=page.label,
            counts=counts, images=page.images, flags=page.flags,
            issues=tuple(f"{issue.code}: {issue.message}" for issue in page.issues),
            ms=(process_time() - begun) * 1e3, lines=page.lines, words=page.words,
        )  # fmt: skip
    except ExtractionError as error:
        return _failed(index, error.reason, error.message, begun)
    except MemoryError:
        return _failed(index, "memory", f"page {index + 1} needs more memory than there is", begun)
    except RecursionError:
        return _failed(index, "limit", f"page {index + 1} is nested too deeply", begun)
    except Exception as error:
        kind = type(error).__name__
        return _failed(index, "page_damaged", f"page {index + 1}: {kind}: {error}"[:300], begun)


def _failed(index: int, reason: str, message: str, begun: float) -> PageResult:
    return PageResult(index, "failed", reason, message, ms=(process_time() - begun) * 1e3)
