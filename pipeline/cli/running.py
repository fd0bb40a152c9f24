"""What `ingest` and `retry` share: settings, the run, its summary, and an exit code for every way it can end.

In: an invocation. Out: an exit code; lines on standard error. It must not decide what a run does.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import indexing
from pipeline.catalog import MassDeleteError
from pipeline.cli.common import told
from pipeline.config import ConfigError, load_config
from pipeline.discover import InputError
from pipeline.ingest import Preview, ingest, preview
from pipeline.lock import StoreLockedError
from pipeline.passwords import PasswordSourceError
from pipeline.paths import shown
from pipeline.progress import Log
from pipeline.records import BeamOptionError, RunFailedError
from pipeline.remote import RemoteInputError
from pipeline.request import IngestRequest
from pipeline.run_report import (
    EXIT_FAILED_RUN,
    EXIT_GUARD,
    EXIT_INTERRUPTED,
    EXIT_LOCKED,
    EXIT_OK,
    EXIT_USAGE,
    RunReport,
    plan_words,
    summary_lines,
)
from pipeline.settings import Settings
from pipeline.wording import reason_of

SETTING_OF = {
    "workers": "run.workers",
    "verify": "discover.verify",
    "allow_mass_delete": "guard.allow_mass_delete",
    "password_file": "passwords.file",
    "password_command": "passwords.command",
    "log_format": "output.log_format",
    "metrics_file": "output.metrics_file",
    "report": "output.report",
}
"""Options of the command by the settings they set."""

_FAILED = ("failed", EXIT_FAILED_RUN, "the run failed, the last commit is untouched: ")
_ENDINGS: Mapping[type[Exception], tuple[str, int, str]] = {
    ConfigError: ("usage", EXIT_USAGE, ""),
    InputError: ("usage", EXIT_USAGE, ""),
    RemoteInputError: ("usage", EXIT_USAGE, ""),
    PasswordSourceError: ("usage", EXIT_USAGE, ""),
    BeamOptionError: ("usage", EXIT_USAGE, ""),
    StoreLockedError: ("locked", EXIT_LOCKED, ""),
    MassDeleteError: ("guard", EXIT_GUARD, ""),
    RunFailedError: _FAILED,
    indexing.IndexingError: _FAILED,
    OSError: _FAILED,
    ArithmeticError: _FAILED,
}
"""The errors that a person can mend: the event for logs, the exit code, what stands before the message."""


@dataclass(frozen=True)
class Invocation:
    """A run as the command line asks for it."""

    store: Path
    inputs: Sequence[str]
    config: str | None
    flags: Mapping[str, Any]
    beam_options: Sequence[str] = ()
    dry_run: bool = False
    as_json: bool = False
    retry: bool = False
    listed: Sequence[str] = ()
    """Paths of --files-from."""


def run_command(asked: Invocation) -> int:
    """Do the run and return the exit code; errors that a person can mend are one line on standard error."""
    log, settings = Log(_asked_form(asked.flags)), Settings()
    try:
        settings = load_config(asked.config, asked.flags).settings
        log = Log(settings.output.log_format)
        request = IngestRequest(
            asked.store,
            asked.inputs,
            settings,
            asked.beam_options,
            asked.retry,
            "retry" if asked.retry else "ingest",
            asked.listed,
        )
        if asked.dry_run:
            _print_plan(preview(request), asked.as_json)
            return EXIT_OK
        report = ingest(request, log)
    except tuple(_ENDINGS) as error:
        event, code, prefix = next(ending for kind, ending in _ENDINGS.items() if isinstance(error, kind))
        _tell_monitoring(settings, code)
        return _refuse(log, event, prefix + told(error), code)
    except KeyboardInterrupt:
        return _refuse(log, "interrupted", "Interrupted; the store is at its last commit.", EXIT_INTERRUPTED)
    _finish(report, settings, asked, log)
    return report.exit_code


def _asked_form(flags: Mapping[str, Any]) -> str:
    """Return the form of lines about a configuration that cannot be read: what a flag or a variable says of it."""
    return flags.get("output.log_format") or os.environ.get("GLYPHDEX_OUTPUT_LOG_FORMAT") or "text"


def _refuse(log: Log, event: str, message: str, code: int) -> int:
    prefix = "" if log.is_json else "glyphdex: "
    log.say(event, prefix + message, exit_code=code)
    return code


def _finish(report: RunReport, settings: Settings, asked: Invocation, log: Log) -> None:
    """Print the summary and write the files that were asked for."""
    lines = list(summary_lines(report))
    if log.is_json:
        log.say(
            "summary", lines[0], **{key: value for key, value in asdict(report).items() if key != "options"}
        )
    else:
        for line in lines:
            log.say("summary", line)
    if report.state == "stopped":
        log.say("resume", "Stopped before the end: run the same command again to go on where it stopped.")
    if asked.as_json:
        sys.stdout.write(json.dumps(asdict(report), ensure_ascii=False) + "\n")
    for option, name, write in (
        ("--metrics-file", settings.output.metrics_file, _write_metrics),
        ("--report", settings.output.report, _write_html),
    ):
        try:
            if name:
                write(Path(name), report, asked.store)
        except (OSError, indexing.IndexingError) as error:  # the store is committed all the same
            log.say("output", f"glyphdex: {option} {name} cannot be written: {reason_of(error)}")


def _write_metrics(path: Path, report: RunReport, _store: Path) -> None:
    from pipeline.metrics import metric_lines, write_metrics

    write_metrics(path, metric_lines(report))


def _write_html(path: Path, report: RunReport, store: Path) -> None:
    from pipeline.html_report import write_html_report

    write_html_report(path, store, report.run_id)


def _tell_monitoring(settings: Settings, code: int) -> None:
    """Let the metrics say that the run failed; where another run is going on, the file is that run's."""
    if settings.output.metrics_file and code != EXIT_LOCKED:
        from pipeline.metrics import failure_lines, write_metrics

        with contextlib.suppress(OSError):  # a full disk may be why the run failed
            write_metrics(Path(settings.output.metrics_file), failure_lines(code))


def _print_plan(expected: Preview, as_json: bool) -> None:
    """Print what a run would do."""
    plan, moves = expected.plan, expected.moves
    left = set(plan.gone)
    kinds = {
        "moved": {path: origin for path, origin in moves.items() if origin in left},
        "copied": {path: origin for path, origin in moves.items() if origin not in left},
    }
    lists: dict[str, list[str]] = {
        "new": [found.path for found in plan.new if found.path not in moves],
        "changed": [found.path for found in plan.changed],
        "outdated": [found.path for found in plan.outdated],
        "again": [found.path for found in plan.again],
        "gone": [path for path in plan.gone if path not in moves.values()],
    }
    if as_json:
        content = {**lists, **kinds, "unchanged": len(plan.unchanged), "found": expected.found}
        sys.stdout.write(json.dumps(content, ensure_ascii=False) + "\n")
        return
    for name, paths in lists.items():
        for path in sorted(paths):
            sys.stdout.write(f"{name}\t{shown(path)}\n")
    for kind, origins in kinds.items():
        for path, origin in sorted(origins.items()):
            sys.stdout.write(f"{kind}\t{shown(path)}\tfrom {shown(origin)}\n")
    changes = plan_words(plan.counts, len(moves))
    sys.stderr.write(
        f"{expected.found:,} documents found" + (f"\n  of them {changes}\n" if changes else "\n")
    )
