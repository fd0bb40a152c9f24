"""`glyphdex verify`: is the store what it says it is?

In: a store. Out: every fault, one a line; exit code 1 where there is one. It must not change the store.
"""

from __future__ import annotations

from pathlib import Path

import click

from pipeline.cli.common import AS_JSON, STORE, plain_errors, print_json


@click.command(short_help="Check a store: hashes, counts, index against tables.")
@STORE
@AS_JSON
def command(store: Path, as_json: bool) -> None:
    """Check STORE: names of parts against content, tables and index against each other.

    Exit code: 0 no fault, 1 faults, 2 error.
    """
    from pipeline.verification import verify_store

    faults = []
    with plain_errors():
        for fault in verify_store(store):
            faults.append(fault)
            if not as_json:
                click.echo(fault)
    if as_json:
        print_json({"faults": faults})
    click.echo(f"{len(faults):,} faults" if faults else "no faults", err=True)
    raise SystemExit(1 if faults else 0)
