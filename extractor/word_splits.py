"""Words of glyphs that say several words by themselves: replacement texts (14.9.4), phrases in a /ToUnicode.

In: the text of a page with its words as `page_text` cut them, between glyphs. Out: the same with no white space inside a
word. It must not know glyphs: the box of such a word is cut in proportion to its characters.
"""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np

from extractor.page_text import PageText, Words

_WORD = re.compile(r"\S+")


def split_words(page: PageText) -> PageText:
    """Return the page with its words cut at the white space inside them."""
    text, words = page.text, page.words
    if not len(words) or text.count(" ") + text.count("\n") == len(words) - 1:
        return page
    source: list[int] = []
    begins: list[int] = []
    ends: list[int] = []
    starts, stops = words.char_start.tolist(), words.char_end.tolist()
    for number, (start, stop) in enumerate(zip(starts, stops, strict=True)):
        for found in _WORD.finditer(text, start, stop):
            source.append(number)
            begins.append(found.start())
            ends.append(found.end())
    if len(source) == len(words):
        return page
    return replace(page, words=_cut(words, np.array(source, np.int64), np.array(begins), np.array(ends)))


def _cut(
    words: Words,
    source: np.ndarray[tuple[int], np.dtype[np.int64]],
    begins: np.ndarray[tuple[int], np.dtype[np.int64]],
    ends: np.ndarray[tuple[int], np.dtype[np.int64]],
) -> Words:
    """Return words made of parts of others: int64[n] each the word a part is of, and where it lies in the text."""
    columns = {name: getattr(words, name)[source] for name in words.columns()}
    start, size = columns["char_start"], np.maximum(columns["char_end"] - columns["char_start"], 1)
    low, high = (begins - start) / size, (ends - start) / size
    turn = np.radians(columns["angle"].astype(np.float64))
    for axis, along in (("x", np.cos(turn)), ("y", -np.sin(turn))):
        near, far = columns[f"{axis}0"].astype(np.float64), columns[f"{axis}1"].astype(np.float64)
        first, last = (np.where(along >= 0, part, 1.0 - part) for part in (low, high))
        runs = np.abs(along) > 0.01
        first, last = np.minimum(first, last), np.maximum(first, last)
        columns[f"{axis}0"] = np.where(runs, near + first * (far - near), near).astype(np.float32)
        columns[f"{axis}1"] = np.where(runs, near + last * (far - near), far).astype(np.float32)
    again = np.concatenate((np.zeros(1, np.bool_), source[1:] == source[:-1]))
    for name in ("glyphs", "copies"):
        columns[name] = np.where(again, 0, columns[name]).astype(np.int32)
    columns["char_start"], columns["char_end"] = begins.astype(np.int32), ends.astype(np.int32)
    return replace(words, **columns)
