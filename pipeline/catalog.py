"""What the store knows about files, held against what a run has found.

In: rows of the live documents table, the files found, the scope of the inputs. Out: which files are new,
changed, outdated, to be tried again, unchanged or gone. It must not read files nor tables.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from pipeline.discover import Discovery
from pipeline.reasons import PASSING
from pipeline.records import FoundFile

Row = Mapping[str, Any]


class MassDeleteError(Exception):
    """More documents would leave the store than the guard lets go."""


@dataclass
class RunPlan:
    """What a run is to do, each file in exactly one list."""

    new: list[FoundFile] = field(default_factory=list)
    changed: list[FoundFile] = field(default_factory=list)
    outdated: list[FoundFile] = field(default_factory=list)
    """Extracted by another version of the extractor, or with other options."""
    again: list[FoundFile] = field(default_factory=list)
    """Failed before, and tried again."""
    verified: list[FoundFile] = field(default_factory=list)
    """Look unchanged, and are hashed to be sure."""
    unchanged: dict[str, Row] = field(default_factory=dict)
    gone: list[str] = field(default_factory=list)
    outside: dict[str, Row] = field(default_factory=dict)
    """In the store, and none of these inputs' business."""

    @property
    def to_read(self) -> list[FoundFile]:
        """The files that must be opened, largest first."""
        chosen = [*self.new, *self.changed, *self.outdated, *self.again, *self.verified]
        return sorted(chosen, key=lambda found: (-found.size, found.path))

    @property
    def counts(self) -> dict[str, int]:
        """The number of files in every list."""
        names = ("new", "changed", "outdated", "again", "verified", "unchanged", "gone", "outside")
        return {name: len(getattr(self, name)) for name in names}


@dataclass(frozen=True)
class PlanRules:
    """What decides beside size and time of change."""

    extraction_id: str
    verify: bool = False
    retry: bool = False
    may_open: Callable[[Row], bool] = lambda _row: False
    """Tells of a document that lacked a password whether there is one that was not tried yet."""


def make_plan(discovery: Discovery, rows: Mapping[str, Row], rules: PlanRules) -> RunPlan:
    """Sort the files found, and the rows of the store, into what is to be done with them."""
    plan = RunPlan()
    for path, found in discovery.files.items():
        row = rows.get(path)
        if row is None:
            plan.new.append(found)
        else:
            _sort_known(plan, found, row, rules)
    for path, row in rows.items():
        if path in discovery.files:
            continue
        if path in discovery.scope:
            plan.gone.append(path)
        else:
            plan.outside[path] = row
    return plan


def _sort_known(plan: RunPlan, found: FoundFile, row: Row, rules: PlanRules) -> None:
    if row["size"] != found.size or row["mtime_ns"] != found.mtime_ns:
        plan.changed.append(found)
    elif row["status"] == "failed" and row["reason"] in PASSING:
        plan.again.append(found)
    elif row["extraction_id"] != rules.extraction_id:
        plan.outdated.append(found)
    elif rules.may_open(row) or (rules.retry and row["status"] != "ok"):
        plan.again.append(found)
    elif rules.verify:
        plan.verified.append(found)
    else:
        plan.unchanged[found.path] = row


def exceeds_guard(dropped: int, stored: int, most: float) -> bool:
    """Tell whether dropping this many of the `stored` documents is more than the share `most`."""
    return dropped > most * stored


def check_guard(dropped: int, stored: int, most: float) -> None:
    """Raise MassDeleteError where more than the share `most` of the `stored` documents would be dropped."""
    if not exceeds_guard(dropped, stored, most):
        return
    raise MassDeleteError(
        f"{dropped} of the store's {stored} documents are no longer there, more than {most:.0%}. "
        "Nothing was changed. If they are meant to go, say --allow-mass-delete."
    )


def moved_candidates(plan: RunPlan, rows: Mapping[str, Row]) -> dict[str, list[str]]:
    """Return for each new file of the size of a stored document which documents those are."""
    by_size: dict[int, list[str]] = {}
    for path, row in rows.items():
        by_size.setdefault(row["size"], []).append(path)
    return {found.path: by_size[found.size] for found in plan.new if found.size in by_size}
