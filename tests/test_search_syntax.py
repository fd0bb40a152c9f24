"""Reading questions: forgiving by default, strict on request, errors with their place, never anything else."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from indexing.errors import QueryError
from indexing.question_tree import And, Anything, Boost, Fuzzy, Node, Not, Or, Pattern, Range, Word
from indexing.syntax import MAX_CHARACTERS, MAX_DEPTH, MAX_NODES, read_question


def shape(node: Node | None) -> object:
    """Return a tree without places, as nested tuples."""
    match node:
        case None:
            return None
        case Word(text=text, field=field, quoted=quoted, slop=slop):
            shown = f'"{text}"~{slop}' if quoted and slop else f'"{text}"' if quoted else text
            return f"{field}:{shown}" if field else shown
        case Pattern(text=text, field=field, quoted=True, slop=slop):
            return ("patterns", f"{field}:{text}" if field else text, slop)
        case Pattern(text=text, field=field):
            return ("pattern", f"{field}:{text}" if field else text)
        case Anything(field=field):
            return ("anything", field)
        case Fuzzy(text=text, distance=distance, field=field):
            return ("fuzzy", f"{field}:{text}" if field else text, distance)
        case Range(field=field, low=low, high=high, low_open=low_open, high_open=high_open):
            return ("range", field, "(" if low_open else "[", low, high, ")" if high_open else "]")
        case And(parts=parts):
            return ("and", *map(shape, parts))
        case Or(parts=parts):
            return ("or", *map(shape, parts))
        case Not(part=part):
            return ("not", shape(part))
        case Boost(part=part, factor=factor):
            return ("boost", shape(part), factor)
    raise AssertionError(node)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", None),
        ("  ", None),
        ("a", "a"),
        ("a b", ("and", "a", "b")),
        ("a AND b OR c d", ("or", ("and", "a", "b"), ("and", "c", "d"))),
        ("a && b || c", ("or", ("and", "a", "b"), "c")),
        ("(a OR b) c", ("and", ("or", "a", "b"), "c")),
        ("NOT a", ("not", "a")),
        ("-a", ("not", "a")),
        ("+a -b", ("and", "a", ("not", "b"))),
        ("NOT NOT a", "a"),
        ("--a", "a"),
        ("a-b", "a-b"),
        ("a - b", ("and", "a", "-", "b")),
        ("and or not", ("and", "and", "or", "not")),
        ('"a b"', '"a b"'),
        ('"a b"~3', '"a b"~3'),
        ('title:"a b"~2', 'title:"a b"~2'),
        ('-"a b"', ("not", '"a b"')),
        ("a* ?b c?d", ("and", ("pattern", "a*"), ("pattern", "?b"), ("pattern", "c?d"))),
        ("why?", "why?"),
        ("a~ b~2 c~9", ("and", ("fuzzy", "a", 1), ("fuzzy", "b", 2), ("fuzzy", "c", 2))),
        ("a^2 b", ("and", ("boost", "a", 2.0), "b")),
        ('"a b"^1.5', ("boost", '"a b"', 1.5)),
        ("(a b)^2 c", ("and", ("boost", ("and", "a", "b"), 2.0), "c")),
        ("title:(a OR b)^.5", ("boost", ("or", "title:a", "title:b"), 0.5)),
        ("-(a)^2", ("not", ("boost", "a", 2.0))),
        ("a)^2 b", ("and", "a", "b")),
        ("()^2 a", "a"),
        ("year:2019..2020^2", ("boost", ("range", "year", "[", "2019", "2020", "]"), 2.0)),
        ("page:1-5^3 a", ("and", ("boost", ("range", "page", "[", "1", "5", "]"), 3.0), "a")),
        ("year:[2019 TO 2020]^2", ("boost", ("range", "year", "[", "2019", "2020", "]"), 2.0)),
        ("year:>=2019^2", ("boost", ("range", "year", "[", "2019", None, "]"), 2.0)),
        ("title:a", "title:a"),
        ("TITLE:a", "title:a"),
        ("file:a", "filename:a"),
        ("title:a*", ("pattern", "title:a*")),
        ("title:(a OR b)", ("or", "title:a", "title:b")),
        ("title:(a author:b)", ("and", "title:a", "author:b")),
        ("page:[1 TO 5]", ("range", "page", "[", "1", "5", "]")),
        ("page:{1 TO *]", ("range", "page", "(", "1", None, "]")),
        ("year:2019..2024", ("range", "year", "[", "2019", "2024", "]")),
        ("pages:..5", ("range", "pages", "[", None, "5", "]")),
        ("(date:2019-01..)", ("range", "created", "[", "2019-01", None, "]")),
        ("page:..", "page:.."),
        ("title:1..5", "title:1..5"),
        ("year:>=2019", ("range", "year", "[", "2019", None, "]")),
        ("year:<2019", ("range", "year", "[", None, "2019", ")")),
        ("year:[2010 TO]", ("range", "year", "[", "2010", None, "]")),
        ("year:[TO 2010}", ("range", "year", "[", None, "2010", ")")),
        ("year:[ 2010 TO * ]", ("range", "year", "[", "2010", None, "]")),
        ("year:2010..", ("range", "year", "[", "2010", None, "]")),
        ("year:..2010 a", ("and", ("range", "year", "[", None, "2010", "]"), "a")),
        ("year:2010-2015", ("range", "year", "[", "2010", "2015", "]")),
        ("date:2010-11", "created:2010-11"),
        ("year:>= 2010", ("range", "year", "[", "2010", None, "]")),
        ("year:=2010", ("range", "year", "[", "2010", "2010", "]")),
        ("*", ("anything", None)),
        ("?* a", ("and", ("anything", None), "a")),
        ("title:*", ("anything", "title")),
        ("title:(* a)", ("and", ("anything", "title"), "title:a")),
        ("title:??", ("pattern", "title:??")),
        ("“a b” „c d“~2 «e f»", ("and", '"a b"', '"c d"~2', '"e f"')),
        ("（a OR b） c", ("and", ("or", "a", "b"), "c")),
        ('"a b*"', ("patterns", "a b*", 0)),
        ('title:"*a b"~2', ("patterns", "title:*a b", 2)),
        ('"a * b?"', ("patterns", "a * b?", 0)),
        ('"* a **"', '"* a **"'),
        ("~ a", ("and", "", "a")),
        ("what is this ?", ("and", "what", "is", "this")),
        ("date:[2019-01 TO 2020-02-03]", ("range", "created", "[", "2019-01", "2020-02-03", "]")),
        # forgiving
        ('"a b', ("and", "a", "b")),
        ('a" b', ("and", "a", "b")),
        ("(a b", ("and", "a", "b")),
        ("a b)", ("and", "a", "b")),
        (")(", None),
        ("a AND", "a"),
        ("OR a", "a"),
        ("a AND AND b", ("and", "a", "b")),
        ("a OR OR b", ("or", "a", "b")),
        ("NOT", None),
        ("a NOT", "a"),
        ("foo:bar", "foo:bar"),
        ("10:30", "10:30"),
        ("http://a.b/c?d=e", "http://a.b/c?d=e"),
        ("title: a", ("and", "title:", "a")),
        ("f(x)", ("and", "f", "x")),
        ("page:[1 TO", ("and", "page:[1", "TO")),
        ("a:b:c", "a:b:c"),
    ],
)
def test_trees(text: str, expected: object) -> None:
    assert shape(read_question(text).tree) == expected


@pytest.mark.parametrize(
    ("text", "position", "code"),
    [
        ('fox "brown', 4, "query"),
        ("(fox", 0, "query"),
        ("fox)", 3, "query"),
        ("fox AND", 4, "query"),
        ("AND fox", 0, "query"),
        ("fox NOT", 4, "query"),
        ('fox ""', 4, "query"),
        ("nosuch:fox", 0, "field"),
        ("fox ? dog", 4, "query"),
        ("fox ?? dog", 4, "query"),
        ("(" * 50 + "a" + ")" * 50, 40, "query"),
        ("a " * 500, 800, "query"),
        ("a" * 9000, 8000, "query"),
        ("fox harbour^x", 11, "query"),
        ('"a b"^-1', 5, "query"),
        ('"the harbour"~x', 13, "query"),
        ('title:"the harbour"~51', 19, "query"),
        ("fox harbour~3", 11, "query"),
        ("pages:[100 TO", 6, "query"),
        ("fox title: package", 4, "query"),
    ],
)
def test_strict_reading_says_where(text: str, position: int, code: str) -> None:
    with pytest.raises(QueryError) as caught:
        read_question(text, strict=True)
    assert (caught.value.position, caught.value.code) == (position, code)
    notes = read_question(text).notes
    assert bool(notes) == (code == "query")


@pytest.mark.parametrize(
    ("text", "position"),
    [
        ("date:yesterday", 0),
        ("fox date:(2019 OR 2020-13)", 18),
        ("fox year:2022..2019", 4),
        ("a -(b OR year:{2019 TO 2019})", 9),
        ("page:x*", 0),
        ("title:[a TO b]", 0),
        ("date:[2019-02 TO 2019-01]", 0),
    ],
)
def test_strict_reading_refuses_ranges_that_nothing_is_in(text: str, position: int) -> None:
    with pytest.raises(QueryError) as caught:
        read_question(text, strict=True)
    assert (caught.value.position, caught.value.code) == (position, "query")
    assert read_question(text).tree is not None


@pytest.mark.parametrize(
    "text",
    [
        'a AND (b OR "c d"~2) -title:e*',
        "* -fox",
        "flag:*",
        "year:[2010 TO]",
        "year:[2000 TO 2001] a~ b^2",
        "http://a.b",
        '"a b"~50^.5 a^1000 date:[2019-01 TO 2019-01] year:2019..2019',
        '"the * harbour"',
    ],
)
def test_strict_reading_accepts_what_is_well_formed(text: str) -> None:
    assert read_question(text, strict=True) == read_question(text)


def test_places_lead_back_to_the_text() -> None:
    text = 'one title:two "three four"~1 fi*'
    tree = read_question(text).tree
    assert isinstance(tree, And)
    assert [text[part.start : part.end] for part in tree.parts] == [
        "one",
        "title:two",
        '"three four"~1',
        "fi*",
    ]


def test_limits_hold_and_are_said() -> None:
    for text in (
        "(" * 3000 + "a",
        "NOT " * 3000 + "a",
        "title:(" * 2000 + "a",
        "-" * 3000 + "a",
        "a OR " * 3000,
    ):
        assert read_question(text) is not None
    assert "rest is left out" in read_question("a " * (MAX_NODES + 1)).notes[0]
    assert "rest is left out" in read_question("a" * (MAX_CHARACTERS + 1)).notes[0]
    assert len(read_question("(" * 3000 + "a" + ")" * 3000).notes) == 1
    assert "deeper" in read_question("(" * (MAX_DEPTH + 1) + "a").notes[0]


BITS = st.sampled_from(
    ["a", "bc", " ", "(", ")", '"',
     "AND", " OR ", "NOT ", "-", "+", "~", "~2", "*", "?", "^2", ":", "title:", "page:[1 TO 3]",
     "year:>", "[", "]", "{", "}", " TO ", "\\", "/", "中", "é", "\n", "\x00", "||",
     "&&", "foo:", "flag:x", "^", "date:2020"]
)  # fmt: skip


@settings(max_examples=3000, deadline=None)
@given(st.lists(BITS, max_size=20).map("".join))
def test_forgiving_reading_never_fails_and_strict_only_as_documented(text: str) -> None:
    question = read_question(text)
    assert question.text == text
    failure = failure_of(text)
    assert failure is None or (0 <= failure.position <= len(text) and failure.code in ("query", "field"))


def failure_of(text: str) -> QueryError | None:
    """Read strictly; return the error, or None with nothing to remark."""
    try:
        notes = read_question(text, strict=True).notes
    except QueryError as error:
        return error
    assert notes == ()
    return None


def test_random_bytes() -> None:
    choose = random.Random(3)
    for _ in range(2000):
        text = "".join(
            chr(choose.choice([choose.randrange(32, 127), choose.randrange(0x3000)])) for _ in range(40)
        )
        read_question(text)
