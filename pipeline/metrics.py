"""The numbers of a run in Prometheus' text format, for the node exporter's textfile collector.

In: a RunReport. Out: a file that is replaced as a whole. It must not measure anything itself.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from datetime import datetime
from pathlib import Path

import indexing
from pipeline.run_report import RunReport

_NO_GLYPHS = {
    "words": ("glyphdex_words", "Words of the pages extracted by the last run.", 1.0),
    "lines": ("glyphdex_lines", "Lines of the pages extracted by the last run.", 1.0),
    "images": ("glyphdex_images", "Images on the pages extracted by the last run.", 1.0),
    "ms": ("glyphdex_extraction_cpu_seconds", "CPU seconds of the pages extracted by the last run.", 0.001),
}
"""Sums of a run that count something else than glyphs: name, meaning, factor to the unit of the name."""


def write_metrics(path: Path, lines: Iterable[str]) -> None:
    """Write a metrics file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    indexing.write_atomically(path, ("\n".join(lines) + "\n").encode())


def failure_lines(exit_code: int) -> Iterator[str]:
    """Yield the lines for a run that failed as a whole."""
    yield from _one("glyphdex_run_exit_code", "Exit code of the last run.", exit_code)
    yield from _one("glyphdex_run_start_timestamp_seconds", "When the last run began.", time.time())


def metric_lines(report: RunReport) -> Iterator[str]:
    """Yield the lines of the metrics file."""
    yield from _family(
        "glyphdex_documents", "Documents found by the last run, by state.", "state", report.documents
    )
    yield from _family(
        "glyphdex_documents_not_ok", "Documents not ok after the last run.", "reason", report.reasons
    )
    yield from _family("glyphdex_plan", "Files of the last run by what was to be done.", "kind", report.plan)
    yield from _family("glyphdex_pages", "Pages of the last run; live: in the store.", "state", report.pages)
    glyphs = {kind: amount for kind, amount in report.glyphs.items() if kind not in _NO_GLYPHS}
    yield from _family("glyphdex_glyphs", "Glyphs of the pages extracted by the last run.", "kind", glyphs)
    for kind, (name, meaning, scale) in _NO_GLYPHS.items():
        if kind in report.glyphs:
            yield from _one(name, meaning, round(report.glyphs[kind] * scale, 6))
    yield from _family("glyphdex_phase_seconds", "Wall-clock seconds by phase.", "phase", report.phases)
    yield from _family(
        "glyphdex_peak_memory_megabytes", "Peak resident memory.", "process", report.peak_memory_mb
    )
    yield from _one("glyphdex_run_seconds", "Wall-clock seconds of the last run.", report.seconds)
    yield from _one(
        "glyphdex_run_cpu_seconds", "CPU seconds of all processes of the last run.", report.cpu_seconds
    )
    yield from _one("glyphdex_run_exit_code", "Exit code of the last run.", report.exit_code)
    yield from _one("glyphdex_input_bytes", "Bytes of the documents found.", report.bytes)
    started = datetime.fromisoformat(report.started).timestamp()
    yield from _one("glyphdex_run_start_timestamp_seconds", "When the last run began.", started)
    if report.snapshot is not None:
        yield from _one("glyphdex_snapshot", "Number of the live snapshot.", report.snapshot)


def _one(name: str, meaning: str, amount: float) -> Iterator[str]:
    yield f"# HELP {name} {meaning}"
    yield f"# TYPE {name} gauge"
    yield f"{name} {_number(amount)}"


def _number(amount: float) -> str:
    """Return the shortest text that reads as the same number."""
    return repr(int(amount)) if amount == int(amount) else repr(float(amount))


def _family(name: str, meaning: str, label: str, amounts: dict[str, float] | dict[str, int]) -> Iterator[str]:
    if not amounts:
        return
    yield f"# HELP {name} {meaning}"
    yield f"# TYPE {name} gauge"
    for key, amount in amounts.items():
        escaped = key.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")
        yield f'{name}{{{label}="{escaped}"}} {_number(amount)}'
