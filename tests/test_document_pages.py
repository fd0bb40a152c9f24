"""Pages as the interpreter reads them: tree, inheritance, boxes, content, labels, memory."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from extractor.document import open_source
from extractor.errors import PageDamagedError
from extractor.labels import PageLabels
from extractor.object_store import ObjectStore
from extractor.open_options import OpenOptions
from extractor.pages import DocumentSource, PageSource
from tests.helpers.pdf_maker import Page, make_document
from tests.helpers.raw_pdf import one_page, stream, with_streams, with_table


def first(page: bytes, root: bytes = b"") -> PageSource:
    """Return the page with these entries, under a tree whose root has those."""
    bodies = {**one_page(page=page), 2: b"<</Type/Pages/Kids[3 0 R]/Count 1" + root + b">>"}
    return open_source(with_table({**bodies, 9: b"[0 0 70 80]", 8: b"33"})).page(0)


def tree(**kids: str) -> DocumentSource:
    """Return a document with nodes n10=..., whose kids are numbers; 10 is the root."""
    bodies = {1: b"<</Type/Catalog/Pages 10 0 R>>"}
    for name, listed in kids.items():
        number = int(name[1:])
        if listed == "page":
            bodies[number] = b"<</Type/Page/Contents %d 0 R>>" % (number + 100)
            bodies[number + 100] = stream(b"%d" % number)
        else:
            references = b" ".join(b"%d 0 R" % int(kid) for kid in listed.split())
            bodies[number] = b"<</Type/Pages/Kids[%b]/MediaBox[0 0 %d 9]>>" % (references, number)
    return open_source(with_table(bodies))


def order(document: DocumentSource) -> list[int]:
    return [int(document.page(index).content) for index in range(len(document))]


def test_tree_order_and_inheritance() -> None:
    document = tree(n10="11 12 13", n11="page", n12="14 15", n13="page", n14="page", n15="16", n16="page")
    assert order(document) == [11, 14, 16, 13]
    assert [document.page(index).media_box[2] for index in range(4)] == [10, 12, 15, 10]


def test_tree_with_loops_repeats_and_missing_kids() -> None:
    looping = tree(n10="11 12 10", n11="page", n12="13 12", n13="12 14 10", n14="page")
    assert order(looping) == [11, 14]
    assert {issue.code for issue in looping.issues.items} == {"page_tree_loop"}
    assert order(tree(n10="11 11", n11="page")) == [11, 11]
    missing = tree(n10="11 77 12", n11="page", n12="page")
    assert len(missing) == 3
    with pytest.raises(PageDamagedError, match="page 2 is damaged"):
        missing.page(1)
    assert missing.page(2).content == b"12"


def test_missing_kids_that_are_not_counted_have_no_place() -> None:
    bodies = {**one_page(), 2: b"<</Type/Pages/Kids[9 0 R 3 0 R null]/Count 1>>"}
    assert len(open_source(with_table(bodies))) == 1


def test_deep_tree() -> None:
    depth = 3_000
    bodies = {number: b"<</Type/Pages/Kids[%d 0 R]>>" % (number + 1) for number in range(2, depth)}
    bodies |= {1: b"<</Type/Catalog/Pages 2 0 R>>", depth: b"<</Type/Page>>"}
    assert len(open_source(with_table(bodies))) == 1


def test_root_that_is_a_page() -> None:
    bodies = {1: b"<</Type/Catalog/Pages 3 0 R>>", **{k: v for k, v in one_page().items() if k > 2}}
    assert open_source(with_table(bodies)).page(0).content == b"BT (Hi) Tj ET"


def test_a_page_that_says_it_is_a_tree_but_has_content() -> None:
    assert open_source(with_table({**one_page(), 3: b"<</Type/Pages/Contents 4 0 R>>"})).page(0).content


def test_a_page_whose_resources_were_not_closed() -> None:
    page = b"<</Resources<</Font<<>>/Contents 4 0 R/MediaBox[0 0 5 6]/Type/Page>>"
    found = open_source(with_table({**one_page(), 3: page})).page(0)
    assert (found.content, found.media_box) == (b"BT (Hi) Tj ET", (0, 0, 5, 6))


def test_parent_loops_do_not_matter() -> None:
    bodies = {
        1: b"<</Type/Catalog>>",
        3: b"<</Type/Page/Parent 5 0 R/Contents 4 0 R>>",
        4: stream(b"q"),
        5: b"<</Parent 6 0 R>>",
        6: b"<</Parent 5 0 R/MediaBox[0 0 5 6]>>",
    }
    page = open_source(with_table(bodies), options=OpenOptions(repair=False)).page(0)
    assert page.media_box == (0, 0, 5, 6)


@pytest.mark.parametrize(
    ("entries", "media", "visible"),
    [
        (b"/MediaBox[0 0 100 200]", (0, 0, 100, 200), (0, 0, 100, 200)),
        (b"/MediaBox[100 200 -10 -20.5]", (-10, -20.5, 100, 200), (-10, -20.5, 100, 200)),
        (b"/MediaBox[0 0 100 200]/CropBox[10 20 500 50]", (0, 0, 100, 200), (10, 20, 100, 50)),
        (b"/MediaBox[0 0 100 200]/CropBox[10 20 10 50]", (0, 0, 100, 200), (0, 0, 100, 200)),
        (b"/MediaBox[0 0 100 200]/CropBox[300 0 400 9]", (0, 0, 100, 200), (0, 0, 100, 200)),
        (b"/MediaBox[0 0 100 200]/CropBox(x)", (0, 0, 100, 200), (0, 0, 100, 200)),
        (b"/MediaBox 9 0 R", (0, 0, 70, 80), (0, 0, 70, 80)),
        (b"/MediaBox[0 0 8 0 R 8 0 R]", (0, 0, 33, 33), (0, 0, 33, 33)),
        (b"/MediaBox[0 0 100 200]/CropBox 9 0 R", (0, 0, 100, 200), (0, 0, 70, 80)),
        (b"/MediaBox[0 0 0 0]", (0, 0, 612, 792), (0, 0, 612, 792)),
        (b"/MediaBox[0 0 1]", (0, 0, 612, 792), (0, 0, 612, 792)),
        (b"/MediaBox[0 0/a/b]", (0, 0, 612, 792), (0, 0, 612, 792)),
        (b"/MediaBox[0 0 9e9 1]/x 1", (0, 0, 9, 1), (0, 0, 9, 1)),
        (b"/MediaBox[0 0 99999999999 1]", (0, 0, 612, 792), (0, 0, 612, 792)),
        (b"", (0, 0, 612, 792), (0, 0, 612, 792)),
    ],
)
def test_boxes(entries: bytes, media: tuple[float, ...], visible: tuple[float, ...]) -> None:
    page = first(entries)
    assert page.media_box == media
    assert page.visible_box == visible


@pytest.mark.parametrize(
    ("value", "degrees"),
    [
        (b"90", 90),
        (b"-90", 270),
        (b"450", 90),
        (b"180.0", 180),
        (b"45", 0),
        (b"/x", 0),
        (b"null", 0),
        (b"8 0 R", 0),
    ],
)
def test_rotation(value: bytes, degrees: int) -> None:
    assert first(b"/Rotate " + value).rotation == degrees
    assert first(b"", b"/Rotate " + value).rotation == degrees


def test_rotation_that_makes_no_sense_is_recorded() -> None:
    assert "bad_rotation" in {issue.code for issue in first(b"/Rotate 45").issues.items}


@pytest.mark.parametrize(("value", "unit"), [(b"2.5", 2.5), (b"0", 1.0), (b"-1", 1.0), (b"(x)", 1.0)])
def test_user_unit(value: bytes, unit: float) -> None:
    assert first(b"/UserUnit " + value).user_unit == unit


def test_resources_are_inherited_and_may_be_missing() -> None:
    assert dict(first(b"", b"/Resources<</X 1>>").resources) == {"/X": 1}
    assert dict(first(b"/Resources<</Y 1>>", b"/Resources<</X 1>>").resources) == {"/Y": 1}
    assert dict(first(b"/Resources 77 0 R").resources) == {}


def with_contents(value: bytes) -> PageSource:
    bodies = {
        **one_page(),
        3: b"<</Type/Page/Parent 2 0 R/Contents %b>>" % value,
        5: stream(b"BT", flate=True),
        6: stream(b"ET", b"/F(external)"),
        7: b"[4 0 R 5 0 R]",
    }
    return open_source(with_table(bodies)).page(0)


@pytest.mark.parametrize(
    ("value", "content"),
    [
        (b"[5 0 R 6 0 R]", b"BT\nET"),
        (b"7 0 R", b"BT (Hi) Tj ET\nBT"),
        (b"[5 0 R 88 0 R null 6 0 R]", b"BT\nET"),
        (b"[]", b""),
        (b"88 0 R", b""),
        (b"(x)", b""),
        (b"<<>>", b""),
    ],
)
def test_contents(value: bytes, content: bytes) -> None:
    assert with_contents(value).content == content


def test_content_is_bounded_as_a_whole() -> None:
    pages = make_document([Page([b"x" * 600] * 4)])
    page = open_source(pages, options=OpenOptions(max_stream_length=1_000)).page(0)
    assert len(page.content.replace(b"\n", b"")) == 1_000
    assert {issue.code for issue in page.issues.items} == {"content_limit"}


def test_a_stream_named_again_and_again_is_decoded_once(monkeypatch: pytest.MonkeyPatch) -> None:
    decodes = []
    undo = ObjectStore.undo_filters

    def counted(self: ObjectStore, raw: bytes, dictionary: Mapping[str, Any]) -> bytes:
        decodes.append(raw)
        return undo(self, raw, dictionary)

    page = with_contents(b"[" + b"4 0 R 5 0 R " * 500 + b"]")
    monkeypatch.setattr(ObjectStore, "undo_filters", counted)
    assert len(page.content.split(b"\n")) == 1000
    assert len(decodes) == 2


def test_each_page_has_its_own_issues() -> None:
    bodies = {**one_page(), 2: b"<</Type/Pages/Kids[3 0 R 5 0 R]/Count 2/MediaBox[0 0 9 9]>>"}
    bodies |= {5: b"<</Type/Page/Contents 6 0 R>>", 6: stream(b"abc", b"/Filter/Nonsense")}
    document = open_source(with_table(bodies))
    good, bad = document.page(0), document.page(1)
    assert (good.content, bad.content) == (b"BT (Hi) Tj ET", b"")
    assert [len(page.issues) for page in (good, bad)] == [0, 1]
    assert document.issues.items == ()


def test_pages_out_of_range() -> None:
    document = open_source(with_table(one_page()))
    for index in (-1, 1):
        with pytest.raises(IndexError, match="a document of 1 page"):
            document.page(index)


@pytest.mark.parametrize("write", [with_table, lambda bodies: with_streams(*split_streams(bodies))])
def test_parsed_objects_do_not_pile_up(write: Callable[[dict[int, bytes]], bytes]) -> None:
    kids = b" ".join(b"%d 0 R" % number for number in range(100, 160))
    bodies = {1: b"<</Type/Catalog/Pages 2 0 R>>", 2: b"<</Type/Pages/Count 60/Kids[%b]>>" % kids}
    if write is not with_table:
        kids = b" ".join(b"%d 0 R" % number for number in range(3, 60))
        bodies[2] = b"<</Type/Pages/Count 57/Kids[%b]>>" % kids
    start = 100 if write is with_table else 3
    for number in range(start, start + (60 if start == 100 else 57)):
        bodies[number] = b"<</Type/Page/Note(%b)>>" % (b"x" * 1_000)
    options = OpenOptions(cached_source=10_000)
    document = open_source(write(bodies), options=options)
    for index in range(len(document)):
        document.page(index)
        assert len(document._store._cache) < 15


def split_streams(bodies: dict[int, bytes]) -> tuple[dict[int, bytes], dict[int, bytes]]:
    """Return the objects that stand for themselves (none) and those that go into an object stream."""
    return {}, bodies


LABELS = {
    "/Nums": [0, {"/S": "/r"}, 4, {"/S": "/D"}, 7, {"/S": "/D", "/P": b"A-", "/St": 8}, 9, {"/P": b"Cover"}]
}


@pytest.mark.parametrize(
    ("labels", "indices", "expected"),
    [
        (LABELS, range(10), ["i", "ii", "iii", "iv", "1", "2", "3", "A-8", "A-9", "Cover"]),
        ({"/Nums": [0, {"/S": "/A", "/St": 26}]}, range(3), ["Z", "AA", "BB"]),
        ({"/Nums": [0, {"/S": "/a"}]}, [0, 25, 26, 52], ["a", "z", "aa", "aaa"]),
        ({"/Nums": [0, {"/S": "/R", "/St": 1999}]}, [0, 1, 5], ["MCMXCIX", "MM", "MMIV"]),
        ({"/Nums": [2, {"/S": "/D"}]}, range(4), ["1", "2", "1", "2"]),
        (
            {"/Kids": [{"/Nums": [2, {"/S": "/r"}]}, {"/Nums": [0, {"/S": "/D"}]}]},
            range(4),
            ["1", "2", "i", "ii"],
        ),
        ({"/Nums": [0, {"/S": "/D", "/P": b"\xfe\xff\x04\x10"}]}, [0], ["\u04101"]),
        ({"/Nums": [0, {}]}, [0, 1], ["", ""]),
        ({"/Nums": [0, {"/S": "/R", "/St": 10**7}, "x"]}, [0], [str(10**7)]),
        (None, [0, 4], ["1", "5"]),
        ([], [0], ["1"]),
    ],
)
def test_labels(labels: object, indices: list[int], expected: list[str]) -> None:
    found = PageLabels(labels)
    assert [found.label(index) for index in indices] == expected


def test_pages_know_their_labels() -> None:
    document = open_source(
        make_document([Page("")] * 3, catalog={"PageLabels": {"Nums": [0, {"S": "/r"}, 2, {"S": "/D"}]}})
    )
    assert [document.page(index).label for index in range(3)] == ["i", "ii", "1"]


def counted(kids: dict[int, tuple[str, int]]) -> DocumentSource:
    """Return a document whose nodes have these kids and say these counts; other numbers are pages."""
    bodies = {1: b"<</Type/Catalog/Pages 10 0 R>>"}
    for number, (listed, count) in kids.items():
        for kid in map(int, listed.split()):
            bodies.setdefault(kid, b"<</Type/Page/Contents %d 0 R>>" % (kid + 100))
            bodies.setdefault(kid + 100, stream(b"%d" % kid))
        references = b" ".join(b"%d 0 R" % int(kid) for kid in listed.split())
        bodies[number] = b"<</Type/Pages/Kids[%b]/Count %d/MediaBox[0 0 %d 9]>>" % (references, count, number)
    return open_source(with_table(bodies))


def test_pages_are_found_by_counts_without_reading_the_others() -> None:
    document = counted(
        {10: ("11 12 40", 9), 11: ("13 14 15", 3), 12: ("16 17", 5), 16: ("18 19 20", 3), 17: ("21 22", 2)}
    )
    assert len(document) == 9
    document._store.forget()
    page = document.page(5)
    assert (page.content, page.media_box[2]) == (b"20", 16)
    assert not {13, 14, 15, 21, 22} & set(document._store._cache)
    assert order(document) == [13, 14, 15, 18, 19, 20, 21, 22, 40]


@pytest.mark.parametrize("count", [-1, 0, 2, 3, 4, 6, 99])
def test_counts_that_are_wrong_do_not_matter(count: int) -> None:
    assert order(counted({10: ("11 12", count), 11: ("13 14 15", 3), 12: ("16 17", 2)})) == [
        13,
        14,
        15,
        16,
        17,
    ]
    assert order(counted({10: ("11 12", 5), 11: ("13 14 15", count), 12: ("16 17", 2)})) == [
        13,
        14,
        15,
        16,
        17,
    ]


def test_a_wrong_count_that_is_found_late_costs_no_page_before_it() -> None:
    kids = " ".join(map(str, range(20, 29)))
    document = counted({10: (kids, 9), 21: ("31 32", 2)})
    assert len(document) == 9
    assert [int(document.page(index).content) for index in (0, 1, 2, 3)] == [20, 31, 32, 22]


@pytest.mark.parametrize("packed", [False, True])
def test_links_are_not_even_parsed(packed: bool) -> None:
    link = b"<</Type/Annot/Subtype /Link/Rect[0 0 1 1]/A<</S/GoTo/D(x)>>>>"
    annotations = {
        20: link,
        21: b"<</Type/Annot/Subtype/Widget/FT/Tx/V(typed)/Rect[0 0 1 1]>>",
        22: link.replace(b"(x)", b"(/Subtype/Widget)"),
        23: b"<</Subtype/LinkedNote/Rect[0 0 1 1]/AP<</N 4 0 R>>>>",
    }
    bodies = {**one_page(page=b"/Annots[20 0 R 21 0 R 22 0 R 23 0 R 99 0 R]"), **annotations}
    content = bodies.pop(4)
    data = with_streams({4: content}, bodies) if packed else with_table({**bodies, 4: content})
    document = open_source(data)
    assert [found.kind for found in document.page(0).annotations] == ["Widget", "LinkedNote"]
    assert {20, 21, 22, 23} & set(document._store._cache) == {21, 22, 23}
