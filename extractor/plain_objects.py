"""The objects of a file as Python's own (ISO 32000-1, 7.3): the model that the parser fills.

In: what the parser read. Out: names as str with their slash, strings as bytes, and dictionaries, arrays, streams and
references as small classes of ours; `objects` reads them by their shape. It must not know files.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from extractor.objects import resolve
from extractor.syntax import ObjectModel, StreamSource


class _Store(Protocol):
    def get_object(self, reference: Any) -> Any: ...


class Reference:
    """An indirect reference (7.3.10)."""

    __slots__ = ("_store", "generation", "idnum")

    def __init__(self, number: int, generation: int, store: _Store) -> None:
        """Remember the object's number and who can read it."""
        self.idnum, self.generation, self._store = number, generation, store

    def get_object(self) -> Any:
        """Return the object referred to, None if there is none."""
        return self._store.get_object(self)

    def __eq__(self, other: object) -> bool:
        """Tell whether another reference is to the same object of the same file."""
        return (
            isinstance(other, Reference)
            and (self.idnum, self.generation) == (other.idnum, other.generation)
            and self._store is other._store
        )

    def __hash__(self) -> int:
        """Return the same for references to the same object."""
        return hash((self.idnum, self.generation))

    def __repr__(self) -> str:
        """Return the reference as it is written in a file."""
        return f"{self.idnum} {self.generation} R"


class Array(list[Any]):
    """An array (7.3.6)."""

    __slots__ = ("indirect_reference",)
    indirect_reference: Reference


class Dictionary(dict[str, Any]):
    """A dictionary (7.3.7); indexing it resolves references."""

    __slots__ = ("indirect_reference",)
    indirect_reference: Reference

    def __getitem__(self, key: str) -> Any:
        """Return the direct object behind a key."""
        return resolve(dict.__getitem__(self, key))


class Stream(Dictionary):
    """A stream (7.3.8), which reads and decodes its bytes when asked, and keeps none."""

    __slots__ = ("_source",)

    def __init__(self, entries: Mapping[str, Any], source: StreamSource) -> None:
        """Take over a dictionary and the place of the bytes."""
        super().__init__()
        dict.update(self, dict.items(entries) if isinstance(entries, dict) else entries)
        self._source = source

    def get_data(self) -> bytes:
        """Return the decoded bytes."""
        return self._source.decoded(self)


def make_model(store: _Store) -> ObjectModel:
    """Return the constructors of these objects; references resolve through `store`."""

    def reference(number: int, generation: int) -> Reference:
        return Reference(number, generation, store)

    return ObjectModel(str, bytes, Array, Dictionary, reference, Stream)
