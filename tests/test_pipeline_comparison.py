"""What changed from one run to another, and what can no longer be told."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import indexing
from pipeline.comparison import DocumentChange, compare
from pipeline.settings import StoreSettings
from pipeline.upkeep import compact_store
from tests.test_pipeline_ingest import SETTINGS, pdf, run


def changes(store: Path, first: int, second: int) -> dict[str, DocumentChange]:
    found = compare(store, *(indexing.read_snapshot(store, number) for number in (first, second)))
    return {Path(change.path).name: change for change in found}


def test_pages_and_words_that_changed_and_what_is_no_longer_kept(tmp_path: Path) -> None:
    folder, store = tmp_path / "in", tmp_path / "store"
    folder.mkdir()
    for number, text in enumerate(["one two three", "one two four five", "six", "seven"]):
        (folder / "a.pdf").write_bytes(pdf(text, "the same page"))
        (folder / f"new {number}.pdf").write_bytes(pdf(f"new in run {number}"))
        run(store, folder)
        if number == 1:
            seen = changes(store, 1, 2)
            assert (seen["a.pdf"].kind, seen["a.pdf"].pages_changed) == ("changed", 1)
            assert (seen["a.pdf"].words_came, seen["a.pdf"].words_went) == (2, 1)
            assert (seen["new 1.pdf"].kind, seen["new 1.pdf"].words_came) == ("came", 4)
    swept = StoreSettings(generations=1, compact_dead_fraction=0.0)
    compact_store(store, dataclasses.replace(SETTINGS, store=swept))
    old = changes(store, 1, 4)["a.pdf"]  # the first pages of a.pdf are dead rows, which are gone by now
    assert (old.kind, old.pages_changed, old.words_came, old.words_went) == ("changed", None, None, None)


def test_an_extraction_anew_that_reads_the_same_is_no_change(tmp_path: Path) -> None:
    folder, store = tmp_path / "in", tmp_path / "store"
    folder.mkdir()
    (folder / "a.pdf").write_bytes(pdf("as ever"))
    (folder / "bad.pdf").write_bytes(b"no pdf")
    run(store, folder)
    other = dataclasses.replace(
        SETTINGS, extractor={"annotations": False}, store=StoreSettings(generations=3)
    )
    (folder / "bad.pdf").write_bytes(pdf("good now"))
    assert run(store, folder, settings=other).plan["outdated"] == 1
    assert {name: change.kind for name, change in changes(store, 1, 2).items()} == {"bad.pdf": "changed"}
