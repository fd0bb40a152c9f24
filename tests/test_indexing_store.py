"""Snapshots and damage: the commit point, files cut, changed or gone, pickles that want to run, what opening costs."""

from __future__ import annotations

import json
import os
import pickle
import random
import shutil
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from itertools import pairwise
from pathlib import Path

import pytest

import indexing
from indexing.places import Axis, read_places
from indexing.postings import (
    TermRecord,
    decode_positions,
    encode_gaps,
    load_plain,
    read_rows,
)
from indexing.snapshot import dead_snapshots, read_snapshot, set_current, write_snapshot
from tests.helpers.collection import LIBRARY
from tests.helpers.store_maker import commit, found, make_store

PROJECT = Path(__file__).resolve().parent.parent


def snapshot(number: int, parent: int | None = None) -> indexing.Snapshot:
    return indexing.Snapshot(
        number,
        {"pages": [f"pages/{number}.parquet"]},
        "index/gen-1",
        parent,
        {"pages": 3},
        {"glyphdex": "1"},
        "r",
        "now",
    )


def test_snapshots_come_back_as_written(tmp_path: Path) -> None:
    assert indexing.current_number(tmp_path) is None
    indexing.commit_snapshot(tmp_path, snapshot(1))
    indexing.commit_snapshot(tmp_path, snapshot(2, 1))
    assert indexing.read_current(tmp_path) == snapshot(2, 1)
    assert read_snapshot(tmp_path, 1) == snapshot(1)
    assert (tmp_path / "CURRENT").read_text() == "000002\n"
    assert [one.number for one in indexing.kept_snapshots(tmp_path)] == [2, 1]


def test_a_snapshot_is_not_live_before_current_names_it(tmp_path: Path) -> None:
    indexing.commit_snapshot(tmp_path, snapshot(1))
    write_snapshot(tmp_path, snapshot(2, 1))
    assert indexing.read_current(tmp_path).number == 1
    assert [path.name for path in dead_snapshots(tmp_path)] == ["000002.json"]
    set_current(tmp_path, 2)
    assert indexing.read_current(tmp_path).number == 2
    indexing.commit_snapshot(tmp_path, snapshot(3, 2))
    assert [path.name for path in dead_snapshots(tmp_path)] == ["000001.json"]


@pytest.mark.parametrize(
    ("current", "code"),
    [
        (None, "no_store"),
        ("", "damaged"),
        ("abc", "damaged"),
        ("../../x", "damaged"),
        ("000009", "damaged"),
        ("é", "damaged"),
    ],
)
def test_a_current_that_names_nothing(tmp_path: Path, current: str | None, code: str) -> None:
    if current is not None:
        (tmp_path / "CURRENT").write_text(current, "utf-8")
    with pytest.raises(indexing.StoreError) as caught:
        indexing.open_index(tmp_path)
    assert caught.value.code == code


def rewrite(store: Path, change: dict[str, object]) -> None:
    """Change the first snapshot as a program would that wrote no seal."""
    path = store / "snapshots/000001.json"
    value = {**json.loads(path.read_text()), **change}
    value.pop("seal")
    path.write_text(json.dumps(value))


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"index": "../elsewhere"}, "damaged"),
        ({"index": "/etc"}, "damaged"),
        ({"tables": {"pages": ["../x.parquet"]}}, "damaged"),
        ({"tables": 3}, "damaged"),
        ({"version": 99}, "stale"),
        ({"index": None}, "no_index"),
        ({"index": "index/gone"}, "damaged"),
    ],
)
def test_snapshots_that_are_refused(tmp_path: Path, change: dict[str, object], code: str) -> None:
    store = make_store(tmp_path, LIBRARY[:1])
    rewrite(store, change)
    with pytest.raises(indexing.StoreError) as caught:
        indexing.open_index(store)
    assert caught.value.code == code


def test_fields_of_newer_programs_are_passed_over(tmp_path: Path) -> None:
    store = make_store(tmp_path, LIBRARY[:1])
    rewrite(store, {"added_later": 1})
    assert found(store, "fox") == [("english/foxes.pdf", 1)]


def test_a_changed_byte_in_a_snapshot_is_noticed(tmp_path: Path) -> None:
    store = make_store(tmp_path, LIBRARY[:1])
    path = store / "snapshots/000001.json"
    path.write_text(path.read_text().replace("index/gen-000001", "index/gen-000007"))
    with pytest.raises(indexing.StoreError, match="is not as it was written") as caught:
        indexing.read_current(store)
    assert caught.value.code == "damaged"


def test_a_folder_with_snapshots_and_no_current_is_not_taken_for_a_new_store(tmp_path: Path) -> None:
    store = make_store(tmp_path, LIBRARY[:1])
    (store / "CURRENT").unlink()
    assert indexing.snapshot_numbers(store) == [1]
    with pytest.raises(indexing.StoreError, match="CURRENT is missing") as caught:
        indexing.current_number(store)
    assert caught.value.code == "damaged"


def damaged(tmp_path: Path, harm: Callable[[Path], None]) -> Path:
    store = make_store(tmp_path, LIBRARY, parts=2)
    harm(store / indexing.read_current(store).index)
    return store


@pytest.mark.parametrize(
    "pattern", ["*.trm", "*.pst", "*_stored.col", "*_len.col", "pages.npy", "documents/*.trm", "_MAIN_1.toc"]
)
@pytest.mark.parametrize("harm", ["cut", "gone"])
def test_files_that_are_cut_or_gone_are_told_at_once(tmp_path: Path, pattern: str, harm: str) -> None:
    def spoil(folder: Path) -> None:
        path = sorted(folder.glob(pattern))[0]
        if harm == "gone":
            path.unlink()
        else:
            path.write_bytes(path.read_bytes()[:-3])

    store = damaged(tmp_path, spoil)
    with pytest.raises(indexing.StoreError) as caught:
        indexing.open_index(store)
    assert caught.value.code == "damaged"
    assert indexing.check_index(store)


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"{}", b'{"version": 1}', b"\xff\xfe"])
def test_a_spoiled_description(tmp_path: Path, content: bytes) -> None:
    store = damaged(tmp_path, lambda folder: (folder / "index.json").write_bytes(content) and None)
    with pytest.raises(indexing.StoreError) as caught:
        indexing.open_index(store)
    assert caught.value.code in ("damaged", "stale")


def test_an_index_of_another_analysis_must_be_rebuilt(tmp_path: Path) -> None:
    def spoil(folder: Path) -> None:
        head = json.loads((folder / "index.json").read_text())
        (folder / "index.json").write_text(json.dumps({**head, "fingerprint": "0" * 16}))

    with pytest.raises(indexing.StoreError) as caught:
        indexing.open_index(damaged(tmp_path, spoil))
    assert caught.value.code == "stale"


def test_changed_bytes_are_found_by_checking_and_never_break_a_search_otherwise(tmp_path: Path) -> None:
    """Bits that fell over: an answer or a StoreError, nothing else; and the check sees every one of them."""
    store = make_store(tmp_path, LIBRARY, parts=2)
    folder = store / indexing.read_current(store).index
    assert indexing.check_index(store) == []
    choose = random.Random(11)
    files = [
        path for path in sorted(folder.rglob("*")) if path.suffix in (".trm", ".pst", ".col", ".npy", ".toc")
    ]
    for _ in range(60):
        path = choose.choice(files)
        whole = path.read_bytes()
        if not whole:
            continue
        place = choose.randrange(len(whole))
        os.unlink(path)
        path.write_bytes(
            whole[:place] + bytes([whole[place] ^ 1 << choose.randrange(8)]) + whole[place + 1 :]
        )
        # Whatever else it raised would fail the test here.
        with suppress(indexing.StoreError), indexing.open_index(store) as index:
            for question in ("fox", '"to be or"', "the", "软件", "quikc~", "*l", "title:foxes"):
                index.search(question)
        assert [fault.place for fault in indexing.check_index(store)] == [path.relative_to(folder).as_posix()]
        path.write_bytes(whole)


class Bomb:
    def __reduce__(self) -> tuple[object, tuple[str]]:
        return os.system, ("touch /tmp/this-must-not-exist-glyphdex",)


def test_pickles_that_name_code_are_refused() -> None:
    for value in (Bomb(), os.system, Path("x")):
        with pytest.raises(indexing.StoreError, match="refused"):
            load_plain(pickle.dumps(value))
    assert not Path("/tmp/this-must-not-exist-glyphdex").exists()
    assert load_plain(pickle.dumps({"a": [1, 2.5, b"x", None, ("y", True)]})) == {
        "a": [1, 2.5, b"x", None, ("y", True)]
    }


def test_random_bytes_are_no_postings() -> None:
    choose = random.Random(1)
    for _ in range(300):
        data = b"W3Bl" + choose.randbytes(40)
        with pytest.raises(indexing.StoreError):
            list(read_rows(memoryview(data), TermRecord(1.0, 1, 0, len(data))))


@pytest.mark.parametrize(
    "places",
    [
        [0],
        [255],
        [256],
        [70_000],
        [0, 1, 2],
        [5, 300, 301, 1000],
        list(range(400)),
        list(range(0, 90_000, 300)),
        [1, 80_000],
    ],
)
def test_positions_come_back(places: list[int]) -> None:
    gaps = [places[0], *(right - left for left, right in pairwise(places))]
    value = encode_gaps(gaps)
    assert decode_positions(value) == places
    stock = len(places).to_bytes(4, "big") + pickle.dumps(gaps, 2)
    assert decode_positions(stock) == places
    import numpy as np

    both = read_places(np.array([3, 4, 9], np.int32), [value, stock, value], Axis.of_documents(10))
    assert both.places.tolist() == [document << 32 | place for document in (3, 4, 9) for place in places]


def test_checking_finds_records_of_other_pages(tmp_path: Path) -> None:
    """Hashes that agree with files that do not agree with each other."""
    import numpy as np

    from indexing.files import digest

    def spoil(folder: Path) -> None:
        pages = np.load(folder / "pages.npy")
        pages[[0, 1], 1] = pages[[1, 0], 1]
        np.save(folder / "pages.npy", pages)
        head = json.loads((folder / "index.json").read_text())
        head["files"]["pages.npy"]["sha256"] = digest(folder / "pages.npy")
        (folder / "index.json").write_text(json.dumps(head))

    faults = indexing.check_index(damaged(tmp_path, spoil))
    assert len(faults) == 2
    assert faults[0].message.startswith("page 0 is page")


def test_an_open_index_is_of_the_snapshot_it_was_opened_at(tmp_path: Path) -> None:
    store = make_store(tmp_path, LIBRARY[:1])
    with indexing.open_index(store) as index:
        commit(store, [], [])
        assert index.search("fox").total == 1
        assert index.search("fox").snapshot == 1
    assert found(store, "fox") == []


def test_a_cold_search_imports_little_and_costs_little(tmp_path: Path) -> None:
    store = make_store(tmp_path, LIBRARY, parts=3)
    program = (
        "import sys, time, indexing\n"
        f"hits = indexing.open_index({str(store)!r}).search('fox').hits\n"
        "print(len(hits), time.process_time(), *sys.modules)"
    )
    output = subprocess.run(
        [sys.executable, "-c", program], cwd=PROJECT, capture_output=True, text=True, check=True
    )
    count, seconds, *loaded = output.stdout.split()
    assert count == "1"
    assert not {"pyarrow", "apache_beam", "whoosh.index", "whoosh.searching", "pypdf", "asyncio"} & set(
        loaded
    )
    # A quarter of a second when nothing else runs; the bound leaves room for a busy machine.
    assert float(seconds) < 1.0


def test_the_face_is_what_it_says() -> None:
    for name in indexing.__all__:
        assert getattr(indexing, name) is not None
    with pytest.raises(AttributeError):
        indexing.nothing_of_this_name  # noqa: B018


def test_leftovers_of_a_killed_commit_do_not_disturb(tmp_path: Path) -> None:
    store = make_store(tmp_path, LIBRARY[:2])
    for name in ("index/gen-000002", "index/.gen-000002.tmp"):
        (store / name / "documents").mkdir(parents=True)
        (store / name / "rubbish").write_text("x")
    commit(store, LIBRARY[:2], [])
    assert found(store, "fox") == [("english/foxes.pdf", 1)]
    assert not (store / "index/gen-000002/rubbish").exists()
    assert not (store / "index/.gen-000002.tmp").exists()


def test_files_are_copied_where_they_cannot_be_linked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(18, "Invalid cross-device link")

    monkeypatch.setattr(os, "link", refuse)
    store = make_store(tmp_path, LIBRARY, parts=2)
    shutil.rmtree(tmp_path / "parts")
    assert indexing.check_index(store) == []
