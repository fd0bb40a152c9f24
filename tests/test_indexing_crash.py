"""Crashes and company: kill -9 at every file operation, readers during commits, several threads and processes."""

from __future__ import annotations

import multiprocessing
import os
import shutil
import signal
import stat
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

import indexing
from tests.helpers.collection import LIBRARY
from tests.helpers.killed_assembly import run_in_child
from tests.helpers.store_maker import Doc, build, commit, found, make_store

PROJECT = Path(__file__).resolve().parent.parent


@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
def test_kill_during_a_commit_leaves_the_old_state_or_the_new(tmp_path: Path) -> None:
    """Before and after every third file operation: one snapshot is live and whole, and the next commit succeeds."""
    question = "the OR 软件 OR die OR λόγος"
    after_docs = LIBRARY[2:9]
    template = tmp_path / "template"
    make_store(template, LIBRARY[:5], parts=2)
    segment = build(tmp_path, LIBRARY[5:9], "new")
    states = {1: set(found(template / "store", question))}
    shutil.copytree(template, tmp_path / "after")
    commit(tmp_path / "after/store", after_docs, [segment])
    states[2] = set(found(tmp_path / "after/store", question))
    assert states[1] != states[2]
    seen = []
    for count in range(1, 400, 3):
        store = tmp_path / "run" / "store"
        shutil.copytree(template / "store", store)
        killed = run_in_child(count, lambda store=store: commit(store, after_docs, [segment]))
        number = indexing.read_current(store).number
        seen.append(number)
        assert set(found(store, question)) == states[number], count
        assert indexing.check_index(store) == []
        commit(store, after_docs, [segment])
        assert set(found(store, question)) == states[2], count
        shutil.rmtree(store.parent)
        if not killed:
            break
    assert len(seen) > 15
    assert seen == sorted(seen)
    assert (seen[0], seen[-1]) == (1, 2)


def test_kill_while_building_leaves_no_segment(tmp_path: Path) -> None:
    build(tmp_path, LIBRARY, "p")
    kills = 0
    for count in range(1, 200, 5):
        command = [sys.executable, "-m", "tests.helpers.killed_assembly", str(count), str(tmp_path)]
        done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True)
        assert done.returncode in (0, -signal.SIGKILL), done.stderr
        if done.returncode == 0:
            break
        kills += 1
        if (tmp_path / "killed").exists():
            assert list((tmp_path / "killed").glob("*.segment.json"))
    assert kills > 2
    pages = sum(len(doc.texts) for doc in LIBRARY)
    assert indexing.build_segment(tmp_path / "p.parquet", tmp_path / "killed").pages == pages


def test_readers_see_one_state_during_commits(tmp_path: Path) -> None:
    """Threads open and search all the while; what they see is of one snapshot, never mixed, never an error."""
    store = make_store(tmp_path, [Doc("0.pdf", ["state0 common"])])
    faults: list[BaseException | str] = []
    seen: set[int] = set()
    stop = threading.Event()

    def read() -> None:
        while not stop.is_set():
            try:
                with indexing.open_index(store) as index:
                    number = index.snapshot.number
                    hits = {hit.path for hit in index.search("common", 100).hits}
                    seen.add(number)
                    if hits != {f"{place}.pdf" for place in range(number)}:
                        faults.append(f"{number}: {hits}")
                    if index.search(f"state{number - 1}").total != 1:
                        faults.append(f"{number}: its own page is missing")
            except BaseException as error:
                faults.append(error)
                raise

    threads = [threading.Thread(target=read) for _ in range(3)]
    for thread in threads:
        thread.start()
    docs = [Doc("0.pdf", ["state0 common"])]
    for number in range(1, 12):
        docs.append(Doc(f"{number}.pdf", [f"state{number} common"]))
        commit(store, docs, [build(tmp_path, docs[-1:], f"s{number}")])
        # Two generations are kept; the older ones go.
        kept = {snapshot.index for snapshot in indexing.kept_snapshots(store)}
        for folder in (store / "index").iterdir():
            if f"index/{folder.name}" not in kept:
                shutil.rmtree(folder)
    stop.set()
    for thread in threads:
        thread.join()
    assert not faults
    assert len(seen) > 2


def test_an_open_index_outlives_its_files(tmp_path: Path) -> None:
    store = make_store(tmp_path, LIBRARY, parts=2)
    with indexing.open_index(store) as index:
        index.search("fox")
        shutil.rmtree(store)
        assert index.search("dog").total == 2


def test_one_index_serves_many_threads(tmp_path: Path) -> None:
    questions = [
        "fox",
        '"to be or not to be"',
        "the",
        "软件",
        "quikc~",
        "inter*",
        "title:foxes",
        "京",
        "*national",
    ]
    with indexing.open_index(make_store(tmp_path, LIBRARY, parts=4)) as index:
        expected = {question: [hit.score for hit in index.search(question).hits] for question in questions}
    with indexing.open_index(tmp_path / "store") as index:
        results: list[bool] = []

        def ask() -> None:
            for _ in range(10):
                for question in questions:
                    results.append([hit.score for hit in index.search(question).hits] == expected[question])

        threads = [threading.Thread(target=ask) for _ in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert len(results) == 6 * 10 * len(questions)
    assert all(results)


def _ask(store: Path) -> int:
    return len(found(store, "the"))


def test_several_processes_read_at_once(tmp_path: Path) -> None:
    store = make_store(tmp_path, LIBRARY)
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        assert pool.map(_ask, [store] * 4) == [len(found(store, "the"))] * 4


def test_a_store_that_may_only_be_read(tmp_path: Path) -> None:
    """Searching writes nothing: it works where the store cannot be changed, and changes nothing where it can."""
    store = make_store(tmp_path, LIBRARY)
    for path in sorted(store.rglob("*")):
        path.chmod(stat.S_IRUSR if path.is_file() else stat.S_IRUSR | stat.S_IXUSR)
    before = {path: path.stat().st_mtime_ns for path in store.rglob("*")}
    time.sleep(0.01)
    assert found(store, "fox") == [("english/foxes.pdf", 1)]
    assert {path: path.stat().st_mtime_ns for path in store.rglob("*")} == before
    for path in sorted(store.rglob("*")):
        path.chmod(stat.S_IRWXU)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_store_that_may_not_be_read(tmp_path: Path) -> None:
    store = make_store(tmp_path, LIBRARY[:1])
    (store / "CURRENT").chmod(0)
    with pytest.raises(indexing.StoreError) as caught:
        indexing.open_index(store)
    assert caught.value.code == "unreadable"
