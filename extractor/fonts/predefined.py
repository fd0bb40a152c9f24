"""The predefined CMaps and the Unicode of the Adobe character collections (ISO 32000-1, 9.7.5.2, 9.10.2).

In: a CMap's or a collection's name. Out: code splitting, CIDs, Unicode. The tables are pdfminer.six's, loaded
when first needed and kept for the process; this is the only module that knows where they come from.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, Literal

Trie = Mapping[int, Any]
"""First byte to a CID, or to the trie of the next byte."""

_COLLECTIONS = {"GB1": "Adobe-GB1", "CNS1": "Adobe-CNS1", "Japan1": "Adobe-Japan1", "Korea1": "Adobe-Korea1"}
_SAME_COLLECTION = {"Japan2": "Japan1", "KR": "KR", "Korea2": "Korea1"}
_UNICODE_CMAP = re.compile(r"^Uni[A-Za-z]+\d*-(UCS2|UTF16|UTF8|UTF32)(?:-HW)?-[HV]$")
_UTF32_CMAPS = {
    "Adobe-GB1": "UniGB-UTF32-H",
    "Adobe-CNS1": "UniCNS-UTF32-H",
    "Adobe-Japan1": "UniJIS-UTF32-H",
    "Adobe-Korea1": "UniKS-UTF32-H",
}
_CODECS = {"UCS2": "utf-16-be", "UTF16": "utf-16-be", "UTF8": "utf-8", "UTF32": "utf-32-be"}
_FAMILIES = (
    (
        "Japan1",
        re.compile(
            r"^(UniJIS|83pv|90ms|90pv|78|Add|EUC-|Ext|RKSJ|Hankaku|Hiragana|Katakana|Roman|WP-|NWP|[HV]$)"
        ),
    ),
    ("GB1", re.compile(r"^(UniGB|GB)")),
    ("CNS1", re.compile(r"^(UniCNS|B5|ET|HK|CNS)")),
    ("Korea1", re.compile(r"^(UniKS|KSC)")),
)


def collection_name(ordering: str) -> str | None:
    """Return the collection for an /Ordering ("Japan1": "Adobe-Japan1"), None if it is unknown."""
    return _COLLECTIONS.get(_SAME_COLLECTION.get(ordering, ordering))


def collection_of_cmap(name: str) -> str | None:
    """Return the collection that a predefined CMap's CIDs belong to (table 118)."""
    for ordering, pattern in _FAMILIES:
        if pattern.match(name):
            return _COLLECTIONS[ordering]
    return None


def codec_of_cmap(name: str) -> str | None:
    """Return the codec of a CMap whose codes are Unicode themselves (UniGB-UTF16-H), None for others."""
    match = _UNICODE_CMAP.match(name)
    return _CODECS[match[1]] if match else None


@cache
def _unicode_tables(collection: str) -> tuple[Mapping[int, str], Mapping[int, str]]:
    from pdfminer.cmapdb import CMapDB

    try:
        maps = [CMapDB.get_unicode_map(collection, vertical) for vertical in (False, True)]
    except CMapDB.CMapNotFound:
        return {}, {}
    horizontal, vertical = (getattr(table, "cid2unichr", {}) for table in maps)
    return horizontal, vertical


@cache
def _unicode_by_codes(collection: str) -> Mapping[int, str]:
    """Return CIDs to Unicode by the collection's UTF-32 CMap backwards."""
    trie = code_trie(_UTF32_CMAPS[collection])
    result: dict[int, str] = {}
    for code, cid in _leaves(trie or {}, 0):
        if code <= 0x10FFFF and not 0xE000 <= code <= 0xF8FF and not 0xFE10 <= code <= 0xFE4F:
            result.setdefault(cid, chr(code))
    return result


def _leaves(trie: Trie, code: int) -> Iterator[tuple[int, int]]:
    """Yield (code, CID) of all codes below a node, in order."""
    for byte, node in sorted(trie.items()):
        if isinstance(node, int):
            yield code << 8 | byte, node
        else:
            yield from _leaves(node, code << 8 | byte)


def cid_text(collection: str, cid: int) -> str:
    """Return the Unicode of a CID of a collection such as "Adobe-GB1", "" if it has none.

    Rotated forms come out as the characters they are forms of, and characters that had no code point when the
    tables were first made (Hong Kong's) as those that they have now.
    """
    horizontal, vertical = _unicode_tables(collection)
    text = horizontal.get(cid, "")
    if _is_plain(text):
        return text
    upright = vertical.get(cid, "")
    if _is_plain(upright):
        return upright
    return _unicode_by_codes(collection).get(cid, "") or text or upright


def _is_plain(text: str) -> bool:
    return bool(text) and not ("\ue000" <= text[0] <= "\uf8ff" or "\ufe10" <= text[0] <= "\ufe4f")


@cache
def code_trie(name: str) -> Trie | None:
    """Return the codes of a predefined CMap as a trie of bytes with CIDs as leaves, None if there is none."""
    from pdfminer.cmapdb import CMapDB

    try:
        return getattr(CMapDB.get_cmap(name), "code2cid", None)
    except CMapDB.CMapNotFound:
        return None


def is_known_cmap(name: str) -> bool:
    """Tell whether there is a predefined CMap called `name` (Identity is none: it needs no table)."""
    return bool(code_trie(name)) if re.match(r"^[A-Za-z0-9-]{1,40}$", name) else False


def is_vertical(name: str) -> bool:
    """Tell whether a predefined CMap, by its name, writes vertically."""
    return name == "V" or name.endswith("-V")


def uniform_length(trie: Trie) -> Literal[1, 2] | None:
    """Return the length of all codes in bytes if it is 1 for all, or 2 for all, else None."""
    if all(isinstance(node, int) for node in trie.values()):
        return 1
    for node in trie.values():
        if isinstance(node, int) or not all(isinstance(leaf, int) for leaf in node.values()):
            return None
    return 2


def next_code(trie: Trie, string: bytes, start: int) -> int:
    """Return the length in bytes of the code that begins at `start` (9.7.6.3 where no code matches)."""
    node: Any = trie
    position = start
    while position < len(string):
        follower = node.get(string[position])
        position += 1
        if follower is None:
            depth = _depth(node) if position - start > 1 or not _has_leaf(node) else 1
            return min(len(string), position - 1 + depth) - start
        if isinstance(follower, int):
            break
        node = follower
    return position - start


def _has_leaf(trie: Trie) -> bool:
    return any(isinstance(node, int) for node in trie.values())


def _depth(trie: Trie) -> int:
    """Return how many bytes the shortest codes below this node still need."""
    depth, node = 1, next(iter(trie.values()), 0)
    while isinstance(node, Mapping):
        depth, node = depth + 1, next(iter(node.values()), 0)
    return depth


def code_cid(trie: Trie, code: bytes) -> int | None:
    """Return the CID of a code, None if the CMap has none."""
    node: Any = trie
    for byte in code:
        node = node.get(byte) if isinstance(node, Mapping) else None
        if node is None:
            return None
    return node if isinstance(node, int) else None
