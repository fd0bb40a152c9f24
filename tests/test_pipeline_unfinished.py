"""Pages of documents that a run did not finish: housekeeping leaves them for the next run."""

from __future__ import annotations

import dataclasses
import shutil
from pathlib import Path
from typing import Any

import pytest

import pipeline.ingest
import pipeline.worker
from pipeline.inventory import take_inventory
from pipeline.settings import PartSettings, RunSettings, StoreSettings
from pipeline.staging import Staging
from pipeline.upkeep import compact_store, rebuild_index
from tests.helpers.command import run_glyphdex
from tests.test_pipeline_ingest import SETTINGS, faults, pdf, run

ONE = dataclasses.replace(
    SETTINGS,
    run=RunSettings(workers=1, span_pages=2),
    parts=PartSettings(pages=4),
    store=StoreSettings(compact_dead_fraction=0.0),
)


@pytest.fixture
def stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path]:
    """A folder of three documents of six pages, and a store of a run over it that was stopped after eight pages."""
    folder, store = tmp_path / "in", tmp_path / "store"
    folder.mkdir()
    for number in range(3):
        (folder / f"{number}.pdf").write_bytes(pdf(*[f"doc {number} page {page}" for page in range(6)]))
    extract = pipeline.worker.Worker.extract
    calls = []

    def extract_then_stop(worker: Any, span: Any) -> Any:
        yield from extract(worker, span)
        calls.append(span)
        if len(calls) == 4:
            Staging(store, next((store / "staging").iterdir()).name).request_stop()

    with monkeypatch.context() as patch:
        patch.setattr(pipeline.worker.Worker, "extract", extract_then_stop)
        report = run(store, folder, settings=ONE)
    assert (report.state, report.pages["extracted"]) == ("stopped", 8)
    return folder, store


def test_compaction_keeps_the_pages_of_unfinished_documents(stopped: tuple[Path, Path]) -> None:
    folder, store = stopped
    pages = take_inventory(store)["pages"]
    assert pages["unfinished"] > 0
    assert (pages["live"] + pages["unfinished"], pages["dead"]) == (8, 0)
    assert f"{pages['unfinished']} of unfinished documents, 0 dead" in run_glyphdex("status", store).stdout
    assert compact_store(store, ONE).dropped_pages == 0
    assert take_inventory(store)["pages"] == pages
    elsewhere = folder.with_name("elsewhere")
    elsewhere.mkdir()
    (elsewhere / "other.pdf").write_bytes(pdf("other"))
    run(store, elsewhere, settings=ONE)  # says nothing about the first folder
    assert compact_store(store, ONE).dropped_pages == 0
    assert run(store, folder, settings=ONE).pages["extracted"] == 18 - 8
    assert take_inventory(store)["pages"] == {"live": 19, "unfinished": 0, "dead": 0}
    assert faults(store) == []


def test_pages_of_unfinished_documents_that_left_are_dead(stopped: tuple[Path, Path]) -> None:
    folder, store = stopped
    finished = take_inventory(store)["pages"]["live"]
    for path in folder.glob("*.pdf"):
        path.unlink()
    settings = dataclasses.replace(
        ONE, guard=dataclasses.replace(ONE.guard, allow_mass_delete=True, max_delete_fraction=1.0)
    )
    run(store, folder, settings=settings)
    assert take_inventory(store)["pages"] == {"live": 0, "unfinished": 0, "dead": 8}
    assert compact_store(store, ONE).dropped_pages == 8
    assert finished < 8


@pytest.mark.parametrize("keep_house", ["compact", "index rebuild"])
def test_parts_of_a_killed_run_wait_for_the_next(
    keep_house: str, stopped: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, store = stopped

    def die(*_arguments: Any) -> None:
        raise RuntimeError("killed")

    with monkeypatch.context() as patch:
        patch.setattr(pipeline.ingest, "commit", die)
        with pytest.raises(RuntimeError, match="killed"):
            run(store, folder, settings=ONE)
    shutil.rmtree(store / "staging")
    if keep_house == "compact":
        compact_store(store, ONE)
    else:
        rebuild_index(store, ONE, lambda _done, _all: None)
    report = run(store, folder, settings=ONE)
    assert (report.pages["extracted"], report.documents["ok"]) == (0, 3)
    assert faults(store) == []
