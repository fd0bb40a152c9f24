"""The objects of a file in pypdf's model (ISO 32000-1, 7.3): what the parser fills, and everything above reads.

In: what the parser read. Out: pypdf's names, byte strings, arrays, dictionaries, streams and references. Whoever knows
pypdf can go on with them. It must not know files.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pypdf.generic import (
    ArrayObject,
    ByteStringObject,
    DictionaryObject,
    EncodedStreamObject,
    IndirectObject,
    NameObject,
)

from extractor.objects import resolve
from extractor.syntax import ObjectModel, StreamSource


class Dictionary(DictionaryObject):
    """A dictionary of pypdf's model (7.3.7) whose values may be plain numbers, booleans and None."""

    def __getitem__(self, key: Any) -> Any:
        """Return the direct object behind a key."""
        return resolve(dict.__getitem__(self, key))


class Stream(EncodedStreamObject):
    """A stream of pypdf's model (7.3.8), which reads and decodes its bytes when asked, and keeps none."""

    def __init__(self, entries: Mapping[Any, Any], source: StreamSource) -> None:
        """Take over a dictionary and the place of the bytes."""
        super().__init__()
        dict.update(self, dict.items(entries) if isinstance(entries, dict) else entries)
        self._source = source

    def __getitem__(self, key: Any) -> Any:
        """Return the direct object behind a key."""
        return resolve(dict.__getitem__(self, key))

    @property
    def _data(self) -> bytes:  # type: ignore[override]
        """The encoded bytes, which pypdf's class keeps in an attribute."""
        return self._source.raw(self)

    def get_data(self) -> bytes:
        """Return the decoded bytes."""
        return self._source.decoded(self)


def make_model(store: Any) -> ObjectModel:
    """Return the constructors of these objects; references resolve through `store`."""

    def reference(number: int, generation: int) -> IndirectObject:
        return IndirectObject(number, generation, store)

    return ObjectModel(NameObject, ByteStringObject, ArrayObject, Dictionary, reference, Stream)
