"""What a run is asked to do, and what of it is refused before anything begins.

In: inputs, a store's folder, settings. Out: a request that can be done; InputError or BeamOptionError. It must not change
the store.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import indexing
from pipeline.analysis import index_analysis
from pipeline.catalog import PlanRules
from pipeline.discover import InputError, Listed
from pipeline.extraction import extraction_id
from pipeline.passwords import NewPasswords
from pipeline.paths import path_text, shown
from pipeline.progress import quiet_libraries
from pipeline.settings import Settings
from pipeline.store import Row
from pipeline.sweep import is_of_store

NAMED = 20
"""Paths of a list that a report names; a list can be as long as an archive."""


@dataclass(frozen=True)
class IngestRequest:
    """What a run is asked to do."""

    store: Path
    inputs: Sequence[str]
    settings: Settings
    beam_options: Sequence[str] = ()
    retry: bool = False
    """Try again what failed, also where nothing has changed."""
    command: str = "ingest"
    listed: Sequence[str] = ()
    """Paths of a list, which are no patterns and may have vanished since."""


def check_request(request: IngestRequest) -> None:
    """Refuse what cannot be meant."""
    extraction_id(request.settings.extractor)  # these say what is wrong with options and settings
    index_analysis(request.settings.index)
    _refuse_own_input(request)
    _refuse_folder_of_others(request.store)
    _check_beam_options(request)


def _refuse_own_input(request: IngestRequest) -> None:
    """Refuse a folder as both input and store: the store's files would stand among the user's."""
    for given in (*request.inputs, *request.listed):
        if os.path.realpath(given) == os.path.realpath(request.store):
            raise InputError(
                f"{given} is the input and cannot be the store too: name a folder of its own, such as {given}/store"
            )


def _refuse_folder_of_others(store: Path) -> None:
    """Refuse a folder that holds other files and no store: a sweep would take its Parquet files for dead ones."""
    if (store / "CURRENT").exists() or indexing.snapshot_numbers(store) or not store.is_dir():
        return
    others = sorted(path_text(name) for name in os.listdir(store) if not is_of_store(name))
    if others:
        raise InputError(
            f"{store} is not a store and holds other files ({shown(others[0])}): name a new or an empty folder"
        )


def _check_beam_options(request: IngestRequest) -> None:
    """Refuse options that Beam does not know; Beam itself passes them over."""
    if request.beam_options:
        quiet_libraries()
        from pipeline.runner import check_options

        check_options(request.beam_options)


def plan_rules(request: IngestRequest) -> PlanRules:
    """Return what decides, beside size and time of change, which files are read."""
    identity = extraction_id(request.settings.extractor)
    return PlanRules(
        identity,
        verify=request.settings.discover.verify,
        retry=request.retry,
        may_open=NewPasswords(request.settings.passwords).may_open,
    )


def listed_paths(request: IngestRequest, stored: Mapping[str, Row]) -> Listed:
    """Return the paths of the list that was given."""
    missed = [path for path, row in stored.items() if row["reason"] == "vanished"] if request.listed else []
    return Listed(request.listed, frozenset(missed))
