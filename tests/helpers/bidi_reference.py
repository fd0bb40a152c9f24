"""UAX #9 forwards, rule by rule and slowly: from reading order to what is seen on one line.

In: a line in reading order without formatting characters, and its direction. Out: the order its characters are
seen in from left to right, and their levels. Written from the rules alone, it shares nothing with the extractor.
"""

from __future__ import annotations

import unicodedata

_BRACKETS = {"(": ")", "[": "]", "{": "}"}
MIRRORED = {**_BRACKETS, **{close: opening for opening, close in _BRACKETS.items()}, "«": "»", "»": "«"}
_NEUTRAL = ("WS", "ON", "S", "B", "BN")


def visual_order(text: str, rtl: bool) -> tuple[list[int], list[int]]:
    """Return the indices of the characters from left to right (L2) and the level of each character."""
    levels = _levels(text, rtl)
    order = list(range(len(text)))
    for level in range(max(levels, default=0), 0, -1):
        place = 0
        while place < len(order):
            end = place
            while end < len(order) and levels[order[end]] >= level:
                end += 1
            order[place:end] = order[place:end][::-1]
            place = max(end, place + 1)
    return order, levels


def seen(text: str, rtl: bool, mirror: bool = True) -> str:
    """Return a line as it is seen from left to right, brackets by shape (L4) or by character."""
    order, levels = visual_order(text, rtl)
    return "".join(MIRRORED.get(text[i], text[i]) if mirror and levels[i] % 2 else text[i] for i in order)


def _levels(text: str, rtl: bool) -> list[int]:
    base = int(rtl)
    own = "R" if rtl else "L"
    types = [unicodedata.bidirectional(character) for character in text]
    _weak(types, own)
    _brackets(types, text, own)
    _neutral(types, own)
    levels = []
    for kind in types:
        if base:
            levels.append(2 if kind in ("L", "EN", "AN") else 1)
        else:
            levels.append({"L": 0, "R": 1}.get(kind, 2))
    for place in range(len(text) - 1, -1, -1):  # L1: white space at the end of the line
        if not text[place].isspace():
            break
        levels[place] = base
    return levels


def _strong_before(types: list[str], place: int, own: str) -> str:
    for kind in reversed(types[:place]):
        if kind in ("L", "R", "AL"):
            return kind
    return own


def _weak(types: list[str], own: str) -> None:
    for place, kind in enumerate(types):  # W1
        if kind == "NSM":
            types[place] = types[place - 1] if place else own
    for place, kind in enumerate(types):  # W2
        if kind == "EN" and _strong_before(types, place, own) == "AL":
            types[place] = "AN"
    types[:] = ["R" if kind == "AL" else kind for kind in types]  # W3
    for place in range(1, len(types) - 1):  # W4
        a, kind, b = types[place - 1 : place + 2]
        if (kind == "ES" and a == b == "EN") or (kind == "CS" and a == b and a in ("EN", "AN")):
            types[place] = a
    for places in (range(len(types)), range(len(types) - 1, -1, -1)):  # W5
        last = ""
        for place in places:
            if types[place] == "ET" and last == "EN":
                types[place] = "EN"
            last = types[place]
    types[:] = ["ON" if kind in ("ES", "ET", "CS") else kind for kind in types]  # W6
    for place, kind in enumerate(types):  # W7
        if kind == "EN" and _strong_before(types, place, own) == "L":
            types[place] = "L"


def _as_strong(kind: str) -> str:
    return "R" if kind in ("R", "EN", "AN") else kind if kind == "L" else ""


def _brackets(types: list[str], text: str, own: str) -> None:  # N0, BD16
    pairs, stack = [], []
    for place, character in enumerate(text):
        if types[place] != "ON":
            continue
        if character in _BRACKETS:
            stack.append((_BRACKETS[character], place))
        else:
            for depth in range(len(stack) - 1, -1, -1):
                if stack[depth][0] == character:
                    pairs.append((stack[depth][1], place))
                    del stack[depth:]
                    break
    for first, last in sorted(pairs):
        inside = {_as_strong(kind) for kind in types[first + 1 : last]} - {""}
        if own in inside:
            types[first] = types[last] = own
        elif inside:
            before = next((s for s in map(_as_strong, reversed(types[:first])) if s), own)
            types[first] = types[last] = before if before != own else own


def _neutral(types: list[str], own: str) -> None:  # N1, N2
    place = 0
    while place < len(types):
        end = place
        while end < len(types) and types[end] in _NEUTRAL:
            end += 1
        if end > place:
            before = _as_strong(types[place - 1]) if place else own
            after = _as_strong(types[end]) if end < len(types) else own
            types[place:end] = [before if before == after else own] * (end - place)
        place = max(end, place + 1)
