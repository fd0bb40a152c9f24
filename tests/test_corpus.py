"""Real files: a run over the shared corpora accounts for every file, and the text keeps its quality.

Needs the folder named by GLYPHDEX_SHARED, with its truth and its scoring programs; without it, all of this is skipped.
The figures are floors: a change that lowers them is a change for the worse.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.helpers.command import run_glyphdex
from tests.test_end_to_end import live_rows

pytestmark = [pytest.mark.corpus, pytest.mark.slow]

WORD_F1, WORD_ORDER = 0.985, 0.98
"""Mean over the files with exact truth."""
TEXT_CASES = 0.97
"""Share of the cases from public reports whose page says what it must and not what it must not."""


@dataclass(frozen=True)
class Corpus:
    """The store made from both corpora, with what the run reported."""

    shared: Path
    store: Path
    report: dict[str, Any]


@pytest.fixture(scope="module")
def corpus(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    folder = tmp_path_factory.mktemp("corpus")
    listed = [*lines_of(shared / "cases/cases.jsonl"), *lines_of(shared / "zoo/truth.jsonl")]
    passwords = {line["password"] for line in listed if line.get("password")}
    (folder / "passwords").write_text("".join(f"{password}\n" for password in sorted(passwords)))
    done = run_glyphdex(
        "ingest", shared / "zoo/pdf", shared / "cases/pdf", "--store", folder / "store", "--json",
        "--password-file", folder / "passwords", seconds=900,
    )  # fmt: skip
    assert done.returncode == 3, done.stderr[-3000:]
    return Corpus(shared, folder / "store", json.loads(done.stdout))


def lines_of(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def test_every_file_is_accounted_for(corpus: Corpus) -> None:
    files = sorted(
        str(path) for name in ("zoo", "cases") for path in (corpus.shared / name / "pdf").rglob("*.pdf")
    )
    rows = live_rows(corpus.store, "documents")
    assert sorted(row["path"] for row in rows) == files
    assert all((row["status"] == "ok") == (row["reason"] is None) for row in rows)
    documents = corpus.report["documents"]
    assert documents["found"] == len(files) == documents["ok"] + documents["partial"] + documents["failed"]
    failed = [row for row in rows if row["status"] == "failed"]
    assert len(failed) < len(files) / 10, [(row["path"], row["reason"]) for row in failed]


def test_page_counts_add_up(corpus: Corpus) -> None:
    for page in live_rows(corpus.store, "pages"):
        if page["status"] == "ok":
            assert page["painted"] == sum(
                page[name] for name in ("visible", "overprinted", "off_page", "hidden")
            )


def test_a_phrase_of_any_readable_file_is_found_at_its_page(corpus: Corpus) -> None:
    import indexing

    documents = {
        (row["doc_id"], row["extraction_id"]): row["path"] for row in live_rows(corpus.store, "documents")
    }
    missed = []
    with indexing.open_index(corpus.store) as index:
        for page in live_rows(corpus.store, "pages"):
            phrase = phrase_of(page["text"] or "")
            if phrase is None:
                continue
            result = index.search(f'"{phrase}"', limit=400)
            hits = {(hit.doc_id, hit.page) for hit in result.hits}
            if (page["doc_id"], page["page_index"] + 1) not in hits and result.total <= 400:
                missed.append(
                    (documents[page["doc_id"], page["extraction_id"]], page["page_index"] + 1, phrase)
                )
    assert not missed


def phrase_of(text: str) -> str | None:
    """Return three words in a row that a person would type, from the middle of the page."""
    found = [match.group() for match in re.finditer(r"\b[a-z]{3,20} [a-z]{3,20} [a-z]{3,20}\b", text)]
    return found[len(found) // 2] if found else None


def page_lines(corpus: Corpus, folder: str) -> Iterator[str]:
    """Yield the pages of one corpus as the scoring programs read them."""
    root = corpus.shared / folder
    base = root / "pdf" if folder == "zoo" else root
    names: dict[tuple[str, str], list[str]] = {}
    for row in live_rows(corpus.store, "documents"):
        if Path(row["path"]).is_relative_to(base):
            name = Path(row["path"]).relative_to(base).as_posix()
            names.setdefault((row["doc_id"], row["extraction_id"]), []).append(name)
            if row["status"] == "failed":
                yield json.dumps({"file": name, "page": 1, "text": "", "status": "exit 2"})
    for page in live_rows(corpus.store, "pages"):
        for name in names.get((page["doc_id"], page["extraction_id"]), ()):
            number = page["page_index"] + 1
            yield json.dumps(
                {"file": name, "page": number, "text": page["text"] or "", "status": page["status"]}
            )


def score(*command: str | Path) -> str:
    return subprocess.run(
        [sys.executable, *map(str, command)], capture_output=True, text=True, check=True
    ).stdout


def test_words_and_order_against_exact_truth(corpus: Corpus, tmp_path: Path) -> None:
    results = tmp_path / "zoo.jsonl"
    results.write_text("\n".join(page_lines(corpus, "zoo")) + "\n")
    printed = score(corpus.shared / "zoo/score.py", results, "--worst", "12")
    overall = next(line for line in printed.splitlines() if line.startswith("OVERALL")).split()
    word_f1, word_order, gaps = float(overall[2]), float(overall[5]), float(overall[6])
    assert word_f1 >= WORD_F1, printed
    assert word_order >= WORD_ORDER, printed
    assert gaps <= 1, "spaces inside of Chinese and Japanese"


def test_cases_from_public_reports(corpus: Corpus, tmp_path: Path) -> None:
    results = tmp_path / "cases.jsonl"
    results.write_text("\n".join(page_lines(corpus, "cases")) + "\n")
    printed = score(corpus.shared / "score/cases_score.py", corpus.shared / "cases", results)
    share = re.search(r"^text \d+ of \d+ = ([\d.]+); robustness (\d+) of (\d+)$", printed, re.MULTILINE)
    assert share, printed
    assert float(share[1]) >= TEXT_CASES, printed
    assert share[2] == share[3], printed
