"""A damaged store: every fault is found and named, and there is a way back that loses nothing that is whole."""

from __future__ import annotations

import dataclasses
import json
import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

import indexing
from pipeline.ingest import preview
from pipeline.repair import repair_store
from pipeline.request import IngestRequest
from pipeline.settings import RunSettings
from pipeline.store import documents_by_path, live_snapshot, read_rows
from tests.helpers.command import run_glyphdex
from tests.test_pipeline_ingest import SETTINGS as ONE_RUN
from tests.test_pipeline_ingest import faults, hits, pdf, rows_of, run, table_rows

SETTINGS = dataclasses.replace(ONE_RUN, run=RunSettings(workers=1))
"""One worker: the documents of a run lie in one part."""
WORDS = ("alder", "birch", "cedar")


@dataclass(frozen=True)
class Grove:
    """A folder of three documents and the store of two runs: a.pdf and b.pdf in one part, c.pdf in another."""

    folder: Path
    store: Path

    def part_of(self, name: str) -> str:
        """Return the part that holds the pages of a document."""
        doc_id = rows_of(self.store)[name]["doc_id"]
        for part in indexing.read_current(self.store).tables["pages"]:
            if doc_id in pq.read_table(self.store / part)["doc_id"].to_pylist():
                return Path(part).stem
        raise AssertionError(name)


@pytest.fixture(scope="module")
def grown(tmp_path_factory: pytest.TempPathFactory) -> Grove:
    grove = Grove(tmp_path_factory.mktemp("grove") / "in", tmp_path_factory.mktemp("grove store") / "store")
    grove.folder.mkdir()
    (grove.folder / "a.pdf").write_bytes(pdf("alder one", "alder two"))
    (grove.folder / "b.pdf").write_bytes(pdf("birch"))
    (grove.folder / "bad.pdf").write_bytes(b"not one")
    run(grove.store, grove.folder, settings=SETTINGS)
    (grove.folder / "c.pdf").write_bytes(pdf("cedar"))
    run(grove.store, grove.folder, settings=SETTINGS)
    return grove


@pytest.fixture
def grove(grown: Grove, tmp_path: Path) -> Grove:
    """A copy of the store, over the same folder."""
    shutil.copytree(grown.store, tmp_path / "store")
    return Grove(grown.folder, tmp_path / "store")


def contents(store: Path) -> dict[str, Any]:
    return {
        "documents": sorted(
            (path, row["status"]) for path, row in documents_by_path(store, live_snapshot(store)).items()
        ),
        "words": table_rows(store, "words", ["doc_id", "page_index", "word", "text"]),
        "errors": [(row["path"], row["reason"]) for row in read_rows(store, live_snapshot(store), "errors")],
        "hits": [hits(store, word) for word in WORDS],
    }


def change_a_byte(path: Path, at: int = 100) -> None:
    content = bytearray(path.read_bytes())
    content[at] ^= 0x55
    path.write_bytes(content)


@pytest.mark.parametrize("table", ["pages", "lines", "words", "documents", "errors"])
@pytest.mark.parametrize("place", [0.02, 0.4, 0.7, 0.97])
def test_a_changed_byte_anywhere_is_found_and_the_file_named(grove: Grove, table: str, place: float) -> None:
    name = indexing.read_current(grove.store).tables[table][0]
    change_a_byte(grove.store / name, int(place * (grove.store / name).stat().st_size))
    assert f"{name} is not as it was written" in faults(grove.store)


def test_bytes_written_over_words_are_found(grove: Grove) -> None:
    name = indexing.read_current(grove.store).tables["words"][0]
    with open(grove.store / name, "r+b") as file:
        file.seek(100)
        file.write(b"xyz")
    done = run_glyphdex("verify", grove.store)
    assert done.returncode == 1
    assert f"{name} is not as it was written" in done.stdout
    assert "glyphdex verify STORE --repair" in done.stderr


def test_every_file_of_the_index_is_vouched_for(grove: Grove) -> None:
    folder = grove.store / str(indexing.read_current(grove.store).index)
    for path in sorted(path for path in folder.rglob("*") if path.is_file() and path.stat().st_size):
        whole = path.read_bytes()
        change_a_byte(path, len(whole) // 2)
        assert faults(grove.store), path.name
        path.write_bytes(whole)
    assert faults(grove.store) == []


@pytest.mark.parametrize("table", ["pages", "lines", "words"])
def test_the_next_run_extracts_anew_what_a_missing_part_held(grove: Grove, table: str) -> None:
    before = contents(grove.store)
    stem = grove.part_of("a.pdf")
    (grove.store / table / f"{stem}.parquet").unlink()
    found = faults(grove.store)
    assert f"{table}/{stem}.parquet is missing" in found
    assert "2 documents lose pages with the damaged files" in found
    report = run(grove.store, grove.folder)
    assert report.damaged == [stem]
    assert (report.plan["again"], report.plan["unchanged"]) == (2, 2)
    assert report.pages["extracted"] == 3
    assert report.documents == {"found": 4, "ok": 3, "partial": 0, "failed": 1, "pending": 0}
    assert contents(grove.store) == before
    assert faults(grove.store) == []
    assert run(grove.store, grove.folder).plan["unchanged"] == 4


def test_a_part_cut_short_is_noticed_by_the_next_run(grove: Grove) -> None:
    before = contents(grove.store)
    path = grove.store / "words" / f"{grove.part_of('c.pdf')}.parquet"
    path.write_bytes(path.read_bytes()[:-7])
    assert run(grove.store, grove.folder).pages["extracted"] == 1
    assert contents(grove.store) == before
    assert faults(grove.store) == []


def test_documents_lost_outside_of_the_inputs_are_named(grove: Grove, tmp_path: Path) -> None:
    (grove.store / "pages" / f"{grove.part_of('c.pdf')}.parquet").unlink()
    (tmp_path / "other").mkdir()
    run(grove.store, tmp_path / "other")
    row = rows_of(grove.store)["c.pdf"]
    assert (row["status"], row["reason"], row["message"]) == (
        "failed",
        "lost",
        "1 of 1 pages were in damaged files of the store",
    )
    assert hits(grove.store, "cedar") == []
    assert hits(grove.store, "birch") == [("b.pdf", 1)]
    assert faults(grove.store) == []
    assert run(grove.store, grove.folder).pages["extracted"] == 1
    assert hits(grove.store, "cedar") == [("c.pdf", 1)]


def test_repair_leaves_out_what_is_damaged_and_says_what_is_lost(grove: Grove) -> None:
    before = contents(grove.store)
    stem = grove.part_of("c.pdf")
    change_a_byte(grove.store / "words" / f"{stem}.parquet")
    done = run_glyphdex("verify", grove.store, "--repair")
    assert done.returncode == 3, done.stderr
    assert done.stdout.splitlines() == [
        f"words/{stem}.parquet is not as it was written: set aside",
        "1 documents lost pages; the next ingest of their files extracts them anew:",
        f"  {grove.folder}/c.pdf",
    ]
    assert (grove.store / "damaged" / "words" / f"{stem}.parquet").exists()
    assert run_glyphdex("verify", grove.store).returncode == 0
    assert hits(grove.store, "cedar") == []
    assert hits(grove.store, "birch") == [("b.pdf", 1)]
    assert run(grove.store, grove.folder).pages["extracted"] == 1
    assert contents(grove.store) == before
    again = run_glyphdex("verify", grove.store, "--repair")
    assert (again.returncode, again.stdout, again.stderr) == (0, "", "nothing to repair\n")


def empty_current(store: Path) -> None:
    (store / "CURRENT").write_bytes(b"")


def garbage_in_current(store: Path) -> None:
    (store / "CURRENT").write_bytes(b"\xff\x00 garbage")


def no_current(store: Path) -> None:
    (store / "CURRENT").unlink()


def cut_snapshot(store: Path) -> None:
    path = store / "snapshots" / f"{indexing.current_number(store):06}.json"
    path.write_bytes(path.read_bytes()[:200])


def no_documents_table(store: Path) -> None:
    (store / indexing.read_current(store).tables["documents"][0]).unlink()


def changed_documents_table(store: Path) -> None:
    change_a_byte(store / indexing.read_current(store).tables["documents"][0])


@pytest.mark.parametrize(
    ("harm", "named"),
    [
        (empty_current, "CURRENT does not name a snapshot"),
        (garbage_in_current, "CURRENT does not name a snapshot"),
        (no_current, "CURRENT is missing, and there are snapshots"),
        (cut_snapshot, "000002.json is not JSON"),
        (no_documents_table, "is missing"),
    ],
)
def test_a_store_that_does_not_open_names_the_way_back(
    grove: Grove, harm: Callable[[Path], None], named: str
) -> None:
    before = contents(grove.store)
    harm(grove.store)
    for command in ("status", "verify", "compact", "retry"):
        done = run_glyphdex(command, grove.store)
        told = done.stdout + done.stderr
        assert done.returncode in (1, 2), command
        assert named in told, command
        assert "glyphdex verify STORE --repair" in told, command
        assert "Traceback" not in told
    refused = run_glyphdex("ingest", grove.folder, "--store", grove.store)
    assert refused.returncode == 1
    assert named in refused.stderr
    assert "glyphdex verify STORE --repair" in refused.stderr
    assert run_glyphdex("verify", grove.store, "--repair").returncode == 0
    assert faults(grove.store) == []
    report = run(grove.store, grove.folder)
    assert report.pages["extracted"] == 0  # the pages of a later snapshot are taken over from their parts
    assert contents(grove.store) == before
    assert faults(grove.store) == []


@pytest.mark.parametrize("harm", [changed_documents_table, no_documents_table, cut_snapshot])
def test_repair_goes_back_to_the_newest_whole_snapshot(grove: Grove, harm: Callable[[Path], None]) -> None:
    harm(grove.store)
    report = repair_store(grove.store, SETTINGS)
    assert any("snapshot 1 of" in action for action in report.actions)
    assert sorted(rows_of(grove.store)) == ["a.pdf", "b.pdf", "bad.pdf"]
    assert hits(grove.store, "alder") == [("a.pdf", 1), ("a.pdf", 2)]
    assert faults(grove.store) == []


def test_a_store_without_any_documents_table_finds_its_pages_again(grove: Grove) -> None:
    before = contents(grove.store)
    shutil.rmtree(grove.store / "documents")
    shutil.rmtree(grove.store / "errors")
    report = repair_store(grove.store, SETTINGS)
    assert report.snapshot == 3
    assert rows_of(grove.store) == {}
    done = run(grove.store, grove.folder)
    assert (done.pages["extracted"], done.pages["adopted"], done.documents["ok"]) == (0, 4, 3)
    assert contents(grove.store) == before
    assert faults(grove.store) == []


def test_errors_are_written_anew_from_the_other_tables(grove: Grove) -> None:
    before = contents(grove.store)
    (grove.store / indexing.read_current(grove.store).tables["errors"][0]).unlink()
    report = repair_store(grove.store, SETTINGS)
    assert report.actions == ["the errors table was written anew"]
    assert contents(grove.store) == before
    assert faults(grove.store) == []


@pytest.mark.parametrize("pattern", ["*.trm", "index.json", "_MAIN_1.toc", "documents/*.pst"])
def test_a_missing_file_of_the_index_is_named_and_the_index_built_anew(grove: Grove, pattern: str) -> None:
    before = contents(grove.store)
    folder = grove.store / str(indexing.read_current(grove.store).index)
    victim = next(folder.glob(pattern))
    victim.unlink()
    done = run_glyphdex("search", grove.store, "alder")
    assert done.returncode == 2
    assert victim.name in done.stderr
    assert "glyphdex verify STORE --repair" in done.stderr
    assert any(victim.name in fault for fault in faults(grove.store))
    report = repair_store(grove.store, SETTINGS)
    assert "the index was built anew" in report.actions
    assert contents(grove.store) == before
    assert faults(grove.store) == []


def garbage(path: Path) -> None:
    path.write_bytes(b"\xff\x00garbage" * 40)


def folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


@pytest.mark.parametrize("harm", [garbage, folder])
@pytest.mark.parametrize("place", ["pages", "lines", "words", "documents", "errors", "snapshots", "index"])
def test_any_file_of_the_store_can_be_lost_and_the_store_comes_back(
    grove: Grove, place: str, harm: Callable[[Path], None]
) -> None:
    before = contents(grove.store)
    live = indexing.read_current(grove.store)
    victims = {"snapshots": f"snapshots/{live.number:06}.json", "index": f"{live.index}/pages.npy"}
    harm(grove.store / victims.get(place, live.tables.get(place, [""])[0]))
    for command in (["status"], ["errors"], ["verify"], ["compact"], ["index", "check"]):
        done = run_glyphdex(*command, grove.store)
        assert done.returncode in (0, 1, 2), command
        assert "Traceback" not in done.stderr, command
    repaired = run_glyphdex("verify", grove.store, "--repair")
    assert repaired.returncode in (0, 3), repaired.stderr
    assert faults(grove.store) == []
    run(grove.store, grove.folder)
    assert contents(grove.store) == before
    assert faults(grove.store) == []


def test_a_snapshot_written_before_hashes_were_kept_is_still_read(grove: Grove) -> None:
    path = grove.store / "snapshots" / "000002.json"
    value = {
        name: item for name, item in json.loads(path.read_text()).items() if name not in ("files", "seal")
    }
    path.write_text(json.dumps(value))
    assert faults(grove.store) == []
    (grove.folder / "d.pdf").write_bytes(pdf("damson"))
    try:
        run(grove.store, grove.folder)
    finally:
        os.unlink(grove.folder / "d.pdf")
    live = indexing.read_current(grove.store)
    assert set(live.files) == {name for names in live.tables.values() for name in names} | {
        f"{live.index}/index.json"
    }


def test_a_damaged_parent_does_not_fail_the_next_run(grove: Grove, tmp_path: Path) -> None:
    (grove.store / "snapshots" / "000001.json").write_bytes(b"{")
    (tmp_path / "more").mkdir()
    (tmp_path / "more" / "e.pdf").write_bytes(pdf("elder"))
    assert run(grove.store, tmp_path / "more").state == "done"
    assert hits(grove.store, "elder") == [("e.pdf", 1)]


def test_nothing_is_repaired_in_a_folder_that_is_no_store(tmp_path: Path) -> None:
    done = run_glyphdex("verify", tmp_path, "--repair")
    assert done.returncode == 2
    assert "is not a store" in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_compaction_deletes_what_was_set_aside(grove: Grove) -> None:
    change_a_byte(grove.store / "words" / f"{grove.part_of('c.pdf')}.parquet")
    repair_store(grove.store, SETTINGS)
    assert (grove.store / "damaged").exists()
    assert run_glyphdex("compact", grove.store).returncode == 0
    assert not (grove.store / "damaged").exists()
    assert faults(grove.store) == []


@pytest.fixture
def single(tmp_path: Path) -> Grove:
    """Two folders and a store of one run over both: there is one snapshot only."""
    grove = Grove(tmp_path / "in", tmp_path / "store")
    for name in ("a", "b"):
        (grove.folder / name).mkdir(parents=True)
        (grove.folder / name / f"{name}.pdf").write_bytes(pdf(f"tree {name}"))
    run(grove.store, grove.folder / "a", grove.folder / "b", settings=SETTINGS)
    return grove


def files_of(store: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(store)): path.read_bytes()
        for folder in ("snapshots", "documents", "pages", "words", "index")
        for path in (store / folder).rglob("*")
        if path.is_file()
    }


def test_the_only_snapshot_without_current_is_no_new_store(single: Grove, tmp_path: Path) -> None:
    before, kept = contents(single.store), files_of(single.store)
    no_current(single.store)
    (tmp_path / "empty").mkdir()
    for source in (single.folder / "a", tmp_path / "empty"):
        refused = run_glyphdex("ingest", source, "--store", single.store)
        assert refused.returncode == 1, refused.stderr
        assert "CURRENT is missing" in refused.stderr
        assert "glyphdex verify STORE --repair" in refused.stderr
    checked = run_glyphdex("verify", single.store)
    assert checked.returncode == 1
    assert "glyphdex verify STORE --repair" in checked.stdout + checked.stderr
    assert files_of(single.store) == kept
    assert run_glyphdex("verify", single.store, "--repair").returncode == 0
    assert contents(single.store) == before
    assert faults(single.store) == []


def test_a_first_run_killed_just_before_current_is_gone_on_with(single: Grove, tmp_path: Path) -> None:
    before = contents(single.store)
    no_current(single.store)
    for report in (single.store / "runs").glob("*.json"):
        report.unlink()  # a run writes its report after its commit
    seen = preview(IngestRequest(single.store, [str(single.folder)], SETTINGS))
    assert (len(seen.plan.unchanged), (single.store / "CURRENT").exists()) == (2, False)
    report = run(single.store, single.folder / "a", settings=SETTINGS)
    assert (report.pages["extracted"], report.plan["outside"], report.snapshot) == (0, 1, 1)
    assert contents(single.store) == before
    assert faults(single.store) == []
