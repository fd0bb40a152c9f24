"""Posting lists of many terms at once, from columns to the on-disk format of Whoosh's codec 3.

In: the postings of terms, as columns. Out: posting lists and term records, also as columns. `postings` says what they
look like, and reads them. No term has a step of Python of its own, but those whose blocks are deflated. It must not
know fields or files.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from indexing.postings import MAGIC, Ints, bytes_opcode, encode_gaps
from indexing.ragged import Bytes, Column, Int64s, Ragged, join_rows, offsets, ragged

BLOCK: Final = 1024
"""Postings a block. Whoosh writes 128; fewer blocks are smaller and read faster, and readers take any number."""

COMPRESS_FROM: Final = 120
"""Bytes from which deflating a block pays."""

_LEVEL: Final = 4
_WINDOW: Final = 13
"""Logarithm of deflate's window. Most blocks are a few hundred bytes, and setting up a large window costs more time
than deflating them."""

_MEMORY: Final = 6
_DOCUMENTS: Final = np.dtype(
    [
        ("inline", "u1"), ("weight", ">f4"), ("documents", ">u4"), ("shortest", "u1"), ("longest", "u1"),
        ("greatest", ">f4"), ("first", ">u4"), ("last", ">u4"),
    ]
)  # fmt: skip
_PLACED: Final = np.dtype([*_DOCUMENTS.descr, ("offset", ">i8"), ("length", ">i4")])


@dataclass(frozen=True, slots=True)
class TermColumns:
    """The postings of some terms, in the order of terms.

    Attributes:
        terms: UTF-8, rising.
        bounds: where the postings of each term start, and where those of the last one end, int64.
        documents: document number of each posting, rising in each term, int32.
        weights: number of occurrences in each, int32.
        values: pickled value of each (`encode_values`), or None for a field without positions.
    """

    terms: Sequence[bytes]
    bounds: Int64s
    documents: Ints
    weights: Ints
    values: Ragged | None


@dataclass(frozen=True, slots=True)
class EncodedTerms:
    """What the files hold of some terms: their posting lists end to end, and the record of each for the term table."""

    lists: Bytes
    records: Ragged


def encode_terms(columns: TermColumns, offset: int, lengths: bytes) -> EncodedTerms:
    """Encode terms, at least one, each with at least one posting.

    Args:
        columns: their postings.
        offset: where in the posting file the first list will start.
        lengths: length byte of each document of the segment in this field, or empty.
    """
    counts = np.diff(columns.bounds)
    inline = (counts == 1) if columns.values is not None else np.zeros(len(counts), np.bool_)
    facts = _summarize(columns, counts, lengths)
    lists = _encode_lists(columns, ~inline, lengths)
    sizes = lists.lengths
    placed = np.zeros(len(sizes), _PLACED)
    for name in _DOCUMENTS.names or ():
        placed[name] = facts[name][~inline]
    placed["offset"] = offset + np.cumsum(sizes) - sizes
    placed["length"] = sizes
    records = [Column(_as_bytes(placed), ~inline), *_encode_inline(columns, facts, inline)]
    return EncodedTerms(lists.data, join_rows(len(counts), records))


def _encode_inline(
    columns: TermColumns, facts: npt.NDArray[np.void], inline: npt.NDArray[np.bool_]
) -> list[Column]:
    """Encode the records of terms with one posting, as half of all terms have: it is part of the record."""
    if columns.values is None or not inline.any():
        return []
    alone = facts[inline]
    alone["inline"] = 1
    postings = columns.bounds[:-1][inline]
    chosen = np.zeros(len(columns.documents), np.bool_)
    chosen[postings] = True
    return [
        Column(_as_bytes(alone), inline),
        Column(encode_numbers(columns.documents[postings]), inline),
        Column(b"\x85", inline),
        Column(encode_numbers(columns.weights[postings]), inline),
        Column(b"\x85", inline),
        Column(columns.values.among(chosen), inline),
        Column(b"\x85\x87.", inline),
    ]


def _as_bytes(records: npt.NDArray[np.void]) -> Bytes:
    return records.view(np.uint8).reshape(len(records), records.dtype.itemsize)


def _summarize(columns: TermColumns, counts: Int64s, lengths: bytes) -> npt.NDArray[np.void]:
    """Return what a term's record says of all its postings."""
    starts = columns.bounds[:-1]
    facts = np.zeros(len(counts), _DOCUMENTS)
    facts["weight"] = np.add.reduceat(columns.weights, starts, dtype=np.int64)
    facts["documents"] = counts
    facts["greatest"] = np.maximum.reduceat(columns.weights, starts)
    facts["first"] = columns.documents[starts]
    facts["last"] = columns.documents[columns.bounds[1:] - 1]
    if lengths:
        codes = np.frombuffer(lengths, np.uint8)[columns.documents]
        facts["shortest"] = np.minimum.reduceat(codes, starts)
        facts["longest"] = np.maximum.reduceat(codes, starts)
    return facts


def _encode_lists(columns: TermColumns, placed: npt.NDArray[np.bool_], lengths: bytes) -> Ragged:
    """Encode the posting lists of some terms; the result has one string a term."""
    all_counts = np.diff(columns.bounds)
    counts = all_counts[placed]
    if not len(counts):
        return Ragged(np.zeros(0, np.uint8), np.zeros(1, np.int64))
    chosen = np.repeat(placed, all_counts)
    documents, weights = columns.documents[chosen], columns.weights[chosen]
    values = columns.values.among(chosen) if columns.values is not None else None
    blocks = -(-counts // BLOCK)
    first = offsets(blocks)
    number = np.arange(int(first[-1])) - np.repeat(first[:-1], blocks)
    starts = np.repeat(offsets(counts)[:-1], blocks) + number * BLOCK
    bounds = np.concatenate([starts, [len(documents)]])
    bodies = _encode_bodies(documents, weights, values, bounds)
    packed = bodies.lengths >= COMPRESS_FROM
    deflated = ragged(_deflate(bodies, packed))
    heads = _encode_heads(documents, weights, bounds, packed, lengths)
    sizes = heads.lengths.copy()
    sizes[packed] += deflated.lengths
    sizes[~packed] += bodies.lengths[~packed]
    leading = number == 0
    trailing = np.concatenate([leading[1:], [True]])
    signed = np.where(trailing, -sizes, sizes).astype(">i4")
    written = [
        Column(MAGIC, leading),
        Column(signed.view(np.uint8).reshape(-1, 4)),
        Column(heads),
        Column(deflated, packed),
        Column(bodies.among(~packed), ~packed),
    ]
    return join_rows(len(starts), written).grouped(first)


def _encode_heads(
    documents: Ints, weights: Ints, bounds: Int64s, packed: npt.NDArray[np.bool_], lengths: bytes
) -> Ragged:
    """Encode the heads of the blocks that lie between `bounds`."""
    starts = bounds[:-1]
    end = np.empty((len(starts), 8), np.uint8)
    end[:] = np.frombuffer(b"K\0K\0K\0t.", np.uint8)
    end[:, 1] = packed * _LEVEL
    if lengths:
        codes = np.frombuffer(lengths, np.uint8)[documents]
        end[:, 3], end[:, 5] = np.minimum.reduceat(codes, starts), np.maximum.reduceat(codes, starts)
    columns = [
        Column(b"("),
        Column(encode_numbers(np.diff(bounds))),
        Column(encode_numbers(documents[bounds[1:] - 1])),
        Column(encode_numbers(np.maximum.reduceat(weights, starts))),
        Column(end),
    ]
    return join_rows(len(starts), columns)


def _deflate(bodies: Ragged, packed: npt.NDArray[np.bool_]) -> list[bytes]:
    data = bodies.data.data
    found = []
    for place in np.flatnonzero(packed).tolist():
        start, stop = int(bodies.starts[place]), int(bodies.starts[place + 1])
        small = stop - start < 1 << _WINDOW
        engine = zlib.compressobj(_LEVEL, zlib.DEFLATED, _WINDOW if small else 15, _MEMORY if small else 8)
        found.append(engine.compress(data[start:stop]) + engine.flush())
    return found


def _encode_bodies(documents: Ints, weights: Ints, values: Ragged | None, bounds: Int64s) -> Ragged:
    """Encode the blocks' gaps of documents, weights and values; blocks lie between `bounds`."""
    starts = bounds[:-1]
    gaps = np.diff(documents, prepend=0)
    gaps[starts] = documents[starts]
    count = len(starts)
    numbers = encode_numbers(gaps).grouped(bounds)
    columns = [Column(b"("), Column(numbers), Column(b"t"), *_encode_weights(weights, bounds)]
    if values is None:
        columns.append(Column(b"N\x87."))
    else:
        columns += [Column(b"("), Column(values.grouped(bounds)), Column(b"t\x87.")]
    return join_rows(count, columns)


def _encode_weights(weights: Ints, bounds: Int64s) -> list[Column]:
    """Encode weights as Whoosh does where they are equal, as bytes where they are small, else as numbers."""
    starts, counts = bounds[:-1], np.diff(bounds)
    top = np.maximum.reduceat(weights, starts)
    same = np.minimum.reduceat(weights, starts) == top
    ones, equal = same & (top == 1), same & (top > 1)
    small, wide = ~same & (top < 256), ~same & (top >= 256)
    short, long = small & (counts < 256), small & (counts >= 256)
    in_small, in_wide = np.repeat(small, counts), np.repeat(wide, counts)
    return [
        Column(b"N", ones),
        Column(_doubles(top[equal]), equal),
        Column(b"C", short),
        Column(counts[short].astype("u1").reshape(-1, 1), short),
        Column(b"B", long),
        Column(counts[long].astype("<u4").view(np.uint8).reshape(-1, 4), long),
        Column(Ragged(weights[in_small].astype(np.uint8), offsets(counts[small])), small),
        Column(b"(", wide),
        Column(Ragged(_doubles(weights[in_wide]).ravel(), 9 * offsets(counts[wide])), wide),
        Column(b"t", wide),
    ]


def _doubles(values: npt.NDArray[np.integer]) -> Bytes:
    """Pickle numbers as floats, nine bytes each."""
    found = np.empty((len(values), 9), np.uint8)
    found[:, 0] = ord("G")
    found[:, 1:] = values.astype(">f8").view(np.uint8).reshape(-1, 8)
    return found


def encode_numbers(values: npt.NDArray[np.integer]) -> Ragged:
    """Pickle numbers from 0 to 2**31 - 1, each in as few bytes as it takes."""
    values = np.ascontiguousarray(values, np.int32)
    widths = np.where(values < 256, 2, np.where(values < 65536, 3, 5))
    starts = offsets(widths)
    data = np.empty(int(starts[-1]), np.uint8)
    at = starts[:-1]
    data[at] = np.where(widths == 2, ord("K"), np.where(widths == 3, ord("M"), ord("J")))
    octets = values.astype("<i4").view(np.uint8).reshape(-1, 4)
    data[at + 1] = octets[:, 0]
    two = widths > 2
    if two.any():
        data[at[two] + 2] = octets[two, 1]
    four = widths > 3
    if four.any():
        data[at[four] + 3] = octets[four, 2]
        data[at[four] + 4] = octets[four, 3]
    return Ragged(data, starts)


def encode_values(places: Ints, bounds: Int64s) -> Ragged:
    """Encode the positions of postings as pickled values.

    Args:
        places: positions, rising in each posting, int32.
        bounds: where the positions of each posting start, and where those of the last one end, int64.
    """
    starts, counts = bounds[:-1], np.diff(bounds)
    gaps = np.diff(places, prepend=0)
    gaps[starts] = places[starts]
    widest = np.maximum.reduceat(gaps, starts)
    narrow = (widest < 256) & (counts < 249)
    shorts = ~narrow & (widest < 65536) & (counts < 80)
    rare = ~narrow & ~shorts
    in_narrow, in_shorts = np.repeat(narrow, counts), np.repeat(shorts, counts)
    slow = [
        bytes_opcode(encode_gaps(gaps[bounds[place] : bounds[place + 1]].tolist()))
        for place in np.flatnonzero(rare).tolist()
    ]
    few, some = counts[narrow].astype(np.uint8), counts[shorts].astype(np.uint8)
    head = np.zeros((len(few), 8), np.uint8)
    head[:, 0], head[:, 1], head[:, 5], head[:, 6], head[:, 7] = ord("C"), few + 7, few, ord("C"), few
    wider = np.zeros((len(some), 7), np.uint8)
    wider[:, 0], wider[:, 1], wider[:, 5], wider[:, 6] = ord("C"), some * 3 + 7, some, ord("(")
    triples = np.empty((int(in_shorts.sum()), 3), np.uint8)
    triples[:, 0] = ord("M")
    triples[:, 1:] = gaps[in_shorts].astype("<u2").view(np.uint8).reshape(-1, 2)
    return join_rows(
        len(counts),
        [
            Column(head, narrow),
            Column(Ragged(gaps[in_narrow].astype(np.uint8), offsets(counts[narrow])), narrow),
            Column(b".", narrow),
            Column(wider, shorts),
            Column(Ragged(triples.ravel(), 3 * offsets(counts[shorts])), shorts),
            Column(b"t.", shorts),
            Column(ragged(slow), rare),
        ],
    )


def pickle_values(values: Ragged) -> Ragged:
    """Pickle values that were read from posting lists, to be written again."""
    lengths = values.lengths
    short = lengths < 256
    return join_rows(
        len(lengths),
        [
            Column(b"C", short),
            Column(lengths[short].astype("u1").reshape(-1, 1), short),
            Column(b"B", ~short),
            Column(lengths[~short].astype("<u4").view(np.uint8).reshape(-1, 4), ~short),
            Column(values),
        ],
    )
