"""One index for several threads, and one store for several processes: the same answers as alone."""

from __future__ import annotations

import multiprocessing
import random
import shutil
import sys
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import indexing
from tests.helpers.collection import LIBRARY
from tests.helpers.store_maker import Doc, make_store
from tests.test_search_table import QUESTIONS

ASKED = [question for question, _ in QUESTIONS]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    choose = random.Random(5)
    words = ["the", "of", "fox", "dog", "rotor", "state-of-the-art", "été", "中文字", "E-1234/5"]
    docs = [Doc(f"{n}.pdf", [" ".join(choose.choices(words, k=200)) for _ in range(3)]) for n in range(40)]
    return make_store(tmp_path_factory.mktemp("shared"), [*LIBRARY, *docs], parts=3)


def answer(index: indexing.Index, question: str) -> tuple[Any, ...]:
    found = index.search(question, 30, options=indexing.SearchOptions(seconds=60))
    return found.total, found.notes, found.suggestions, found.hits


def answer_apart(store: str, question: str) -> tuple[Any, ...]:
    with indexing.open_index(store) as index:
        return answer(index, question)


def test_threads_share_an_index(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Threads change places often, and the cache is so small that it forgets all the time."""
    monkeypatch.setattr("indexing.reader.IndexReader._MOST_BYTES", 40_000)
    monkeypatch.setattr("indexing.token_terms.TokenTerms._MOST", 20)
    alone = {question: answer(indexing.open_index(store), question) for question in ASKED}
    shared = indexing.open_index(store)
    questions = random.Random(1).sample(ASKED * 3, len(ASKED) * 3)
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        with ThreadPoolExecutor(8) as pool:
            found = list(pool.map(lambda question: answer(shared, question), questions))
    finally:
        sys.setswitchinterval(before)
    assert [found[n] for n in range(len(questions))] == [alone[question] for question in questions]
    assert shared.generation.reader.cache.size <= 40_000


def test_processes_share_a_store(store: Path) -> None:
    with indexing.open_index(store) as index:
        alone = [answer(index, question) for question in ASKED[:40]]
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as pool:
        assert list(pool.map(answer_apart, [str(store)] * 40, ASKED[:40])) == alone


def test_a_forked_process_goes_on_with_an_open_index(store: Path) -> None:
    index = indexing.open_index(store)
    alone = [answer(index, question) for question in ASKED[:20]]
    with ProcessPoolExecutor(
        2, mp_context=multiprocessing.get_context("fork"), initializer=_keep, initargs=(index,)
    ) as pool:
        assert list(pool.map(_answer_kept, ASKED[:20])) == alone


_kept: list[indexing.Index] = []


def _keep(index: indexing.Index) -> None:
    _kept.append(index)


def _answer_kept(question: str) -> tuple[Any, ...]:
    return answer(_kept[-1], question)


def test_an_open_index_needs_its_files_no_more(store: Path, tmp_path: Path) -> None:
    """Two commits later its generation is gone; it goes on, with fields that nobody had asked for before."""
    taken = tmp_path / "store"
    shutil.copytree(store, taken)
    with indexing.open_index(store) as index:
        alone = {question: answer(index, question) for question in ASKED}
    opened = indexing.open_index(taken)
    shutil.rmtree(taken)
    assert {question: answer(opened, question) for question in ASKED} == alone
    facets = opened.search(
        "*", options=indexing.SearchOptions(facets=("author", "year"), sort="newest", group=True)
    )
    assert facets.facets["author"]
