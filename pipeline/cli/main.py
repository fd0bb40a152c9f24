"""The entry point: knows the names of the commands and loads the one that is asked for.

In: arguments. Out: an exit code. It must import nothing that costs time: `glyphdex --help` answers at once.
"""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Sequence
from typing import Any, TextIO

import click

COMMANDS = {
    "ingest": "Extract PDFs and bring the store's tables and index up to date.",
    "search": "Find pages by words, phrases and fields.",
    "page": "Show where the words of a question stand on a page.",
    "text": "Print the text of one PDF.",
    "glyphs": "List the glyphs of a page of one PDF.",
    "explain": "Show why a page's text is as it is.",
    "status": "Show what a store holds, its last runs and its sizes.",
    "errors": "List what failed, with the reason.",
    "retry": "Try the failed documents and pages of a store again.",
    "runs": "List the runs of a store.",
    "diff": "Compare two runs: documents and pages that came, went or changed.",
    "compact": "Join small parts, drop dead rows, delete old generations.",
    "verify": "Check a store: hashes, counts, index against tables.",
    "index": "Rebuild, check or describe the index of a store.",
    "config": "Show every setting and where its value comes from.",
}
"""Every command with its one-line help; the module of the same name holds a click command `command`."""


class LazyCommands(click.Group):
    """A group that knows its commands by name and imports them one at a time."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names, in the order of the table."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the module of a command."""
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f"pipeline.cli.{cmd_name}")
        command: click.Command = module.command
        return command

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; an interrupt that it does not handle itself, as while it is loaded, ends it quietly."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            click.echo("glyphdex: interrupted", err=True)
            raise SystemExit(130) from None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands from the table, so that none is imported for the help."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


def _print_version(ctx: click.Context, _parameter: click.Parameter, value: bool) -> None:
    if not value or ctx.resilient_parsing:
        return
    from importlib.metadata import PackageNotFoundError, version

    try:
        number = version("glyphdex")
    except PackageNotFoundError:
        number = "(not installed)"
    click.echo(f"glyphdex {number}")
    ctx.exit()


@click.group(
    cls=LazyCommands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100}
)
@click.option(
    "--version",
    is_flag=True,
    expose_value=False,
    is_eager=True,
    callback=_print_version,
    help="Print the version.",
)
def glyphdex() -> None:
    """Make folders of PDFs searchable: glyphs to words, words to Parquet, pages to an index."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line; ends by SystemExit, as click does."""
    _occupy_standard_files()
    if sys.stdout is None:
        click.echo("glyphdex: standard output is closed", err=True)
        raise SystemExit(2)
    _speak_utf8()
    options: dict[str, Any] = {"prog_name": "glyphdex"}
    try:
        try:
            glyphdex.main(args=arguments, **options)
        finally:
            _leave_log()
            sys.stdout.flush()
    except BrokenPipeError:
        # The reader of our output has gone (`| head`); flushing again must not make an error of it.
        sys.stderr.close()
        raise SystemExit(141) from None
    except OSError as error:
        # Commands turn the errors of their files into messages of their own; what is left is standard output.
        _leave(sys.stdout)
        click.echo(f"glyphdex: the output cannot be written: {error.strerror or error}", err=True)
        raise SystemExit(2) from None


def _occupy_standard_files() -> None:
    """Open what is closed of files 0 to 2: a file of the store must not get such a number, and stray output with it."""
    for descriptor in range(3):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest number that is free: this one


def _leave(stream: TextIO) -> None:
    """Point a stream nowhere, so that what is still buffered is not tried again at the end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _leave_log() -> None:
    """Leave what a full disk kept of the log: Python would try again when it ends, and end with a status of its own."""
    if sys.stderr is not None:
        try:
            sys.stderr.flush()
        except OSError:
            _leave(sys.stderr)


def _speak_utf8() -> None:
    """Write UTF-8 whatever the locale says, and never fail over a character."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(encoding="utf-8", errors="backslashreplace")


if __name__ == "__main__":
    main()
