"""The terms of texts, for building: what `analyzer` says of them, by shorter ways for what most texts consist of.

In: texts. Out: chunks, each the same wherever it stands, and the terms of a chunk. An index is built from distinct chunks:
there are a few hundred thousand where words are millions. It must not know what an index is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from indexing.analyzer import (
    ANY_UNSEGMENTED,
    CLUSTERS,
    LETTER,
    LINK,
    LONGEST_PART,
    TOKENS,
    Slot,
    character_form,
    neighbour_term,
    slot_terms,
    token_slots,
    word_forms,
)
from indexing.characters import HAN_KANA, normal_form

TEXT_END: Final = "\x04"
"""The chunk behind those of each text."""

KEPT_BREAK: Final = "\x02"
"""A line end inside a chunk."""

EDGES: Final = "!\"$%&'()*,-./:;<=>?[\\]^_`{|}~"
"""Signs that may stand at the ends of a chunk and mean nothing there, but for a dot before a word."""

_RESERVED: Final = {2: "\x06", 4: "\x06", 5: "\x06"}
_FILLER: Final = b"\x05"
_BREAK = re.compile(f"([-\u2010\u2011\u00ad])[^\\S\\n]*+\\n\\s*+(?={LETTER})")
_RUN = re.compile(f"([{HAN_KANA}])[^\\S\\n]*+\\n\\s*+(?=[{HAN_KANA}])")
_RUN_GOES_ON = re.compile(f"\\n\\s*+[{HAN_KANA}]")
"""What `_RUN` cannot do without; it starts with a plain character, and is found six times as fast."""

Octets = npt.NDArray[np.uint8]
Int32s = npt.NDArray[np.int32]


def cut_texts(texts: Sequence[str]) -> tuple[list[str], Int32s]:
    """Cut texts at white space, but not where a word or a run of characters goes on in the next line.

    No token reaches over the end of a chunk; most chunks are a word, and come again and again. Signs that join nothing
    are left out, and signs that say the same are one sign. `TEXT_END` is a chunk behind those of each text.

    Returns:
        The distinct chunks, and which of them come one after the other, int32.
    """
    if any(sign in text for sign in (KEPT_BREAK, TEXT_END, "\x05") for text in texts):
        texts = [text.translate(_RESERVED) for text in texts]
    texts = [
        text if text.isascii() or not _RUN_GOES_ON.search(text) else _RUN.sub("\\1", text) for text in texts
    ]
    joined = _BREAK.sub(f"\\1{KEPT_BREAK}", f"\n{TEXT_END}\n".join([*texts, ""]))
    data = np.frombuffer(joined.encode("utf-8", "surrogatepass").translate(_TO_SPACES), np.uint8).copy()
    _simplify(data)
    _bare_words(data)
    return _distinct(data.tobytes().lower().translate(None, _FILLER))


_TO_SPACES: Final = bytes(32 if chr(code) in '"!$()*;<>[]^`{|}' else code for code in range(256))
"""ASCII's part of `OPEN_SIGNS`."""


def _distinct(written: bytes) -> tuple[list[str], Int32s]:
    """Split at white space, and count equal pieces once; Arrow does so in half the time of a dictionary."""
    import pyarrow as pa

    data = np.frombuffer(written, np.uint8)
    inside = _KINDS[data] & _SPACE == 0
    # The end of the last text is white space: what starts ends.
    edges = np.flatnonzero(np.concatenate([inside[:1], inside[1:] != inside[:-1]]))
    ends = np.cumsum(edges[1::2] - edges[::2], dtype=np.int32)
    buffers = [None, pa.py_buffer(np.concatenate([[np.int32(0)], ends])), pa.py_buffer(data[inside])]
    found = pa.Array.from_buffers(pa.binary(), len(ends), buffers).dictionary_encode()
    pieces = [str(piece, "utf-8", "surrogatepass") for piece in found.dictionary.to_pylist()]
    return pieces, found.indices.to_numpy()


def _table(pairs: dict[str, str]) -> tuple[Octets, ...]:
    """Turn characters of one length in UTF-8, and the same first bytes, into tables of what to write, by last byte."""
    length = len(next(iter(pairs)).encode())
    tables = tuple(np.zeros(256, np.uint8) for _ in range(length))
    for sign, written in pairs.items():
        for table, code in zip(tables, written.encode().ljust(length, _FILLER), strict=True):
            table[sign.encode()[-1]] = code
    return tables


_QUOTES_AND_DASHES: Final = _table(
    {"\u2018": "'", "\u2019": "'", "\u2010": "-", "\u2011": "-", "\u2013": "-", "\u2027": "-"}
    | dict.fromkeys("\u201c\u201d\u201e\u201f\u2026\u2039\u203a\u2014", "   ")
    | dict.fromkeys([*map(chr, range(0x2000, 0x200B)), "\u2028", "\u2029", "\u202f"], "   ")
)
_LATIN_SIGNS: Final = _table({"\u00b7": "-"} | dict.fromkeys("\u00ab\u00bb\u00a1\u00bf\u0085\u00a0", "  "))
_SPACES: Final = tuple(_table({space: "   "}) for space in "\u1680\u205f\u3000")
_LIGATURES: Final = _table({"\ufb00": "ff", "\ufb01": "fi", "\ufb02": "fl", "\ufb03": "ffi", "\ufb04": "ffl"})


def _simplify(data: Octets) -> None:
    """Write quotes, dashes and ligatures in ASCII, and spaces for signs that never stand inside a word."""
    for start, tables in (
        (b"\xe2\x80", _QUOTES_AND_DASHES),
        (b"\xef\xac", _LIGATURES),
        (b"\xc2", _LATIN_SIGNS),
        *zip((b"\xe1\x9a", b"\xe2\x81", b"\xe3\x80"), _SPACES, strict=True),
    ):
        places = np.flatnonzero(data == start[0])
        if len(start) > 1 and len(places):
            places = places[data[places + 1] == start[1]]
        last = data[places + len(start)]
        known = tables[0][last] > 0
        places, last = places[known], last[known]
        for step, table in enumerate(tables):
            data[places + step] = table[last]


_SPACE, _BACK, _FRONT, _WORD = 1, 2, 4, 8


def _kind(sign: str) -> int:
    """Say what a sign may be at the end of a word; a sign that belongs to a word ends at an underscore."""
    back = _BACK if sign in EDGES and sign != "_" else 0
    front = _FRONT if sign in EDGES and sign != "." else 0
    return _SPACE * sign.isspace() + back + front + _WORD * sign.isalnum()


_KINDS: Final = np.array([_kind(chr(code)) if code < 128 else 0 for code in range(256)], np.uint8)


def _bare_words(data: Octets) -> None:
    """Write spaces for signs at the ends of words, where they mean nothing: far fewer chunks differ then."""
    kinds = _KINDS[data]
    for _ in range(2):
        behind = np.flatnonzero(kinds[:-1] & (kinds[1:] << 1) & _BACK != 0)
        data[behind], kinds[behind] = 32, _SPACE
    fronts = np.flatnonzero((kinds[:-1] & _SPACE) << 2 & kinds[1:] != 0) + 1
    leading = fronts[(kinds[fronts + 1] & _WORD > 0) | (data[fronts] == ord("\\"))]
    data[leading] = 32


def chunk_terms(chunk: str, stem: Callable[[str], str] | None = None) -> tuple[list[tuple[str, int]], int]:
    """Return the terms of a chunk with their positions in it, which never fall, and its number of positions.

    The same as `slot_terms` of the chunk's slots, by shorter ways for what most chunks are.
    """
    if stem is None:
        core = chunk.strip(EDGES)
        # A sign before the word may belong to it; behind it, such signs are not among the edges.
        if core and (chunk[0].isalnum() or "." not in chunk[: chunk.index(core)]):
            if core.isascii():
                found = _ascii_core(core.lower())
                if found is not None:
                    return found
            elif core.isalpha() and not ANY_UNSEGMENTED.search(core):
                return [(form, 0) for form in word_forms(normal_form(core)[:LONGEST_PART], None)], 1
    terms: list[tuple[str, int]] = []
    width = 0
    for match in TOKENS.finditer(chunk.replace(KEPT_BREAK, "\n")):
        token = match.group()
        if CLUSTERS.match(token):
            some, count = _run_terms(token)
        elif (
            stem is None
            and token.isascii()
            and "\n" not in token
            and token[0].isalnum()
            and token[-1].isalnum()
        ):
            some, count = _ascii_terms(token.lower())
        else:
            some, count = token_terms(token, stem)
        terms += [(term, shift + width) for term, shift in some] if width else some
        width += count
    return terms, width


def token_terms(token: str, stem: Callable[[str], str] | None) -> tuple[list[tuple[str, int]], int]:
    """Return the terms of any token."""
    slots = token_slots(token, 0)
    following: list[Slot | None] = [*slots[1:], None]
    terms = [
        (term, shift) for shift, slot in enumerate(slots) for term in slot_terms(slot, following[shift], stem)
    ]
    return terms, len(slots)


def _run_terms(token: str) -> tuple[list[tuple[str, int]], int]:
    """Return the terms of a run of an unsegmented script: each character, and each with its neighbour."""
    forms = [character_form(cluster) for cluster in CLUSTERS.findall(token)]
    terms: list[tuple[str, int]] = []
    for shift, (form, following) in enumerate(zip(forms, [*forms[1:], ""], strict=True)):
        terms.append((form, shift))
        if following:
            terms.append((neighbour_term(form, following), shift))
    return terms, len(forms)


_SIGNED = re.compile(r"[#+]|\\[.@]|\A@")
"""What in a chunk may be a sign that belongs to a word."""

_ASCII_TOKENS = re.compile(r"[a-z0-9]+(?:(?:://|[-'._/:@&+=~%\\?]|(?<=[0-9]),(?=[0-9]))[a-z0-9]+)*")
_ASCII_JOINTS = re.compile(r"(://|[-'._/:@&+=~%\\?#,])")


def _ascii_core(core: str) -> tuple[list[tuple[str, int]], int] | None:
    """Return the terms of a chunk in ASCII, in lower case; None where a sign may belong to a word."""
    if core.isalnum():
        return [(core[:LONGEST_PART], 0)], 1
    core = core.replace(f"-{KEPT_BREAK}", "-")
    if not core.isprintable() or _SIGNED.search(core):
        return None
    terms: list[tuple[str, int]] = []
    width = 0
    for token in _ASCII_TOKENS.findall(core):
        pieces = _ASCII_JOINTS.split(token)
        if "-" not in token and "'" not in token:
            for word, joint in zip(pieces[::2], pieces[1::2], strict=False):
                part = word[:LONGEST_PART]
                terms += ((part, width), (LINK + part + joint[-1], width))
                width += 1
            terms.append((pieces[-1][:LONGEST_PART], width))
            width += 1
        else:
            some, count = _piece_terms(pieces)
            terms += [(term, shift + width) for term, shift in some]
            width += count
    return terms, width


def _ascii_terms(token: str) -> tuple[list[tuple[str, int]], int]:
    """Return the terms of a token of ASCII letters, digits and joints, in lower case, that starts and ends with a word."""
    return _piece_terms(_ASCII_JOINTS.split(token))


def _piece_terms(pieces: Sequence[str]) -> tuple[list[tuple[str, int]], int]:
    """Return the terms of ASCII words, which alternate with their joints."""
    terms: dict[tuple[str, int], None] = {}
    shift = 0
    group = [pieces[0][:LONGEST_PART]]
    pairs: list[str] = []
    for joint, piece in zip(pieces[1::2], pieces[2::2], strict=True):
        part = piece[:LONGEST_PART]
        if joint in "-'":
            pairs.append(group[-1] + joint + part)
            group.append(part)
        else:
            _add_group(terms, shift, group, pairs)
            terms[LINK + group[-1] + joint[-1], shift] = None
            shift += 1
            group, pairs = [part], []
    _add_group(terms, shift, group, pairs)
    return list(terms), shift + 1


def _add_group(terms: dict[tuple[str, int], None], shift: int, group: list[str], pairs: list[str]) -> None:
    """Add the terms of one slot: its parts, their pairs, all run together."""
    for part in group:
        terms[part, shift] = None
    if pairs:
        for pair in pairs:
            terms[pair, shift] = None
        terms["".join(group)[:LONGEST_PART], shift] = None
