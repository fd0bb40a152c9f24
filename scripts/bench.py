"""Measure the CPU time a page of extraction, of indexing and of a whole ingest, against installed peers.

In: PDF files or folders. Out: one table on stdout, same files and same run for all engines: process CPU
milliseconds a page (median of the repeats, each with a cold open), per file, the ratio ours / engine,
their geometric mean, and totals. Progress and files that an engine cannot read go to stderr.

    python scripts/bench.py extract FILES... [--engines ours,pdfium] [--min-pages 10] [--profile]
    python scripts/bench.py index STORE [QUERIES...] [--pages 20000] [--engines ours,whoosh]
    python scripts/bench.py ingest FOLDER [--workers N]
"""

from __future__ import annotations

import argparse
import cProfile
import json
import math
import pstats
import signal
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(PROJECT))

Engine = Callable[[Path], int]
"""Reads all pages of a file, from a cold open, and returns how many there are."""


def read_with_ours(path: Path) -> int:
    """Open, and take every page's text and words with their boxes and UTF-8 buffers."""
    import extractor

    with extractor.open_document(path) as document:
        for index in range(len(document)):
            page = document[index]
            page.text()
            words = page.words
            words.utf8()
            _ = (words.x0, words.y0, words.x1, words.y1)
        return len(document)


def read_with_pdfium(path: Path) -> int:
    """Take PDFium's plain text, without words or boxes."""
    import pypdfium2

    document = pypdfium2.PdfDocument(path)
    try:
        for index in range(len(document)):
            page = document[index]
            text_page = page.get_textpage()
            text_page.get_text_bounded()
            text_page.close()
            page.close()
        return len(document)
    finally:
        document.close()


def read_with_pypdf(path: Path) -> int:
    """Take pypdf's plain text."""
    import pypdf

    with pypdf.PdfReader(path) as reader:
        for page in reader.pages:
            page.extract_text()
        return len(reader.pages)


def read_with_pdfminer(path: Path) -> int:
    """Take the layout analysis of pdfminer.six, whose text comes from it."""
    from pdfminer.high_level import extract_pages

    return sum(1 for _ in extract_pages(path))


def read_with_mupdf(path: Path) -> int:
    """Take MuPDF's plain text."""
    import pymupdf

    with pymupdf.open(path) as document:
        for page in document:
            page.get_text()
        return len(document)


ENGINES: dict[str, tuple[str, Engine]] = {
    "ours": ("extractor", read_with_ours),
    "pdfium": ("pypdfium2", read_with_pdfium),
    "mupdf": ("pymupdf", read_with_mupdf),
    "pypdf": ("pypdf", read_with_pypdf),
    "pdfminer": ("pdfminer", read_with_pdfminer),
}


class TooSlow(Exception):
    """An engine did not finish a file in time."""


@contextmanager
def time_limit(seconds: int) -> Iterator[None]:
    """Raise TooSlow in the block after so many seconds, at the next Python instruction."""

    def stop(_signal: int, _frame: object) -> None:
        raise TooSlow(f"over {seconds} s")

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


@dataclass
class Row:
    """One file's measurements: CPU milliseconds a page by engine; an engine that failed is absent."""

    path: Path
    pages: int = 0
    milliseconds: dict[str, float] = field(default_factory=dict)

    def ratio(self, engine: str) -> float | None:
        """Return ours / engine, or None where one of them is missing."""
        ours, other = self.milliseconds.get("ours"), self.milliseconds.get(engine)
        return ours / other if ours and other else None


def measure_file(path: Path, engines: Sequence[str], repeats: int, limit: int) -> Row:
    """Run every engine `repeats` times over the file, in turns, and keep each one's median."""
    row = Row(path)
    times: dict[str, list[float]] = {name: [] for name in engines}
    failed: set[str] = set()
    for _ in range(repeats):
        for name in engines:
            if name in failed:
                continue
            try:
                with time_limit(limit):
                    start = time.process_time()
                    pages = ENGINES[name][1](path)
                    times[name].append(time.process_time() - start)
            except Exception as error:  # whatever a peer raises for a broken file: it has no figure there
                failed.add(name)
                print(f"{path}: {name}: {type(error).__name__}: {str(error)[:80]}", file=sys.stderr)
            else:
                row.pages = max(row.pages, pages)
    for name, seconds in times.items():
        if name not in failed and seconds and row.pages:
            row.milliseconds[name] = 1000 * statistics.median(seconds) / row.pages
    return row


def pdf_files(named: Sequence[Path]) -> list[Path]:
    """Return the files, and the PDFs below the folders, sorted."""
    found: list[Path] = []
    for path in named:
        found += sorted(p for p in path.rglob("*") if p.suffix.lower() == ".pdf") if path.is_dir() else [path]
    return found


def has_pages(path: Path, least: int) -> bool:
    """Tell whether the file opens and has at least so many pages."""
    if least <= 1:
        return True
    import extractor

    try:
        with extractor.open_document(path) as document:
            return len(document) >= least
    except extractor.ExtractionError:
        return False


def bench_extract(arguments: argparse.Namespace) -> None:
    """Measure, and print the table."""
    wanted = arguments.engines.split(",") if arguments.engines else list(ENGINES)
    engines = [name for name in ENGINES if name in wanted and find_spec(ENGINES[name][0])]
    files = [path for path in pdf_files(arguments.files) if has_pages(path, arguments.min_pages)]
    if arguments.profile:
        profile_ours(files)
        return
    rows = []
    for count, path in enumerate(files, 1):
        print(f"\r{count}/{len(files)} {path.name[:60]:60}", end="", file=sys.stderr)
        rows.append(measure_file(path, engines, arguments.repeats, arguments.limit))
    print(file=sys.stderr)
    if arguments.json:
        for row in rows:
            print(json.dumps({"file": str(row.path), "pages": row.pages, "ms_per_page": row.milliseconds}))
    else:
        print_table(rows, engines)


def print_table(rows: Sequence[Row], engines: Sequence[str]) -> None:
    """Print one line a file, then the geometric means of the ratios and the totals, peer by peer."""
    peers = [name for name in engines if name != "ours"]
    header = f"{'file':40} {'pages':>5}" + "".join(f"{name:>10}" for name in engines)
    print(header + "".join(f"{'ours/' + name:>15}" for name in peers))
    for row in rows:
        cells = "".join(_number(row.milliseconds.get(name), 10, 2) for name in engines)
        ratios = "".join(_number(row.ratio(name), 15, 3) for name in peers)
        print(f"{row.path.name[-40:]:40} {row.pages:5}{cells}{ratios}")
    for name in peers:
        both = [row for row in rows if row.ratio(name)]
        if not both:
            continue
        mean = math.exp(statistics.fmean(math.log(row.ratio(name) or 1) for row in both))
        print(f"\nours / {name}: geometric mean {mean:.3f} over {len(both)} files", end="")
        for label, least in (("all of them", 1), ("10 pages or more", 10)):
            ours, other = (
                sum(row.milliseconds[engine] * row.pages for row in both if row.pages >= least)
                for engine in ("ours", name)
            )
            if other:
                print(
                    f"; total CPU, {label}: {ours / 1000:.2f} s / {other / 1000:.2f} s = {ours / other:.3f}",
                    end="",
                )
    print()


def _number(value: float | None, width: int, digits: int) -> str:
    return f"{'-':>{width}}" if value is None else f"{value:{width}.{digits}f}"


def profile_ours(files: Sequence[Path]) -> None:
    """Print where our own time goes over the files."""
    profile = cProfile.Profile()
    for path in files:
        try:
            profile.runcall(read_with_ours, path)
        except Exception as error:  # a broken file is no reason to lose the profile of the others
            print(f"{path}: {type(error).__name__}: {error}", file=sys.stderr)
    pstats.Stats(profile, stream=sys.stdout).strip_dirs().sort_stats("tottime").print_stats(45)


def run_bench_ingest(arguments: argparse.Namespace) -> None:
    """Measure whole runs over a folder."""
    from scripts.bench_ingest import bench_ingest

    bench_ingest(arguments)


def run_bench_index(arguments: argparse.Namespace) -> None:
    """Build an index of a store's pages with every engine, and search it."""
    from scripts.bench_index import bench_index

    bench_index(arguments)


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(required=True)
    extract = commands.add_parser("extract", help="CPU time a page, against the peers")
    extract.add_argument("files", nargs="+", type=Path)
    extract.add_argument(
        "--engines", help=f"comma-separated, of {','.join(ENGINES)}; default: all that are installed"
    )
    extract.add_argument("--repeats", type=int, default=5)
    extract.add_argument("--limit", type=int, default=60, help="seconds for one engine and file")
    extract.add_argument("--min-pages", type=int, default=1)
    extract.add_argument("--profile", action="store_true", help="profile ours instead")
    extract.add_argument("--json", action="store_true")
    extract.set_defaults(run=bench_extract)
    index = commands.add_parser("index", help="building segments, and searches, over a store")
    index.add_argument("store", type=Path)
    index.add_argument("queries", nargs="*", help="queries to time; words of the store by default")
    index.add_argument("--pages", type=int, default=0, help="parts are taken until they hold so many pages")
    index.add_argument("--engines", help="comma-separated; default: all that are installed")
    index.set_defaults(run=run_bench_index)
    ingest = commands.add_parser(
        "ingest", help="whole runs over a folder: cold, unchanged, one file of 100 changed"
    )
    ingest.add_argument("folder", type=Path)
    ingest.add_argument("--workers", type=int, default=0)
    ingest.set_defaults(run=run_bench_ingest)
    arguments = parser.parse_args()
    arguments.run(arguments)


if __name__ == "__main__":
    main()
