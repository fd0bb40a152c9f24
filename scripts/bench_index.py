"""Measure building an index of a store's pages and searching it, against other engines, in one run.

In: a store, and queries. Out: one table on stdout: CPU milliseconds and bytes a page, the ratios to ours, and for each
query the pages found and the median wall time of a warm search that fetches the ten best pages. Every engine reads the
same Parquet parts, runs in a process of its own, indexes every word with its positions and stores the text; only its
own defaults decide what a word is. Ours is built as a run leaves it: segments of several parts, assembled to a
generation; its searches also count facets and cut snippets. Engines that are not installed are named and left out:

    pip install tantivy xapian-bindings-binary
"""

from __future__ import annotations

import argparse
import json
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Any

Search = Callable[[str], int]
"""Answers a query with the ten best pages, their texts read; returns how many pages were found."""

Builder = Callable[[Sequence[Path], Path], int]
Opener = Callable[[Path], Search]

REPEATS = 7


@dataclass
class Outcome:
    """One engine's figures; times of queries in milliseconds."""

    engine: str
    pages: int = 0
    cpu: float = 0.0
    size: int = 0
    peak: int = 0
    found: list[int] = field(default_factory=list)
    times: list[float] = field(default_factory=list)


def read_texts(parts: Sequence[Path]) -> Iterator[tuple[str, str]]:
    """Yield a key and the text of each page."""
    import pyarrow.parquet as pq

    for part in parts:
        table = pq.read_table(part, columns=["doc_id", "page_index", "text"])
        for doc, page, text in zip(*(column.to_pylist() for column in table.columns), strict=True):
            yield f"{doc}/{page}", text or ""


def build_ours(parts: Sequence[Path], folder: Path) -> int:
    """Build the segments that a run with two workers would, and a generation of them."""
    import pyarrow.parquet as pq

    import indexing

    groups = indexing.group_parts(parts, workers=2)
    segments = [indexing.build_segment(group, folder / "segments" / group[0].stem) for group in groups]
    keys = {
        tuple(row.values())
        for part in parts
        for row in pq.read_table(part, columns=["doc_id", "extraction_id"])
        .group_by(["doc_id", "extraction_id"])
        .aggregate([])
        .to_pylist()
    }
    rows = [
        {"doc_id": doc, "extraction_id": extraction, "path": f"{doc}.pdf", "pages": None, "status": "ok"}
        for doc, extraction in sorted(keys)
    ]
    report = indexing.assemble(folder, 1, rows, segments)
    indexing.commit_snapshot(folder, indexing.Snapshot(1, {}, report.path))
    return report.pages


def open_ours(folder: Path) -> Search:
    """Open our index."""
    import indexing

    index = indexing.open_index(folder)
    return lambda query: index.search(query, 10).total


def build_whoosh(parts: Sequence[Path], folder: Path) -> int:
    """Build with Whoosh's own writer and its StandardAnalyzer, in one go."""
    from whoosh import fields, index

    schema = fields.Schema(key=fields.ID(stored=True), text=fields.TEXT(stored=True))
    writer = index.create_in(folder, schema).writer(limitmb=256)
    pages = 0
    for key, text in read_texts(parts):
        writer.add_document(key=key, text=text)
        pages += 1
    writer.commit()
    return pages


def open_whoosh(folder: Path) -> Search:
    """Open Whoosh's index."""
    from whoosh import index, qparser

    searcher = index.open_dir(folder).searcher()
    parser = qparser.QueryParser("text", searcher.schema)

    def search(query: str) -> int:
        results = searcher.search(parser.parse(query), limit=10)
        _ = [hit["text"] for hit in results]
        return len(results)

    return search


def build_tantivy(parts: Sequence[Path], folder: Path) -> int:
    """Build with tantivy, one thread."""
    import tantivy

    schema = tantivy.SchemaBuilder()
    schema.add_text_field("text", stored=True)
    schema.add_text_field("key", stored=True, tokenizer_name="raw")
    writer = tantivy.Index(schema.build(), path=str(folder)).writer(128_000_000, 1)
    pages = 0
    for key, text in read_texts(parts):
        writer.add_document(tantivy.Document(text=text, key=key))
        pages += 1
    writer.commit()
    writer.wait_merging_threads()
    return pages


def open_tantivy(folder: Path) -> Search:
    """Open tantivy's index."""
    import tantivy

    index = tantivy.Index.open(str(folder))
    searcher = index.searcher()

    def search(query: str) -> int:
        if query.endswith("*"):
            parsed = tantivy.Query.regex_query(index.schema, "text", re.escape(query[:-1].lower()) + ".*")
        else:
            parsed = index.parse_query(query, ["text"], conjunction_by_default=True)
        result = searcher.search(parsed, 10)
        _ = [searcher.doc(address)["text"] for _, address in result.hits]
        return int(result.count)

    return search


def build_xapian(parts: Sequence[Path], folder: Path) -> int:
    """Build with Xapian's glass database, without stemming."""
    import xapian

    database = xapian.WritableDatabase(str(folder / "db"), xapian.DB_CREATE_OR_OPEN)
    generator = xapian.TermGenerator()
    pages = 0
    for key, text in read_texts(parts):
        document = xapian.Document()
        generator.set_document(document)
        generator.set_termpos(0)
        generator.index_text(text)
        document.set_data(text)
        document.add_boolean_term(f"Q{key}")
        database.add_document(document)
        pages += 1
    database.commit()
    database.close()
    return pages


def open_xapian(folder: Path) -> Search:
    """Open Xapian's database."""
    import xapian

    database = xapian.Database(str(folder / "db"))
    parser = xapian.QueryParser()
    parser.set_database(database)
    parser.set_default_op(xapian.Query.OP_AND)
    flags = xapian.QueryParser.FLAG_DEFAULT | xapian.QueryParser.FLAG_WILDCARD

    def search(query: str) -> int:
        enquire = xapian.Enquire(database)
        enquire.set_query(parser.parse_query(query, flags))
        matches = enquire.get_mset(0, 10, database.get_doccount())
        _ = [match.document.get_data() for match in matches]
        return int(matches.get_matches_estimated())

    return search


def build_sqlite(parts: Sequence[Path], folder: Path) -> int:
    """Build with SQLite's FTS5 and its unicode61 tokenizer."""
    import sqlite3

    connection = sqlite3.connect(folder / "fts.db")
    connection.execute("CREATE VIRTUAL TABLE page USING fts5(key UNINDEXED, text, tokenize = 'unicode61')")
    connection.executemany("INSERT INTO page VALUES (?, ?)", read_texts(parts))
    connection.commit()
    pages = connection.execute("SELECT count(*) FROM page").fetchone()[0]
    connection.close()
    return int(pages)


def open_sqlite(folder: Path) -> Search:
    """Open SQLite's database."""
    import sqlite3

    connection = sqlite3.connect(folder / "fts.db")
    ranked = "SELECT text FROM page WHERE page MATCH ? ORDER BY rank LIMIT 10"

    def search(query: str) -> int:
        connection.execute(ranked, (query,)).fetchall()
        counted = connection.execute("SELECT count(*) FROM page WHERE page MATCH ?", (query,)).fetchone()
        return int(counted[0])

    return search


ENGINES: dict[str, tuple[str, Builder, Opener]] = {
    "ours": ("indexing", build_ours, open_ours),
    "whoosh": ("whoosh", build_whoosh, open_whoosh),
    "tantivy": ("tantivy", build_tantivy, open_tantivy),
    "xapian": ("xapian", build_xapian, open_xapian),
    "sqlite fts5": ("sqlite3", build_sqlite, open_sqlite),
}


def measure(engine: str, parts: Sequence[Path], queries: Sequence[str], folder: Path) -> Outcome:
    """Build and ask, in this process."""
    _, build, open_ = ENGINES[engine]
    outcome = Outcome(engine)
    start = time.process_time()
    outcome.pages = build(parts, folder)
    outcome.cpu = time.process_time() - start
    outcome.peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    # A segment that a generation adopted has two names and is counted once.
    files = {(entry.st_dev, entry.st_ino): entry.st_size for entry in _live_files(folder)}
    outcome.size = sum(files.values())
    search = open_(folder)
    for query in queries:
        times = []
        for _ in range(REPEATS):
            begun = time.perf_counter()
            found = search(query)
            times.append(1000 * (time.perf_counter() - begun))
        outcome.found.append(found)
        outcome.times.append(statistics.median(times))
    return outcome


def _live_files(folder: Path) -> Iterator[Any]:
    """Yield the facts of an index's files; what a run deletes after its commit is none of them."""
    index = folder / "index" if (folder / "index").is_dir() else folder
    return (path.stat() for path in index.rglob("*") if path.is_file())


def bench_index(arguments: argparse.Namespace) -> None:
    """Run every engine in a process of its own, and print the table."""
    parts = choose_parts(arguments.store, arguments.pages)
    if not parts:
        sys.exit(f"{arguments.store} has no pages")
    queries = arguments.queries or default_queries(parts)
    wanted = arguments.engines.split(",") if arguments.engines else list(ENGINES)
    outcomes = []
    for engine in wanted:
        if engine not in ENGINES:
            sys.exit(f"no engine {engine!r}: there are {', '.join(ENGINES)}")
        if find_spec(ENGINES[engine][0]) is None:
            print(f"{engine}: not installed, left out")
            continue
        print(f"{engine} ...", file=sys.stderr)
        outcomes.append(_run_apart(engine, parts, queries))
    print_table(outcomes, queries)


def _run_apart(engine: str, parts: Sequence[Path], queries: Sequence[str]) -> Outcome:
    with tempfile.TemporaryDirectory() as folder:
        order = json.dumps([engine, list(map(str, parts)), list(queries), folder])
        command = [sys.executable, __file__, order]
        done = subprocess.run(command, stdout=subprocess.PIPE, check=True)
    return Outcome(**json.loads(done.stdout))


def choose_parts(store: Path, pages: int) -> list[Path]:
    """Return page parts of a store, in order, until they hold so many pages; all of them for 0."""
    import pyarrow.parquet as pq

    chosen: list[Path] = []
    held = 0
    for part in sorted((store / "pages").glob("*.parquet")):
        if pages and held >= pages:
            break
        chosen.append(part)
        held += pq.read_metadata(part).num_rows
    return chosen


def default_queries(parts: Sequence[Path]) -> list[str]:
    """Choose a rare, a middling and two common words by how many pages have them, and ask for them in several ways."""
    from collections import Counter

    found_on: Counter[str] = Counter()
    pages = 0
    for _, text in read_texts(parts):
        found_on.update(set(re.findall("[a-z]{5,}", text.lower())))
        pages += 1
    falling = [word for word, _ in found_on.most_common()]
    if len(falling) < 2:
        return ["the"]
    middling, rare = (
        min(falling, key=lambda word: (abs(found_on[word] - share * pages), word)) for share in (0.02, 0.0005)
    )
    return [
        rare, middling, falling[0], "the", f"{falling[0]} {falling[1]}", f"{middling} {falling[0]}", '"of the"',
        '"in the same"', f"{middling[:4]}*",
    ]  # fmt: skip


def print_table(outcomes: Sequence[Outcome], queries: Sequence[str]) -> None:
    """Print the figures of building, then those of each query."""
    print(
        f"{'engine':12} {'pages':>7} {'CPU ms/page':>12} {'/ ours':>7} {'bytes/page':>11} {'/ ours':>7} {'peak MB':>8}"
    )
    first = outcomes[0]
    for one in outcomes:
        cpu, size = 1000 * one.cpu / one.pages, one.size / one.pages
        slower, larger = one.cpu / first.cpu, one.size / first.size
        print(
            f"{one.engine:12} {one.pages:7} {cpu:12.3f} {slower:7.2f} {size:11.0f} {larger:7.2f} {one.peak:8}"
        )
    print("\n" + f"{'query':28}" + "".join(f"{one.engine + ' ms':>15} {'pages':>6}" for one in outcomes))
    for number, query in enumerate(queries):
        cells = "".join(f"{one.times[number]:15.2f} {one.found[number]:6}" for one in outcomes)
        print(f"{query:28}{cells}")


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
    name, part_names, asked, where = json.loads(sys.argv[1])
    print(json.dumps(asdict(measure(name, list(map(Path, part_names)), asked, Path(where)))))
