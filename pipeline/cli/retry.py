"""`glyphdex retry`: try again what failed.

In: a store. Out: a run over its failed documents and pages. It must not touch the others.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click


@click.command(short_help="Try the failed documents and pages of a store again.")
@click.argument("store", type=click.Path(path_type=Path))
@click.option("--config", type=click.Path(), help="TOML file with settings.")
@click.option(
    "--workers", type=click.IntRange(0), help="Worker threads, each with a child process; 0: all cores."
)
@click.option("--password-file", type=click.Path(), help="File with one password a line.")
@click.option(
    "--password-command", metavar="COMMAND", help="Command that prints such a list, run without a shell."
)
@click.option(
    "--log-format", type=click.Choice(["text", "json"]), help="Form of the lines on standard error."
)
@click.option("--json", "as_json", is_flag=True, help="Print the run's report as JSON on standard output.")
def command(store: Path, config: str | None, as_json: bool, **options: Any) -> None:
    """Extract the failed documents and pages of STORE again, for example with passwords.

    Exit codes are those of ingest.
    """
    from pipeline.cli.common import plain_errors
    from pipeline.cli.running import SETTING_OF, Invocation, run_command
    from pipeline.paths import text_path
    from pipeline.store import live_snapshot_or_fail, read_rows

    with plain_errors():
        rows = read_rows(store, live_snapshot_or_fail(store), "documents")
    paths = [text_path(row["path"]) for row in rows if row["status"] != "ok"]
    if not paths:
        click.echo("Nothing in this store has failed.", err=True)
        return
    flags = {SETTING_OF[name]: value for name, value in options.items()}
    raise SystemExit(run_command(Invocation(store, paths, config, flags, as_json=as_json, retry=True)))
