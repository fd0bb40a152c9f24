"""What the commands on a store share: opening it, and saying what is wrong with it.

In: a store's folder. Out: its live snapshot, or the end of the process with one plain line. It must not
print results.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

WAY_BACK = "`glyphdex verify STORE --repair` mends what can be mended"
"""What a person is told who meets a damaged store."""
STORE = click.argument("store", type=click.Path(path_type=Path))
AS_JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


@contextmanager
def plain_errors() -> Iterator[None]:
    """Turn errors that a person can mend into one line and exit code 2."""
    import indexing
    from pipeline.config import ConfigError
    from pipeline.lock import StoreLockedError

    try:
        yield
    except StoreLockedError as error:
        click.echo(f"glyphdex: {error}", err=True)
        raise SystemExit(4) from error
    except (indexing.IndexingError, ConfigError, OSError) as error:
        click.echo(f"glyphdex: {told(error)}", err=True)
        raise SystemExit(2) from error


def told(error: Exception) -> str:
    """Return an error's message; where the store is damaged, with the way back."""
    from pipeline.wording import plain

    mendable = getattr(error, "code", None) == "damaged"
    return f"{error} ({WAY_BACK})" if mendable else plain(error)


def print_json(value: Any) -> None:
    """Print one JSON value on a line."""
    sys.stdout.write(json.dumps(value, ensure_ascii=False, default=str) + "\n")


def print_table(rows: Sequence[Sequence[str]], right: Sequence[int] = ()) -> None:
    """Print rows as columns; `right` names the columns that are aligned to the right."""
    if not rows:
        return
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        cells = [
            cell.rjust(width) if column in right else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        sys.stdout.write("  ".join(cells).rstrip() + "\n")
