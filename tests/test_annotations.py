"""Annotations that a viewer shows (12.5), and form fields without an appearance (12.7)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from extractor.annotations import AnnotationSource, read_annotations
from extractor.document import open_source
from extractor.optional_content import OptionalContent
from tests.helpers.pdf_maker import Stream, form, make_pdf

NOTHING_OFF = OptionalContent(None)


class Appearance(dict[str, Any]):
    """A form XObject as far as annotations look at it."""

    def get_data(self) -> bytes:
        return b""


NORMAL, CHECKED, UNCHECKED = Appearance(a=1), Appearance(b=1), Appearance(c=1)


def annotation(**entries: Any) -> dict[str, Any]:
    given = {"Subtype": "/Stamp", "Rect": [0, 0, 10, 10], "AP": {"/N": NORMAL}, **entries}
    return {f"/{key}": value for key, value in given.items() if value is not None}


def read(*annotations: Any) -> tuple[AnnotationSource, ...]:
    return read_annotations(list(annotations), NOTHING_OFF, 100)


def only(**entries: Any) -> AnnotationSource | None:
    found = read(annotation(**entries))
    return found[0] if found else None


def test_kind_rectangle_and_appearance() -> None:
    found = only(Rect=[30, 40, 10, 5])
    assert found is not None
    assert (found.kind, found.rect, found.value) == ("Stamp", (10, 5, 30, 40), None)
    assert found.appearance is NORMAL


@pytest.mark.parametrize(
    ("flags", "shown"), [(0, True), (1, True), (2, False), (4, True), (32, False), (68, True)]
)
def test_flags(flags: int, shown: bool) -> None:
    assert (only(F=flags) is not None) is shown


@pytest.mark.parametrize("kind", ["Popup", "Link"])
def test_kinds_that_paint_nothing(kind: str) -> None:
    assert only(Subtype=f"/{kind}") is None


@pytest.mark.parametrize("rect", [None, [1, 2, 3], [1, 2, 3, "/x"]])
def test_without_a_rectangle_there_is_no_place(rect: Any) -> None:
    assert only(Rect=rect) is None


@pytest.mark.parametrize(
    ("entries", "expected"),
    [
        ({"AS": "/Yes"}, CHECKED),
        ({"AS": "/Off"}, UNCHECKED),
        ({"AS": "/Missing"}, None),
        ({"V": "/Yes"}, CHECKED),
        ({"Parent": {"/V": "/Yes"}}, CHECKED),
        ({"V": "/Missing"}, UNCHECKED),
        ({}, UNCHECKED),
    ],
)
def test_appearance_states(entries: Mapping[str, Any], expected: Any) -> None:
    found = only(Subtype="/Widget", AP={"/N": {"/Yes": CHECKED, "/Off": UNCHECKED}}, **entries)
    assert (found.appearance if found else None) is expected


def test_optional_content_that_is_off_hides_an_annotation() -> None:
    off = OptionalContent({"/D": {"/BaseState": "/OFF"}})
    assert read_annotations([annotation(OC={"/Type": "/OCG"})], off, 100) == ()
    assert len(read_annotations([annotation()], off, 100)) == 1


def field(**entries: Any) -> str | None:
    found = only(Subtype="/Widget", AP=None, **entries)
    return found.value if found else None


@pytest.mark.parametrize(
    ("entries", "value"),
    [
        ({"FT": "/Tx", "V": b"typed"}, "typed"),
        ({"FT": "/Tx", "V": b"\xfe\xff\x03\xa9"}, "\u03a9"),
        ({"Parent": {"/FT": "/Tx", "/V": b"inherited"}}, "inherited"),
        ({"FT": "/Ch", "V": [b"one", b"two"]}, "one\ntwo"),
        ({"FT": "/Ch", "V": b"one"}, "one"),
        ({"FT": "/Ch", "V": b"1", "Opt": [[b"1", b"First"], b"2"]}, "First"),
        ({"Parent": {"/FT": "/Ch", "/V": [b"2", b"1"], "/Opt": [[b"1", b"First"], [b"2"]]}}, "2\nFirst"),
        ({"FT": "/Tx", "V": b"secret", "Ff": 1 << 13}, None),
        ({"FT": "/Btn", "V": b"typed"}, None),
        ({"FT": "/Tx", "V": "/Name"}, None),
        ({"FT": "/Tx"}, None),
        ({"V": b"typed"}, None),
    ],
)
def test_fields_without_an_appearance_show_their_value(entries: Mapping[str, Any], value: str | None) -> None:
    assert field(**entries) == value


def test_a_field_keeps_its_value_beside_its_appearance_and_a_stamp_has_none() -> None:
    found = only(Subtype="/Widget", FT="/Tx", V=b"typed")
    assert found is not None
    assert (found.value, found.appearance) == ("typed", NORMAL)
    assert only(Subtype="/Stamp", AP={"/D": NORMAL}, Contents=b"note") is None


def test_fields_whose_parents_loop() -> None:
    parent: dict[str, Any] = {}
    parent["/Parent"] = parent
    assert field(Parent=parent) is None


def test_free_text_without_an_appearance_shows_its_contents() -> None:
    found = only(Subtype="/FreeText", AP=None, Contents=b"note")
    assert found is not None
    assert (found.value, found.appearance) == ("note", None)


def test_order_limit_and_things_that_are_no_annotations() -> None:
    first, second = annotation(Subtype="/A"), annotation(Subtype="/B")
    assert [found.kind for found in read(first, None, 7, second)] == ["A", "B"]
    assert len(read_annotations([first] * 9, NOTHING_OFF, 4)) == 4
    assert read_annotations(None, NOTHING_OFF, 4) == ()
    assert read_annotations({"/a": 1}, NOTHING_OFF, 4) == ()


def test_annotations_of_a_file() -> None:
    stamp: dict[str, Any] = {
        "Subtype": "/Stamp",
        "Rect": [1, 2, 3, 4],
        "AP": {"N": form("BT ET", bbox=(0, 0, 9, 9))},
    }
    hidden = {**stamp, "F": 2}
    page = open_source(make_pdf(Stream(""), annotations=[stamp, hidden])).page(0)
    assert [(found.kind, found.rect) for found in page.annotations] == [("Stamp", (1, 2, 3, 4))]
    assert page.annotations[0].appearance.get_data() == b"BT ET"
