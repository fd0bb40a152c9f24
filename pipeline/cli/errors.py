"""`glyphdex errors`: what failed and why, grouped by cause.

In: a store. Out: a list for people, or JSON lines. It must not change the store.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import click

from pipeline.cli.common import AS_JSON, STORE, plain_errors, print_json, print_table

_SHOWN = 20


def _print_codes(ctx: click.Context, _parameter: click.Parameter, value: bool) -> None:
    """Print what every reason and flag means, and end."""
    from pipeline.reasons import DOCUMENT_FLAGS, FLAGS, PASSED_OVER, REASONS

    if not value or ctx.resilient_parsing:
        return
    meanings = {code: reason.meaning for code, reason in REASONS.items()}
    tables = {"reasons": meanings, "passed over": PASSED_OVER, "flags": {**FLAGS, **DOCUMENT_FLAGS}}
    for name, table in tables.items():
        click.echo(name)
        print_table([[f"  {code}", meaning] for code, meaning in table.items()])
    ctx.exit()


@click.command(short_help="List what failed, with the reason.")
@click.option(
    "--codes",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_print_codes,
    help="Explain every code.",
)
@STORE
@AS_JSON
@click.option("--reason", metavar="CODE", help="Only this reason.")
@click.option(
    "--flag",
    metavar="FLAG",
    help="List pages with this flag instead, for example needs_ocr or garbled; repaired lists documents.",
)
@click.option("--all", "show_all", is_flag=True, help=f"Print every line, not {_SHOWN} of each reason.")
def command(store: Path, as_json: bool, reason: str | None, flag: str | None, show_all: bool) -> None:
    """List what failed in STORE, grouped by reason; --json prints an object a line."""
    from pipeline.flagged import flagged_pages
    from pipeline.reasons import DOCUMENT_FLAGS, FLAGS, REASONS
    from pipeline.store import live_snapshot_or_fail, read_rows

    if flag is not None:
        _refuse_unknown("flag", flag, {**FLAGS, **DOCUMENT_FLAGS})
    with plain_errors():
        snapshot = live_snapshot_or_fail(store)
        rows: list[Mapping[str, Any]] = []
        rows += flagged_pages(store, snapshot, flag) if flag else read_rows(store, snapshot, "errors")
    if reason is not None and not flag:
        _refuse_unknown("reason", reason, {*REASONS, *(row["reason"] for row in rows)})
    rows = [row for row in rows if reason is None or row["reason"] == reason]
    rows.sort(key=lambda row: (row["path"], -1 if row["page_index"] is None else row["page_index"]))
    if as_json:
        for row in rows:
            print_json(_values(row))
    else:
        _print_groups(rows, None if show_all else _SHOWN)


def _refuse_unknown(kind: str, code: str, known: Iterable[str]) -> None:
    """Refuse a code that is in no table: an empty list would say that there is no such failure."""
    from pipeline.wording import nearest

    if code not in known:
        hint = nearest(code, known) or f"; known are {', '.join(sorted(known))}"
        raise click.UsageError(f"there is no {kind} {code!r}{hint}")


def _values(row: Mapping[str, Any]) -> dict[str, Any]:
    page = None if row["page_index"] is None else row["page_index"] + 1
    return {"path": row["path"], "page": page, "reason": row["reason"], "message": row["message"]}


def _print_groups(rows: list[Mapping[str, Any]], most: int | None) -> None:
    from pipeline.paths import shown
    from pipeline.reasons import DOCUMENT_FLAGS, FLAGS, REASONS

    explained = {**{code: item.meaning for code, item in REASONS.items()}, **FLAGS, **DOCUMENT_FLAGS}
    groups: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for row in rows:
        groups[row["reason"]].append(row)
    for reason, members in sorted(groups.items(), key=lambda item: (-len(item[1]), item[0])):
        documents = len({row["path"] for row in members})
        known = explained.get(reason, "")
        click.echo(
            f"{reason}: {len(members):,} in {documents:,} documents" + (f" ({known})" if known else "")
        )
        for row in members[:most]:
            page = "" if row["page_index"] is None else f" page {row['page_index'] + 1}"
            message = f": {shown(row['message'])}" if row["message"] else ""
            click.echo(f"  {shown(row['path'])}{page}{message}")
        if most is not None and len(members) > most:
            click.echo(f"  ... {len(members) - most:,} more; --all shows them")
    if not rows:
        click.echo("Nothing.", err=True)
