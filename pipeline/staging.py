"""The folder in which a run keeps what it has not committed yet.

In: the store's folder and the id of a run. Out: small files of JSON lines, written so that a repeated or a
killed bundle does no harm. It must not know what is in a part.
"""

from __future__ import annotations

import json
import shutil
import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import indexing
from pipeline.records import FailedPage, PartSummary, PlannedDocument

FOLDER = "staging"


class Staging:
    """Names and contents of a run's own folder."""

    def __init__(self, store: str | Path, run_id: str) -> None:
        self.folder = Path(store) / FOLDER / run_id

    def create(self) -> None:
        """Make the folder and those in it."""
        for name in ("documents", "progress"):
            (self.folder / name).mkdir(parents=True, exist_ok=True)

    def remove(self) -> None:
        """Delete the folder; what cannot be deleted stays for the next run's sweep."""
        shutil.rmtree(self.folder, ignore_errors=True)

    def request_stop(self) -> None:
        """Ask the workers to finish the pages in flight and to start no others."""
        (self.folder / "stop").touch()

    @property
    def stopping(self) -> bool:
        """Whether a stop was asked for."""
        return (self.folder / "stop").exists()

    def write_known(self, known: Mapping[str, Sequence[tuple[int, int]]]) -> None:
        """Write the pages that need no extraction, as ranges (first, last) by document."""
        indexing.write_atomically(self.folder / "known.json", json.dumps(known).encode())

    def read_known(self) -> dict[str, list[list[int]]]:
        """Return what `write_known` wrote, empty where it wrote nothing."""
        try:
            content: dict[str, list[list[int]]] = json.loads((self.folder / "known.json").read_text("utf-8"))
        except FileNotFoundError:
            return {}
        return content

    def write_documents(self, documents: Iterable[PlannedDocument]) -> None:
        """Write facts on documents; the same document written twice counts once."""
        lines = "".join(json.dumps(asdict(document)) + "\n" for document in documents)
        indexing.write_atomically(self.folder / "documents" / f"{uuid.uuid4().hex}.jsonl", lines.encode())

    def read_documents(self) -> PlannedDocuments:
        """Return all facts, by path."""
        return PlannedDocuments(_lines(sorted((self.folder / "documents").glob("*.jsonl"))))

    def forget_result(self) -> None:
        """Delete the list of parts, before the stages run again over other files."""
        (self.folder / "result.json").unlink(missing_ok=True)

    def write_result(self, parts: Iterable[Mapping[str, Any]]) -> None:
        """Write the list of finished parts: the last act of the last stage."""
        indexing.write_atomically(self.folder / "result.json", json.dumps(list(parts)).encode())

    def read_result(self) -> list[dict[str, Any]]:
        """Return what `write_result` wrote; empty where the run wrote no part at all."""
        try:
            content: list[dict[str, Any]] = json.loads((self.folder / "result.json").read_text("utf-8"))
        except FileNotFoundError:
            return []
        return content


class PlannedDocuments(Mapping[str, PlannedDocument]):
    """Facts on documents by path, kept as they were written: those of a whole archive are held in memory."""

    def __init__(self, lines: Iterable[bytes] = ()) -> None:
        self._lines = {str(json.loads(line)["path"]): line for line in lines}

    def __getitem__(self, path: str) -> PlannedDocument:
        return PlannedDocument(**json.loads(self._lines[path]))

    def __iter__(self) -> Iterator[str]:
        return iter(self._lines)

    def __len__(self) -> int:
        return len(self._lines)


class ProgressLog:
    """A worker's side of the progress display: one file it alone appends to."""

    def __init__(self, staging: Staging) -> None:
        self._path = staging.folder / "progress" / f"{uuid.uuid4().hex}.jsonl"

    def add(self, **amounts: float) -> None:
        """Add to what is done: documents, pages, bytes and so on."""
        with open(self._path, "a", encoding="ascii") as log:
            log.write(json.dumps(amounts) + "\n")


class ProgressReader:
    """The driver's side: sums over the files of all workers, each read on from where it was left."""

    def __init__(self, staging: Staging) -> None:
        self._folder = staging.folder / "progress"
        self._offsets: dict[Path, int] = {}
        self.totals: dict[str, float] = {}

    def poll(self) -> dict[str, float]:
        """Return the sums so far."""
        for path in self._folder.glob("*.jsonl"):
            with open(path, "rb") as log:
                log.seek(self._offsets.get(path, 0))
                content = log.read()
            whole = content[: content.rfind(b"\n") + 1]
            self._offsets[path] = self._offsets.get(path, 0) + len(whole)
            for line in whole.splitlines():
                for name, amount in json.loads(line).items():
                    self.totals[name] = self.totals.get(name, 0) + amount
        return self.totals


def summary_json(summary: PartSummary) -> dict[str, Any]:
    """Return a part's summary as JSON values."""
    return asdict(summary)


def json_summary(value: Mapping[str, Any]) -> PartSummary:
    """Return the summary that `summary_json` turned into `value`."""
    failed = tuple(FailedPage(**page) for page in value["failed"])
    return PartSummary(value["stem"], value["pages"], value["totals"], failed)


def _lines(paths: Iterable[Path]) -> Iterator[bytes]:
    for path in paths:
        with open(path, "rb") as lines:
            yield from lines
