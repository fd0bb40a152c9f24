"""The index of documents beside the index of pages: titles, authors, paths, dates.

In: the live rows of the `documents` table, one a path. Out: a small Whoosh index with one entry a document, in the
order of their paths, and its numbers as columns. It is made anew for every generation, so that a renamed, copied or
retitled file touches no page. It must not know how the pages are indexed.

A document is a (doc_id, extraction_id) and may live under several paths; a hit names them all.
"""

from __future__ import annotations

import datetime
import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any, Final

import numpy as np

from indexing.analyzer import Analysis, stemmer
from indexing.files import encode_json
from indexing.inversion import Inverter
from indexing.schema import DOCUMENT_EXACT_FIELDS, DOCUMENT_TEXT_FIELDS
from indexing.segment_files import FieldContent, SegmentFacts, encode_stored, write_segment

Key = tuple[str, str]
NUMBERS: Final = ("pages", "year", "created", "modified", "mtime", "size")
"""Columns of the documents' numbers, int64; dates in seconds since 1970, UTC; -2**62 for unknown."""

UNKNOWN: Final = -(2**62)


@dataclass(frozen=True, slots=True)
class DocumentEntry:
    """All that is known of one live document."""

    key: Key
    paths: tuple[str, ...]
    row: Mapping[str, Any]


def collect_documents(rows: Iterable[Mapping[str, Any]]) -> list[DocumentEntry]:
    """Group live rows by document, sorted by first path; rows without pages (failed) are left out."""
    paths: dict[Key, list[str]] = {}
    first: dict[Key, Mapping[str, Any]] = {}
    for row in rows:
        if row["status"] == "failed":
            continue
        key = (row["doc_id"], row["extraction_id"])
        paths.setdefault(key, []).append(row["path"])
        if key not in first or row["path"] < first[key]["path"]:
            first[key] = row
    entries = [DocumentEntry(key, tuple(sorted(paths[key])), row) for key, row in first.items()]
    return sorted(entries, key=lambda entry: (entry.paths, entry.key))


def write_documents(folder: Path, entries: list[DocumentEntry], analysis: Analysis) -> SegmentFacts:
    """Write the document index into an existing, empty folder."""
    stem = stemmer(analysis.stem)
    texts = {name: Inverter(stem) for name in DOCUMENT_TEXT_FIELDS}
    exact = {name: Inverter() for name in DOCUMENT_EXACT_FIELDS}
    stored: list[bytes] = []
    numbers = np.full((len(entries), len(NUMBERS)), UNKNOWN, np.int64)
    content = hashlib.sha256()
    records = list(map(_record, entries))
    for name, inverter in texts.items():
        inverter.add_texts([_field_text(name, record) for record in records])
    for number, (entry, record) in enumerate(zip(entries, records, strict=True)):
        exact["doc"].add_exact([entry.key[0]])
        exact["lang"].add_exact(_languages(record["lang"]))
        encoded = encode_stored({"record": record})
        content.update(encoded)
        stored.append(encoded)
        numbers[number] = [record[name] if record[name] is not None else UNKNOWN for name in NUMBERS]
    np.save(folder / "numbers.npy", numbers, allow_pickle=False)
    (folder / "keys.json").write_bytes(encode_json({"keys": [entry.key for entry in entries]}))
    fields = {name: FieldContent(inverter.batches(), inverter.lengths()) for name, inverter in texts.items()}
    fields |= {name: FieldContent(inverter.batches(positions=False)) for name, inverter in exact.items()}
    return write_segment(folder, content.hexdigest()[:20], fields, stored)


def _record(entry: DocumentEntry) -> dict[str, Any]:
    """Make the stored record of a document, of plain values only."""
    row = entry.row
    created, modified = _seconds(row.get("created")), _seconds(row.get("modified"))
    date = row.get("created") or row.get("modified")
    texts = ("title", "author", "subject", "keywords", "creator", "producer", "lang")
    return {
        "doc_id": entry.key[0],
        "extraction_id": entry.key[1],
        "paths": list(entry.paths),
        **{name: row.get(name) or "" for name in texts},
        "pages": row.get("pages"),
        "size": row.get("size"),
        "mtime": row["mtime_ns"] // 10**9 if row.get("mtime_ns") is not None else None,
        "created": created,
        "modified": modified,
        "year": date.year if date is not None else None,
    }


def _seconds(moment: datetime.datetime | None) -> int | None:
    if moment is None:
        return None
    aware = moment if moment.tzinfo is not None else moment.replace(tzinfo=datetime.UTC)
    return int(aware.timestamp())


def _field_text(name: str, record: Mapping[str, Any]) -> str:
    if name == "path":
        return "\n".join(record["paths"])
    if name == "filename":
        return "\n".join(PurePosixPath(path).name for path in record["paths"])
    return str(record[name])


def _languages(tag: str) -> list[str]:
    """Return a language tag and its first part, in lower case: "en-us" is also "en"."""
    if not tag:
        return []
    low = tag.lower().replace("_", "-")
    return [low, low.split("-")[0]]
