"""Building one Whoosh segment in memory, add-only, and writing its files.

In: documents as terms with positions, and stored values. Out: the files of a finished segment of Whoosh's codec 3,
in a folder of its own, and the segment's description for a table of contents. It must not know where the text
comes from.

Whoosh's own writer pools every posting, sorts the pool and hands it to the codec one by one. Here a dict a field
keeps the postings of each term together, in the order of documents, so that nothing is sorted but the terms.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from indexing.files import sync_file
from indexing.postings import dump_plain, encode_positions, length_scale, length_to_byte, write_term

if TYPE_CHECKING:
    from whoosh.codec.whoosh3 import W3Segment

INDEX_NAME: Final = "MAIN"
STORED_LEVEL: Final = 6
"""Deflate level of stored fields: 3 % smaller than 3 for 10 us a page."""


@dataclass(slots=True)
class TermPostings:
    """The postings of one term: rising documents, a weight each, and a value each where positions are kept."""

    documents: list[int] = field(default_factory=list)
    weights: list[int] = field(default_factory=list)
    values: list[bytes] = field(default_factory=list)


@dataclass(slots=True)
class FieldPostings:
    """One field: its terms, and the length of each document in it (empty where scores need no length)."""

    terms: dict[str, TermPostings] = field(default_factory=dict)
    lengths: list[int] = field(default_factory=list)

    def add_text(self, document: int, positions: Mapping[str, Sequence[int]]) -> int:
        """Add a document's terms with positions and return its length, the sum of its term counts."""
        terms = self.terms
        length = 0
        for term, places in positions.items():
            postings = terms.get(term)
            if postings is None:
                postings = terms[term] = TermPostings()
            count = len(places)
            length += count
            postings.documents.append(document)
            postings.weights.append(count)
            postings.values.append(encode_positions(places))
        self.lengths.append(length)
        return length

    def add_exact(self, document: int, values: Sequence[str]) -> None:
        """Add whole values, without positions."""
        for value in dict.fromkeys(values):
            postings = self.terms.setdefault(value, TermPostings())
            postings.documents.append(document)
            postings.weights.append(1)


@dataclass(frozen=True, slots=True)
class SegmentFacts:
    """What a table of contents and index.json must know of a finished segment."""

    segment_id: str
    documents: int
    field_lengths: dict[str, int]
    terms: int


def encode_stored(values: Mapping[str, Any]) -> bytes:
    """Encode the stored fields of one document."""
    return zlib.compress(dump_plain(dict(values)), STORED_LEVEL)


def write_segment(
    folder: Path, segment_id: str, fields: Mapping[str, FieldPostings], stored: Sequence[bytes]
) -> SegmentFacts:
    """Write the files of a segment into an existing folder and sync them.

    Args:
        folder: where the files go; they are named after the segment.
        segment_id: lower-case letters and digits, unique for ever.
        fields: the fields, by name.
        stored: the encoded stored fields of each document.
    """
    name = f"{INDEX_NAME}_{segment_id}"
    scale = length_scale()
    length_bytes: dict[str, bytes] = {}
    for field_name, postings in fields.items():
        if postings.lengths:
            length_bytes[field_name] = bytes(length_to_byte(length, scale) for length in postings.lengths)
            (folder / f"{name}._{field_name}_len.col").write_bytes(length_bytes[field_name].rstrip(b"\0"))
    write_stored(folder / f"{name}._stored.col", stored)
    terms = _write_terms(folder, name, fields, length_bytes)
    for entry in os.scandir(folder):
        if entry.name.startswith(f"{name}."):
            sync_file(Path(entry.path))
    lengths = {key: sum(postings.lengths) for key, postings in fields.items() if postings.lengths}
    return SegmentFacts(segment_id, len(stored), lengths, terms)


def write_stored(path: Path, stored: Sequence[bytes]) -> None:
    """Write the column of stored fields from its encoded values."""
    from whoosh.columns import VarBytesColumn
    from whoosh.filedb.structfile import StructFile

    file = StructFile(open(path, "wb"), name=path.name)
    column = VarBytesColumn().writer(file)
    for number, value in enumerate(stored):
        column.add(number, value)
    column.finish(len(stored))
    file.close()


def _write_terms(
    folder: Path, name: str, fields: Mapping[str, FieldPostings], lengths: Mapping[str, bytes]
) -> int:
    """Write the posting file and the term table; return the number of terms."""
    from whoosh.filedb.filetables import OrderedHashWriter
    from whoosh.filedb.structfile import StructFile

    table = OrderedHashWriter(StructFile(open(folder / f"{name}.trm", "wb"), name=name))
    table.extras["fieldmap"] = {field_name: number for number, field_name in enumerate(sorted(fields))}
    total = offset = 0
    with open(folder / f"{name}.pst", "wb") as file:
        for number, field_name in enumerate(sorted(fields)):
            terms = fields[field_name].terms
            prefix = number.to_bytes(2, "big")
            for term in sorted(terms):
                found = terms[term]
                record, size = write_term(
                    file, offset, found.documents, found.weights, found.values, lengths.get(field_name, b"")
                )
                table.add(prefix + term.encode(), record)
                offset += size
            total += len(terms)
    table.close()
    return total


def describe_segment(facts: SegmentFacts, deleted: Sequence[int] = ()) -> W3Segment:
    """Make the entry of a segment for a table of contents, of stock classes only."""
    from whoosh.codec.whoosh3 import W3Codec, W3Segment

    segment = W3Segment(W3Codec(), INDEX_NAME, segid=facts.segment_id, doccount=facts.documents)
    segment._fieldlengths = dict(facts.field_lengths)
    if deleted:
        segment._deleted = set(deleted)
    return segment
