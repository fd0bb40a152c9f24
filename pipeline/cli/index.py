"""`glyphdex index`: rebuild, check or describe the index of a store.

In: a store. Out: a new index made from the tables, or facts about the one there is. No PDF is needed.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from pipeline.cli.common import AS_JSON, STORE, plain_errors, print_json


@click.group(short_help="Rebuild, check or describe the index of a store.")
def command() -> None:
    """Work on the index of a store."""


@command.command("rebuild")
@STORE
@click.option("--config", type=click.Path(), help="TOML file with settings.")
@click.option(
    "--if-needed", is_flag=True, help="Only where the index is missing, damaged or of another version."
)
def rebuild(store: Path, config: str | None, if_needed: bool) -> None:
    """Make the index of STORE anew from its tables; no PDF is read."""
    from pipeline.analysis import index_analysis
    from pipeline.config import load_config
    from pipeline.store import index_opens
    from pipeline.upkeep import rebuild_index

    with plain_errors():
        settings = load_config(config).settings
        if if_needed and index_opens(store, index_analysis(settings.index)):
            click.echo("The index is as it should be.", err=True)
            return
        snapshot = rebuild_index(store, settings, _say)
    click.echo(f"{snapshot.totals['pages']:,} pages indexed, snapshot {snapshot.number}", err=True)


@command.command("check")
@STORE
def check(store: Path) -> None:
    """Check that the index of STORE opens and agrees with the tables; exit code 1 where it does not."""
    from pipeline.verification import check_index

    with plain_errors():
        faults = list(check_index(store))
    for fault in faults:
        click.echo(fault)
    click.echo(f"{len(faults):,} faults" if faults else "no faults", err=True)
    raise SystemExit(1 if faults else 0)


@command.command("info")
@STORE
@AS_JSON
def describe(store: Path, as_json: bool) -> None:
    """Describe the index of STORE: generation, segments, pages, bytes."""
    import indexing

    with plain_errors():
        snapshot = indexing.read_current(store)
        if snapshot.index is None:
            raise indexing.StoreError(f"{store} has no index", "no_index")
        head = json.loads((store / snapshot.index / "index.json").read_text("utf-8"))
    facts = _facts(snapshot.index, head)
    if as_json:
        print_json(facts)
        return
    for name, value in facts.items():
        if name != "segments":
            click.echo(f"{name:<12} {value}")
    for segment in facts["segments"]:
        click.echo(
            f"segment      {segment['segment_id']}  {segment['live']:,} of {segment['documents']:,} pages live"
        )


def _facts(folder: str, head: dict[str, Any]) -> dict[str, Any]:
    sizes = [entry["size"] for segment in head["segments"] for entry in segment["files"].values()]
    own = sum(entry["size"] for entry in head["files"].values())
    names = ("segment_id", "parts", "documents", "live")
    return {
        "generation": folder,
        "created": head["created"],
        "fingerprint": head["fingerprint"],
        "pages": head["totals"]["pages"],
        "deleted": head["totals"]["deleted"],
        "documents": head["totals"]["documents"],
        "bytes": sum(sizes) + own,
        "segments": [{name: segment[name] for name in names} for segment in head["segments"]],
    }


def _say(done: int, segments: int) -> None:
    click.echo(f"segment {done + 1:,} of {segments:,}", err=True)
