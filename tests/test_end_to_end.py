"""The main job as processes: folders of PDFs to a store, to hits; one file to text. Broken files are rows."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from tests.helpers.command import run_glyphdex, run_python
from tests.helpers.pdf_maker import Page, encrypt, make_document, make_pdf

HELLO = "BT /F1 12 Tf 72 700 Td ({}) Tj ET"
TROUBLED = {
    "empty.pdf": "empty_file",
    "no pdf.pdf": "not_a_pdf",
    "locked.pdf": "encrypted",
    "deep/er/broken.pdf": "damaged",
}
"""Files that cannot be read, and the reasons that their rows must have."""
SAMPLE_PAGES = {
    "chinese.pdf": 1,
    "fake-bold.pdf": 2,
    "form-and-slug.pdf": 2,
    "gaps-without-spaces.pdf": 1,
    "greek.pdf": 1,
}
BOOK_PAGES = 60


@dataclass(frozen=True)
class Ingested:
    """A folder and the store made from it, with how the run ended."""

    folder: Path
    store: Path
    code: int
    summary: str


def ingest(folder: Path, store: Path, *options: str) -> Ingested:
    done = run_glyphdex("ingest", folder, "--store", store, "--workers", "2", *options)
    return Ingested(folder, store, done.returncode, done.stdout + done.stderr)


def live_rows(store: Path, table: str) -> list[dict[str, Any]]:
    """Return the rows of a table that the live snapshot names."""
    documents = _newest(store)
    if table == "documents":
        return documents
    live = {(row["doc_id"], row["extraction_id"]) for row in documents}
    rows = (row for part in (store / table).glob("*.parquet") for row in pq.read_table(part).to_pylist())
    return [row for row in rows if (row["doc_id"], row["extraction_id"]) in live]


def _newest(store: Path) -> list[dict[str, Any]]:
    from pipeline.store import documents_by_path, live_snapshot

    return list(documents_by_path(store, live_snapshot(store)).values())


def search(store: Path, query: str, *options: str) -> tuple[int, list[dict[str, Any]]]:
    """Return the exit code and the hits."""
    done = run_glyphdex("search", store, query, "--json", *options)
    return done.returncode, json.loads(done.stdout)["hits"] if done.stdout else []


def names(hits: Iterable[dict[str, Any]]) -> list[tuple[str, int]]:
    return [(Path(hit["path"]).name, hit["page"]) for hit in hits]


@pytest.fixture(scope="module")
def folder(samples: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The samples, a book of many pages, files that cannot be read, names that need care."""
    folder = tmp_path_factory.mktemp("end to end") / "my papers"
    shutil.copytree(samples, folder)
    pages = [Page(HELLO.format(f"Chapter {number} of the almanac")) for number in range(1, BOOK_PAGES + 1)]
    (folder / "ünï [1] *.pdf").write_bytes(make_document(pages, title="Almanac of tides"))
    (folder / "copy of greek.pdf").write_bytes((folder / "greek.pdf").read_bytes())
    (folder / "empty.pdf").write_bytes(b"")
    (folder / "no pdf.pdf").write_bytes(b"this is a text file with a wrong name")
    (folder / "locked.pdf").write_bytes(encrypt(make_pdf(HELLO.format("unlocked sesame")), "sesame"))
    (folder / "deep/er").mkdir(parents=True)
    (folder / "deep/er/broken.pdf").write_bytes(b"%PDF-1.7\n" + b"nothing to see here\n" * 20)
    (folder / "notes.txt").write_text("no PDF, and not asked for")
    return folder


@pytest.fixture(scope="module")
def first(folder: Path) -> Ingested:
    return ingest(folder, folder.parent / "the store")


def test_a_run_with_broken_files_ends_well(first: Ingested) -> None:
    assert first.code == 3, first.summary
    assert "11 documents found: 7 ok, 0 partial, 4 failed" in first.summary
    # two documents are the same: its page is extracted once
    pages = sum(SAMPLE_PAGES.values()) + BOOK_PAGES
    assert f"{pages} pages extracted: {pages} ok, 0 failed" in first.summary


def test_every_file_has_one_row_and_the_broken_ones_a_reason(first: Ingested) -> None:
    rows = {
        Path(row["path"]).relative_to(first.folder).as_posix(): row
        for row in live_rows(first.store, "documents")
    }
    assert len(rows) == 11
    assert {name: row["reason"] for name, row in rows.items() if row["status"] == "failed"} == TROUBLED
    assert all(row["message"] for row in rows.values() if row["status"] == "failed")
    assert {name: rows[name]["pages"] for name in SAMPLE_PAGES} == SAMPLE_PAGES
    assert rows["ünï [1] *.pdf"]["title"] == "Almanac of tides"
    assert rows["ünï [1] *.pdf"]["pages"] == BOOK_PAGES


def test_pages_lines_and_words_agree(first: Ingested) -> None:
    pages, lines, words = (live_rows(first.store, table) for table in ("pages", "lines", "words"))
    for page in pages:
        assert page["status"] == "ok"
        assert page["painted"] == sum(page[name] for name in ("visible", "overprinted", "off_page", "hidden"))
        key = (page["doc_id"], page["page_index"])
        own_words = [row for row in words if (row["doc_id"], row["page_index"]) == key]
        own_lines = [row for row in lines if (row["doc_id"], row["page_index"]) == key]
        assert [row["text"] for row in sorted(own_words, key=lambda row: row["word"])] == page["text"].split()
        assert (
            "\n".join(row["text"] for row in sorted(own_lines, key=lambda row: row["line"])) == page["text"]
        )
        assert all(0 <= row["x0"] <= row["x1"] <= page["width"] for row in own_words)
        assert all(0 <= row["y0"] <= row["y1"] <= page["height"] for row in own_words)


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ('"lighthouse inspection"', [("fake-bold.pdf", 1)]),
        ("LIGHTHOUSE", [("fake-bold.pdf", 1)]),
        ("neighbouring", [("gaps-without-spaces.pdf", 1)]),
        ('"certified duplicate"', [("form-and-slug.pdf", 1), ("form-and-slug.pdf", 2)]),
        ("charter AND page AND NOT fog", [("form-and-slug.pdf", 1), ("form-and-slug.pdf", 2)]),
        ("检索", [("chinese.pdf", 1)]),
        ("95后", [("chinese.pdf", 1)]),
        ("ΛΟΓΟΣ", [("greek.pdf", 1)]),
        ('"chapter 37"', [("ünï [1] *.pdf", 37)]),
        ("balloon OR demurrage", [("fake-bold.pdf", 1), ("form-and-slug.pdf", 1), ("form-and-slug.pdf", 2)]),
        ("neighb*", [("gaps-without-spaces.pdf", 1)]),
        ("title:logbook AND fog", [("fake-bold.pdf", 2)]),
    ],
)
def test_searches(first: Ingested, query: str, expected: list[tuple[str, int]]) -> None:
    code, hits = search(first.store, query)
    assert code == 0
    found = [(name.removeprefix("copy of "), page) for name, page in names(hits)]
    assert sorted(set(found)) == sorted(expected)
    assert [hit["score"] for hit in hits] == sorted((hit["score"] for hit in hits), reverse=True)


def test_the_queries_of_the_readme_are_well_formed(first: Ingested, project: Path) -> None:
    table = re.search(r"\| Query \| Finds \|\n.*?\n\n", (project / "README.md").read_text(), re.DOTALL)
    assert table
    queries = re.findall(r"`([^`]+)`", table.group())
    assert len(queries) > 12
    for query in queries:
        done = run_glyphdex("search", first.store, "--strict", "--", query)
        assert done.returncode in (0, 1), f"{query}: {done.stderr}"


@pytest.mark.parametrize(
    "query", ["SLUGLINE", "sesame", "LLiigghhtthhoouussee", "zyzzyva", "nothing AND lighthouse"]
)
def test_what_is_not_on_a_page_is_not_found(first: Ingested, query: str) -> None:
    assert search(first.store, query) == (1, [])


def test_a_hit_shows_where_it_is(first: Ingested) -> None:
    code, (hit,) = search(first.store, 'demurrage AND "page 2"')
    assert code == 0
    assert Path(hit["path"]) == first.folder / "form-and-slug.pdf"
    assert (hit["page"], hit["title"]) == (2, "Contract 2026-17")
    marked = [hit["snippet"][start:end] for start, end in hit["marks"]]
    assert "Demurrage" in marked
    plain = run_glyphdex("search", first.store, "demurrage", "--limit", "1")
    assert "form-and-slug.pdf" in plain.stdout
    assert "**Demurrage**" in plain.stdout


def test_a_cold_search_is_quick(first: Ingested) -> None:
    """By what it loads, which does not depend on how busy the machine is."""
    code = (
        "import sys, pipeline.cli.main as m\n"
        "try: m.main(['search', sys.argv[1], 'lighthouse'])\n"
        "except SystemExit as end: assert end.code == 0\n"
        "print('LOADED', *{name.split('.')[0] for name in sys.modules})"
    )
    done = run_python("-c", code, first.store)
    loaded = set(done.stdout.rpartition("LOADED")[2].split())
    assert "indexing" in loaded
    assert not loaded & {"apache_beam", "pyarrow", "pypdf", "extractor", "fontTools"}


def test_search_errors(first: Ingested, tmp_path: Path) -> None:
    missing = run_glyphdex("search", tmp_path / "nowhere", "word")
    assert (missing.returncode, missing.stdout) == (2, "")
    assert missing.stderr.strip()
    assert run_glyphdex("search", first.store).returncode == 2
    assert run_glyphdex("search", first.store, "x", "--no-such-option").returncode == 2


class TestAgain:
    """Later runs over the folder; each test goes on from the store that the one before left."""

    @pytest.fixture(scope="class")
    def work(self, first: Ingested, tmp_path_factory: pytest.TempPathFactory) -> Ingested:
        place = tmp_path_factory.mktemp("again")
        shutil.copytree(first.folder, place / "papers")
        return ingest(place / "papers", place / "store")

    def test_the_same_folder_again_gives_the_same_rows(self, work: Ingested) -> None:
        tables = ("documents", "pages", "lines", "words")
        before = {table: rows_of(work.store, table) for table in tables}
        again = ingest(work.folder, work.store)
        assert again.code == 3
        assert "0 pages extracted" in again.summary
        assert {table: rows_of(work.store, table) for table in tables} == before
        assert names(search(work.store, '"chapter 37"')[1]) == [("ünï [1] *.pdf", 37)]

    def test_another_store_with_one_worker_has_the_same_rows(self, work: Ingested) -> None:
        done = run_glyphdex("ingest", work.folder, "--store", work.folder.parent / "other", "--workers", "1")
        assert done.returncode == 3, done.stderr
        for table in ("documents", "pages", "lines", "words"):
            assert rows_of(work.folder.parent / "other", table) == rows_of(work.store, table)

    def test_changed_renamed_and_deleted_files(self, work: Ingested) -> None:
        changed = make_pdf(HELLO.format("quarantine flag"))
        (work.folder / "gaps-without-spaces.pdf").write_bytes(changed)
        (work.folder / "fake-bold.pdf").rename(work.folder / "renamed.pdf")
        (work.folder / "chinese.pdf").unlink()
        (work.folder / "empty.pdf").write_bytes(make_pdf(HELLO.format("no longer empty")))
        done = ingest(work.folder, work.store)
        assert done.code == 3
        assert "2 pages extracted: 2 ok, 0 failed" in done.summary
        assert names(search(work.store, "quarantine")[1]) == [("gaps-without-spaces.pdf", 1)]
        assert names(search(work.store, "lighthouse")[1]) == [("renamed.pdf", 1)]
        assert names(search(work.store, '"no longer empty"')[1]) == [("empty.pdf", 1)]
        assert search(work.store, "neighbouring") == (1, [])
        assert search(work.store, "检索") == (1, [])

    def test_a_password_file_opens_what_was_locked(self, work: Ingested, tmp_path: Path) -> None:
        passwords = tmp_path / "passwords"
        passwords.write_text("wrong\nsesame\n")
        store = work.folder.parent / "with passwords"
        done = ingest(work.folder, store, "--password-file", str(passwords))
        assert "sesame" not in done.summary
        assert names(search(store, "unlocked")[1]) == [("locked.pdf", 1)]

    def test_a_folder_that_vanished_does_not_empty_the_store(self, work: Ingested) -> None:
        away = work.folder.with_name("away")
        work.folder.rename(away)
        work.folder.mkdir()
        done = ingest(work.folder, work.store)
        assert done.code == 5, done.summary
        assert names(search(work.store, "lighthouse")[1]) == [("renamed.pdf", 1)]


def rows_of(store: Path, table: str) -> list[str]:
    """Return a table's live rows without what depends on the run, in a fixed order."""
    varying = {"run_id", "ms", "mtime_ns"}
    rows = live_rows(store, table)
    return sorted(str({key: value for key, value in row.items() if key not in varying}) for row in rows)


def test_a_folder_without_trouble(samples: Path, tmp_path: Path) -> None:
    done = ingest(samples, tmp_path / "store")
    assert done.code == 0, done.summary
    assert "5 documents found: 5 ok, 0 partial, 0 failed" in done.summary


def test_usage_errors_of_ingest(tmp_path: Path) -> None:
    assert run_glyphdex("ingest", "--store", tmp_path / "s").returncode == 2
    assert run_glyphdex("ingest", tmp_path).returncode == 2
    assert run_glyphdex("ingest", tmp_path / "nowhere.pdf", "--store", tmp_path / "s").returncode in (2, 3)


class TestText:
    def test_plain(self, samples: Path) -> None:
        done = run_glyphdex("text", samples / "form-and-slug.pdf")
        assert done.returncode == 0
        first, second = done.stdout.removesuffix("\n").split("\f")
        assert first.startswith("Page 1 of the charter party.\n")
        assert second.startswith("Page 2 of the charter party.\n")
        assert done.stderr == ""

    def test_json(self, samples: Path) -> None:
        done = run_glyphdex("text", samples / "form-and-slug.pdf", "--json")
        rows = [json.loads(line) for line in done.stdout.splitlines()]
        assert [row["page"] for row in rows] == [1, 2]
        assert {row["status"] for row in rows} == {"ok"}
        assert all(row["file"].endswith("form-and-slug.pdf") for row in rows)
        assert rows[0]["counts"]["off_page"] == 40
        assert rows[0]["issues"] == []
        assert "CERTIFIED DUPLICATE" in rows[1]["text"]

    @pytest.mark.parametrize(
        ("pages", "expected"), [("2", [2]), ("1-2", [1, 2]), ("2-", [2]), ("", [1, 2]), ("1,2", [1, 2])]
    )
    def test_page_ranges(self, samples: Path, pages: str, expected: list[int]) -> None:
        done = run_glyphdex("text", samples / "form-and-slug.pdf", "--json", "--pages", pages)
        assert [json.loads(line)["page"] for line in done.stdout.splitlines()] == expected

    @pytest.mark.parametrize("pages", ["0", "x", "2-1", "-"])
    def test_wrong_page_ranges(self, samples: Path, pages: str) -> None:
        done = run_glyphdex("text", samples / "form-and-slug.pdf", "--pages", pages)
        assert (done.returncode, done.stdout) == (2, "")

    def test_passwords(self, tmp_path: Path) -> None:
        file, passwords = tmp_path / "locked.pdf", tmp_path / "pw"
        file.write_bytes(encrypt(make_pdf(HELLO.format("open sesame")), "sesame"))
        passwords.write_text("sesame\n")
        assert run_glyphdex("text", file, "--password-file", passwords).stdout.strip() == "open sesame"
        refused = run_glyphdex("text", file)
        assert (refused.returncode, refused.stdout) == (2, "")
        assert "password" in refused.stderr

    def test_errors(self, tmp_path: Path) -> None:
        assert run_glyphdex("text", tmp_path / "missing.pdf").returncode == 2
        (tmp_path / "broken.pdf").write_bytes(b"%PDF-1.4 nothing")
        done = run_glyphdex("text", tmp_path / "broken.pdf")
        assert done.returncode == 2
        assert "Traceback" not in done.stderr
