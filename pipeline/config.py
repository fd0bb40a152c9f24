"""Settings from four places: flags, then GLYPHDEX_* variables, then a TOML file, then the defaults.

In: a file's name, the environment, values of flags. Out: Config, the settings and where each came from;
ConfigError with the nearest known name for one that is not. It must not know what the settings do.
"""

from __future__ import annotations

import dataclasses
import difflib
import math
import os
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args, get_origin, get_type_hints

from pipeline.settings import Settings
from pipeline.wording import reason_of

_PREFIX = "GLYPHDEX_"
_OUTSIDE = {"GLYPHDEX_CONFIG", "GLYPHDEX_SHARED", "GLYPHDEX_STORE"}
"""Variables with our prefix that are no settings."""
_TRUE, _FALSE = {"1", "true", "yes", "on"}, {"0", "false", "no", "off", ""}
_OPEN_SECTION = "extractor"


class ConfigError(Exception):
    """A setting that is unknown, or has a value of another type."""


@dataclass(frozen=True)
class Config:
    """The settings and, for each by its dotted name, where its value comes from."""

    settings: Settings
    origins: Mapping[str, str]

    def rows(self) -> Iterator[tuple[str, Any, str, str]]:
        """Yield (dotted name, value, origin, meaning) of every setting."""
        for name, field, value in _fields(self.settings):
            yield name, value, self.origins.get(name, "default"), field.metadata.get("meaning", "")
        for key, value in self.settings.extractor.items():
            name = f"{_OPEN_SECTION}.{key}"
            yield name, value, self.origins.get(name, "default"), "option of the extractor"


def load_config(
    file: str | Path | None = None,
    flags: Mapping[str, Any] | None = None,
    environment: Mapping[str, str] | None = None,
) -> Config:
    """Resolve every setting; `flags` maps dotted names to values, None where a flag was not given."""
    environment = os.environ if environment is None else environment
    file = file or environment.get("GLYPHDEX_CONFIG") or None
    values: dict[str, Any] = {}
    origins: dict[str, str] = {}
    layers = (_from_file(file), _from_environment(environment), _from_flags(flags or {}))
    for layer in layers:
        for name, (value, origin) in layer.items():
            values[name] = value
            origins[name] = origin
    return Config(_build(values), origins)


def _fields(settings: Settings) -> Iterator[tuple[str, dataclasses.Field[Any], Any]]:
    for section in dataclasses.fields(settings):
        part = getattr(settings, section.name)
        if not dataclasses.is_dataclass(part):
            continue
        for field in dataclasses.fields(part):
            yield f"{section.name}.{field.name}", field, getattr(part, field.name)


def _types() -> dict[str, Any]:
    types: dict[str, Any] = {}
    for section, kind in get_type_hints(Settings).items():
        if dataclasses.is_dataclass(kind):
            types.update({f"{section}.{name}": hint for name, hint in get_type_hints(kind).items()})
    return types


def _from_file(file: str | Path | None) -> dict[str, tuple[Any, str]]:
    if file is None:
        return {}
    try:
        document = tomllib.loads(Path(file).read_text("utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ConfigError(f"{file}: {reason_of(error)}") from error
    layer: dict[str, tuple[Any, str]] = {}
    for section, body in document.items():
        if not isinstance(body, dict):
            raise ConfigError(f"{file}: {section!r} stands outside a section{_nearest(section)}")
        for key, value in body.items():
            name = f"{section}.{key}"
            layer[name] = (_checked(name, value, str(file)), f"file {file}")
    return layer


def _from_environment(environment: Mapping[str, str]) -> dict[str, tuple[Any, str]]:
    layer: dict[str, tuple[Any, str]] = {}
    for variable, text in environment.items():
        if not variable.startswith(_PREFIX) or variable in _OUTSIDE:
            continue
        name = variable.removeprefix(_PREFIX).lower().replace("_", ".", 1)
        value = _toml_value(text) if name.startswith(f"{_OPEN_SECTION}.") else text
        layer[name] = (_checked(name, value, variable), f"variable {variable}")
    return layer


def _toml_value(text: str) -> Any:
    """Return what `text` is in TOML, an inline table too; text that is no TOML stays text."""
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return text


def _from_flags(flags: Mapping[str, Any]) -> dict[str, tuple[Any, str]]:
    return {
        name: (_checked(name, value, "flag"), "flag") for name, value in flags.items() if value is not None
    }


def _checked(name: str, value: Any, where: str) -> Any:
    """Return `value` in the type of the setting; text (of a variable) is read as that type."""
    if name.startswith(f"{_OPEN_SECTION}."):
        return value
    kind = _types().get(name)
    if kind is None:
        raise ConfigError(f"{where}: there is no setting {name!r}{_nearest(name)}")
    try:
        converted = _converted(kind, value)
    except (TypeError, ValueError) as error:
        shown = "list of text" if get_origin(kind) is tuple else kind.__name__
        raise ConfigError(f"{where}: {name} must be of type {shown}, not {value!r}") from error
    _check_bounds(name, converted, where)
    return converted


def _check_bounds(name: str, value: Any, where: str) -> None:
    """Refuse a value that the setting may not have."""
    section, key = name.split(".", 1)
    field = get_type_hints(Settings)[section].__dataclass_fields__[key]
    least, most, choices = (field.metadata.get(bound) for bound in ("least", "most", "choices"))
    if choices and value not in choices:
        raise ConfigError(f"{where}: {name} must be one of {', '.join(choices)}, not {value!r}")
    if isinstance(value, tuple) and not all(value or [""]):
        raise ConfigError(f"{where}: {name} must be a list of at least one text, none of them empty")
    low, high = (-math.inf if least is None else least), (math.inf if most is None else most)
    if not isinstance(value, (int, float)) or low <= value <= high:  # what is no number is in no range
        return
    allowed = f"at least {least:,g}" if most is None else f"from {low:,g} to {high:,g}"
    raise ConfigError(f"{where}: {name} must be {allowed}, not {value!r}")


def _converted(kind: Any, value: Any) -> Any:
    if get_origin(kind) is tuple:
        items = value.split(os.pathsep) if isinstance(value, str) else value
        if isinstance(items, dict) or not all(isinstance(item, get_args(kind)[0]) for item in items):
            raise TypeError
        return tuple(items)
    if kind is bool:
        return value if isinstance(value, bool) else _boolean(value)
    if isinstance(value, str) and kind is not str:
        return kind(value)
    if isinstance(value, bool) or not isinstance(value, (int, float) if kind is float else kind):
        raise TypeError
    return kind(value)


def _boolean(value: Any) -> bool:
    if not isinstance(value, str) or value.lower() not in _TRUE | _FALSE:
        raise TypeError
    return value.lower() in _TRUE


def _nearest(name: str) -> str:
    known = [*_types(), *(field.name for field in dataclasses.fields(Settings))]
    close = difflib.get_close_matches(name, known, n=1, cutoff=0.5)
    if not close:
        leaf = name.rsplit(".", 1)[-1]
        leaves = {candidate.rsplit(".", 1)[-1]: candidate for candidate in known}
        close = [leaves[match] for match in difflib.get_close_matches(leaf, leaves, n=1, cutoff=0.5)]
    return f"; did you mean {close[0]!r}?" if close else ""


def _build(values: Mapping[str, Any]) -> Settings:
    sections: dict[str, dict[str, Any]] = {}
    for name, value in values.items():
        section, key = name.split(".", 1)
        sections.setdefault(section, {})[key] = value
    kinds = get_type_hints(Settings)
    built: dict[str, Any] = {}
    for section, body in sections.items():
        built[section] = dict(body) if section == _OPEN_SECTION else kinds[section](**body)
    return Settings(**built)
