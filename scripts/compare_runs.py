"""Compare two runs page by page: which pages' text changed, and did it become better or worse.

The gate for every change of a heuristic. In: two runs, each a JSONL file written by `glyphdex text
--json`, a store, or, with --files, a git revision (its working tree is checked out beside and run over
the files; "." is the working tree as it stands). Out: one line a changed page on stdout, then the sums.
With --truth (JSONL: file, page, text) each changed page is judged by word F1 and by word order; exit 1
when a page became worse.

    python scripts/compare_runs.py before.jsonl after.jsonl --truth truth.jsonl
    python scripts/compare_runs.py HEAD~1 . --files corpus/ --truth truth.jsonl --show 5
"""

from __future__ import annotations

import argparse
import difflib
import json
import re
import subprocess
import sys
import tempfile
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
SECONDS_A_FILE = 120
CJK = re.compile("([\u2e80-\u2fff\u3001-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff01-\uffef])")
"""Characters of scripts without spaces: each is a word of its own."""

PageKey = tuple[str, int]
Run = dict[PageKey, str]
"""Text by (file, page number from 1)."""


def words(text: str) -> list[str]:
    """Return the words of a page: compatibility forms folded, each Chinese character by itself."""
    return unicodedata.normalize("NFKC", CJK.sub(r" \1 ", text)).split()


def f1(truth: Sequence[str], found: Sequence[str]) -> float:
    """Return the multiset F1 of words; 1 for two empty pages."""
    if not truth and not found:
        return 1.0
    common = sum((Counter(truth) & Counter(found)).values())
    return 2 * common / (len(truth) + len(found))


def order(truth: Sequence[str], found: Sequence[str]) -> float:
    """Return the similarity of the two sequences of words: 1 is the same words in the same order."""
    return difflib.SequenceMatcher(None, truth, found, autojunk=False).ratio()


@dataclass(frozen=True)
class Change:
    """A page whose text differs; scores are (F1, order) before and after, None without truth."""

    key: PageKey
    before: str
    after: str
    scores: tuple[tuple[float, float], tuple[float, float]] | None

    @property
    def gain(self) -> float:
        """Return how much F1 plus order rose; 0 without truth."""
        return sum(self.scores[1]) - sum(self.scores[0]) if self.scores else 0.0


def compare(before: Run, after: Run, truth: Run) -> list[Change]:
    """Return the changed pages, the worst first. A page that one run lacks counts as empty there."""
    changes = []
    for key in sorted(before.keys() | after.keys()):
        old, new = before.get(key, ""), after.get(key, "")
        if old == new:
            continue
        scores = None
        expected = _truth_for(truth, key)
        if expected is not None:
            right = words(expected)
            scores = tuple((f1(right, words(text)), order(right, words(text))) for text in (old, new))
        changes.append(Change(key, old, new, scores))  # type: ignore[arg-type]
    return sorted(changes, key=lambda change: change.gain)


def read_jsonl(path: Path) -> Run:
    """Read a JSONL file of pages; a page whose text is null is empty."""
    run: Run = {}
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            if line.strip():
                row = json.loads(line)
                run[row["file"], int(row["page"])] = row.get("text") or ""
    return run


def read_store(store: Path) -> Run:
    """Read the text of a store's live pages; the file is the path of its live document."""
    import pyarrow.parquet as pq

    paths: dict[tuple[str, str], str] = {}
    for part in sorted((store / "documents").glob("*.parquet")):
        for row in pq.read_table(part, columns=["doc_id", "extraction_id", "path"]).to_pylist():
            paths[row["doc_id"], row["extraction_id"]] = row["path"]
    run: Run = {}
    for part in sorted((store / "pages").glob("*.parquet")):
        for row in pq.read_table(part, columns=["doc_id", "extraction_id", "page_index", "text"]).to_pylist():
            path = paths.get((row["doc_id"], row["extraction_id"]))
            if path is not None:
                run[path, row["page_index"] + 1] = row["text"] or ""
    return run


def run_revision(revision: str, files: Sequence[Path]) -> Run:
    """Extract the files with the code of a git revision, one process a file."""
    run: Run = {}
    with _source_of(revision) as source:
        for count, path in enumerate(files, 1):
            print(f"\r{revision}: {count}/{len(files)}", end="", file=sys.stderr)
            for row in _extract(source, path):
                run[str(path), int(row["page"])] = row.get("text") or ""
    print(file=sys.stderr)
    return run


def _extract(source: Path, path: Path) -> Iterator[dict[str, object]]:
    start = f"import sys; sys.path.insert(0, {str(source)!r}); from pipeline.cli.main import main; main()"
    command = [sys.executable, "-P", "-c", start, "text", str(path), "--json"]
    try:
        done = subprocess.run(command, capture_output=True, timeout=SECONDS_A_FILE, cwd=source, check=False)
    except subprocess.TimeoutExpired:
        print(f"\n{path}: over {SECONDS_A_FILE} s", file=sys.stderr)
        return
    for line in done.stdout.decode("utf-8", "replace").splitlines():
        if line.startswith("{"):
            yield json.loads(line)


@contextmanager
def _source_of(revision: str) -> Iterator[Path]:
    """Yield a folder with the project at a revision; "." is the project itself."""
    if revision == ".":
        yield PROJECT
        return
    with tempfile.TemporaryDirectory() as folder:
        archive = subprocess.run(
            ["git", "archive", revision], cwd=PROJECT, capture_output=True, check=True
        ).stdout
        subprocess.run(["tar", "-x", "-C", folder], input=archive, check=True)
        yield Path(folder)


def _truth_for(truth: Mapping[PageKey, str], key: PageKey) -> str | None:
    """Return the truth of a page; the truth's file may be the end of the run's path."""
    file, page = key
    parts = Path(file).parts
    for start in range(len(parts)):
        found = truth.get(("/".join(parts[start:]), page))
        if found is not None:
            return found
    return None


def load(name: str, files: Sequence[Path]) -> Run:
    """Read a run from what its name is: a file, a store, a git revision."""
    path = Path(name)
    if path.is_file():
        return read_jsonl(path)
    if name != "." and (path / "pages").is_dir():
        return read_store(path)
    if not files:
        sys.exit(f"{name} is no file and no store; to run it as a git revision, give --files")
    return run_revision(name, files)


def report(changes: Sequence[Change], pages: int, show: int) -> None:
    """Print the changed pages, the worst first, and the sums."""
    for change in changes:
        line = f"{change.key[0]}  page {change.key[1]}"
        if change.scores:
            (f1_old, order_old), (f1_new, order_new) = change.scores
            moved = f"F1 {f1_old:.3f} -> {f1_new:.3f}  order {order_old:.3f} -> {order_new:.3f}"
            line = f"{change.gain:+.3f}  {moved}  {line}"
        print(line)
    for change in changes[:show]:
        print(f"\n--- {change.key[0]} page {change.key[1]}")
        lines = difflib.unified_diff(change.before.splitlines(), change.after.splitlines(), lineterm="", n=0)
        print("\n".join(line for line in lines if not line.startswith(("---", "+++", "@@"))))
    judged = [change for change in changes if change.scores]
    better, worse = (sum(1 for c in judged if sign * c.gain > 1e-9) for sign in (1, -1))
    print(f"\n{len(changes)} of {pages} pages changed; judged {len(judged)}: {better} better, {worse} worse")


def main() -> None:
    """Read the command line, compare, report."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("before")
    parser.add_argument("after")
    parser.add_argument("--truth", type=Path)
    parser.add_argument("--files", nargs="+", type=Path, default=[])
    parser.add_argument("--show", type=int, default=0, help="print the difference of the N worst pages")
    arguments = parser.parse_args()
    files: list[Path] = []
    for path in arguments.files:
        files += sorted(path.resolve().rglob("*.pdf")) if path.is_dir() else [path.resolve()]
    before, after = load(arguments.before, files), load(arguments.after, files)
    truth = read_jsonl(arguments.truth) if arguments.truth else {}
    changes = compare(before, after, truth)
    report(changes, len(before.keys() | after.keys()), arguments.show)
    sys.exit(any(change.gain < -1e-9 for change in changes))


if __name__ == "__main__":
    main()
