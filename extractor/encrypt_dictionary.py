"""The /Encrypt dictionary put right (ISO 32000-1, 7.6.1 to 7.6.5): what producers meant by what they wrote.

In: the dictionary as it stands in a file. Out: a plain dictionary whose lengths, filters and strings are as
the standard wants them. It must not know passwords or ciphers.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from extractor.objects import as_dictionary, as_integer, as_name, entry

_METHODS = frozenset(("V2", "AESV2", "AESV3"))
"""Methods of crypt filters that change bytes (table 25); everything else leaves them as they are."""

_AES_128_BYTES = 16


def correct_encrypt(encrypt: Mapping[str, Any]) -> dict[str, Any]:
    """Return the entries of an /Encrypt dictionary that decryption needs, as the standard wants them.

    Key lengths are given in bits or, by mistake, in bytes; a crypt filter's own length comes before the
    dictionary's (what PDFium does), and crypt filters that are missing or do nothing are Identity.
    """
    revision = as_integer(entry(encrypt, "/R")) or 0
    version = as_integer(entry(encrypt, "/V")) or {2: 1, 3: 2}.get(revision, 0)
    corrected: dict[str, Any] = {
        "/Filter": f"/{as_name(entry(encrypt, '/Filter')) or 'Standard'}",
        "/V": version,
        "/R": revision,
        "/P": as_integer(entry(encrypt, "/P")) or 0,
        "/EncryptMetadata": entry(encrypt, "/EncryptMetadata") is not False,
    }
    hash_length = 48 if revision >= 5 else 32
    for key, length in (("/O", hash_length), ("/U", hash_length), ("/OE", 32), ("/UE", 32), ("/Perms", 16)):
        value = entry(encrypt, key)
        if isinstance(value, bytes):
            corrected[key] = type(value)(value[:length])
    corrected["/Length"] = _key_bits(encrypt, version)
    if version >= 4:
        corrected.update(_crypt_filters(encrypt, version))
    return corrected


def _key_bits(encrypt: Mapping[str, Any], version: int) -> int:
    """Return the length of the key in bits."""
    if version >= 5:
        return 256
    if version == 1:
        return 40
    length = as_integer(entry(encrypt, "/Length"))
    if version == 4:
        chosen = _filter(encrypt, "/StmF") or _filter(encrypt, "/StrF")
        if chosen is not None and as_name(entry(chosen, "/CFM")) == "AESV2":
            return 8 * _AES_128_BYTES
        length = as_integer(entry(chosen, "/Length")) or length or 128
    length = length or 40
    bits = length * 8 if length < 40 else length
    return min(max(bits - bits % 8, 40), 128)


def _filter(encrypt: Mapping[str, Any], key: str) -> Mapping[str, Any] | None:
    """Return the crypt filter that /StmF or /StrF names, None for Identity and for those that do nothing."""
    name = as_name(entry(encrypt, key))
    found = as_dictionary(entry(entry(encrypt, "/CF"), f"/{name}")) if name else None
    return found if found is not None and as_name(entry(found, "/CFM")) in _METHODS else None


def _crypt_filters(encrypt: Mapping[str, Any], version: int) -> dict[str, Any]:
    """Return /CF, /StmF and /StrF with one filter for each (7.6.5), whose method fits the length of the key."""
    filters: dict[str, Any] = {}
    corrected: dict[str, Any] = {"/CF": filters}
    for key in ("/StmF", "/StrF"):
        found = _filter(encrypt, key)
        if found is None:
            corrected[key] = "/Identity"
            continue
        method = as_name(entry(found, "/CFM"))
        fitting = "AESV3" if version >= 5 else "AESV2" if method == "AESV3" else method
        filters[key] = {"/CFM": f"/{fitting}", "/Length": _AES_128_BYTES}
        corrected[key] = key
    return corrected
