"""The byte strings that a password may stand for (ISO 32000-1, 7.6.3.3; ISO 32000-2, 7.6.4.3.3).

In: passwords as people type them. Out: candidates in the order in which they are worth trying. It must not
know ciphers.
"""

from __future__ import annotations

import stringprep
import unicodedata
from collections.abc import Iterator, Sequence

_LONGEST = 127
"""Bytes of a password that revisions 5 and 6 look at; older ones take 32."""


def password_candidates(passwords: Sequence[str]) -> Iterator[bytes]:
    """Yield each password in every encoding that producers use, without repeats; the empty one comes last.

    Revisions 2 to 4 want PDFDocEncoding, 5 and 6 SASLprep in UTF-8; producers in the field write Latin-1 and
    plain UTF-8 with all of them.
    """
    seen: set[bytes] = set()
    for password in (*passwords, ""):
        for text in dict.fromkeys((password, saslprep(password))):
            for encoding in ("utf-8", "latin-1", "cp1252"):
                try:
                    candidate = text.encode(encoding)[:_LONGEST]
                except UnicodeEncodeError:
                    continue
                if candidate not in seen:
                    seen.add(candidate)
                    yield candidate


def saslprep(password: str) -> str:
    """Return a password mapped and normalised by SASLprep (RFC 4013, 2.1 and 2.2); nothing is prohibited."""
    mapped = (
        " " if stringprep.in_table_c12(character) else character
        for character in password
        if not stringprep.in_table_b1(character)
    )
    return unicodedata.normalize("NFKC", "".join(mapped))
