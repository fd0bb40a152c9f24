"""`glyphdex ingest`: the command line of a run.

In: arguments. Out: a run's summary on standard error and its exit code. It must not decide what a run does.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click


class BeamCommand(click.Command):
    """A command whose arguments after "--" are Beam's, not ours."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Keep what follows "--" apart, in ctx.obj."""
        cut = args.index("--") if "--" in args else len(args)
        ctx.obj = args[cut + 1 :]
        return super().parse_args(ctx, args[:cut])


@click.command(cls=BeamCommand)
@click.argument("inputs", nargs=-1, type=click.Path(readable=False))
@click.option(
    "--store", required=True, type=click.Path(file_okay=False, path_type=Path), help="Folder of the store."
)
@click.option("--config", type=click.Path(), help="TOML file with settings.")
@click.option(
    "--workers", type=click.IntRange(0), help="Worker threads, each with a child process; 0: all cores."
)
@click.option(
    "--files-from", metavar="FILE", help="Read paths from FILE, one a line or NUL-separated; - is stdin."
)
@click.option("--dry-run", is_flag=True, help="Say what would be done, and do nothing.")
@click.option("--verify", is_flag=True, default=None, help="Hash every file, also those that look unchanged.")
@click.option(
    "--allow-mass-delete", is_flag=True, default=None, help="Drop documents that are gone, however many."
)
@click.option("--password-file", type=click.Path(), help="File with one password a line.")
@click.option(
    "--password-command", metavar="COMMAND", help="Command that prints such a list, run without a shell."
)
@click.option(
    "--log-format", type=click.Choice(["text", "json"]), help="Form of the lines on standard error."
)
@click.option(
    "--metrics-file", type=click.Path(), help="Write the run's metrics for Prometheus to this file."
)
@click.option("--report", type=click.Path(), help="Write a self-contained HTML report to this file.")
@click.option("--json", "as_json", is_flag=True, help="Print the run's report as JSON on standard output.")
@click.pass_context
def command(
    ctx: click.Context, /, inputs: tuple[str, ...], store: Path, config: str | None, **options: Any
) -> None:
    """Bring the store up to date with INPUTS: PDF files, folders, globs and zip archives.

    Options for Apache Beam follow after "--". Exit code: 0 all well; 1 the run failed, nothing
    changed; 2 usage; 3 done, some files failed; 4 another run holds the store; 5 stopped by the
    deletion guard; 130 interrupted.
    """
    from pipeline.cli.running import SETTING_OF, Invocation, run_command

    listing = options.pop("files_from")
    listed = _listed(listing)
    flags = {setting: options.pop(name) for name, setting in SETTING_OF.items()}
    if not inputs and not listed and listing is not None:
        raise click.UsageError(f"--files-from {listing}: the list is empty.")
    if not inputs and not listed:
        raise click.UsageError("Name at least one file or folder, or use --files-from.")
    asked = Invocation(store, inputs, config, flags, beam_options=ctx.obj, listed=listed, **options)
    raise SystemExit(run_command(asked))


def _listed(files_from: str | None) -> list[str]:
    from pipeline.discover import read_list
    from pipeline.wording import reason_of

    if files_from is None:
        return []
    try:
        content = sys.stdin.buffer.read() if files_from == "-" else Path(files_from).read_bytes()
    except OSError as error:
        raise click.UsageError(f"--files-from {files_from}: {reason_of(error)}") from error
    return list(read_list(content))
