"""`glyphdex status`: what a store holds.

In: a store. Out: counts, sizes and the last runs, for people or as JSON. It must not change the store.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from pipeline.cli.common import AS_JSON, STORE, plain_errors, print_json, print_table

_RUNS = 5


@click.command(short_help="Show what a store holds, its last runs and its sizes.")
@STORE
@AS_JSON
def command(store: Path, as_json: bool) -> None:
    """Show what STORE holds: documents and pages, reasons of failures, bytes live and dead, the last runs."""
    from pipeline.inventory import take_inventory
    from pipeline.run_report import read_reports

    with plain_errors():
        inventory = take_inventory(store)
        runs = list(read_reports(store))[-_RUNS:]
    if as_json:
        print_json({**inventory, "runs": [run_values(run) for run in runs]})
    else:
        _print_inventory(inventory)
        click.echo("\nlast runs")
        print_table([run_cells(run) for run in reversed(runs)])


def run_values(run: dict[str, Any]) -> dict[str, Any]:
    """Return what matters of a run's report."""
    names = (
        "run_id",
        "command",
        "started",
        "state",
        "snapshot",
        "seconds",
        "plan",
        "documents",
        "pages",
        "reasons",
    )
    return {name: run.get(name) for name in names}


def run_cells(run: dict[str, Any]) -> list[str]:
    """Return a run as the cells of a line."""
    documents, pages, plan = run.get("documents", {}), run.get("pages", {}), run.get("plan", {})
    changes = ", ".join(
        f"{plan[name]:,} {name}" for name in ("new", "changed", "outdated", "again", "gone") if plan.get(name)
    )
    return [
        str(run["run_id"]),
        str(run.get("command", "")),
        str(run.get("state", "")),
        f"snapshot {run['snapshot']}" if run.get("snapshot") else "no snapshot",
        f"{documents.get('found', 0):,} documents ({changes or 'no changes'})",
        f"{documents.get('failed', 0) + documents.get('partial', 0):,} not ok",
        f"{pages.get('extracted', 0):,} pages",
        f"{run.get('seconds', 0):,.1f} s",
    ]


def _print_inventory(inventory: dict[str, Any]) -> None:
    from pipeline.progress import format_bytes

    documents, pages, sizes = inventory["documents"], inventory["pages"], inventory["bytes"]
    click.echo(f"snapshot {inventory['snapshot']} of {inventory['created']}, run {inventory['run_id']}")
    states = ", ".join(f"{documents[state]:,} {state}" for state in ("ok", "partial", "failed"))
    click.echo(f"documents  {documents['total']:,}: {states}")
    if inventory["repaired"]:
        click.echo(f"           {inventory['repaired']:,} repaired: pages or text may be missing")
    for reason, count in inventory["reasons"].items():
        click.echo(f"           {count:,} {reason}")
    flags = "".join(f", {count:,} {flag}" for flag, count in inventory["flags"].items())
    waiting = f"{pages['unfinished']:,} of unfinished documents, " if pages["unfinished"] else ""
    click.echo(f"pages      {pages['live']:,} live, {waiting}{pages['dead']:,} dead{flags}")
    click.echo(f"parts      {inventory['parts']:,}, index of {inventory['segments']:,} segments")
    for name, size in sizes.items():
        click.echo(f"{name:<10} {format_bytes(size)}")
