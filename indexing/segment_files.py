"""The files of one Whoosh segment of codec 3: terms, postings, lengths, stored fields.

In: postings in the order of terms, and stored values. Out: synced files in a folder, and what a table of contents must
say of them. Written add-only and once. It must not know how the postings came about.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt

from indexing.files import sync_file
from indexing.posting_columns import TermColumns, encode_terms
from indexing.postings import dump_plain, length_scale
from indexing.term_table import TermTableWriter

if TYPE_CHECKING:
    from whoosh.codec.whoosh3 import W3Segment

INDEX_NAME: Final = "MAIN"
STORED_LEVEL: Final = 6
"""Deflate level of stored fields."""


@dataclass(frozen=True, slots=True)
class SegmentFacts:
    """What a table of contents and index.json must know of a finished segment."""

    segment_id: str
    documents: int
    field_lengths: dict[str, int]
    terms: int


@dataclass(frozen=True, slots=True)
class FieldContent:
    """One field to be written.

    Attributes:
        batches: terms in the order of their UTF-8 bytes, with their postings, some at a time.
        lengths: length of the field in each document, int32; None where scores need no length.
    """

    batches: Iterable[TermColumns]
    lengths: npt.NDArray[np.int32] | None = None


def encode_stored(values: Mapping[str, Any]) -> bytes:
    """Encode the stored fields of one document."""
    return zlib.compress(dump_plain(dict(values)), STORED_LEVEL)


def write_segment(
    folder: Path, segment_id: str, fields: Mapping[str, FieldContent], stored: Sequence[bytes]
) -> SegmentFacts:
    """Write the files of a segment into an existing folder and sync them.

    Args:
        folder: where the files go; they are named after the segment.
        segment_id: lower-case letters and digits, unique for ever.
        fields: the fields, by name.
        stored: the encoded stored fields of each document.
    """
    name = f"{INDEX_NAME}_{segment_id}"
    length_bytes: dict[str, bytes] = {}
    totals: dict[str, int] = {}
    for field_name, content in fields.items():
        if content.lengths is not None and len(content.lengths):
            length_bytes[field_name] = round_lengths(content.lengths)
            totals[field_name] = int(content.lengths.sum())
            (folder / f"{name}._{field_name}_len.col").write_bytes(length_bytes[field_name].rstrip(b"\0"))
    write_stored(folder / f"{name}._stored.col", stored)
    terms = _write_terms(folder, name, fields, length_bytes)
    for entry in os.scandir(folder):
        if entry.name.startswith(f"{name}."):
            sync_file(Path(entry.path))
    return SegmentFacts(segment_id, len(stored), totals, terms)


def round_lengths(lengths: npt.NDArray[np.int32]) -> bytes:
    """Round lengths up to the codec's scale of 256 steps."""
    codes = np.searchsorted(np.array(length_scale()), lengths, side="left")
    return np.minimum(codes, 255).astype(np.uint8).tobytes()


def write_stored(path: Path, stored: Sequence[bytes]) -> None:
    """Write the column of stored fields from its encoded values."""
    from whoosh.columns import VarBytesColumn
    from whoosh.filedb.structfile import StructFile

    with open(path, "wb") as raw:
        column = VarBytesColumn().writer(StructFile(raw, name=path.name))
        for number, value in enumerate(stored):
            column.add(number, value)
        column.finish(len(stored))


def _write_terms(
    folder: Path, name: str, fields: Mapping[str, FieldContent], lengths: Mapping[str, bytes]
) -> int:
    """Write the posting file and the term table; return the number of terms."""
    offset = 0
    with open(folder / f"{name}.pst", "wb") as lists, open(folder / f"{name}.trm", "wb") as file:
        table = TermTableWriter(
            file, {field_name: number for number, field_name in enumerate(sorted(fields))}
        )
        for number, field_name in enumerate(sorted(fields)):
            of_field = lengths.get(field_name, b"")
            for columns in fields[field_name].batches:
                encoded = encode_terms(columns, offset, of_field)
                lists.write(encoded.lists.data)
                table.add(number, columns.terms, encoded.records)
                offset += len(encoded.lists)
        table.finish()
    return len(table)


def describe_segment(facts: SegmentFacts, deleted: Sequence[int] = ()) -> W3Segment:
    """Make the entry of a segment for a table of contents, of stock classes only."""
    from whoosh.codec.whoosh3 import W3Codec, W3Segment

    segment = W3Segment(W3Codec(), INDEX_NAME, segid=facts.segment_id, doccount=facts.documents)
    segment._fieldlengths = dict(facts.field_lengths)
    if deleted:
        segment._deleted = set(deleted)
    return segment
