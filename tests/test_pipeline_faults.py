"""kill -9 at every step of a commit and at random moments of a run: the store stays whole, nothing is lost or doubled."""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from pipeline.records import RunFailedError
from pipeline.run_report import read_reports
from pipeline.store import documents_by_path, live_snapshot
from tests.helpers.command import PROJECT, environment, run_glyphdex
from tests.helpers.pdf_maker import Page, make_document
from tests.test_pipeline_ingest import faults, hits, run, table_rows

RANDOM_KILLS = int(os.environ.get("GLYPHDEX_TEST_KILLS", "4"))
COLUMNS = {
    "pages": ["doc_id", "page_index", "text", "status", "visible"],
    "lines": ["doc_id", "page_index", "line", "text"],
    "words": ["doc_id", "page_index", "word", "text"],
}


def fill(folder: Path, documents: int, pages: int) -> None:
    folder.mkdir()
    for number in range(documents):
        texts = [f"document {number} page {page} common" for page in range(pages)]
        content = make_document([Page(f"BT /F1 10 Tf 72 700 Td ({text}) Tj ET") for text in texts])
        (folder / f"{number:02}.pdf").write_bytes(content)


def everything(store: Path) -> dict[str, Any]:
    """Return all live rows and the answers to some questions, without what depends on the run."""
    rows = documents_by_path(store, live_snapshot(store))
    found: dict[str, Any] = {table: table_rows(store, table, columns) for table, columns in COLUMNS.items()}
    found["documents"] = sorted(
        (path, row["doc_id"], row["pages"], row["status"]) for path, row in rows.items()
    )
    found["hits"] = [hits(store, question) for question in ('"document 3"', "common", '"page 2"')]
    return found


def run_killed(at: int, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "tests.helpers.killed_run", str(at), *map(str, arguments)],
        cwd=PROJECT,
        env=environment(),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_a_commit_killed_at_every_step(tmp_path: Path) -> None:
    """A run that only drops a document: no Beam, every change of the file system is one of the commit or around it."""
    folder, store = tmp_path / "in", tmp_path / "store"
    fill(folder, 5, 2)
    run(store, folder)
    whole = tmp_path / "whole"
    shutil.copytree(store, whole)
    before = everything(store)
    (folder / "03.pdf").unlink()
    arguments = ("ingest", folder, "--store", store)
    counted = run_killed(10**6, *arguments)
    assert counted.returncode == 0, counted.stderr
    steps = int(counted.stdout.split()[-1])
    assert steps > 8
    after = everything(store)
    assert before != after
    outcomes = []
    for step in range(1, steps + 1):
        shutil.rmtree(store)
        shutil.copytree(whole, store)
        assert run_killed(step, *arguments).returncode == -signal.SIGKILL
        assert faults(store) == [], f"killed at step {step} of {steps}"
        state = everything(store)
        assert state in (before, after), f"killed at step {step} of {steps}"
        outcomes.append(state == after)
        run(store, folder)
        assert everything(store) == after, f"killed at step {step} of {steps}"
        assert faults(store) == [], f"killed at step {step} of {steps}"
    assert outcomes == sorted(outcomes)  # one commit point: once the new state is live, it stays
    assert {True, False} == set(outcomes)


def test_a_run_killed_at_random_moments(tmp_path: Path) -> None:
    folder, undisturbed, store = tmp_path / "in", tmp_path / "undisturbed", tmp_path / "store"
    fill(folder, 12, 5)
    run(undisturbed, folder)
    expected = everything(undisturbed)
    settings = {"GLYPHDEX_PARTS_PAGES": "6", "GLYPHDEX_RUN_SPAN_PAGES": "2", "GLYPHDEX_RUN_WORKERS": "2"}
    started = time.monotonic()
    chooser = random.Random(7)
    start = "import sys; from pipeline.cli.main import main; main(sys.argv[1:])"
    command = [sys.executable, "-c", start, "ingest", str(folder), "--store", str(store)]
    first = subprocess.run(command, env=environment(**settings), capture_output=True, text=True, check=False)
    assert first.returncode == 0, first.stderr
    assert everything(store) == expected
    lasts = time.monotonic() - started
    for _ in range(RANDOM_KILLS):
        if chooser.random() < 0.5:
            shutil.rmtree(store, ignore_errors=True)  # an early kill may have left none
        process = subprocess.Popen(command, env=environment(**settings), stderr=subprocess.DEVNULL)
        time.sleep(chooser.uniform(0.2, 1.0) * lasts)
        process.kill()
        process.wait()
        if (store / "CURRENT").exists():
            assert faults(store) == []
            assert everything(store) == expected
    done = run_glyphdex("ingest", folder, "--store", store, env=settings)
    assert done.returncode == 0, done.stderr
    assert everything(store) == expected
    assert faults(store) == []


def test_a_full_disk_fails_the_run_and_harms_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, store = tmp_path / "in", tmp_path / "store"
    fill(folder, 2, 2)
    run(store, folder)
    before = everything(store)
    content = make_document([Page("BT /F1 10 Tf 72 700 Td (late) Tj ET")])
    (folder / "new.pdf").write_bytes(content)
    written = os.fsync

    def no_space(descriptor: int) -> None:
        if os.readlink(f"/proc/self/fd/{descriptor}").find("/words/") >= 0:
            raise OSError(28, "No space left on device")
        written(descriptor)

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", no_space)
        with pytest.raises(RunFailedError, match=r"^No space left on device$"):
            run(store, folder)
    assert capsys.readouterr().err == ""  # no traceback of Beam's among the lines of the log
    (report,) = [report for report in read_reports(store) if report["state"] == "failed"]
    assert "Traceback" in report["details"]
    assert everything(store) == before
    assert faults(store) == []
    assert run(store, folder).documents["ok"] == 3
    assert hits(store, "late") == [("new.pdf", 1)]
    assert faults(store) == []
