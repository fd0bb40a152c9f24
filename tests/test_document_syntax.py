"""Objects read from bytes (7.3): each kind, and what is left of broken ones."""

from __future__ import annotations

import sys
from typing import Any

import pytest

from extractor.syntax import ObjectModel, ObjectParser, read_number, stream_start


class Reference(tuple[int, int]):
    """A reference as the tests see it."""


class Name(str):
    """A name as the tests see it."""


def parser(max_nesting: int = 100) -> ObjectParser:
    model = ObjectModel(
        Name, bytes, list, dict, lambda number, generation: Reference((number, generation)), dict
    )
    return ObjectParser(model, max_nesting)


def parse(source: bytes) -> Any:
    return parser().parse(source, 0).value


@pytest.mark.parametrize(
    ("source", "value"),
    [
        (b"null", None),
        (b"true", True),
        (b"false", False),
        (b"12", 12),
        (b"-7", -7),
        (b"+3", 3),
        (b"-.5", -0.5),
        (b"4.", 4.0),
        (b"/Name", "/Name"),
        (b"/A#20B", "/A B"),
        (b"/caf\xc3\xa9", "/caf\u00e9"),
        (b"/caf\xe9", "/caf\u00e9"),
        (b"/", "/"),
        (b"(a(b)c)", b"a(b)c"),
        (
            rb"(\(\101\12\n\
x\q)",
            b"(A\n\nxq",
        ),
        (b"(a\r\nb\rc)", b"a\nb\nc"),
        (b"<48 656C6c6f7>", b"Hellop"),
        (b"<>", b""),
        (b"[1 2 RG 3 0 R]", [1, 2, None, Reference((3, 0))]),
        (b"[1 2 3 0 R]", [1, 2, Reference((3, 0))]),
        (b"<</A 1/B[/C(d)]/E<</F null>>>>", {"/A": 1, "/B": ["/C", b"d"], "/E": {"/F": None}}),
        (b"% comment\r<<%x>>\n/A%y\n1>>", {"/A": 1}),
        (b"\x00\t\x0c[\x00]", []),
    ],
)
def test_each_kind_of_object(source: bytes, value: Any) -> None:
    found = parse(source)
    assert found == value
    assert type(found) in (type(value), Name)


@pytest.mark.parametrize(
    ("source", "value"),
    [
        (b"<</A 1/B", {"/A": 1, "/B": None}),
        (b"<</A[1 2", {"/A": [1, 2]}),
        (b"<</A 1 2/B 3>>", {"/A": 1, "/B": 3}),
        (b"<</A 1/B 2 endobj 5 0 obj", {"/A": 1, "/B": 2}),
        (b"[1 2 endobj", [1, 2]),
        (b"<</A 1]/B 2>>", {"/A": 1, "/B": 2}),
        (b"<</A[1 2/B 3>> 4", {"/A": [1, 2, "/B", 3]}),
        (b"[1 >> 2]", [1, 2]),
        (b"[<</A[[1>> 2]", [{"/A": [[1]]}, 2]),
        (b"(never closed", b"never closed"),
        (b"<41", b"A"),
        (b"[1 } 2 ) 3]", [1, 2, 3]),
        (b">> 1", None),
        (b"[1 % 2 3", [1]),
        (b"% 2 3", None),
        (b"", None),
        (b"<</A 1/A 2>>", {"/A": 2}),
    ],
)
def test_broken_objects_give_what_can_be_read(source: bytes, value: Any) -> None:
    assert parse(source) == value


@pytest.mark.parametrize(
    ("token", "value"),
    [
        (b"1.2.3", 1.2),
        (b"--5", -5),
        (b"5-3", 5),
        (b".", 0),
        (b"-", 0),
        (b"1e5", 1),
        (b"9" * 5000, int("9" * 300)),
    ],
)
def test_broken_numbers(token: bytes, value: float) -> None:
    assert read_number(token) == value


def test_end_is_behind_the_object() -> None:
    source = b"  <</Length 3>>\r\nstream\r\nabc"
    parsed = parser().parse(source, 0)
    assert source[parsed.end :] == b"\r\nstream\r\nabc"
    assert stream_start(source, parsed.end) == source.index(b"abc")
    assert stream_start(b" endobj", 0) is None


def test_strings_are_reported_for_decryption() -> None:
    assert parser().parse(b"[(x)]", 0).strings
    assert parser().parse(b"<</A<00>>>", 0).strings
    assert not parser().parse(b"[1 /A]", 0).strings


@pytest.mark.parametrize(("opening", "closing"), [(b"[", b"]"), (b"<</A", b">>")])
def test_deep_nesting_needs_no_recursion_and_is_cut(opening: bytes, closing: bytes) -> None:
    depth = 300_000
    value = parse(opening * depth + b" 1 " + closing * depth)
    levels = 0
    while value is not None:
        value = value[0] if isinstance(value, list) else value["/A"]
        levels += 1
    assert levels == 100
    assert parse(opening * depth) is not None
    assert sys.getrecursionlimit() < depth


def test_delimiters_that_close_nothing_cost_linear_time() -> None:
    assert parse(b"[ " * 100_000 + b">> " * 100_000) is not None
    assert parse(b"<</A " * 100_000 + b"] " * 100_000) is not None
    assert parse(b"<</A " + b"[ " * 100_000 + b">> " * 100_000) is not None


def test_many_comments_are_read_in_linear_time() -> None:
    assert parse(b"%" * 200_000) is None
    assert parse(b"% \n" * 200_000 + b"7") == 7
