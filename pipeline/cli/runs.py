"""`glyphdex runs`: the runs of a store.

In: a store. Out: a line a run, newest first, or JSON lines. It must not change the store.
"""

from __future__ import annotations

from pathlib import Path

import click

from pipeline.cli.common import AS_JSON, STORE, plain_errors, print_json, print_table
from pipeline.cli.status import run_cells


@click.command(short_help="List the runs of a store.")
@STORE
@AS_JSON
@click.option(
    "--limit", default=20, show_default=True, type=click.IntRange(1), help="Runs to print, the last ones."
)
def command(store: Path, as_json: bool, limit: int) -> None:
    """List the runs of STORE, newest first; --json prints whole reports, one a line."""
    from pipeline.run_report import read_reports
    from pipeline.store import live_snapshot_or_fail

    with plain_errors():
        reports = list(read_reports(store))
        if not reports:
            live_snapshot_or_fail(store)
    chosen = reports[::-1][:limit]
    if as_json:
        for report in chosen:
            print_json(report)
    else:
        print_table([run_cells(report) for report in chosen])
