"""A run as one HTML file that needs no network: totals, reasons, worst pages, charts over the runs.

In: a store and the id of a run. Out: an HTML file. It must not change the store.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

import indexing
from pipeline.charts import lines, stacked_bars
from pipeline.paths import shown
from pipeline.progress import format_bytes
from pipeline.run_report import read_reports
from pipeline.store import live_snapshot, read_rows, read_table
from pipeline.writer import part_file, part_name

_LISTED = 25
_RUNS = 40
_KINDS = ("visible", "overprinted", "off_page", "hidden", "unmapped")
_COLUMNS = ["doc_id", "page_index", "ms", "status", "reason", "visible", "unmapped", "flags", "words"]
_STYLE = """
body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#222}
h1{font-size:1.5rem}
h2{font-size:1.15rem;margin-top:2rem}
table{border-collapse:collapse;width:100%}
td,th{text-align:left;padding:.2rem .6rem;border-bottom:1px solid #ddd;overflow-wrap:anywhere}
svg{width:100%;font:11px sans-serif}
.legend span{margin-right:1rem}
.legend i{display:inline-block;width:.8em;height:.8em;margin-right:.3em}
@media(prefers-color-scheme:dark){
body{background:#181818;color:#ddd}
td,th{border-color:#444}
svg text{fill:#ddd}
}
"""


def write_html_report(path: Path, store: Path, run_id: str) -> None:
    """Write the report of one run."""
    reports = [report for report in read_reports(store) if report.get("command") in ("ingest", "retry")]
    report = next(report for report in reports if report["run_id"] == run_id)
    earlier = [other for other in reports if other["run_id"] <= run_id][-_RUNS:]
    path.parent.mkdir(parents=True, exist_ok=True)
    page = render(report, earlier, _page_rows(store, report), _names(store))
    indexing.write_atomically(path, page.encode())


def render(
    report: Mapping[str, Any],
    runs: Sequence[Mapping[str, Any]],
    pages: Sequence[Mapping[str, Any]],
    names: Mapping[str, str],
) -> str:
    """Return the HTML; `names` gives a path for every doc_id, `pages` are the rows that the run wrote."""
    slowest = sorted(pages, key=lambda page: -(page["ms"] or 0))[:_LISTED]
    worst = sorted((page for page in pages if _badness(page) > 0), key=_badness, reverse=True)[:_LISTED]
    body = [
        f"<h1>Run {escape(report['run_id'])}</h1>",
        f"<p>{escape(report['started'])}, {report['seconds']:,.1f} s, {escape(report['state'])}, "
        f"inputs: {escape(', '.join(shown(name) for name in report['inputs'][:10]))}</p>",
        "<h2>Totals</h2>",
        _table(["", ""], _totals(report)),
        "<h2>Reasons of documents that are not ok</h2>",
        _table(["reason", "documents"], report["reasons"].items()) if report["reasons"] else "<p>None.</p>",
        "<h2>Glyphs by run</h2>",
        stacked_bars([(run["run_id"], run.get("glyphs", {})) for run in runs], _KINDS[:4]),
        "<h2>Quality by run</h2>",
        lines([run["run_id"] for run in runs], _quality(runs)),
        "<h2>Slowest pages</h2>",
        _table(
            ["document", "page", "ms"],
            [(*_place(page, names), f"{page['ms'] or 0:,.0f}") for page in slowest],
        ),
        "<h2>Worst pages</h2>",
        _table(["document", "page", "why"], [(*_place(page, names), _why(page)) for page in worst])
        if worst
        else "<p>None.</p>",
    ]
    head = f'<meta charset="utf-8"><title>glyphdex {escape(report["run_id"])}</title><style>{_STYLE}</style>'
    return f'<!doctype html><html lang="en"><head>{head}</head><body>{"".join(body)}</body></html>\n'


def _totals(report: Mapping[str, Any]) -> Iterable[tuple[str, str]]:
    for group in ("documents", "plan", "pages"):
        for name, count in report[group].items():
            yield f"{group}: {name}", f"{count:,}"
    yield "input", format_bytes(report["bytes"])
    for name, amount in report["glyphs"].items():
        yield f"sum: {name}", f"{amount:,.0f}"
    for name, seconds in report["phases"].items():
        yield f"seconds: {name}", f"{seconds:,.1f}"
    yield "CPU seconds", f"{report['cpu_seconds']:,.1f}"
    for name, megabytes in report["peak_memory_mb"].items():
        yield f"peak memory: {name}", f"{megabytes:,.0f} MB"


def _quality(runs: Sequence[Mapping[str, Any]]) -> dict[str, list[float]]:
    def share(run: Mapping[str, Any], group: str, part: str, whole: str) -> float:
        numbers = run.get(group, {})
        return numbers.get(part, 0) / numbers[whole] if numbers.get(whole) else 0.0

    return {
        "glyphs without Unicode": [share(run, "glyphs", "unmapped", "visible") for run in runs],
        "glyphs overprinted": [share(run, "glyphs", "overprinted", "painted") for run in runs],
        "pages failed": [share(run, "pages", "failed", "extracted") for run in runs],
        "documents failed": [share(run, "documents", "failed", "found") for run in runs],
    }


def _badness(page: Mapping[str, Any]) -> float:
    """Return how bad a page is: failed before garbled before glyphs without Unicode."""
    if page["status"] != "ok":
        return 3.0
    garbled = 1.0 if "garbled" in (page["flags"] or ()) else 0.0
    return garbled + (page["unmapped"] or 0) / max(1, page["visible"] or 0)


def _why(page: Mapping[str, Any]) -> str:
    if page["status"] != "ok":
        return str(page["reason"])
    flags = ", ".join(page["flags"] or ())
    return f"{page['unmapped']:,} of {page['visible']:,} glyphs without Unicode" + (
        f"; {flags}" if flags else ""
    )


def _place(page: Mapping[str, Any], names: Mapping[str, str]) -> tuple[str, str]:
    return shown(names.get(page["doc_id"], page["doc_id"])), str(page["page_index"] + 1)


def _table(head: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    cells = "".join(f"<th>{escape(name)}</th>" for name in head)
    body = "".join(
        "<tr>" + "".join(f"<td>{escape(str(cell))}</td>" for cell in row) + "</tr>" for row in rows
    )
    return f"<table><tr>{cells}</tr>{body}</table>"


def _page_rows(store: Path, report: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the rows of the parts that the run wrote and that are still there."""
    rows: list[dict[str, Any]] = []
    for stem in report["parts"]:
        if part_file(store, "pages", stem).exists():
            rows += read_table(store, part_name("pages", stem), _COLUMNS).to_pylist()
    return rows


def _names(store: Path) -> dict[str, str]:
    return {row["doc_id"]: row["path"] for row in read_rows(store, live_snapshot(store), "documents")}
