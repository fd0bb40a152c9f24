"""How Beam runs here: options, and a runner that never leaves this machine unasked.

In: the number of workers and the user's own Beam options. Out: pipeline options and a runner object.
Beam's default local runner would first download a Go binary, and hangs behind a firewall that swallows
packets; so the in-process runner is made here, with its options handed over the way its job service would.
A user's own `--runner` is passed on untouched.
"""

from __future__ import annotations

import argparse
import difflib
import os
from collections.abc import Sequence
from typing import Any, NoReturn

import apache_beam as beam  # noqa: TID253 - loaded by ingest alone
from apache_beam.options.pipeline_options import PipelineOptions, StandardOptions  # noqa: TID253
from apache_beam.portability.api import beam_provision_api_pb2  # noqa: TID253
from apache_beam.runners.portability.fn_api_runner.fn_runner import (  # noqa: TID253
    ExtendedProvisionInfo,
    FnApiRunner,
)
from apache_beam.runners.portability.portable_runner import JobServiceHandle  # noqa: TID253
from apache_beam.runners.runner import create_runner  # noqa: TID253

from pipeline.records import BeamOptionError

_JOB_SERVICES = {"portablerunner", "flinkrunner", "sparkrunner", "prismrunner"}
"""Runners whose job service may know options that Beam's Python side does not."""


class _OptionParser(argparse.ArgumentParser):
    """Knows all options of Beam; a value that does not fit is an exception."""

    def __init__(self) -> None:
        super().__init__(prog="Apache Beam", add_help=False, allow_abbrev=False, conflict_handler="resolve")
        for kind in PipelineOptions.__subclasses__():
            kind._add_argparse_args(self)

    def error(self, message: str) -> NoReturn:
        """Refuse a value."""
        raise BeamOptionError(f"Apache Beam: {message}")


def check_options(beam_options: Sequence[str]) -> None:
    """Raise BeamOptionError for an option that Beam would pass over without a word."""
    parser = _OptionParser()
    known, unknown = parser.parse_known_args(list(beam_options))
    _check_runner(known.runner)
    if not unknown or str(known.runner).rsplit(".", 1)[-1].lower() in _JOB_SERVICES:
        return
    name = unknown[0].split("=", 1)[0]
    options = [option for action in parser._actions for option in action.option_strings]
    close = difflib.get_close_matches(name, options, n=1, cutoff=0.6)
    hint = f"; did you mean {close[0]}?" if close else ""
    raise BeamOptionError(f"Apache Beam knows no option {name}{hint}")


def _check_runner(name: str | None) -> None:
    if name is None:
        return
    try:
        create_runner(name)
    except (ValueError, ImportError, AttributeError) as error:
        raise BeamOptionError(f"Apache Beam: {error}") from error


def worker_count(workers: int) -> int:
    """Return the number of worker threads; 0 asks for one for each core this process may use."""
    return workers if workers > 0 else len(os.sched_getaffinity(0))


def make_pipeline(workers: int, beam_options: Sequence[str]) -> beam.Pipeline:
    """Return an empty pipeline on the in-process runner, or on the one that `beam_options` name."""
    given = PipelineOptions(list(beam_options))
    if given.view_as(StandardOptions).runner:
        return beam.Pipeline(options=given)
    defaults = [f"--direct_num_workers={worker_count(workers)}", "--direct_running_mode=multi_threading"]
    options = PipelineOptions([*defaults, *beam_options])
    return beam.Pipeline(runner=_local_runner(options), options=options)


def is_local(beam_options: Sequence[str]) -> bool:
    """Tell whether the graph runs in this process: no runner is named."""
    return not PipelineOptions(list(beam_options)).view_as(StandardOptions).runner


def _local_runner(options: PipelineOptions) -> Any:
    encoded = JobServiceHandle.encode_pipeline_options(options.get_all_options())
    provision = beam_provision_api_pb2.ProvisionInfo(pipeline_options=encoded)
    return FnApiRunner(provision_info=ExtendedProvisionInfo(provision))
