"""Measure whole runs over a folder: a cold one, one over the unchanged folder, one with a part of the files changed.

In: a folder of PDFs. Out: a line a run on stdout: exit code, pages, wall and CPU time, and the greatest memory of all
processes together; times of the later runs also as shares of the first. The files are not touched: the runs see links
to them, and changed copies.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PROJECT = Path(__file__).resolve().parent.parent
EVERY = 100
"""One file of so many is changed before the third run."""
COMMENT = b"\n% changed\n"
"""What a changed copy has more than the file: its content is another, its pages are the same."""


@dataclass(frozen=True)
class Measured:
    """One run; times in seconds, memory in MB."""

    wall: float
    cpu: float
    report: dict[str, Any]
    exit_code: int

    def line(self, label: str, first: Measured) -> str:
        """Return the run as a line of the table."""
        pages, memory = self.report["pages"]["extracted"], self.report["peak_memory_mb"]
        each = f"{1000 * self.cpu / pages:6.1f}" if pages else f"{'-':>6}"
        return (
            f"{label:10} {self.exit_code:>4} {pages:>8} {pages / self.wall:>8.1f}"
            f" {self.wall:>9.2f} {self.cpu:>9.2f} {each:>11}"
            f" {memory['all']:>7} {memory['pipeline']:>9} {memory['child']:>6}"
            f" {self.wall / first.wall:>8.1%} {self.cpu / first.cpu:>8.1%}"
        )


HEAD = (
    f"{'run':10} {'exit':>4} {'pages':>8} {'pages/s':>8} {'wall s':>9} {'CPU s':>9} {'CPU ms/page':>11}"
    f" {'all MB':>7} {'pipeline':>9} {'child':>6} {'of wall':>8} {'of CPU':>8}"
)


def bench_ingest(arguments: argparse.Namespace) -> None:
    """Measure the three runs and print the table."""
    with tempfile.TemporaryDirectory() as place:
        folder, store = Path(place) / "in", Path(place) / "store"
        links = link_files(arguments.folder, folder)
        print(HEAD)
        first = run(folder, store, arguments.workers)
        print(first.line("cold", first), flush=True)
        print(run(folder, store, arguments.workers).line("unchanged", first), flush=True)
        changed = change(links[::EVERY])
        print(run(folder, store, arguments.workers).line(f"{changed} changed", first), flush=True)


def link_files(source: Path, folder: Path) -> list[Path]:
    """Make a folder of links to the PDFs below `source`, and return the links."""
    links = []
    for path in sorted(
        path for path in source.rglob("*") if path.suffix.lower() == ".pdf" and path.is_file()
    ):
        link = folder / path.relative_to(source)
        link.parent.mkdir(parents=True, exist_ok=True)
        link.symlink_to(path.resolve())
        links.append(link)
    if not links:
        sys.exit(f"{source} has no PDFs")
    return links


def change(links: Sequence[Path]) -> int:
    """Put changed copies in the place of links, and return how many."""
    for link in links:
        content = link.read_bytes() + COMMENT
        link.unlink()
        link.write_bytes(content)
    return len(links)


def run(folder: Path, store: Path, workers: int) -> Measured:
    """Run an ingest as a process."""
    command = [
        sys.executable,
        "-m",
        "pipeline.cli.main",
        "ingest",
        str(folder),
        "--store",
        str(store),
        "--json",
    ]
    command += ["--workers", str(workers)]
    environment = {**os.environ, "PYTHONPATH": str(PROJECT)}
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, check=False)
    wall, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    if not done.stdout:
        sys.exit(f"the run ended with {done.returncode}")
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Measured(wall, cpu, json.loads(done.stdout), done.returncode)
