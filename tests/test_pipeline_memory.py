"""What a run holds in memory: a bounded amount for the stages, little for each document, and the sum is reported."""

from __future__ import annotations

import dataclasses
import os
import subprocess
import sys
import time
import tracemalloc
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import indexing
import pipeline.beam_run
from pipeline.damage import live_tables
from pipeline.documents import RowBuffer, documents_table
from pipeline.memory import MemoryWatch, process_tree, proportional_mb
from pipeline.settings import RunSettings
from pipeline.store import ColumnTable, read_rows
from tests.test_pipeline_ingest import SETTINGS, faults, hits, pdf, run

SCHEMA = indexing.SCHEMAS["documents"]


def document(number: int) -> dict[str, Any]:
    """A row of the documents table like those of a real archive."""
    row: dict[str, Any] = dict.fromkeys(SCHEMA.names)
    row.update(
        path=f"/srv/archive/department {number % 97:03}/report of the committee {number:07}.pdf",
        doc_id=f"{number:032x}",
        extraction_id="0123456789abcdef",
        size=100_000 + number,
        mtime_ns=1_700_000_000_000_000_000 + number,
        pages=1 + number % 30,
        title=f"Report {number} on the state of harbours",
        author=f"A. Author {number % 1000}",
        producer="pdfTeX-1.40.21",
        created=datetime(2001, 2, 3, 4, 5, 6, number % 1000, tzinfo=UTC),
        encrypted=False,
        repaired=number % 2 == 0,
        status="ok",
        run_id="20261130T223634.123Z-abcd",
    )
    return row


def test_stored_rows_are_the_rows() -> None:
    rows = [document(number) for number in range(10)]
    stored = list(ColumnTable(pa.Table.from_pylist(rows, schema=SCHEMA), SCHEMA).rows())
    assert stored == rows
    assert rows == stored
    assert {**stored[3], "size": 1} == {**rows[3], "size": 1}
    assert stored[3] != rows[4]
    older = pa.Table.from_pylist(rows, schema=SCHEMA).drop_columns(["repaired"])
    assert next(ColumnTable(older, SCHEMA).rows())["repaired"] is None


def test_tables_of_stored_and_new_rows_are_sorted_by_path() -> None:
    rows = [document(number) for number in (5, 3, 9)]
    buffer = RowBuffer(SCHEMA)
    for number in (7, 1):
        buffer.add(document(number))
    stored = list(ColumnTable(pa.Table.from_pylist(rows, schema=SCHEMA), SCHEMA).rows())
    table = documents_table([stored[2], *buffer.rows(), document(4), stored[0]])
    assert table.schema == SCHEMA
    assert table.to_pylist() == sorted(map(document, (1, 4, 5, 7, 9)), key=lambda row: row["path"])
    assert documents_table([]).num_rows == 0


def test_a_document_of_the_store_costs_little_memory(tmp_path: Path) -> None:
    count = 20_000
    (tmp_path / "documents").mkdir()
    table = pa.Table.from_pylist([document(number) for number in range(count)], schema=SCHEMA)
    pq.write_table(table, tmp_path / "documents/d.parquet")
    del table
    snapshot = indexing.Snapshot(1, {"documents": ["documents/d.parquet"]})
    arrow = pa.total_allocated_bytes()
    tracemalloc.start()
    live = live_tables(tmp_path, snapshot)
    by_path = {row["path"]: row for row in live.rows}
    used, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(by_path) == count
    assert (used + pa.total_allocated_bytes() - arrow) / count < 800  # as dictionaries: more than 2000 bytes


def test_waves_are_bounded_and_a_copy_in_a_later_one_is_not_extracted_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, store = tmp_path / "in", tmp_path / "store"
    folder.mkdir()
    for number in range(7):
        (folder / f"{number}.pdf").write_bytes(pdf(f"text of {number}", "common page"))
    for number in (0, 3, 6):
        (folder / f"copy of {number}.pdf").write_bytes((folder / f"{number}.pdf").read_bytes())
    (folder / "bad.pdf").write_bytes(b"no pdf")
    waves: list[int] = []
    built = pipeline.beam_run.build_graph

    def counted(graph: Any, files: list[Any], context: Any) -> None:
        waves.append(len(files))
        built(graph, files, context)

    monkeypatch.setattr(pipeline.beam_run, "build_graph", counted)
    report = run(store, folder, settings=dataclasses.replace(SETTINGS, run=RunSettings(2, wave_documents=3)))
    assert waves == [3, 3, 3, 2]
    assert report.documents == {"found": 11, "ok": 10, "partial": 0, "failed": 1, "pending": 0}
    assert (report.pages["extracted"], report.pages["live"]) == (14, 14)
    assert report.counters["pages"] == 14
    assert len(hits(store, "common")) == 7
    assert faults(store) == []
    assert [
        len(read_rows(store, indexing.read_current(store), name)) for name in ("documents", "errors")
    ] == [11, 1]


def test_memory_of_all_processes_is_summed() -> None:
    hoard = (
        "hoard = bytearray(200 << 20); hoard[::4096] = b'x' * len(hoard[::4096]); print('held', flush=True)"
    )
    code = f"{hoard}; import time; time.sleep(60)"
    with MemoryWatch() as watch:
        before = proportional_mb(os.getpid())
        assert before > 5
        child = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE)
        try:
            assert child.stdout is not None
            child.stdout.readline()
            assert {os.getpid(), child.pid} <= set(process_tree(os.getpid()))
            assert 200 < proportional_mb(child.pid) < 300
            time.sleep(1.2)
        finally:
            child.kill()
            child.communicate()
    shared = 20  # what the two share counts half for each from then on
    assert before + 200 - shared < watch.peak_mb < before + 400
    assert proportional_mb(child.pid) == 0.0


def test_the_report_says_how_much_memory_all_processes_took(tmp_path: Path) -> None:
    (tmp_path / "a.pdf").write_bytes(pdf("a page"))
    report = run(tmp_path / "store", tmp_path / "a.pdf")
    assert 50 < report.peak_memory_mb["all"] < 2000
