"""`glyphdex diff`: what changed from one run to another.

In: a store and two runs. Out: documents and pages that came, went or changed. It must not change the store.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from pipeline.cli.common import AS_JSON, STORE, plain_errors, print_json

_NAMED = 5


@click.command(short_help="Compare two runs: documents and pages that came, went or changed.")
@STORE
@click.argument("run_a", required=False)
@click.argument("run_b", required=False)
@AS_JSON
def command(store: Path, run_a: str | None, run_b: str | None, as_json: bool) -> None:
    """Compare two runs of STORE, named by run id, the beginning of one, or snapshot number.

    Without names the last two snapshots are compared. Exit code: 0 no difference, 1 differences, 2 error.
    """
    from pipeline.comparison import compare
    from pipeline.paths import shown

    with plain_errors():
        first, second = _snapshots(store, run_a, run_b)
        changes = list(compare(store, first, second))
    if as_json:
        for change in changes:
            print_json(asdict(change))
    else:
        for change in changes:
            amounts = f"{change.pages_changed} pages, +{change.words_came} -{change.words_went} words"
            if change.pages_changed is None:
                amounts = "the older run's pages are no longer kept"
            click.echo(f"{change.kind}\t{shown(change.path)}\t{amounts}, {change.status}")
    kinds = Counter(change.kind for change in changes)
    counted = ", ".join(f"{count:,} {kind}" for kind, count in kinds.items()) or "no difference"
    click.echo(f"snapshot {first.number} to {second.number}: {counted}", err=True)
    raise SystemExit(1 if changes else 0)


def _snapshots(store: Path, run_a: str | None, run_b: str | None) -> tuple[Any, Any]:
    """Return the two snapshots meant, the older one first by default."""
    import indexing

    known = indexing.kept_snapshots(store, 10_000)
    if run_a is None:
        if len(known) < 2:
            raise indexing.StoreError(
                "the store has one snapshot only; there is nothing to compare", "no_store"
            )
        return known[1], known[0]
    numbers = _numbers_of_runs(store)
    chosen = [_find(known, numbers, name) for name in (run_a, run_b) if name is not None]
    return (chosen[0], known[0]) if len(chosen) == 1 else (chosen[0], chosen[1])


def _find(known: list[Any], numbers: dict[str, Any], name: str) -> Any:
    import indexing

    kept = {snapshot.number: snapshot for snapshot in known}
    if name.isdigit() and len(name) <= 6 and int(name) in kept:
        return kept[int(name)]
    begun = [run_id for run_id in numbers if run_id.startswith(name)]
    runs = [run_id for run_id in begun if numbers[run_id] is not None] or begun
    problem = f"no run begins with {name!r}, and no snapshot that is kept has that number"
    if len({numbers[run_id] for run_id in runs}) > 1:
        problem = f"{name!r} is the beginning of {len(runs)} runs: {', '.join(runs[:_NAMED])}" + (
            ", ..." if len(runs) > _NAMED else ""
        )
    elif runs and numbers[runs[0]] is None:
        problem = f"run {runs[0]} committed nothing"
    elif runs and numbers[runs[0]] not in kept:
        problem = f"the snapshot of run {runs[0]} is no longer kept (store.history)"
    elif runs:
        return kept[numbers[runs[0]]]
    raise indexing.StoreError(f"{problem}; see `glyphdex runs STORE`", "input")


def _numbers_of_runs(store: Path) -> dict[str, Any]:
    from pipeline.run_report import read_reports

    return {report["run_id"]: report.get("snapshot") for report in read_reports(store)}
