"""Lexical conventions of content streams (ISO 32000-1, 7.2, 7.3, 7.8.2) as one regular expression.

In: the bytes of a content stream. Out: matches whose `lastindex` tells the kind of token; whole instructions where they
are written plainly ("12 0 Td", "[(a)-20(b)] TJ", a run of path operators), single objects elsewhere. It must not know
what an operator means.
"""

from __future__ import annotations

import re
from binascii import Error, unhexlify
from collections.abc import Mapping

from extractor.repetition import repeated

WHITE = rb"[\x00\t\n\x0c\r ]"
_END = rb"(?=[\x00\t\n\x0c\r ()<>\[\]{}/%]|\Z)"
_REGULAR = rb"[^\x00\t\n\x0c\r ()<>\[\]{}/%]"
_NUMBER = rb"[-+.\d]++"
_FLAT = repeated(rb"[^()\\]++|\\[\s\S]")
_NESTED2 = repeated(rb"[^()\\]++|\\[\s\S]|\(" + _FLAT + rb"\)")
_NESTED3 = repeated(rb"[^()\\]++|\\[\s\S]|\(" + _NESTED2 + rb"\)")
LITERAL = rb"\(" + _NESTED3 + rb"\)"
HEX = rb"<[\da-fA-F\x00\t\n\x0c\r ]*+>"
_W = WHITE + rb"*+"
_W1 = WHITE + rb"++"

_NUMBERS = repeated(_NUMBER + _W, b"{0,32}")
_OPERANDS = rb"[-+.\d\x00\t\n\x0c\r ]{0,250}+"
"""Operands of path operators, taken as a run of characters: figures are megabytes of them."""
_GRAPHICS = rb"(?:re|RG|[mlcvyhfFsSbBnwJjMiGK]\*?)" + _W1
_DASHES = rb"\[[-+.\d\x00\t\n\x0c\r ]*+\]" + _W + _NUMBER + _W1 + rb"d" + _W1
_GRAPHICS_RUN = _GRAPHICS + repeated(_OPERANDS + _GRAPHICS + rb"|" + _DASHES)

_ONE, _TWO, _THREE, _FOUR, _MATRIX = (repeated(_NUMBER + _W1, b"{%d}" % count) for count in (1, 2, 3, 4, 6))
_STARTS = rb"[qQ]|BT|ET|EMC|T\*|/" + _REGULAR + rb"*+" + _W1 + rb"(?:" + _ONE + rb"Tf|gs)"
_COLOURS_AND_SPACINGS = _ONE + rb"(?:[gG]|T[cwzLrs])|" + _THREE + rb"(?:rg|RG)|" + _FOUR + rb"[kK]"
_FIRST_SETTING = rb"(?:" + _STARTS + rb")" + _END + _W
_SETTING = rb"(?:" + _STARTS + rb"|" + _COLOURS_AND_SPACINGS + rb")" + _END + _W
_SETTINGS = repeated(_SETTING, b"{1,15}")
_CLIP = rb"re" + _W1 + rb"W\*?" + _W1 + rb"n"
_BEGIN_MARKED = (
    rb"/" + _REGULAR + rb"*+" + _W + rb"(?:<<" + repeated(rb"[^<>()]++|" + LITERAL + rb"|" + HEX) + rb">>|/" + _REGULAR
    + rb"*+)" + _W + rb"BDC"
)  # fmt: skip


def _show(kind: bytes) -> bytes:
    """Return the pattern of a show operation, in four groups whose names begin with `kind`.

    In turn: a TJ array of plain strings and numbers, its body without brackets; the same with hexadecimal strings, whose
    characters are checked and whose brackets are left to whoever splits it; any TJ array of strings and numbers; a string.
    """
    return (
        rb"\[(?:(?P<" + kind + rb"literal>" + repeated(rb"[-+.\d\x00\t\n\x0c\r ]++|\([^()\\]*+\)") + rb")"
        + rb"\]" + _W + rb"TJ" + _END
        + rb"|(?P<" + kind + rb"hex>[-+.\d\x00\t\n\x0c\r a-fA-F<>]*+)\]" + _W + rb"TJ" + _END
        + rb"|(?P<" + kind + rb"any>" + repeated(rb"[-+.\d\x00\t\n\x0c\r ]++|" + LITERAL + rb"|" + HEX) + rb")"
        + rb"\]" + _W + rb"TJ" + _END + rb")"
        + rb"|(?P<" + kind + rb"string>" + LITERAL + rb"|" + HEX + rb")" + _W + rb"Tj" + _END
    )  # fmt: skip


_ALTERNATIVES = [
    # a graphics state saved and restored with nothing but graphics between: no text, so nothing of it matters
    rb"(?P<block>q" + _W1
    + repeated(_OPERANDS + rb"(?:re|RG|rg|cm|[mlcvyhfFsSbBnwJjMiGgKkW]\*?)" + _W1)
    + rb"Q)" + _END,
    # settings that recur on a page word by word, without places, so that each is understood once; behind them what stands
    # between one text and the next where each is set anew: a clip, marked content, a place, and the text
    rb"(?P<first>" + _FIRST_SETTING + repeated(_SETTING, b"{0,15}") + rb")"
    + rb"(?:(?P<rectangle>" + _FOUR + _CLIP + rb")" + _END + _W + rb")?"
    + rb"(?:(?P<matrix>" + _MATRIX + rb")cm" + _END + _W + rb")?"
    + rb"(?:(?P<begun>" + _BEGIN_MARKED + rb")" + _END + _W + rb")?"
    + rb"(?P<second>" + _SETTINGS + rb")?"
    + rb"(?:(?P<at>" + _TWO + rb"(?:" + _FOUR + rb")?)(?P<set>T[dDm])" + _END + _W + rb"(?P<third>" + _SETTINGS + rb")?)?"
    + rb"(?:" + _show(b"set_") + rb")?",
    # numbers, then a rectangle clipped to, path construction, painting and stroke parameters, a place with the settings
    # and the text behind it, or any operator; the count of numbers is bounded so that many cost no quadratic time
    _NUMBERS
    + rb"(?:(?P<clip>" + _CLIP + rb")" + _END
    + rb"|(?P<graphics>" + _GRAPHICS_RUN + rb")"
    + rb"|(?P<concatenated>cm)" + _END + _W + rb"(?P<drawn>" + _OPERANDS + _GRAPHICS_RUN + rb")?"
    + rb"|(?P<placed>T[dDm])" + _END + _W + rb"(?P<behind>" + _SETTINGS + rb")?(?:" + _show(b"placed_") + rb")?"
    + rb"|(?P<numeric>(?!BI[\x00\t\n\x0c\r /])[A-Za-z'\"]" + _REGULAR + rb"*+))",
    _show(b""),
    rb"(?P<named>/" + _REGULAR + rb"*+" + _W1 + rb"(?:Do|cs|CS|scn|SCN|BMC|ri|sh))" + _END,
    rb"(?P<marked>" + _BEGIN_MARKED[:-3] + rb"(?:BDC|DP))" + _END,
    rb"(?P<image>BI(?=[\x00\t\n\x0c\r /])[^()]{0,2000}?" + WHITE + rb"ID" + WHITE + rb")",
    rb"(?P<number>" + _NUMBER + rb")",
    rb"(?P<name>/" + _REGULAR + rb"*+)",
    rb"(?P<literal_or_hex>" + LITERAL + rb"|" + HEX + rb")",
    rb"(?P<open>\[|<<)",
    rb"(?P<close>\]|>>)",
    rb"(?P<brace>[{}])",
    rb"(?P<comment>%[^\r\n]*+)",
    rb"(?P<long_string>\()",
    rb"(?P<junk>[^\x00\t\n\x0c\r ][^\x00\t\n\x0c\r A-Za-z'\"\d.+\-()<>\[\]{}/%]*+)",
]  # fmt: skip


TOKEN = re.compile(_W + rb"(?:" + rb"|".join(_ALTERNATIVES) + rb")" + _W)
"""All tokens; white space before and after belongs to them. The last group that matched, the match's lastindex, tells the
kind. Of graphics and numeric tokens the group holds the operators without the numbers before the first."""

GROUPS: Mapping[str, int] = TOKEN.groupindex
"""The number of each kind of token, by name."""
NUMBER, NAME, STRING, CLOSE, LONG_STRING = (
    GROUPS[name] for name in ("number", "name", "literal_or_hex", "close", "long_string")
)
NUMERIC, NAMED, MARKED, IMAGE = (GROUPS[name] for name in ("numeric", "named", "marked", "image"))
STEP = tuple(
    GROUPS[name] for name in ("first", "rectangle", "matrix", "begun", "second", "at", "set", "third")
)
"""The parts of a text set anew that may stand before the text itself."""
PLACE = (GROUPS["placed"], GROUPS["behind"])
CONCATENATED, DRAWN = GROUPS["concatenated"], GROUPS["drawn"]

LITERALS = re.compile(rb"\((" + _NESTED3 + rb")\)")
"""The literal strings of a TJ array, without their brackets."""
STRINGS = re.compile(rb"(" + LITERAL + rb"|" + HEX + rb")")
"""The strings of a TJ array; what stands between them are numbers."""
_STRING_MARK = re.compile(rb"[()\\]")
_NUMBER_PARTS = re.compile(rb"[-+]*(?:\d+\.?\d*|\.\d+)")
_ESCAPE = re.compile(rb"\\([0-7]{1,3}|\r\n|[\s\S])")
_ESCAPED = {
    b"n": b"\n",
    b"r": b"\r",
    b"t": b"\t",
    b"b": b"\b",
    b"f": b"\f",
    b"\n": b"",
    b"\r": b"",
    b"\r\n": b"",
}
_NOT_HEX = re.compile(rb"[^\da-fA-F]+")
_NAME_ESCAPE = re.compile(rb"#([\da-fA-F]{2})")
_LARGEST = 1e9
"""Numbers beyond this (Annex C knows none over 2^31) would only overflow the geometry."""


def number(text: bytes) -> float:
    """Return the value of one number token (7.3.3), as readers read malformed ones: 0 where there are no digits."""
    try:
        value = float(text)
    except ValueError:
        found = _NUMBER_PARTS.search(text)
        if found is None:
            return 0.0
        part = found.group()
        value = float(part.lstrip(b"+-")) * (-1.0 if part[:1] == b"-" else 1.0)
    return max(-_LARGEST, min(_LARGEST, value))


_FIRST_OF_OPERANDS = frozenset(bytes((byte,)) for byte in b"/+-.0123456789")


def setting_operators(token: bytes) -> list[tuple[bytes, tuple[float | str, ...]]]:
    """Return the operators of a setting with their operands, in order."""
    found: list[tuple[bytes, tuple[float | str, ...]]] = []
    operands: list[float | str] = []
    for word in token.replace(b"\0", b" ").replace(b"/", b" /").split():
        if word[:1] in _FIRST_OF_OPERANDS:
            operands.append(name(word) if word[:1] == b"/" else number(word))
        else:
            found.append((word, tuple(operands)))
            operands = []
    return found


class NumberTable(dict[bytes, float]):
    """A table from the bytes between two strings of a TJ array to their sum in thousandths; parsed once each.

    Justified text repeats its adjustments, so a dictionary at C speed beats parsing. It belongs to one document.
    """

    _CAPACITY = 1 << 16

    def __missing__(self, text: bytes) -> float:
        """Parse `text`: no, one or several numbers between white space."""
        try:
            value = max(-_LARGEST, min(_LARGEST, float(text)))
        except ValueError:
            value = sum(number(part) for part in text.replace(b"\0", b" ").split())
        if len(self) < self._CAPACITY:
            self[text] = value
        return value


def _unescape(match: re.Match[bytes]) -> bytes:
    code = match.group(1)
    if code[0] in b"01234567":
        return bytes((int(code, 8) & 0xFF,))
    return _ESCAPED.get(code, code)


def string(token: bytes) -> bytes:
    """Return the bytes of a string token, literal or hexadecimal, its delimiters included in `token` (7.3.4)."""
    if token[:1] == b"<":
        digits = token[1:-1]
        try:
            return unhexlify(digits)
        except Error:
            digits = _NOT_HEX.sub(b"", digits)
            return unhexlify(digits + b"0" if len(digits) % 2 else digits)
    return unescape(token[1:-1])


def unescape(body: bytes) -> bytes:
    """Return the bytes of a literal string given without its brackets (7.3.4.2)."""
    return _ESCAPE.sub(_unescape, body) if b"\\" in body else body


_OPENS, _CLOSES = b"\x8d", b"\x8f"
_MARKED = {
    token: _ESCAPE.sub(_unescape, token)
    for token in (
        *(b"\\" + bytes((byte,)) for byte in range(256)),
        *(b"\\%o" % code for code in range(512)),
        *(b"\\%02o" % code for code in range(64)),
        *(b"\\%03o" % code for code in range(512)),
        b"\\\r\n",
    )
}
"""The byte that each escape means, brackets as two bytes that hardly occur; those two bytes are left out."""
for _token in [token for token, byte in _MARKED.items() if byte in (_OPENS, _CLOSES)]:
    del _MARKED[_token]
_MARKED |= {
    token: _OPENS if byte == b"(" else _CLOSES for token, byte in _MARKED.items() if byte in (b"(", b")")
}
_UNMARK = bytes.maketrans(_OPENS + _CLOSES, b"()")
_NOT_BRACKETS = bytes(byte for byte in range(256) if byte not in b"()")


def split_flat(body: bytes) -> list[bytes] | None:
    """Return what stands between strings, and strings, in turn; None for a body with strings of another kind.

    Args:
        body: a TJ array without its square brackets; its strings are literal and hold no brackets but escaped ones.

    Returns:
        Strings with their escapes resolved, and brackets in them as bytes that `unmark` turns into brackets.
    """
    if b"<" in body or _OPENS in body or _CLOSES in body:
        return None
    try:
        body = _ESCAPE.sub(lambda match: _MARKED[match[0]], body)
    except KeyError:
        return None
    brackets = body.translate(None, _NOT_BRACKETS)
    if brackets != b"()" * (len(brackets) // 2):
        return None
    return body.replace(b")", b"(").split(b"(")


def unmark(joined: bytes) -> bytes:
    """Return strings from `split_flat` with their brackets."""
    return joined.translate(_UNMARK)


def long_string_end(content: bytes, start: int) -> int:
    """Return the index behind the literal string that begins at `start`, however deep its brackets; -1 if unclosed."""
    depth, position = 0, start
    while True:
        mark = _STRING_MARK.search(content, position)
        if mark is None:
            return -1
        byte = mark.group()
        position = mark.end()
        if byte == b"\\":
            position += 1
        else:
            depth += 1 if byte == b"(" else -1
            if depth == 0:
                return position


def name(token: bytes) -> str:
    """Return a name token, with its slash, its #xx written out (7.3.5); bytes beyond ASCII as pypdf decodes them."""
    if b"#" in token:
        token = _NAME_ESCAPE.sub(lambda match: unhexlify(match.group(1)), token)
    try:
        return token.decode("utf-8")
    except UnicodeDecodeError:
        return token.decode("latin-1")
