"""The graph on workers of another process, as a cluster would run it: nothing but files and values crosses over."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from pipeline.extraction import extraction_id
from pipeline.records import FoundFile
from pipeline.settings import RunSettings, Settings
from tests.helpers.command import environment
from tests.helpers.pdf_maker import Page, make_document

PAGES = 5


@pytest.fixture
def worker_pool() -> Iterator[str]:
    """The address of a Beam worker pool that runs in a process of its own."""
    with socket.socket() as free:
        free.bind(("localhost", 0))
        port = free.getsockname()[1]
    module = "apache_beam.runners.worker.worker_pool_main"
    path = os.pathsep.join([os.path.dirname(sys.executable), os.environ.get("PATH", "")])
    process = subprocess.Popen(
        [sys.executable, "-m", module, "--service_port", str(port)],
        env=environment(PATH=path),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        process_group=0,
    )
    _wait_for(port, process)
    yield f"localhost:{port}"
    os.killpg(process.pid, 15)
    process.wait(timeout=30)


def _wait_for(port: int, process: subprocess.Popen[bytes]) -> None:
    for _ in range(600):
        assert process.poll() is None, "the worker pool ended"
        with socket.socket() as trial:
            if trial.connect_ex(("localhost", port)) == 0:
                return
        time.sleep(0.1)
    pytest.fail("the worker pool does not listen")


def test_workers_elsewhere_write_the_same_parts(worker_pool: str, tmp_path: Path) -> None:
    import apache_beam as beam
    from apache_beam.options.pipeline_options import PipelineOptions
    from apache_beam.runners.portability.fn_api_runner.fn_runner import FnApiRunner
    from apache_beam.transforms.environments import ExternalEnvironment

    from pipeline.transforms import StageContext, build_graph, summaries

    files = []
    for name in "abc":
        path = tmp_path / f"{name}.pdf"
        pages = [Page(f"BT /F1 10 Tf 72 700 Td ({name} page {number}) Tj ET") for number in range(PAGES)]
        path.write_bytes(make_document(pages))
        files.append(FoundFile(str(path), path.stat().st_size, 0))
    files.append(FoundFile(str(tmp_path / "gone.pdf"), 1, 0))
    store = tmp_path / "store"
    settings = Settings(run=RunSettings(span_pages=2))
    context = StageContext(str(store), "a-run", extraction_id({}), settings)
    context.staging.create()
    runner = FnApiRunner(default_environment=ExternalEnvironment(worker_pool))
    pipeline = beam.Pipeline(runner=runner, options=PipelineOptions(["--direct_num_workers=2"]))
    build_graph(pipeline, files, context)
    pipeline.run().wait_until_finish()

    parts = summaries(context.staging)
    assert sum(part.totals["pages"] for part in parts) == 3 * PAGES
    assert sum(part.totals["failed"] for part in parts) == 0
    assert {
        Path(path).name: document.reason for path, document in context.staging.read_documents().items()
    } == {
        "a.pdf": None,
        "b.pdf": None,
        "c.pdf": None,
        "gone.pdf": "vanished",
    }
    for part in parts:
        for table in ("pages", "lines", "words"):
            assert (store / table / f"{part.stem}.parquet").exists()
    built = [
        json.loads(path.read_text()) for path in context.staging.folder.glob("segments/*/*.segment.json")
    ]
    assert sorted(name for segment in built for name in segment["parts"]) == sorted(
        f"{part.stem}.parquet" for part in parts
    )
