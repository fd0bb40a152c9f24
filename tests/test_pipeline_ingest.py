"""Runs over a folder that changes: what is extracted, what is not, what is live afterwards."""

from __future__ import annotations

import dataclasses
import io
import json
import os
import shutil
import zipfile
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

import indexing
import pipeline.ingest
import pipeline.worker
from pipeline.catalog import MassDeleteError
from pipeline.config import ConfigError
from pipeline.discover import InputError
from pipeline.flagged import flagged_pages
from pipeline.ingest import ingest, preview
from pipeline.inventory import take_inventory
from pipeline.lock import StoreLock, StoreLockedError
from pipeline.passwords import NewPasswords, PasswordSourceError, collect_passwords
from pipeline.progress import Log
from pipeline.remote import RemoteInputError
from pipeline.request import IngestRequest
from pipeline.run_report import RunReport, read_reports, summary_lines
from pipeline.settings import (
    DiscoverSettings,
    GuardSettings,
    IndexSettings,
    LimitSettings,
    PartSettings,
    PasswordSettings,
    RunSettings,
    Settings,
)
from pipeline.store import documents_by_path, live_snapshot, read_rows
from pipeline.upkeep import compact_store, rebuild_index
from pipeline.verification import verify_store
from tests.helpers.pdf_maker import Page, encrypt, make_document, make_pdf

SETTINGS = Settings(
    run=RunSettings(workers=2, span_pages=2),
    limits=LimitSettings(page_seconds=5, open_seconds=30, memory_mb=1200),
    guard=GuardSettings(max_delete_fraction=0.5),
)


def pdf(*texts: str, title: str = "") -> bytes:
    return make_document([Page(f"BT /F1 10 Tf 72 700 Td ({text}) Tj ET") for text in texts], title=title)


def run(store: Path, *inputs: Path, settings: Settings = SETTINGS, retry: bool = False) -> RunReport:
    request = IngestRequest(store, [os.fspath(path) for path in inputs], settings, retry=retry)
    return ingest(request, Log(stream=io.StringIO()))


def rows_of(store: Path) -> dict[str, dict[str, Any]]:
    return {Path(path).name: row for path, row in documents_by_path(store, live_snapshot(store)).items()}


def hits(store: Path, question: str) -> list[tuple[str, int]]:
    with indexing.open_index(store) as index:
        return sorted((Path(hit.path).name, hit.page) for hit in index.search(question, 100).hits)


def faults(store: Path) -> list[str]:
    return list(verify_store(store))


def table_rows(store: Path, table: str, columns: Sequence[str]) -> list[tuple[Any, ...]]:
    """Return the live rows of a table, sorted, as tuples."""
    snapshot = live_snapshot(store)
    assert snapshot is not None
    live = {(row["doc_id"], row["extraction_id"]) for row in read_rows(store, snapshot, "documents")}
    found = []
    for name in snapshot.tables[table]:
        for row in pq.read_table(store / name).to_pylist():
            if (row["doc_id"], row["extraction_id"]) in live:
                found.append(tuple(row[column] for column in columns))
    return sorted(found)


@pytest.fixture(scope="module")
def life(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """A folder's life over several runs; the tests below look at what each of them did."""
    folder = tmp_path_factory.mktemp("life") / "papers"
    store = folder.parent / "store"
    folder.mkdir()
    (folder / "keep.pdf").write_bytes(pdf("keeping one", "keeping two", "keeping three", title="Keeper"))
    (folder / "change.pdf").write_bytes(pdf("quokka before", "same page"))
    (folder / "move.pdf").write_bytes(pdf("wandering text"))
    (folder / "go.pdf").write_bytes(pdf("vanishing act"))
    seen: dict[str, Any] = {"folder": folder, "store": store}

    seen["first"] = run(store, folder)
    seen["first rows"] = rows_of(store)
    seen["again"] = run(store, folder)

    shutil.copy(folder / "keep.pdf", folder / "copy of keep.pdf")
    (folder / "sub").mkdir()
    os.rename(folder / "move.pdf", folder / "sub" / "moved.pdf")
    before = (folder / "change.pdf").read_bytes()
    (folder / "change.pdf").write_bytes(pdf("wombat after", "same page", "one more"))
    (folder / "go.pdf").unlink()
    (folder / "new.pdf").write_bytes(pdf("newly arrived"))
    expected = preview(IngestRequest(store, [str(folder)], SETTINGS))
    seen["preview"], seen["moves"] = expected.plan, expected.moves
    seen["snapshot before"] = live_snapshot(store)
    seen["second"] = run(store, folder)
    seen["second rows"] = rows_of(store)
    seen["second hits"] = {
        word: hits(store, word) for word in ("quokka", "wombat", "vanishing", "wandering", "keeping")
    }
    seen["second faults"] = faults(store)

    (folder / "change.pdf").write_bytes(before)
    seen["reverted"] = run(store, folder)
    seen["reverted hits"] = {word: hits(store, word) for word in ("quokka", "wombat")}
    seen["reverted faults"] = faults(store)
    return seen


def test_the_first_run_extracts_everything(life: dict[str, Any]) -> None:
    report = life["first"]
    assert report.documents == {"found": 4, "ok": 4, "partial": 0, "failed": 0, "pending": 0}
    assert report.pages["extracted"] == report.pages["live"] == 7
    assert report.plan["new"] == 4
    assert report.snapshot == 1
    assert report.exit_code == 0
    assert report.counters["pages"] == 7
    assert report.glyphs["visible"] == report.counters["visible"] > 60
    assert life["first rows"]["keep.pdf"]["title"] == "Keeper"


def test_an_unchanged_folder_opens_nothing_and_commits_nothing(life: dict[str, Any]) -> None:
    report = life["again"]
    assert report.plan["unchanged"] == 4
    assert report.pages == {"extracted": 0, "ok": 0, "failed": 0, "adopted": 0, "live": 7}
    assert report.snapshot == 1
    assert "extract" not in report.phases


def test_a_dry_run_says_what_would_be_done_and_writes_nothing(life: dict[str, Any]) -> None:
    plan = life["preview"]
    assert [Path(found.path).name for found in plan.changed] == ["change.pdf"]
    assert sorted(Path(path).name for path in plan.gone) == ["go.pdf", "move.pdf"]
    assert {Path(new).name: Path(old).name for new, old in life["moves"].items()} == {
        "moved.pdf": "move.pdf",
        "copy of keep.pdf": "keep.pdf",
    }
    assert life["snapshot before"].number == 1


def test_only_new_content_is_extracted(life: dict[str, Any]) -> None:
    report = life["second"]
    assert report.pages["extracted"] == 3 + 1
    assert report.moved == 2
    assert report.documents["ok"] == 5
    assert report.plan == {
        "new": 3, "changed": 1, "outdated": 0, "again": 0, "verified": 0, "unchanged": 1, "gone": 2, "outside": 0,
    }  # fmt: skip
    assert sorted(life["second rows"]) == [
        "change.pdf",
        "copy of keep.pdf",
        "keep.pdf",
        "moved.pdf",
        "new.pdf",
    ]
    assert life["second rows"]["copy of keep.pdf"]["doc_id"] == life["second rows"]["keep.pdf"]["doc_id"]


def test_old_pages_leave_the_index_in_the_same_commit(life: dict[str, Any]) -> None:
    found = life["second hits"]
    assert found["quokka"] == []
    assert found["vanishing"] == []
    assert found["wombat"] == [("change.pdf", 1)]
    assert found["wandering"] == [("moved.pdf", 1)]
    assert len(found["keeping"]) == 3  # a copy is the same document: its pages are found once
    assert life["second faults"] == []


def test_a_file_that_reverts_finds_its_old_rows(life: dict[str, Any]) -> None:
    assert life["reverted"].pages["extracted"] == 0
    assert life["reverted hits"] == {"quokka": [("change.pdf", 1)], "wombat": []}
    assert life["reverted faults"] == []


def test_every_run_left_a_report(life: dict[str, Any]) -> None:
    reports = list(read_reports(life["store"]))
    assert [report["run_id"] for report in reports] == sorted(report["run_id"] for report in reports)
    assert [report["snapshot"] for report in reports] == [1, 1, 2, 3]
    assert all(report["state"] == "done" for report in reports)
    assert not list((life["store"] / "staging").iterdir())


def test_rows_do_not_depend_on_the_number_of_workers(tmp_path: Path) -> None:
    for name in "abcdef":
        (tmp_path / f"{name}.pdf").write_bytes(pdf(*[f"{name} page {number}" for number in range(7)]))
    columns = ["doc_id", "page_index", "text", "visible", "words", "status"]
    found = []
    for workers in (1, 3):
        settings = dataclasses.replace(
            SETTINGS, run=RunSettings(workers=workers, span_pages=3), parts=PartSettings(pages=5)
        )
        store = tmp_path / f"store{workers}"
        assert run(store, tmp_path, settings=settings).pages["extracted"] == 42
        found.append(table_rows(store, "pages", columns))
        assert faults(store) == []
    assert found[0] == found[1]
    assert len(found[0]) == 42


def test_compaction_joins_parts_and_drops_dead_rows(life: dict[str, Any], tmp_path: Path) -> None:
    store = tmp_path / "store"
    shutil.copytree(life["store"], store)
    before = table_rows(store, "words", ["doc_id", "page_index", "word", "text"])
    report = compact_store(store, SETTINGS)
    assert report.parts_before > 1
    assert report.parts_after == 1
    assert report.dropped_pages > 0
    assert table_rows(store, "words", ["doc_id", "page_index", "word", "text"]) == before
    assert faults(store) == []
    assert hits(store, "keeping") == life["second hits"]["keeping"]
    assert compact_store(store, SETTINGS).rewritten == []


def test_the_index_can_be_made_from_the_tables_alone(life: dict[str, Any], tmp_path: Path) -> None:
    store = tmp_path / "store"
    shutil.copytree(life["store"], store)
    snapshot = live_snapshot(store)
    assert snapshot is not None
    shutil.rmtree(store / str(snapshot.index))
    rebuild_index(store, SETTINGS, lambda _done, _parts: None)
    assert faults(store) == []
    assert hits(store, "quokka") == [("change.pdf", 1)]


def test_an_index_of_another_version_is_made_anew(life: dict[str, Any], tmp_path: Path) -> None:
    store = tmp_path / "store"
    shutil.copytree(life["store"], store)
    snapshot = live_snapshot(store)
    assert snapshot is not None
    head = store / str(snapshot.index) / "index.json"
    content = json.loads(head.read_text("utf-8"))
    head.write_text(json.dumps({**content, "fingerprint": "0123456789abcdef"}), "utf-8")
    with pytest.raises(indexing.StoreError):
        hits(store, "quokka")
    report = run(store, life["folder"])
    assert (report.pages["extracted"], report.snapshot) == (0, snapshot.number + 1)
    assert hits(store, "quokka") == [("change.pdf", 1)]
    assert faults(store) == []


def test_stems_are_a_setting_and_a_change_makes_the_index_anew(tmp_path: Path) -> None:
    folder, store = tmp_path / "in", tmp_path / "store"
    folder.mkdir()
    (folder / "a.pdf").write_bytes(pdf("connected harbours"))
    run(store, folder)
    assert hits(store, "connecting") == []
    stemming = dataclasses.replace(SETTINGS, index=IndexSettings(stem="en"))
    report = run(store, folder, settings=stemming)
    assert (report.pages["extracted"], report.snapshot) == (0, 2)
    assert hits(store, "connecting") == [("a.pdf", 1)]
    assert run(store, folder, settings=stemming).snapshot == 2
    assert faults(store) == []
    (folder / "b.pdf").write_bytes(pdf("connections"))
    run(store, folder, settings=stemming)
    assert hits(store, "connect") == [("a.pdf", 1), ("b.pdf", 1)]
    with pytest.raises(ConfigError, match="no stems for 'xx'"):
        run(store, folder, settings=dataclasses.replace(SETTINGS, index=IndexSettings(stem="xx")))


def test_damage_is_found(life: dict[str, Any], tmp_path: Path) -> None:
    store = tmp_path / "store"
    shutil.copytree(life["store"], store)
    part = next((store / "pages").glob("*.parquet"))
    content = bytearray(part.read_bytes())
    content[60] ^= 0xFF
    part.write_bytes(content)
    terms = max(store.glob("index/gen-*3/*.trm"), key=lambda path: path.stat().st_size)  # never an empty file
    terms.write_bytes(terms.read_bytes()[:-1])
    found = faults(store)
    assert any(part.stem in fault for fault in found)
    assert any(terms.name in fault for fault in found)


def test_the_guard_refuses_to_empty_a_store(life: dict[str, Any], tmp_path: Path) -> None:
    store = tmp_path / "store"
    shutil.copytree(life["store"], store)
    empty = tmp_path / "papers"
    empty.mkdir()
    strict = dataclasses.replace(SETTINGS, guard=GuardSettings(max_delete_fraction=0.2))
    rows = documents_by_path(store, live_snapshot(store))
    assert run(store, empty, settings=strict).plan["outside"] == len(
        rows
    )  # another folder's files are not gone
    real = life["folder"].rename(tmp_path / "elsewhere")
    life["folder"].mkdir()
    try:
        with pytest.raises(MassDeleteError, match="5 of the store's 5 documents"):
            run(store, life["folder"], settings=strict)
        assert len(rows_of(store)) == 5
        allowed = dataclasses.replace(strict, guard=GuardSettings(allow_mass_delete=True))
        assert run(store, life["folder"], settings=allowed).plan["gone"] == 5
        assert rows_of(store) == {}
        assert hits(store, "keeping") == []
    finally:
        life["folder"].rmdir()
        real.rename(life["folder"])


def test_a_renamed_folder_is_no_mass_deletion(tmp_path: Path) -> None:
    folder, store = tmp_path / "in", tmp_path / "store"
    (folder / "old").mkdir(parents=True)
    for name in "abcd":
        (folder / "old" / f"{name}.pdf").write_bytes(pdf(f"text of {name}"))
    run(store, folder)
    (folder / "old").rename(folder / "renamed")
    strict = dataclasses.replace(SETTINGS, guard=GuardSettings(max_delete_fraction=0.0))
    report = run(store, folder, settings=strict)
    assert (report.plan["gone"], report.moved, report.pages["extracted"]) == (4, 4, 0)
    (folder / "renamed" / "a.pdf").unlink()
    with pytest.raises(MassDeleteError, match="1 of the store's 4 documents"):
        run(store, folder, settings=strict)


def test_two_runs_at_once_are_refused(tmp_path: Path) -> None:
    (tmp_path / "a.pdf").write_bytes(pdf("a"))
    store = tmp_path / "store"
    store.mkdir()
    with StoreLock(store), pytest.raises(StoreLockedError, match=f"process {os.getpid()}"):
        run(store, tmp_path)


def test_an_upgrade_extracts_anew_and_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.pdf").write_bytes(pdf("a text"))
    store = tmp_path / "store"
    run(store, tmp_path)
    other = dataclasses.replace(SETTINGS, extractor={"annotations": False})
    said = io.StringIO()
    report = ingest(IngestRequest(store, [str(tmp_path)], other), Log(stream=said))
    assert report.plan["outdated"] == 1
    assert report.pages["extracted"] == 1
    assert "1 documents are extracted anew" in said.getvalue()
    assert faults(store) == []
    assert hits(store, "text") == [("a.pdf", 1)]


def test_passwords_and_retry(tmp_path: Path) -> None:
    folder, store = tmp_path / "in", tmp_path / "store"
    folder.mkdir()
    (folder / "locked.pdf").write_bytes(
        encrypt(make_pdf("BT /F1 10 Tf 72 700 Td (sesame inside) Tj ET"), "sesame")
    )
    (folder / "owner.pdf").write_bytes(
        encrypt(make_pdf("BT /F1 10 Tf 72 700 Td (owner only) Tj ET"), "", "boss")
    )
    first = run(store, folder)
    assert (first.documents["ok"], first.documents["failed"], first.exit_code) == (1, 1, 3)
    assert rows_of(store)["locked.pdf"]["reason"] == "encrypted"
    list_of_passwords = tmp_path / "passwords"
    list_of_passwords.write_text("wrong\nsesame\n", "utf-8")
    settings = dataclasses.replace(SETTINGS, passwords=PasswordSettings(file=str(list_of_passwords)))
    assert run(store, folder).plan["unchanged"] == 2  # a failed, unchanged file waits for something new
    report = run(store, folder, settings=settings)
    assert (report.plan["again"], report.plan["unchanged"], report.exit_code) == (1, 1, 0)
    assert hits(store, "sesame") == [("locked.pdf", 1)]
    assert hits(store, "owner") == [("owner.pdf", 1)]
    assert "sesame" not in (store / "runs" / f"{report.run_id}.json").read_text("utf-8")
    assert read_rows(store, live_snapshot(store), "errors") == []


def test_locked_files_are_tried_again_with_new_passwords_only(tmp_path: Path) -> None:
    folder, store, passwords = tmp_path / "in", tmp_path / "store", tmp_path / "passwords"
    folder.mkdir()
    (folder / "locked.pdf").write_bytes(encrypt(pdf("inside"), "sesame"))
    passwords.write_text("wrong\n")
    settings = dataclasses.replace(SETTINGS, passwords=PasswordSettings(file=str(passwords)))
    locked = {"status": "failed", "reason": "wrong_password", "path": str(folder / "locked.pdf")}
    written = passwords.stat().st_mtime
    for began, newer in ((written - 0.01, True), (written + 0.01, False)):
        moment = datetime.fromtimestamp(began, UTC)
        row = {**locked, "run_id": f"{moment:%Y%m%dT%H%M%S}.{moment.microsecond // 1000:03}Z-abcd"}
        assert NewPasswords(settings.passwords).may_open(row) is newer
    assert run(store, folder).reasons == {"encrypted": 1}
    assert run(store, folder).plan["unchanged"] == 1
    tried = run(store, folder, settings=settings)  # there was no password, now there is one
    assert (tried.plan["again"], tried.reasons) == (1, {"wrong_password": 1})
    assert run(store, folder, settings=settings).plan["unchanged"] == 1  # an old list has nothing new
    os.utime(passwords, (2**31, 2**31))
    assert run(store, folder, settings=settings).plan["again"] == 1
    os.utime(passwords, (1, 1))
    assert run(store, folder, settings=settings).plan["unchanged"] == 1
    beside = folder / "locked.pdf.password"
    beside.write_text("sesame")
    os.utime(beside, (2**31, 2**31))
    opened = run(store, folder)
    assert (opened.plan["again"], opened.exit_code) == (1, 0)
    assert hits(store, "inside") == [("locked.pdf", 1)]


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("cat {list} | head -n 1", "ended with exit code 1; it is run without a shell"),
        ("/nowhere/pass show", "cannot be run: /nowhere/pass: no such file or directory"),
        ("false", "ended with exit code 1"),
        ("'open", "cannot be read: No closing quotation"),
    ],
)
def test_a_password_command_that_does_not_work_says_why(command: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "list").write_text("secret word\n")
    given = PasswordSettings(command=command.format(list=tmp_path / "list"))
    with pytest.raises(PasswordSourceError) as caught:
        collect_passwords(given)
    assert said in str(caught.value)
    assert "secret word" not in str(caught.value)
    shell = PasswordSettings(command=f"sh -c 'cat {tmp_path / 'list'} | head -n 1'")
    assert collect_passwords(shell) == ["secret word"]


def test_a_document_cut_short_is_flagged(tmp_path: Path) -> None:
    folder, store = tmp_path / "in", tmp_path / "store"
    folder.mkdir()
    whole = pdf("first page", "second page")
    (folder / "whole.pdf").write_bytes(whole)
    (folder / "cut.pdf").write_bytes(whole[: whole.rindex(b"xref") - 1])
    report = run(store, folder)
    assert (report.documents["ok"], report.repaired) == (2, 1)
    assert {name: row["repaired"] for name, row in rows_of(store).items()} == {
        "whole.pdf": False,
        "cut.pdf": True,
    }
    snapshot = live_snapshot(store)
    assert snapshot is not None
    assert [Path(row["path"]).name for row in flagged_pages(store, snapshot, "repaired")] == ["cut.pdf"]
    assert "  1 repaired: cut short or damaged, pages or text may be missing" in list(summary_lines(report))
    assert take_inventory(store)["repaired"] == 1


def test_a_folder_with_other_files_is_not_made_a_store(tmp_path: Path) -> None:
    (tmp_path / "in.pdf").write_bytes(pdf("text"))
    (tmp_path / "mine" / "pages").mkdir(parents=True)
    (tmp_path / "mine" / "pages" / "own.parquet").write_bytes(b"mine")
    (tmp_path / "mine" / "letter.odt").write_bytes(b"mine")
    with pytest.raises(InputError, match=r"holds other files \(letter.odt\)"):
        run(tmp_path / "mine", tmp_path / "in.pdf")
    assert sorted(path.name for path in (tmp_path / "mine").iterdir()) == ["letter.odt", "pages"]
    (tmp_path / "empty").mkdir()
    (tmp_path / "empty" / ".hidden").write_bytes(b"")
    assert run(tmp_path / "empty", tmp_path / "in.pdf").exit_code == 0


def test_an_archive_in_a_folder_is_passed_over_aloud_or_read(tmp_path: Path) -> None:
    folder, store = tmp_path / "in", tmp_path / "store"
    (folder / "below").mkdir(parents=True)
    with zipfile.ZipFile(folder / "below" / "papers.ZIP", "w") as content:
        content.writestr("x.pdf", pdf("zipped text"))
    report = run(store, folder)
    assert [(Path(entry["path"]).name, entry["reason"]) for entry in report.skipped] == [
        ("papers.ZIP", "archive")
    ]
    assert "  passed over: 1 archive" in list(summary_lines(report))
    inside = dataclasses.replace(SETTINGS, discover=DiscoverSettings(archives=True))
    read = run(store, folder, settings=inside)
    assert (read.documents["ok"], read.skipped) == (1, [])
    assert hits(store, "zipped") == [("x.pdf", 1)]


def test_an_archive_that_is_called_a_pdf_is_not_read_as_one(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "stored.pdf", "w", zipfile.ZIP_STORED) as content:
        content.writestr("x.pdf", pdf("stored text"))
    store = tmp_path / "store"
    assert run(store, tmp_path / "stored.pdf").reasons == {"not_a_pdf": 1}
    assert "zip archive" in rows_of(store)["stored.pdf"]["message"]


def test_a_listed_file_that_vanished_is_a_row_and_not_the_end_of_the_run(tmp_path: Path) -> None:
    (tmp_path / "a.pdf").write_bytes(pdf("listed"))
    listed = [str(tmp_path / "a.pdf"), str(tmp_path / "gone.pdf")]
    store = tmp_path / "store"
    report = ingest(IngestRequest(store, [], SETTINGS, listed=listed), Log(stream=io.StringIO()))
    assert (report.documents["ok"], report.reasons) == (1, {"vanished": 1})
    assert report.inputs == listed
    again = ingest(IngestRequest(store, [], SETTINGS, listed=listed), Log(stream=io.StringIO()))
    assert (again.plan["unchanged"], again.plan["again"], again.reasons) == (1, 1, {"vanished": 1})
    (tmp_path / "a.pdf").unlink()
    gone = ingest(IngestRequest(store, [], SETTINGS, listed=listed), Log(stream=io.StringIO()))
    assert (gone.plan["gone"], list(rows_of(store))) == (1, ["gone.pdf"])


def test_pages_that_failed_are_tried_again_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, store = tmp_path / "in", tmp_path / "store"
    folder.mkdir()
    (folder / "book.pdf").write_bytes(pdf("first fine", "POISON exit", "third fine", "POISON raise"))
    monkeypatch.setattr(pipeline.worker, "CHILD_MODULE", "tests.helpers.poisoned_child")
    first = run(store, folder)
    assert first.documents["partial"] == 1
    errors = read_rows(store, live_snapshot(store), "errors")
    assert [(row["page_index"], row["reason"]) for row in errors] == [(1, "crash"), (3, "internal")]
    assert faults(store) == []
    monkeypatch.setattr(pipeline.worker, "CHILD_MODULE", "pipeline.worker_main")
    again = run(store, folder, retry=True)
    assert again.pages["extracted"] == 2
    assert rows_of(store)["book.pdf"]["status"] == "ok"
    assert hits(store, "poison") == [("book.pdf", 2), ("book.pdf", 4)]
    assert hits(store, "fine") == [("book.pdf", 1), ("book.pdf", 3)]
    assert faults(store) == []


def test_a_poisoned_corpus_finishes_with_everything_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, store = tmp_path / "in", tmp_path / "store"
    folder.mkdir()
    contents: dict[bytes, bytes] = {
        b"loop.pdf": pdf("before", "POISON loop", "after"),
        b"crash.pdf": pdf("POISON segv"),
        b"memory.pdf": pdf("POISON memory", "after memory"),
        b"locked.pdf": encrypt(pdf("x"), "secret"),
        b"cut.pdf": pdf("cut off")[:120],
        b"empty.pdf": b"",
        b"no.pdf": b"just text",
        b"two\nlines.pdf": pdf("newline"),
        b"bad\xff name.pdf": pdf("latin"),
        b"fine.pdf": pdf("fine"),
        b"leaving.pdf": pdf("leaves between listing and reading"),
        b"changing.pdf": pdf("changes between listing and reading"),
    }
    for name, content in contents.items():
        (folder / os.fsdecode(name)).write_bytes(content)
    (folder / "folder.pdf").mkdir()
    (folder / "broken link.pdf").symlink_to("nowhere")
    os.mkfifo(folder / "pipe.pdf")
    monkeypatch.setattr(pipeline.worker, "CHILD_MODULE", "tests.helpers.poisoned_child")
    listed = pipeline.ingest.discover

    def list_and_disturb(*arguments: Any) -> Any:
        found = listed(*arguments)
        (folder / "leaving.pdf").unlink()
        (folder / "changing.pdf").write_bytes(pdf("is another by now", "with two pages"))
        return found

    monkeypatch.setattr(pipeline.ingest, "discover", list_and_disturb)
    settings = dataclasses.replace(SETTINGS, limits=dataclasses.replace(SETTINGS.limits, page_seconds=10))
    report = run(store, folder, settings=settings)
    assert report.documents == {"found": 13, "ok": 4, "partial": 2, "failed": 7, "pending": 0}
    assert {Path(entry["path"]).name: entry["reason"] for entry in report.skipped} == {
        "folder.pdf": "folder",
        "pipe.pdf": "not_a_file",
    }
    reasons = {name: row["reason"] for name, row in rows_of(store).items() if row["status"] != "ok"}
    assert reasons.pop("cut.pdf") in ("damaged", "no_pages")
    assert reasons == {
        "loop.pdf": "timeout",
        "crash.pdf": "crash",
        "memory.pdf": "memory",
        "locked.pdf": "encrypted",
        "empty.pdf": "empty_file",
        "no.pdf": "not_a_pdf",
        "broken link.pdf": "vanished",
        "leaving.pdf": "vanished",
    }
    assert rows_of(store)["changing.pdf"]["pages"] == 2
    assert hits(store, "newline") == [("two\nlines.pdf", 1)]
    assert hits(store, "latin") == [("bad\\xff name.pdf", 1)]
    assert hits(store, "after") == [("loop.pdf", 3), ("memory.pdf", 2)]
    assert faults(store) == []


def test_a_folder_is_not_its_own_store(tmp_path: Path) -> None:
    (tmp_path / "a.pdf").write_bytes(pdf("alone"))
    with pytest.raises(InputError, match="cannot be the store too"):
        run(tmp_path, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["a.pdf"]


def test_archives_are_inputs(tmp_path: Path) -> None:
    store, archive = tmp_path / "store", tmp_path / "a.zip"
    with zipfile.ZipFile(archive, "w") as content:
        content.writestr("in/x.pdf", pdf("zipped text"))
        content.writestr("in/y.PDF", b"")
        content.writestr("z.txt", "no")
    report = run(store, archive)
    assert (report.documents["found"], report.documents["ok"], report.documents["failed"]) == (2, 1, 1)
    assert hits(store, "zipped") == [("x.pdf", 1)]
    assert run(store, archive).plan["unchanged"] == 2
    with zipfile.ZipFile(archive, "w") as content:
        content.writestr("in/x.pdf", pdf("zipped text"))
    assert run(store, archive).documents["found"] == 1
    assert list(rows_of(store)) == ["x.pdf"]


def test_files_look_unchanged_and_are_hashed_on_request(tmp_path: Path) -> None:
    path, store = tmp_path / "a.pdf", tmp_path / "store"
    path.write_bytes(pdf("aaaa text"))
    run(store, path)
    status = path.stat()
    path.write_bytes(pdf("bbbb text"))
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert run(store, path).plan["unchanged"] == 1
    verifying = dataclasses.replace(SETTINGS, discover=DiscoverSettings(verify=True))
    assert run(store, path, settings=verifying).pages["extracted"] == 1
    assert hits(store, "bbbb") == [("a.pdf", 1)]
    snapshot = live_snapshot(store)
    assert run(store, path, settings=verifying).pages["extracted"] == 0
    assert live_snapshot(store) == snapshot


def test_what_was_read_stays_when_its_password_is_not_at_hand(tmp_path: Path) -> None:
    source, store = tmp_path / "in", tmp_path / "store"
    source.mkdir()
    (source / "locked.pdf").write_bytes(encrypt(pdf("behind the door"), "pw"))
    (tmp_path / "passwords").write_text("pw\n")
    known = dataclasses.replace(SETTINGS, passwords=PasswordSettings(file=str(tmp_path / "passwords")))
    assert run(store, source, settings=known).documents["ok"] == 1
    hashed = dataclasses.replace(SETTINGS, discover=DiscoverSettings(verify=True))
    os.utime(source / "locked.pdf", (1, 1))  # looks changed, and is hashed and opened again
    report = run(store, source, settings=hashed)
    assert (report.documents["ok"], report.documents["failed"]) == (1, 0)
    assert rows_of(store)["locked.pdf"]["status"] == "ok"
    assert rows_of(store)["locked.pdf"]["mtime_ns"] == 10**9
    assert hits(store, "door") == [("locked.pdf", 1)]


def test_pages_of_a_dead_run_are_no_moved_documents(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.pdf").write_bytes(pdf("only once"))

    def die(*_arguments: Any, **_named: Any) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("pipeline.ingest.commit", die)
        with pytest.raises(KeyboardInterrupt):
            run(tmp_path / "store", tmp_path / "a.pdf")
    report = run(tmp_path / "store", tmp_path / "a.pdf")
    assert (report.pages["adopted"], report.moved) == (1, 0)
    shutil.copy(tmp_path / "a.pdf", tmp_path / "b.pdf")
    assert run(tmp_path / "store", tmp_path / "b.pdf").moved == 1


def test_bundles_may_be_replayed(tmp_path: Path) -> None:
    for name in "abc":
        (tmp_path / f"{name}.pdf").write_bytes(pdf(f"{name} one", f"{name} two", f"{name} three"))
    store = tmp_path / "store"
    request = IngestRequest(store, [str(tmp_path)], SETTINGS, ["--direct_runner_bundle_repeat=1"])
    report = ingest(request, Log(stream=io.StringIO()))
    assert report.pages["extracted"] == report.pages["live"] == 9
    assert len(table_rows(store, "pages", ["doc_id", "page_index"])) == 9
    assert faults(store) == []


def test_a_stopped_run_commits_what_is_whole_and_the_next_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from pipeline.staging import Staging

    for number in range(6):
        (tmp_path / f"{number}.pdf").write_bytes(pdf(*[f"doc {number} page {page}" for page in range(6)]))
    store = tmp_path / "store"
    settings = dataclasses.replace(SETTINGS, run=RunSettings(workers=1, span_pages=2))
    extract = pipeline.worker.Worker.extract
    calls = []

    def extract_then_stop(worker: Any, span: Any) -> Any:
        yield from extract(worker, span)
        calls.append(span)
        if len(calls) == 7:
            Staging(store, next((store / "staging").iterdir()).name).request_stop()

    monkeypatch.setattr(pipeline.worker.Worker, "extract", extract_then_stop)
    first = run(store, tmp_path, settings=settings)
    assert first.state == "stopped"
    assert first.exit_code == 130
    assert first.pages["extracted"] == 14
    assert first.documents["ok"] + first.documents["pending"] == 6
    assert 0 < first.documents["pending"] < 6
    assert len(rows_of(store)) == first.documents["ok"]
    assert faults(store) == []
    second = run(store, tmp_path, settings=settings)
    assert second.pages["extracted"] == 36 - 14
    assert second.documents["ok"] == 6
    assert faults(store) == []


def test_what_a_dead_run_has_written_is_taken_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(4):
        (tmp_path / f"{number}.pdf").write_bytes(pdf(*[f"doc {number} page {page}" for page in range(4)]))
    store = tmp_path / "store"
    settings = dataclasses.replace(
        SETTINGS, parts=PartSettings(pages=4), run=RunSettings(workers=1, span_pages=4)
    )

    def die(*_arguments: Any) -> None:
        raise RuntimeError("the power went")

    with monkeypatch.context() as patch:
        patch.setattr(pipeline.ingest, "commit", die)
        with pytest.raises(RuntimeError, match="power"):
            run(store, tmp_path, settings=settings)
    assert live_snapshot(store) is None
    shutil.rmtree(store / "staging")
    for table in ("pages", "lines", "words"):
        half = sorted((store / table).glob("*.parquet"))[0]
        half.rename(half.with_name(f"{half.name}.tmp-1234"))
    report = run(store, tmp_path, settings=settings)
    assert report.pages["adopted"] == 12
    assert report.pages["extracted"] == 4
    assert report.documents["ok"] == 4
    assert faults(store) == []
    assert len(hits(store, "page")) == 16
    assert not list(store.glob("*/*.tmp-*"))


def test_reports_hold_what_they_should(life: dict[str, Any]) -> None:
    path = life["store"] / "runs" / f"{life['second'].run_id}.json"
    content = json.loads(path.read_text("utf-8"))
    assert content["versions"]["extraction"]
    assert content["documents"]["found"] == sum(
        content["documents"][name] for name in ("ok", "partial", "failed", "pending")
    )
    assert content["phases"]["extract"] > 0
    assert content["peak_memory_mb"]["pipeline"] > 10
    assert "passwords" not in content["options"]


def test_file_systems_that_beam_knows_are_inputs(tmp_path: Path) -> None:
    remote, store = tmp_path / "remote", tmp_path / "store"
    (remote / "sub").mkdir(parents=True)
    (remote / "a.pdf").write_bytes(pdf("far away", "second page"))
    (remote / "sub" / "b.pdf").write_bytes(pdf("farther"))
    (remote / "c.txt").write_bytes(b"no")
    distant = distant_files(remote)
    assert distant.scheme() == "distant"
    request = IngestRequest(store, ["distant://bucket/"], SETTINGS)
    report = ingest(request, Log(stream=io.StringIO()))
    assert report.documents["ok"] == 2
    assert sorted(documents_by_path(store, live_snapshot(store))) == [
        "distant://bucket/a.pdf",
        "distant://bucket/sub/b.pdf",
    ]
    assert hits(store, "farther") == [("b.pdf", 1)]
    assert ingest(request, Log(stream=io.StringIO())).plan["unchanged"] == 2
    (remote / "a.pdf").unlink()
    report = ingest(request, Log(stream=io.StringIO()))
    assert report.plan["gone"] == 1
    assert hits(store, "away") == []
    with pytest.raises(RemoteInputError, match="no such file"):
        ingest(IngestRequest(store, ["distant://bucket/none.pdf"], SETTINGS), Log(stream=io.StringIO()))
    with pytest.raises(RemoteInputError, match="nosuchscheme"):
        ingest(IngestRequest(store, ["nosuchscheme://x/y.pdf"], SETTINGS), Log(stream=io.StringIO()))


def distant_files(folder: Path) -> Any:
    """Make a file system distant://bucket that shows the files of a folder; Beam knows it while it is referenced."""
    from apache_beam.io.filesystem import FileMetadata
    from apache_beam.io.localfilesystem import LocalFileSystem

    class DistantFiles(LocalFileSystem):
        @classmethod
        def scheme(cls) -> str:
            return "distant"

        def _list(self, _prefix: str) -> Any:
            for path in sorted(folder.rglob("*")):
                if path.is_file():
                    status = path.stat()
                    name = f"distant://bucket/{path.relative_to(folder)}"
                    yield FileMetadata(name, status.st_size, status.st_mtime)

        def _path_open(self, path: str, mode: str, *rest: Any, **named: Any) -> Any:
            return super()._path_open(
                str(folder / path.removeprefix("distant://bucket/")), mode, *rest, **named
            )

        def match(self, patterns: Any, limits: Any = None) -> Any:
            from apache_beam.io.filesystem import FileSystem

            return FileSystem.match(self, patterns, limits)

    return DistantFiles
