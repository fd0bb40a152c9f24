"""How Beam runs here: options, and a runner that never leaves this machine unasked.

In: the number of workers and the user's own Beam options. Out: pipeline options and a runner object.
Beam's default local runner would first download a Go binary, and hangs behind a firewall that swallows
packets; so the in-process runner is made here, with its options handed over the way its job service would.
A user's own `--runner` is passed on untouched.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import apache_beam as beam  # noqa: TID253 - loaded by ingest alone
from apache_beam.options.pipeline_options import PipelineOptions, StandardOptions  # noqa: TID253
from apache_beam.portability.api import beam_provision_api_pb2  # noqa: TID253
from apache_beam.runners.portability.fn_api_runner.fn_runner import (  # noqa: TID253
    ExtendedProvisionInfo,
    FnApiRunner,
)
from apache_beam.runners.portability.portable_runner import JobServiceHandle  # noqa: TID253


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


def _local_runner(options: PipelineOptions) -> Any:
    encoded = JobServiceHandle.encode_pipeline_options(options.get_all_options())
    provision = beam_provision_api_pb2.ProvisionInfo(pipeline_options=encoded)
    return FnApiRunner(provision_info=ExtendedProvisionInfo(provision))
