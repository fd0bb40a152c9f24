"""Every setting of the pipeline: its name, default, unit and meaning.

In: nothing. Out: frozen dataclasses, one a section of the TOML file. It must not know where values come from.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

_DAY = 86_400.0
"""The longest deadline, in seconds: clocks and locks of the system take no endless ones."""
_TERABYTE = 1_000_000
"""The largest limit on memory and files, in MB."""


def _setting(
    default: Any,
    meaning: str,
    least: float | None = None,
    most: float | None = None,
    choices: tuple[str, ...] = (),
) -> Any:
    """Return a field with its meaning, and the values that it may have: from `least` to `most`, or `choices`."""
    bounds = {"least": least, "most": most, "choices": choices}
    return field(default=default, metadata={"meaning": meaning, **bounds})


@dataclass(frozen=True)
class RunSettings:
    """How a run uses the machine."""

    workers: int = _setting(
        0, "worker threads, each with one child process; 0: one a core", least=0, most=1024
    )
    wave_documents: int = _setting(
        4000, "documents that Beam is given at a time: its memory grows with them, about 12 kB each", least=1
    )
    span_pages: int = _setting(
        24, "pages that travel together to a worker; a book is cut into spans of this size", least=1
    )


@dataclass(frozen=True)
class DiscoverSettings:
    """Which files are taken."""

    suffixes: tuple[str, ...] = _setting((".pdf",), "endings of the names taken from folders, in any case")
    archives: bool = _setting(
        False, "look into .zip files met in folders; those named as inputs are always read"
    )
    follow_symlinks: bool = _setting(
        False, "walk into folders behind symbolic links; links to files are always followed"
    )
    hidden: bool = _setting(False, "take files and folders whose names begin with a dot")
    verify: bool = _setting(
        False, "hash every file, also where size and time of change say that it is unchanged"
    )
    max_file_mb: int = _setting(
        2048, "larger files are refused with the reason too_large, in MB", least=1, most=_TERABYTE
    )


@dataclass(frozen=True)
class LimitSettings:
    """What a page and a child process may use."""

    page_seconds: float = _setting(
        30.0,
        "deadline of a page; the child is killed, the page fails with reason timeout",
        least=0.1,
        most=_DAY,
    )
    open_seconds: float = _setting(
        60.0,
        "deadline of hashing and opening a document, plus a second for every 20 MB",
        least=0.1,
        most=_DAY,
    )
    memory_mb: int = _setting(
        2048,
        "address space of a child; beyond it the page fails with reason memory, in MB",
        least=512,
        most=_TERABYTE,
    )
    recycle_documents: int = _setting(
        400, "documents after which a child is replaced by a fresh one", least=1
    )
    recycle_mb: int = _setting(
        700, "resident memory after which a child is replaced by a fresh one, in MB", least=1
    )


@dataclass(frozen=True)
class PartSettings:
    """When a Parquet part is closed: at the first of these."""

    pages: int = _setting(4000, "pages in a part, at most", least=1)
    mb: int = _setting(96, "rows held in memory by a worker before they are written, in MB", least=1)
    seconds: float = _setting(
        60.0, "age of the oldest page that is not on disk yet: what a kill can cost", least=0, most=_DAY
    )


@dataclass(frozen=True)
class GuardSettings:
    """What a run refuses to do."""

    max_delete_fraction: float = _setting(
        0.2, "refuse to drop more than this share of the documents", least=0, most=1
    )
    allow_mass_delete: bool = _setting(False, "drop documents whatever their share")


@dataclass(frozen=True)
class PasswordSettings:
    """Where passwords come from; they are never values of flags or settings."""

    file: str = _setting("", "file with one password a line, tried on every encrypted document")
    command: str = _setting("", "command whose output is such a list, run once a run")
    sidecar: bool = _setting(True, "read NAME.pdf.password beside NAME.pdf")


@dataclass(frozen=True)
class StoreSettings:
    """What the store keeps."""

    generations: int = _setting(2, "snapshots kept whole, with their parts and index", least=1)
    history: int = _setting(30, "snapshots whose documents and errors tables are kept, for `diff`", least=1)
    compact_dead_fraction: float = _setting(
        0.5, "`compact` rewrites a part with more than this share of dead pages", least=0, most=1
    )
    compact_pages: int = _setting(2000, "`compact` joins parts with fewer pages than this", least=0)


@dataclass(frozen=True)
class IndexSettings:
    """What the index holds."""

    stem: str = _setting("", "language (ISO 639-1) whose stems are indexed beside the words; none if empty")


@dataclass(frozen=True)
class OutputSettings:
    """What a run says and leaves behind."""

    log_format: str = _setting(
        "text", "text or json: the form of the lines on standard error", choices=("text", "json")
    )
    metrics_file: str = _setting("", "file for the metrics of the run, in Prometheus' text format")
    report: str = _setting("", "file for a self-contained HTML report of the run")


@dataclass(frozen=True)
class Settings:
    """All sections."""

    run: RunSettings = field(default_factory=RunSettings)
    discover: DiscoverSettings = field(default_factory=DiscoverSettings)
    limits: LimitSettings = field(default_factory=LimitSettings)
    parts: PartSettings = field(default_factory=PartSettings)
    guard: GuardSettings = field(default_factory=GuardSettings)
    passwords: PasswordSettings = field(default_factory=PasswordSettings)
    store: StoreSettings = field(default_factory=StoreSettings)
    index: IndexSettings = field(default_factory=IndexSettings)
    output: OutputSettings = field(default_factory=OutputSettings)
    extractor: Mapping[str, Any] = field(default_factory=dict)
    """Fields of extractor.Options that differ from their defaults."""
