"""Typed reading of PDF objects (ISO 32000-1, 7.3).

In: objects of pypdf's model, or plain Python dictionaries, lists, strings, numbers. Out: plain Python values, or None
where the object is absent, null, of another type, or cannot be read. It must not import pypdf: everything is
recognised by its shape, so that fonts and the interpreter can be tested with plain values.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

_MAX_REFERENCE_CHAIN = 32
"""A reference that leads to a reference, more often than this, is a loop (7.3.10)."""


def resolve(value: Any) -> Any:
    """Return the direct object behind `value` (7.3.10); None for null and for references that lead nowhere."""
    for _ in range(_MAX_REFERENCE_CHAIN):
        if value is None or not hasattr(value, "get_object"):
            return value
        if not hasattr(value, "idnum"):  # a direct pypdf object; its null is no None
            return None if type(value).__name__ == "NullObject" else value
        value = value.get_object()
    return None


def entry(dictionary: Any, key: str) -> Any:
    """Return the resolved value of `key` (with its slash) in a dictionary or a stream's dictionary, or None."""
    return resolve(raw_entry(dictionary, key))


def raw_entry(dictionary: Any, key: str) -> Any:
    """Return the value of `key` as it stands in the dictionary, a reference included, or None."""
    if isinstance(dictionary, dict):
        return dict.get(dictionary, key)
    return dictionary.get(key) if isinstance(dictionary, Mapping) else None


def as_dictionary(value: Any) -> Mapping[str, Any] | None:
    """Return `value` resolved if it is a dictionary or a stream, else None."""
    value = resolve(value)
    return value if isinstance(value, dict | Mapping) else None


def as_array(value: Any) -> Sequence[Any] | None:
    """Return `value` resolved if it is an array (its elements may still be references), else None."""
    value = resolve(value)
    return value if isinstance(value, list | tuple) else None


def as_number(value: Any) -> float | None:
    """Return `value` resolved as a float if it is an integer or a real, else None. A boolean is no number."""
    value = resolve(value)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value)


def as_integer(value: Any) -> int | None:
    """Return `value` resolved as an int if it is a finite number, else None."""
    number = as_number(value)
    if number is None or not abs(number) <= 1e18:
        return None
    return int(number)


def as_name(value: Any) -> str | None:
    """Return a name (7.3.5) without its slash, else None. A name is a str that begins with a slash."""
    value = resolve(value)
    return value[1:] if isinstance(value, str) and value[:1] == "/" else None


def numbers(value: Any, length: int) -> tuple[float, ...] | None:
    """Return an array of exactly `length` numbers as floats, else None."""
    array = as_array(value)
    if array is None or len(array) < length:
        return None
    result = [as_number(element) for element in array[:length]]
    return None if any(element is None for element in result) else tuple(result)  # type: ignore[arg-type]


def is_stream(value: Any) -> bool:
    """Tell whether `value`, resolved, is a stream (7.3.8)."""
    return hasattr(resolve(value), "get_data")


def reference_key(value: Any) -> int:
    """Return a number that is the same for the same indirect object within a document; 0 for a direct object."""
    number = getattr(value, "idnum", None)
    if number is None:
        reference = getattr(value, "indirect_reference", None)
        number = getattr(reference, "idnum", None)
    return int(number) if number is not None else 0
