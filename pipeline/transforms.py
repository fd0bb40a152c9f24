"""The stages of a run as Beam transforms: wiring only, the work is in the modules they call.

In: a collection of FoundFile. Out: the run's staging folder holds what was planned and the list of the
parts written. Only Create, FlatMap, ParDo, GroupByKey and Reshuffle are used, so that any runner can
execute the graph; results return through files.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import apache_beam as beam  # noqa: TID253 - loaded by ingest alone
from apache_beam.transforms.window import GlobalWindow  # noqa: TID253
from apache_beam.utils.shared import Shared  # noqa: TID253
from apache_beam.utils.timestamp import MIN_TIMESTAMP  # noqa: TID253
from apache_beam.utils.windowed_value import WindowedValue  # noqa: TID253

from pipeline.counters import RunCounters
from pipeline.fan_out import page_spans
from pipeline.pool import WorkerPool
from pipeline.records import FoundFile, PageSpan, PartSummary, PlannedDocument
from pipeline.remote import LocalCopies
from pipeline.runner import worker_count
from pipeline.segments import build_segment, part_groups
from pipeline.settings import Settings
from pipeline.staging import ProgressLog, Staging, json_summary, summary_json
from pipeline.writer import PartWriter


@dataclass(frozen=True)
class StageContext:
    """What every stage of a run must know; it crosses to the workers, so it holds values only."""

    store: str
    run_id: str
    extraction_id: str
    settings: Settings
    passwords: tuple[str, ...] = ()

    workers: Shared = field(default_factory=Shared)
    """The key to the pool of workers that all stages in a process use."""

    @property
    def staging(self) -> Staging:
        """The run's own folder."""
        return Staging(self.store, self.run_id)

    def pool(self) -> WorkerPool:
        """Return this process's pool of workers."""
        pool: WorkerPool = self.workers.acquire(lambda: WorkerPool(self.settings, self.passwords))
        return pool


class PlanDocuments(beam.DoFn):  # type: ignore[misc]
    """FoundFile to (doc_id, PlannedDocument): hash and open in the child.

    What fails goes to the staging alone.
    """

    def __init__(self, context: StageContext) -> None:
        self._context = context

    def setup(self) -> None:
        """Find the workers; a child starts with the first file."""
        self._staging = self._context.staging
        self._pool = self._context.pool()
        self._copies = LocalCopies(self._staging.folder / "copies")
        self._progress = ProgressLog(self._staging)
        self._planned: list[PlannedDocument] = []

    def process(self, found: FoundFile) -> Iterator[tuple[str, PlannedDocument]]:
        """Plan one file."""
        if self._staging.stopping:
            return
        local = replace(found, path=self._copies.path_of(found.path))
        with self._pool.lend() as worker:
            planned = replace(worker.plan(local), path=found.path)
        self._planned.append(planned)
        self._progress.add(
            documents=1,
            bytes=found.size,
            planned_pages=planned.pages,
            failed_documents=int(bool(planned.reason)),
        )
        if planned.doc_id is not None and planned.reason is None:
            yield planned.doc_id, planned

    def finish_bundle(self) -> None:
        """Leave what was planned in the staging folder."""
        if self._planned:
            self._staging.write_documents(self._planned)
            self._planned = []
        self._copies.clear()

    def teardown(self) -> None:
        """End the children."""
        self._pool.close()


class SpanPages(beam.DoFn):  # type: ignore[misc]
    """(doc_id, documents of that content) to the spans of pages that the store does not hold yet."""

    def __init__(self, context: StageContext) -> None:
        self._context = context

    def setup(self) -> None:
        """Read which pages are known."""
        self._known = self._context.staging.read_known()
        self._progress = ProgressLog(self._context.staging)

    def process(self, keyed: tuple[str, Iterable[PlannedDocument]]) -> Iterator[PageSpan]:
        """Cut the document's first path; its copies share the rows."""
        doc_id, documents = keyed[0], sorted(keyed[1], key=lambda document: document.path)
        spans = list(
            page_spans(documents[0], self._known.get(doc_id, []), self._context.settings.run.span_pages)
        )
        missing = sum(span.last - span.first + 1 for span in spans)
        self._progress.add(known_pages=sum(document.pages for document in documents) - missing)
        yield from spans


class ExtractPages(beam.DoFn):  # type: ignore[misc]
    """PageSpan to PartSummary: extract in the child and write parts; only their names travel on."""

    def __init__(self, context: StageContext) -> None:
        self._context = context

    def setup(self) -> None:
        """Find the workers, make the writer."""
        context = self._context
        self._staging = context.staging
        self._pool = context.pool()
        self._copies = LocalCopies(self._staging.folder / "copies")
        self._writer = PartWriter(Path(context.store), context.extraction_id, context.settings.parts)
        self._progress = ProgressLog(self._staging)
        self._counters = RunCounters()

    def process(self, span: PageSpan) -> Iterator[PartSummary]:
        """Extract one span, unless the run is being stopped."""
        if self._staging.stopping:
            return
        done = failed = 0
        local = replace(span, path=self._copies.path_of(span.path))
        with self._pool.lend() as worker:
            for page in worker.extract(local):
                done, failed = done + 1, failed + (page.row["status"] != "ok")
                self._counters.add_page(page.row)
                yield from self._writer.add(page)
                if self._staging.stopping:
                    break
        self._progress.add(pages=done, failed_pages=failed)

    def finish_bundle(self) -> Iterator[WindowedValue]:
        """Write what is left as a part."""
        self._copies.clear()
        for summary in self._writer.flush():
            yield WindowedValue(summary, MIN_TIMESTAMP, [GlobalWindow()])

    def teardown(self) -> None:
        """End the children."""
        self._pool.close()


class GroupParts(beam.DoFn):  # type: ignore[misc]
    """All summaries, as JSON, to lists of those whose parts become one index segment."""

    def __init__(self, context: StageContext) -> None:
        self._context = context

    def process(self, keyed: tuple[int, Iterable[dict[str, Any]]]) -> Iterator[list[dict[str, Any]]]:
        """Group the parts, so that every worker has a segment to build where there are pages enough."""
        by_stem = {summary["stem"]: summary for summary in keyed[1]}
        workers = worker_count(self._context.settings.run.workers)
        for group in part_groups(Path(self._context.store), by_stem, workers):
            yield [by_stem[stem] for stem in group]


class BuildSegments(beam.DoFn):  # type: ignore[misc]
    """Summaries of parts to themselves, after their index segment was built from the parts' Parquet rows."""

    def __init__(self, context: StageContext) -> None:
        self._context = context

    def setup(self) -> None:
        """Find the workers."""
        self._pool = self._context.pool()

    def process(self, group: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
        """Build the segment of some parts."""
        stems = [summary["stem"] for summary in group]
        with self._pool.lend() as worker:
            build_segment(worker, Path(self._context.store), self._context.staging, stems)
        yield from group

    def teardown(self) -> None:
        """End the children."""
        self._pool.close()


class WriteResults(beam.DoFn):  # type: ignore[misc]
    """All summaries to the staging's list of finished parts: the pipeline's last act."""

    def __init__(self, context: StageContext) -> None:
        self._context = context

    def process(self, keyed: tuple[int, Iterable[dict[str, Any]]]) -> None:
        """Write the list, sorted, each part once."""
        by_stem = {summary["stem"]: summary for summary in keyed[1]}
        self._context.staging.write_result([by_stem[stem] for stem in sorted(by_stem)])


def build_graph(pipeline: beam.Pipeline, files: list[FoundFile], context: StageContext) -> None:
    """Wire the stages; files come in order of falling cost, since stages are cut once and dealt in order."""
    planned = (
        pipeline
        | "ListFiles" >> beam.Create(files)
        | "PlanDocuments" >> beam.ParDo(PlanDocuments(context)).with_output_types(tuple[str, PlannedDocument])
    )
    parts = (
        planned
        | "GroupCopies" >> beam.GroupByKey()
        | "SpanPages" >> beam.ParDo(SpanPages(context)).with_output_types(PageSpan)
        | "SpreadSpans" >> beam.Reshuffle()
        | "ExtractPages" >> beam.ParDo(ExtractPages(context)).with_output_types(PartSummary)
    )
    _ = (
        parts
        | "SummariesToOneKey"
        >> beam.Map(lambda summary: (0, summary_json(summary))).with_output_types(tuple[int, dict[str, Any]])
        | "GatherSummaries" >> beam.GroupByKey()
        | "GroupParts" >> beam.ParDo(GroupParts(context)).with_output_types(list[dict[str, Any]])
        | "SpreadGroups" >> beam.Reshuffle()
        | "BuildSegments" >> beam.ParDo(BuildSegments(context)).with_output_types(dict[str, Any])
        | "ToOneKey" >> beam.Map(lambda summary: (0, summary)).with_output_types(tuple[int, dict[str, Any]])
        | "GatherParts" >> beam.GroupByKey()
        | "WriteResults" >> beam.ParDo(WriteResults(context))
    )


def summaries(staging: Staging) -> list[PartSummary]:
    """Return the parts that the run has finished."""
    return [json_summary(value) for value in staging.read_result()]
