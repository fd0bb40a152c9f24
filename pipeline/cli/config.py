"""`glyphdex config show`: every setting, its value, and where the value comes from.

In: the configuration's layers. Out: TOML with comments, or JSON. It must not change anything.
"""

from __future__ import annotations

import json
import sys
from typing import Any

import click

from pipeline.cli.common import AS_JSON, print_json


@click.group(invoke_without_command=True, short_help="Show every setting and where its value comes from.")
@click.pass_context
def command(ctx: click.Context) -> None:
    """Show the configuration: the same as `config show`."""
    if ctx.invoked_subcommand is None:
        ctx.invoke(show, config=None, as_json=False)


@command.command("show")
@click.option("--config", type=click.Path(), help="TOML file with settings.")
@AS_JSON
def show(config: str | None, as_json: bool) -> None:
    """Print every setting as TOML, with its meaning and where its value comes from."""
    from pipeline.config import ConfigError, load_config

    try:
        rows = list(load_config(config).rows())
    except ConfigError as error:
        click.echo(f"glyphdex: {error}", err=True)
        raise SystemExit(2) from error
    if as_json:
        for name, value, origin, meaning in rows:
            print_json({"name": name, "value": value, "origin": origin, "meaning": meaning})
        return
    section = ""
    for name, value, origin, meaning in rows:
        if name.split(".", 1)[0] != section:
            section = name.split(".", 1)[0]
            sys.stdout.write(f"\n[{section}]\n")
        sys.stdout.write(f"{name.split('.', 1)[1]} = {_toml(value)}  # {origin}: {meaning}\n")


def _toml(value: Any) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {_toml(item)}" for key, item in value.items()) + " }"
    return json.dumps(list(value) if isinstance(value, tuple) else value, ensure_ascii=False)
