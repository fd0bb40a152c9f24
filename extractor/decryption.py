"""Decryption (ISO 32000-1, 7.6) by pypdf, loaded for encrypted documents only.

In: an /Encrypt dictionary, the file's identifier, passwords. Out: a cipher for strings and streams, or the error that
says why there is none. It must not know pages.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pypdf._encryption import CryptFilter, Encryption, PasswordType
from pypdf.errors import PyPdfError
from pypdf.generic import (
    ArrayObject,
    BooleanObject,
    ByteStringObject,
    DictionaryObject,
    FloatObject,
    NameObject,
    NullObject,
    NumberObject,
    PdfObject,
)

from extractor.captured_logs import logs_as_issues
from extractor.encrypt_dictionary import correct_encrypt
from extractor.errors import EncryptedError, WrongPasswordError
from extractor.issues import IssueLog
from extractor.object_store import Cipher
from extractor.objects import as_array, as_integer, as_name, entry, resolve
from extractor.passwords import password_candidates

_LOGGERS = (
    "pypdf._encryption",
    "pypdf._crypt_providers._cryptography",
    "pypdf._crypt_providers._pycryptodome",
)
"""Where pypdf logs what it finds while it decrypts."""

_MAX_ENCRYPT_DEPTH = 8
"""Levels of an /Encrypt dictionary."""


class _PypdfCipher:
    """Decrypts strings and streams with pypdf (7.6)."""

    def __init__(self, encryption: Encryption, issues: IssueLog) -> None:
        self._encryption = encryption
        self._issues = issues
        self._last: tuple[int, int] = (-1, -1)
        self._filter: CryptFilter | None = None

    def string(self, encrypted: bytes, number: int, generation: int) -> bytes:
        """Return the plain bytes of a string in the object with this number."""
        return self._decrypt(self._crypt_filter(number, generation).str_crypt, encrypted)

    def stream(self, encrypted: bytes, number: int, generation: int, dictionary: Mapping[str, Any]) -> bytes:
        """Return the plain bytes of a stream, unless it is one of those that are never encrypted."""
        kind = as_name(entry(dictionary, "/Type"))
        if kind == "XRef" or (kind == "Metadata" and not self._encryption.EncryptMetadata):
            return encrypted
        if _has_identity_filter(dictionary):
            return encrypted
        return self._decrypt(self._crypt_filter(number, generation).stm_crypt, encrypted)

    def _crypt_filter(self, number: int, generation: int) -> CryptFilter:
        """Return one object's ciphers (algorithm 1); the last are kept, since an object has many strings."""
        if self._filter is None or self._last != (number, generation):
            self._filter = self._encryption._make_crypt_filter(number, generation)
            self._last = number, generation
        return self._filter

    def _decrypt(self, crypt: Any, encrypted: bytes) -> bytes:
        """Return decrypted bytes; what cannot be decrypted is empty."""
        with logs_as_issues(_LOGGERS, "pypdf", self._issues):
            try:
                plain: bytes = crypt.decrypt(encrypted, strict=False)
            except (PyPdfError, ValueError) as error:
                self._issues.add("damaged_encryption", f"encrypted bytes cannot be decrypted: {error}")
                return b""
        return plain


class _ClearCipher:
    """Leaves strings and streams as they are: only embedded files are encrypted (7.6.5, /EFF)."""

    def string(self, encrypted: bytes, number: int, generation: int) -> bytes:
        """Return the bytes of a string, which are plain."""
        del number, generation
        return encrypted

    def stream(self, encrypted: bytes, number: int, generation: int, dictionary: Mapping[str, Any]) -> bytes:
        """Return the bytes of a stream, which are plain."""
        del number, generation, dictionary
        return encrypted


def _is_clear(encrypt: Mapping[str, Any]) -> bool:
    """Tell whether strings and streams go through the Identity filter, named or by default (7.6.5, table 20)."""
    named = {as_name(entry(encrypt, key)) or "Identity" for key in ("/StmF", "/StrF")}
    standard = (
        as_name(entry(encrypt, "/Filter")) == "Standard" and (as_integer(entry(encrypt, "/V")) or 0) >= 4
    )
    return standard and named == {"Identity"}


def _has_identity_filter(dictionary: Mapping[str, Any]) -> bool:
    """Tell whether a stream's first filter is Crypt with the name Identity: it is in clear (7.4.10)."""
    filters = resolve(dictionary.get("/Filter"))
    first = filters[0] if as_array(filters) else filters
    if as_name(first) != "Crypt":
        return False
    parameters = resolve(dictionary.get("/DecodeParms"))
    chosen = resolve(parameters[0]) if as_array(parameters) else parameters
    return as_name(entry(chosen, "/Name")) in (None, "Identity")


_WRAPPERS: dict[type, type[PdfObject]] = {bool: BooleanObject, int: NumberObject, float: FloatObject}


def _to_pypdf(value: Any, depth: int = 0) -> PdfObject:
    """Return a value with numbers, booleans and null as pypdf's objects, references resolved."""
    value = resolve(value)
    if value is None or depth > _MAX_ENCRYPT_DEPTH:
        return NullObject()
    if isinstance(value, Mapping):
        return DictionaryObject({NameObject(key): _to_pypdf(item, depth + 1) for key, item in value.items()})
    if isinstance(value, list):
        return ArrayObject(_to_pypdf(item, depth + 1) for item in value)
    if isinstance(value, bool | int | float):
        wrap: type[PdfObject] = _WRAPPERS[type(value)]
        return wrap(value)  # type: ignore[call-arg]
    if isinstance(value, str | bytes):
        return NameObject(value) if isinstance(value, str) else ByteStringObject(value)
    return NullObject()


def make_cipher(
    encrypt: Mapping[str, Any], first_id: bytes, name: str, passwords: Sequence[str], issues: IssueLog
) -> Cipher:
    """Return the cipher that a password, or none, opens; raise EncryptedError or WrongPasswordError."""
    if _is_clear(encrypt):
        return _ClearCipher()
    with logs_as_issues(_LOGGERS, "pypdf", issues):
        try:
            encryption = Encryption.read(_to_pypdf(correct_encrypt(encrypt)), first_id)  # type: ignore[arg-type]
        except (PyPdfError, NotImplementedError, ValueError, TypeError, AttributeError) as error:
            raise EncryptedError(f"{name} is encrypted in a way that is not supported: {error}") from error
        for candidate in password_candidates(passwords):
            if _opens(encryption, candidate):
                return _PypdfCipher(encryption, issues)
    if passwords:
        raise WrongPasswordError(f"{name} is encrypted, and no password given opens it")
    raise EncryptedError(f"{name} is encrypted and needs a password")


def _opens(encryption: Encryption, password: bytes) -> bool:
    """Tell whether a password opens the document; broken values in the dictionary mean that it does not."""
    try:
        if encryption.verify(password) == PasswordType.NOT_DECRYPTED:
            return False
        encryption._make_crypt_filter(1, 0)  # fails for a key that no cipher takes
    except (PyPdfError, ValueError, IndexError, TypeError, AssertionError):
        return False
    return True
