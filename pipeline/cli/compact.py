"""`glyphdex compact`: fewer and fuller parts, no dead rows.

In: a store. Out: what was done, in words or JSON. It must not extract anything.
"""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import click

from pipeline.cli.common import AS_JSON, STORE, plain_errors, print_json


@click.command(short_help="Join small parts, drop dead rows, delete old generations.")
@STORE
@AS_JSON
@click.option("--config", type=click.Path(), help="TOML file with settings.")
@click.option(
    "--all", "everything", is_flag=True, help="Rewrite every part that has a dead row or is not full."
)
def command(store: Path, as_json: bool, config: str | None, everything: bool) -> None:
    """Rewrite small parts and parts with many dead rows of STORE, and delete what no kept snapshot needs."""
    from pipeline.config import load_config
    from pipeline.upkeep import compact_store

    with plain_errors():
        settings = load_config(config).settings
        flags = (
            {"store.compact_dead_fraction": 0.0, "store.compact_pages": settings.parts.pages}
            if everything
            else {}
        )
        report = compact_store(store, load_config(config, flags).settings)
    if as_json:
        print_json(asdict(report))
        return
    click.echo(f"{report.parts_before:,} parts before, {report.parts_after:,} after", err=True)
    click.echo(f"{report.dropped_pages:,} dead pages dropped", err=True)
