"""`glyphdex verify`: is the store what it says it is, and if not, the way back.

In: a store. Out: every fault, one a line; exit code 1 where there is one. It must not change the store, unless it is
told to repair it.
"""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import click

from pipeline.cli.common import AS_JSON, STORE, WAY_BACK, plain_errors, print_json

_LISTED = 20


@click.command(short_help="Check a store: hashes, counts, index against tables.")
@STORE
@AS_JSON
@click.option("--repair", is_flag=True, help="Leave out what is damaged, go on from what is whole.")
@click.option("--config", type=click.Path(), help="TOML file with settings, for --repair.")
def command(store: Path, as_json: bool, repair: bool, config: str | None) -> None:
    """Check STORE: its files against their hashes, tables and index against each other.

    Exit code: 0 no fault, 1 faults, 2 error. With --repair: 0 all mended, 3 mended, and the documents named are to be
    extracted anew by the next ingest.
    """
    if repair:
        raise SystemExit(_repair(store, config, as_json))
    from pipeline.verification import verify_store

    faults = []
    with plain_errors():
        for fault in verify_store(store):
            faults.append(fault)
            if not as_json:
                click.echo(fault)
    if as_json:
        print_json({"faults": faults})
    click.echo(f"{len(faults):,} faults; {WAY_BACK}" if faults else "no faults", err=True)
    raise SystemExit(1 if faults else 0)


def _repair(store: Path, config: str | None, as_json: bool) -> int:
    from pipeline.config import load_config
    from pipeline.repair import repair_store

    with plain_errors():
        report = repair_store(store, load_config(config).settings)
    if as_json:
        print_json(asdict(report))
    else:
        for action in report.actions:
            click.echo(action)
        _print_lost(report.lost)
    click.echo(f"snapshot {report.snapshot} is live" if report.actions else "nothing to repair", err=True)
    return 3 if report.lost else 0


def _print_lost(lost: list[str]) -> None:
    from pipeline.paths import shown

    if not lost:
        return
    click.echo(f"{len(lost):,} documents lost pages; the next ingest of their files extracts them anew:")
    for path in lost[:_LISTED]:
        click.echo(f"  {shown(path)}")
    if len(lost) > _LISTED:
        click.echo(
            f"  ... {len(lost) - _LISTED:,} more; `glyphdex errors STORE --reason lost --all` lists them"
        )
