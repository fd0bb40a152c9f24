"""The reading order of one line from the order that it is seen in: UAX #9 in reverse, over characters only.

In: what stands on a line from left to right, as texts and bidirectional classes. Out: the order to read it in
and the embedding levels. It must not know glyphs or positions. The Unicode algorithm maps reading order to what
is seen; where two reading orders look alike, the one is taken that people write more often: "PDF 12", not
"12 PDF".
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence

_PAIRS = "()[]{}⟨⟩〈〉《》「」『』【】⟦⟧⁅⁆⦅⦆«»‹›<>≤≥≪≫"
MIRROR = {a: b for pair in zip(_PAIRS[::2], _PAIRS[1::2], strict=True) for a, b in (pair, pair[::-1])}
"""Characters drawn mirrored in right-to-left text (UAX #9, L4), each with the other of its pair."""
OPENING = frozenset(_PAIRS[::2]) - frozenset("<≤≪")
_BRACKETS = frozenset(character for character in MIRROR if unicodedata.category(character) in ("Ps", "Pe"))
_CLOSING = _BRACKETS - OPENING

_DEEPEST = 63
"""Brackets open at once (BD16); deeper ones are neutral."""
_MOST_PAIRS = 100
"""Pairs of a line that are resolved; those behind are neutral."""
LEFT, RIGHT, ARABIC, NUMBER, ARABIC_NUMBER = "L", "R", "AL", "EN", "AN"
SPACE, NEUTRAL = "WS", "ON"
_RIGHTS = frozenset((RIGHT, ARABIC))
_WEAK = frozenset((NUMBER, "ES", "ET", "CS"))
_SIMPLE = {"NSM": NEUTRAL, "BN": NEUTRAL, "B": SPACE, "S": SPACE, "": NEUTRAL}
_SPACING_MARKS = (range(0xFE70, 0xFE80), range(0xFC5E, 0xFC64), range(0xFCF2, 0xFCF5))
_ONLY_LAST = frozenset("ךםןףץةىﺓﺔﻯﻰ")
_ALEFS = frozenset("آأإاٱﺍﺎ")
_CARRIERS = frozenset(" \u00a0\u0640")


def kind_of(text: str) -> str:
    """Return the bidirectional class of a glyph's text as a whole; of a mixed one, that of its end."""
    told = [_kind(character) for character in text]
    kinds = set(told)
    strong = [kind for kind in told if kind == LEFT or kind in _RIGHTS]
    if strong:
        return LEFT if strong[-1] == LEFT else ARABIC if ARABIC in kinds else RIGHT
    if ARABIC_NUMBER in kinds:
        return ARABIC_NUMBER
    if NUMBER in kinds:
        return NUMBER if kinds <= _WEAK else NEUTRAL
    return _kind(text[0]) if text else NEUTRAL


def _kind(character: str) -> str:
    kind = unicodedata.bidirectional(character)
    if kind[:2] in ("LR", "RL", "PD", "FS") or unicodedata.category(character) == "Co":
        return NEUTRAL  # formatting characters; private use characters may be anything
    return _SIMPLE.get(kind, kind)


# -- characters of right-to-left scripts ---------------------------------------------------------------------


def is_mark(text: str) -> bool:
    """Tell whether a text is combining marks only, presentation forms such as U+FE7C with them."""
    return bool(text) and all(
        unicodedata.category(character) in ("Mn", "Me") or _is_spacing_mark(character) for character in text
    )


def _is_spacing_mark(character: str) -> bool:
    return any(ord(character) in codes for codes in _SPACING_MARKS) and character != "\ufe73"


def plain_mark(text: str) -> str:
    """Return marks as combining characters; presentation forms stand for a mark on a space or tatweel."""
    if not any(map(_is_spacing_mark, text)):
        return text
    plain = unicodedata.normalize("NFKD", text)
    return "".join(character for character in plain if character not in _CARRIERS)


def is_reversed_ligature(text: str) -> bool:
    """Tell whether a ligature's text is in the order seen: alef before lam, or a mark before its letter."""
    if len(text) < 2:
        return False
    letters = [character for character in text if not unicodedata.combining(character)]
    if len(letters) == 2 and letters[0] in _ALEFS and letters[1] in "\u0644\ufedd\ufedf\ufee0":
        return True
    first = text[:1]
    return bool(letters) and bool(unicodedata.combining(first)) and kind_of(letters[0]) in _RIGHTS


def turned_ligature(text: str) -> str:
    """Return a ligature's text with its letters in the other order, the marks of each behind it."""
    clusters: list[str] = []
    for character in reversed(text):
        if clusters and unicodedata.combining(clusters[-1][0]):
            clusters[-1] = character + clusters[-1]
        else:
            clusters.append(character)
    return "".join(clusters)


def ends_word_only(text: str) -> bool:
    """Tell whether a letter only ends words: Hebrew final forms, teh marbuta, alef maksura."""
    return text in _ONLY_LAST


# -- levels --------------------------------------------------------------------------------------------------


def reading_order(
    texts: Sequence[str], kinds: Sequence[str], rtl: bool, by_character: bool | None = None
) -> tuple[list[int], list[int]]:
    """Return the order to read a line in and the embedding level of each of its items (UAX #9, L2).

    Args:
        texts: what stands on the line, from left to right.
        kinds: their bidirectional classes, as `kind_of` gives them.
        rtl: whether the line as a whole runs right to left.
        by_character: whether brackets are told by character, so that right-to-left ones look turned; None: unknown.
    """
    types = list(kinds)
    pairs, either = _bracket_pairs(types, texts, OPENING), _bracket_pairs(types, texts, _BRACKETS)
    if by_character is None:
        by_character = sum(texts[first] in _CLOSING for first, _ in either) > len(pairs)
    if by_character:
        for first, last in either:
            types[first] = types[last] = LEFT if texts[first] in OPENING else RIGHT
    else:
        _resolve_brackets(types, pairs, rtl)
    _resolve_weak(types, _strong_neighbours(kinds, rtl)[1], rtl)
    levels = _levels(types, rtl)
    order = list(range(len(types)))
    for level in range(1, max(levels, default=0) + 1):
        for first, last in list(_stretches([levels[item] >= level for item in order])):
            order[first:last] = order[first:last][::-1]
    return order, levels


def _stretches(holds: list[bool]) -> Iterator[tuple[int, int]]:
    """Yield the stretches (first, end) of places where something holds."""
    first = -1
    for place, here in enumerate([*holds, False]):
        if here and first < 0:
            first = place
        elif first >= 0 and not here:
            yield first, place
            first = -1


def _resolve_weak(types: list[str], letters: list[str], rtl: bool) -> None:
    """Resolve numbers and what belongs to them (W2, W4 to W7) by what stands left and right.

    Args:
        types: bidirectional classes from left to right, brackets resolved; changed in place.
        letters: the nearest letter's class to the right of each.
        rtl: whether the line as a whole runs right to left.
    """
    goes_left = _numbers_with_latin(types, rtl)
    for place, kind in enumerate(types):
        if kind == NUMBER and letters[place] == ARABIC and not goes_left[place]:
            types[place] = ARABIC_NUMBER
    for place in range(1, len(types) - 1):
        before, kind, after = types[place - 1 : place + 2]
        joins = before == after and (before == NUMBER or (before == ARABIC_NUMBER and kind == "CS"))
        if kind in ("ES", "CS") and joins:
            types[place] = before
    for first, last in list(_stretches([kind == "ET" for kind in types])):
        around = types[first - 1 : first] + types[last : last + 1]
        if NUMBER in around:
            types[first:last] = [NUMBER] * (last - first)
    for place, kind in enumerate(types):
        if kind == NUMBER and goes_left[place]:
            types[place] = LEFT
        elif kind in ("ES", "ET", "CS"):
            types[place] = NEUTRAL


def _numbers_with_latin(types: Sequence[str], rtl: bool) -> list[bool]:
    """Return where numbers belong to left-to-right text beside them (W7), or to such a line.

    Between left-to-right text and right-to-left text the first number is of the former, further ones of the latter.
    A number at the left end of a left-to-right line is of the right-to-left text behind it if the line is mostly that.
    """
    left, right = _strong_neighbours(types, rtl)
    result = [a == LEFT or not (rtl or b in _RIGHTS) for a, b in zip(left, right, strict=True)]
    strong = [kind == LEFT or kind in _RIGHTS for kind in types]
    mostly_rtl = sum(kind in _RIGHTS for kind in types) > types.count(LEFT)
    for first, end in _stretches([not here for here in strong]):
        if left[first] != LEFT or right[first] not in _RIGHTS or not any(strong[end:]):
            continue
        words = list(_stretches([types[place] != SPACE for place in range(first, end)]))
        numbers = [word for word in words if NUMBER in types[first + word[0] : first + word[1]]]
        for start, _ in numbers[0 if first == 0 and mostly_rtl else 1 : 2]:
            result[first + start : end] = [False] * (end - first - start)
    return result


def _strong_neighbours(types: Sequence[str], rtl: bool) -> tuple[list[str], list[str]]:
    """Return the nearest strong class left and right of each place; the edges are of the line's own."""
    edge = RIGHT if rtl else LEFT
    result = []
    for places in (range(len(types)), range(len(types) - 1, -1, -1)):
        nearest, found = edge, [edge] * len(types)
        for place in places:
            found[place] = nearest
            if types[place] == LEFT or types[place] in _RIGHTS:
                nearest = types[place]
        result.append(found)
    return result[0], result[1]


def _resolve_brackets(types: list[str], pairs: list[tuple[int, int]], rtl: bool) -> None:
    """Resolve paired brackets (N0): of the line's direction, unless those inside and beside are of the other."""
    own, other = (RIGHT, LEFT) if rtl else (LEFT, RIGHT)
    for first, last in pairs[:_MOST_PAIRS]:
        left, right = _strong_neighbours(types, rtl)
        before, after = _strong(left[first]), _strong(right[last])
        lead = before if rtl else after if before == after else LEFT
        inside = {lead if kind == NUMBER else _strong(kind) for kind in types[first + 1 : last]} - {NEUTRAL}
        if own in inside:
            types[first] = types[last] = own
        elif other in inside:
            beside = after == other or (rtl and before == other)
            types[first] = types[last] = other if beside else own


def _bracket_pairs(
    types: Sequence[str], texts: Sequence[str], opening: frozenset[str]
) -> list[tuple[int, int]]:
    """Return the places of matching brackets from left to right (BD16), those in `opening` standing first."""
    pairs: list[tuple[int, int]] = []
    stack: list[tuple[int, str]] = []
    for place, text in enumerate(texts):
        if types[place] != NEUTRAL or text not in _BRACKETS:
            continue
        depth = next((depth for depth in range(len(stack) - 1, -1, -1) if stack[depth][1] == text), -1)
        if depth >= 0:
            pairs.append((stack[depth][0], place))
            del stack[depth:]
        elif text in opening and len(stack) < _DEEPEST:
            stack.append((place, MIRROR[text]))
    return sorted(pairs)


def _strong(kind: str) -> str:
    """Return what a class counts as beside neutrals (N1): numbers count as right-to-left."""
    if kind == LEFT:
        return LEFT
    return NEUTRAL if kind in (NEUTRAL, SPACE) else RIGHT


def _levels(types: Sequence[str], rtl: bool) -> list[int]:
    """Return embedding levels: neutrals go with both neighbours or with the line (N1, N2, I1, I2)."""
    strong = [_strong(kind) for kind in types]
    left, right = _strong_neighbours(strong, rtl)
    own = RIGHT if rtl else LEFT
    levels = []
    for place, kind in enumerate(types):
        direction = strong[place]
        if direction == NEUTRAL:
            direction = left[place] if left[place] == right[place] else own
        if kind in (NUMBER, ARABIC_NUMBER):
            levels.append(2)
        elif direction == LEFT:
            levels.append(2 if rtl else 0)
        else:
            levels.append(1)
    return levels
