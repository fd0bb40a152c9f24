"""The killable child: whatever a page does to it costs that page alone."""

from __future__ import annotations

import dataclasses
import os
import time
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pytest

import indexing
import pipeline.worker
from pipeline.records import FoundFile, PageRows, PageSpan
from pipeline.rows import lines_table, pages_table, words_table
from pipeline.settings import LimitSettings, PasswordSettings, Settings
from pipeline.worker import ChildStartError, Worker
from tests.helpers.pdf_maker import Page, encrypt, make_document, make_pdf

SETTINGS = Settings(limits=LimitSettings(page_seconds=2.5, open_seconds=20, memory_mb=900))


def document(*texts: str) -> bytes:
    return make_document([Page(f"BT /F1 10 Tf 72 700 Td ({text}) Tj ET") for text in texts], title="A title")


def span_of(path: Path, worker: Worker, pages: int) -> PageSpan:
    planned = worker.plan(FoundFile(str(path), path.stat().st_size, 0))
    assert planned.doc_id is not None, planned.message
    return PageSpan(str(path), planned.doc_id, planned.size, 0, 0, pages - 1)


def outcomes(pages: Iterator[PageRows]) -> list[tuple[int, str, str | None]]:
    return [(page.page_index, page.row["status"], page.row["reason"]) for page in pages]


@pytest.fixture(scope="module")
def poisoned() -> Iterator[Worker]:
    worker = Worker(SETTINGS, [])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pipeline.worker, "CHILD_MODULE", "tests.helpers.poisoned_child")
        yield worker
    worker.close()


@pytest.fixture(scope="module")
def worker() -> Iterator[Worker]:
    worker = Worker(SETTINGS, ["wrong", "sesame"])
    yield worker
    worker.close()


@pytest.mark.parametrize(
    ("poison", "reason", "says"),
    [
        ("loop", "timeout", "not done within 2.5 seconds"),
        ("sleep", "timeout", "killed"),
        ("segv", "crash", "SIGSEGV"),
        ("exit", "crash", "exit code 9"),
        ("memory", "memory", "900 MB"),
        ("recursion", "internal", "RecursionError"),
        ("raise", "internal", "a fault of ours"),
    ],
)
def test_a_poisoned_page_costs_itself_alone(
    poisoned: Worker, tmp_path: Path, poison: str, reason: str, says: str
) -> None:
    path = tmp_path / "p.pdf"
    path.write_bytes(document("one", "two", f"POISON {poison}", "four"))
    pages = list(poisoned.extract(span_of(path, poisoned, 4)))
    assert outcomes(iter(pages)) == [(0, "ok", None), (1, "ok", None), (2, "failed", reason), (3, "ok", None)]
    assert says in pages[2].row["message"]
    assert [page.row["text"] for page in pages if page.row["status"] == "ok"] == ["one", "two", "four"]


def test_stray_output_does_not_disturb_the_frames(poisoned: Worker, tmp_path: Path) -> None:
    path = tmp_path / "p.pdf"
    path.write_bytes(document("POISON print", "two"))
    assert [page.row["text"] for page in poisoned.extract(span_of(path, poisoned, 2))] == [
        "POISON print",
        "two",
    ]


def test_a_book_of_poison_is_given_up(poisoned: Worker, tmp_path: Path) -> None:
    path = tmp_path / "p.pdf"
    path.write_bytes(document("good", *["POISON exit"] * 30))
    started, lost_before = time.monotonic(), poisoned.lost
    found = outcomes(poisoned.extract(span_of(path, poisoned, 31)))
    assert found[0] == (0, "ok", None)
    assert found[1:] == [(index, "failed", "crash") for index in range(1, 31)]
    assert poisoned.lost - lost_before <= 6
    assert time.monotonic() - started < 30


def test_the_next_document_after_a_crash_is_fine(poisoned: Worker, tmp_path: Path) -> None:
    bad, good = tmp_path / "bad.pdf", tmp_path / "good.pdf"
    bad.write_bytes(document("POISON segv"))
    good.write_bytes(document("fine"))
    assert outcomes(poisoned.extract(span_of(bad, poisoned, 1))) == [(0, "failed", "crash")]
    assert outcomes(poisoned.extract(span_of(good, poisoned, 1))) == [(0, "ok", None)]


def test_rows_are_those_of_the_tables(worker: Worker, tmp_path: Path) -> None:
    path = tmp_path / "p.pdf"
    path.write_bytes(document("alpha beta", "gamma"))
    span = span_of(path, worker, 2)
    pages = list(worker.extract(span))
    words = words_table(pages, "id").to_pylist()
    assert [(row["page_index"], row["line"], row["word"], row["text"]) for row in words] == [
        (0, 0, 0, "alpha"),
        (0, 0, 1, "beta"),
        (1, 0, 0, "gamma"),
    ]
    assert {row["doc_id"] for row in words} == {span.doc_id}
    assert [row["glyphs"] for row in words] == [5, 4, 5]
    assert words[0]["x0"] == pytest.approx(72.0, abs=0.01)
    lines = lines_table(pages, "id")
    assert lines.column("text").to_pylist() == ["alpha beta", "gamma"]
    assert pages_table(pages, "id").column("words").to_pylist() == [2, 1]
    for table, made in (("words", words_table), ("lines", lines_table), ("pages", pages_table)):
        assert made(pages, "id").schema.equals(indexing.SCHEMAS[table])
        assert made([], "id").schema.equals(indexing.SCHEMAS[table])
    assert isinstance(lines, pa.Table)


@pytest.mark.parametrize(
    ("content", "reason"),
    [(b"", "empty_file"), (b"hello", "not_a_pdf"), (b"%PDF-1.7\nnothing" * 30, "damaged")],
)
def test_files_that_cannot_be_opened_say_why(
    worker: Worker, tmp_path: Path, content: bytes, reason: str
) -> None:
    path = tmp_path / "p.pdf"
    path.write_bytes(content)
    planned = worker.plan(FoundFile(str(path), len(content), 0))
    assert planned.reason == reason
    assert planned.message
    assert planned.doc_id is not None


def test_files_that_cannot_be_read_say_why(worker: Worker, tmp_path: Path) -> None:
    assert worker.plan(FoundFile(str(tmp_path / "gone.pdf"), 1, 0)).reason == "vanished"
    assert worker.plan(FoundFile(str(tmp_path), 1, 0)).reason == "not_a_file"
    os.mkfifo(tmp_path / "pipe.pdf")
    assert worker.plan(FoundFile(str(tmp_path / "pipe.pdf"), 1, 0)).reason == "not_a_file"
    assert worker.plan(FoundFile(str(tmp_path / "a.zip!/x.pdf"), 1, 0)).reason == "vanished"


def test_planning_tells_the_documents_facts(worker: Worker, tmp_path: Path) -> None:
    path = tmp_path / "p.pdf"
    path.write_bytes(document("one", "two", "three"))
    planned = worker.plan(FoundFile(str(path), path.stat().st_size, 7))
    assert (planned.pages, planned.reason, planned.mtime_ns) == (3, None, 7)
    assert planned.facts["title"] == "A title"
    assert planned.facts["encrypted"] is False
    assert len(planned.doc_id or "") == 32


def test_passwords_come_from_the_list_and_from_a_file_beside(worker: Worker, tmp_path: Path) -> None:
    plain = make_pdf("BT /F1 10 Tf 72 700 Td (secret) Tj ET")
    listed, beside = tmp_path / "listed.pdf", tmp_path / "beside.pdf"
    listed.write_bytes(encrypt(plain, "sesame"))
    beside.write_bytes(encrypt(plain, "barley"))
    assert [page.row["text"] for page in worker.extract(span_of(listed, worker, 1))] == ["secret"]
    assert worker.plan(FoundFile(str(beside), 1, 0)).reason in ("encrypted", "wrong_password")
    (tmp_path / "beside.pdf.password").write_text("barley\n", "utf-8")
    assert [page.row["text"] for page in worker.extract(span_of(beside, worker, 1))] == ["secret"]


def test_a_file_without_a_user_password_just_opens(worker: Worker, tmp_path: Path) -> None:
    path = tmp_path / "p.pdf"
    path.write_bytes(encrypt(make_pdf("BT /F1 10 Tf 72 700 Td (open) Tj ET"), "", "owner"))
    assert [page.row["text"] for page in worker.extract(span_of(path, worker, 1))] == ["open"]


def test_a_file_that_changes_between_planning_and_extraction_is_not_mixed_up(
    worker: Worker, tmp_path: Path
) -> None:
    path, other = tmp_path / "p.pdf", tmp_path / "q.pdf"
    path.write_bytes(document("before"))
    other.write_bytes(document("other"))
    span = span_of(path, worker, 1)
    span_of(other, worker, 1)
    path.write_bytes(document("after"))
    assert outcomes(worker.extract(span)) == [(0, "failed", "changed")]


def test_a_child_is_replaced_after_its_share_of_documents(tmp_path: Path) -> None:
    limits = dataclasses.replace(SETTINGS.limits, recycle_documents=2)
    worker = Worker(Settings(limits=limits, passwords=PasswordSettings()), [])
    path = tmp_path / "p.pdf"
    path.write_bytes(document("x"))
    seen = set()
    try:
        for _ in range(4):
            worker.plan(FoundFile(str(path), 1, 0))
            seen.add(worker.process_id)
    finally:
        worker.close()
    assert len(seen - {None}) == 2
    assert worker.lost == 0


def test_a_child_that_cannot_start_is_an_error_with_its_last_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pipeline.worker, "CHILD_MODULE", "no.such.module")
    worker = Worker(SETTINGS, [])
    with pytest.raises(ChildStartError, match="no"):
        worker.plan(FoundFile("x.pdf", 1, 0))


def test_a_child_of_another_version_refuses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pipeline.worker, "extraction_id", lambda _options: "of an older program")
    worker = Worker(SETTINGS, [])
    with pytest.raises(ChildStartError, match="changed while the run was going on"):
        worker.plan(FoundFile("x.pdf", 1, 0))


def test_a_child_ends_when_its_parent_is_gone(worker: Worker, tmp_path: Path) -> None:
    path = tmp_path / "p.pdf"
    path.write_bytes(document("x"))
    other = Worker(SETTINGS, [])
    other.plan(FoundFile(str(path), 1, 0))
    child = other.process_id
    assert child is not None
    other.close()
    assert not Path(f"/proc/{child}").exists()


def test_a_reader_that_stops_early_does_not_confuse_the_next_answer(worker: Worker, tmp_path: Path) -> None:
    path, other = tmp_path / "p.pdf", tmp_path / "q.pdf"
    path.write_bytes(document(*[f"page {number}" for number in range(20)]))
    other.write_bytes(document("another"))
    pages = worker.extract(span_of(path, worker, 20))
    assert next(pages).row["text"] == "page 0"
    pages.close()  # type: ignore[attr-defined]
    assert [page.row["text"] for page in worker.extract(span_of(other, worker, 1))] == ["another"]
