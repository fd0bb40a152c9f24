"""The commands `search` and `page`: what is printed where, exit codes, options that exclude each other."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from pipeline.cli.main import main
from tests.helpers.collection import LIBRARY
from tests.helpers.store_maker import make_store
from tests.test_search_boxes import boxed_store


class Done(NamedTuple):
    code: Any
    out: str
    err: str


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_store(tmp_path_factory.mktemp("library"), LIBRARY, parts=2)


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Any:
    def call(*arguments: object) -> Done:
        with pytest.raises(SystemExit) as left:
            main([str(argument) for argument in arguments])
        return Done(left.value.code, *capsys.readouterr())

    return call


def rows_of(done: Done) -> list[dict[str, str]]:
    assert done.code == 0, done.err
    return list(csv.DictReader(io.StringIO(done.out)))


def test_csv_has_a_line_a_hit(run: Any, store: Path) -> None:
    (row,) = rows_of(run("search", store, "path:zz fox", "--csv"))
    assert list(row) == [
        "path", "page", "label", "title", "author", "year", "score", "snippet", "doc_id", "found_in", "paths"
    ]  # fmt: skip
    assert (row["path"], row["page"], row["year"]) == ("zz/copy of foxes.pdf", "1", "2019")
    assert json.loads(row["paths"]) == ["english/foxes.pdf", "zz/copy of foxes.pdf"]
    assert json.loads(row["found_in"]) == ["text", "path"]
    assert "quick brown **fox** jumps" in row["snippet"]


def test_csv_has_a_line_a_document_where_they_are_grouped(run: Any, store: Path) -> None:
    done = run("search", store, "author:smith", "--csv", "--group")
    rows = rows_of(done)
    assert list(rows[0]) == [
        "path",
        "pages",
        "page_count",
        "title",
        "author",
        "year",
        "score",
        "doc_id",
        "paths",
    ]
    assert {(row["path"], row["pages"], row["page_count"]) for row in rows} == {
        ("english/foxes.pdf", "3", "3"),
        ("english/pumps.pdf", "3", "3"),
    }
    assert done.err == "1-2 of 6 pages in 2 documents\n"


@pytest.mark.parametrize("other", [("--json",), ("--facet", "year")])
def test_options_that_exclude_each_other_are_refused(run: Any, store: Path, other: tuple[str, ...]) -> None:
    done = run("search", store, "fox", "--csv", *other)
    assert (done.code, done.out) == (2, "")
    assert f"--csv and {other[0]} exclude each other" in done.err


def test_text_names_copies_and_where_words_were_found(run: Any, store: Path) -> None:
    done = run("search", store, "filename:copy fox")
    assert done.out.splitlines()[:2] == [
        done.out.splitlines()[0],
        "    also english/foxes.pdf",
    ]
    assert done.out.startswith("zz/copy of foxes.pdf  page 1  Foxes of the world  [")
    assert "Foxes of the world  (in its title, filename)  [" in run("search", store, "foxes").out


def test_an_offset_beyond_the_end_is_not_nothing_found(run: Any, store: Path) -> None:
    done = run("search", store, "dog", "--offset", "50")
    assert (done.code, done.out, done.err) == (
        1, "", "Nothing to show from 51 on: there are 2 pages in 1 document.\n"
    )  # fmt: skip
    assert run("search", store, "nosuchword", "--offset", "50").err == "Nothing found.\n"


def test_one_is_not_many(run: Any, store: Path) -> None:
    assert run("search", store, "fox").err == "1-1 of 1 page in 1 document\n"
    beyond = run("search", store, "fox", "--offset", "9")
    assert beyond.err == "Nothing to show from 10 on: there is 1 page in 1 document.\n"


@pytest.mark.parametrize("seconds", ["-1", "0", "nan", "-inf", "soon"])
def test_a_time_that_is_none_is_refused(run: Any, store: Path, seconds: str) -> None:
    done = run("search", store, "fox", "--seconds", seconds)
    assert (done.code, done.out) == (2, "")
    assert "Invalid value for '--seconds'" in done.err
    assert run("search", store, "fox", "--seconds", "0.5").code == 0


def test_a_question_that_begins_with_a_minus_is_no_option(run: Any, store: Path) -> None:
    done = run("search", store, "-librarian")
    assert (done.code, done.out) == (2, "")
    assert "(put -- before a question that begins with a minus)" in done.err
    assert run("search", store, "--", "-librarian").code == 0
    assert "minus" not in run("search", store, "fox", "--limt", "3").err


def test_what_is_no_store_is_said(run: Any, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for name, why in (("file", "it is a file"), ("nothing", "there is no such folder")):
        done = run("search", tmp_path / name, "fox")
        assert (done.code, done.err) == (2, f"glyphdex: {tmp_path / name} is not a store: {why}\n")


@pytest.mark.parametrize(
    ("question", "position"),
    [("date:yesterday", 1), ("fox pages:[100 TO", 11), ("harbour^x", 8), ("fox year:2022..2019", 5)],
)
def test_strict_refuses_values_that_are_none(run: Any, store: Path, question: str, position: int) -> None:
    done = run("search", store, question, "--strict")
    assert (done.code, done.out) == (2, "")
    assert done.err.endswith(f" (at character {position})\n")


def test_words_need_no_quotes_of_the_shell(run: Any, store: Path) -> None:
    several = json.loads(run("search", store, "lazy", "fox", "title:foxes", "--json").out)
    assert (several["query"], several["total"]) == ("lazy fox title:foxes", 1)
    assert json.loads(run("search", store, "--json", "--", "-fox", "dog").out)["total"] == 1
    assert run("search", store).code == 2


def test_notes_go_to_standard_error(run: Any, store: Path) -> None:
    done = run("search", store, "flag:nonsense")
    assert done.code == 1
    assert "note: nothing has flag:nonsense; there is needs_ocr (1)\n" in done.err
    assert run("search", store, "flag:nonsense", "--csv").err == done.err
    assert json.loads(run("search", store, "flag:nonsense", "--json").out)["notes"] == [
        "nothing has flag:nonsense; there is needs_ocr (1)"
    ]


def test_strict_errors_name_the_place(run: Any, store: Path) -> None:
    done = run("search", store, 'fox "brown', "--strict")
    assert (done.code, done.out) == (2, "")
    assert done.err == "glyphdex: a quotation mark has no other half (at character 5)\n"


def test_a_page_without_a_match_says_so(run: Any, tmp_path: Path) -> None:
    store = boxed_store(tmp_path)
    found = run("page", store, "box.pdf", "2", "--highlight", "and")
    assert (found.code, found.err) == (0, "")
    assert [line.split()[0] for line in found.out.splitlines()] == ["and", "and"]
    done = run("page", store, "box.pdf", "2", "--highlight", "nothing")
    assert (done.code, done.out) == (1, "")
    assert done.err == "Nothing to mark: no word of 'nothing' is on page 2 of box.pdf.\n"
    noted = run("page", store, "box.pdf", "2", "--highlight", 'and "')
    assert noted.err.startswith("note: a quotation mark has no other half: it is left out (at character 5)")
    plain = run("page", store, "box.pdf", "2")
    assert (plain.code, plain.err) == (0, "")


def test_the_readme_shows_json_as_it_is(run: Any, store: Path, project: Path) -> None:
    block = re.search(r"```json\n(.*?)```", (project / "README.md").read_text(), re.DOTALL)
    assert block is not None
    shown = json.loads(block[1])
    real = json.loads(run("search", store, "fox", "--group", "--facet", "year", "--json").out)
    assert list(shown) == list(real)
    for name in ("hits", "groups"):
        assert sorted(shown[name][0]) == sorted(real[name][0])
    assert list(shown["facets"]["year"][0]) == list(real["facets"]["year"][0])
    (hit,) = shown["hits"]
    assert [hit["snippet"][start:end] for start, end in hit["marks"]] == ["harbour", "dues"]
