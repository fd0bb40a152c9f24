"""The identity of an extraction: which version of the extractor, with which options.

In: the settings' section [extractor]. Out: extractor.Options and a short hash that is part of the key of
every row. It must not extract anything.
"""

from __future__ import annotations

import dataclasses
import difflib
import hashlib
import math
from collections.abc import Mapping
from typing import Any

import extractor
from pipeline.config import ConfigError

_ID_BYTES = 8


def extraction_options(values: Mapping[str, Any]) -> extractor.Options:
    """Return the extractor's options with `values`, nested by section, laid over the defaults."""
    options: extractor.Options = _laid_over(extractor.Options(), values, "extractor")
    return options


def extraction_id(values: Mapping[str, Any]) -> str:
    """Return 16 hexadecimal digits of the extractor's version and all its options."""
    options = extraction_options(values)
    content = f"{extractor.VERSION}\0{options!r}"
    return hashlib.blake2b(content.encode(), digest_size=_ID_BYTES).hexdigest()


def _laid_over(options: Any, values: Mapping[str, Any], where: str) -> Any:
    names = [field.name for field in dataclasses.fields(options)]
    changed: dict[str, Any] = {}
    for name, value in values.items():
        if name not in names:
            close = difflib.get_close_matches(name, names, n=1, cutoff=0.5)
            hint = f"; did you mean {close[0]!r}?" if close else ""
            raise ConfigError(f"there is no option {where}.{name}{hint}")
        current = getattr(options, name)
        if dataclasses.is_dataclass(current):
            if not isinstance(value, Mapping):
                raise ConfigError(f"{where}.{name} is a section with options of its own")
            changed[name] = _laid_over(current, value, f"{where}.{name}")
        else:
            changed[name] = _in_type_of(current, value, f"{where}.{name}")
    return dataclasses.replace(options, **changed)


def _in_type_of(current: Any, value: Any, name: str) -> Any:
    if isinstance(current, bool) or isinstance(value, bool):
        fits = isinstance(current, bool) and isinstance(value, bool)
    elif isinstance(current, float):
        fits = isinstance(value, int | float)
    else:
        fits = isinstance(value, type(current))
    if not fits:
        raise ConfigError(f"{name} must be of type {type(current).__name__}, not {value!r}")
    if isinstance(current, int | float) and not 0 <= value < math.inf:
        raise ConfigError(f"{name} must be a number of at least 0, not {value!r}")
    return float(value) if isinstance(current, float) else value
