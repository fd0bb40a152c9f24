"""Settings: four layers, origins, and errors that name the nearest setting."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any, get_type_hints

import pytest

from pipeline.config import ConfigError, load_config
from pipeline.extraction import extraction_id, extraction_options
from pipeline.settings import Settings


def test_flags_beat_variables_beat_the_file_beat_the_defaults(tmp_path: Path) -> None:
    file = tmp_path / "c.toml"
    file.write_text(
        "[limits]\npage_seconds = 1\nopen_seconds = 2\nmemory_mb = 600\n[run]\nworkers = 7\n", "utf-8"
    )
    environment = {"GLYPHDEX_LIMITS_OPEN_SECONDS": "3", "GLYPHDEX_LIMITS_MEMORY_MB": "700", "PATH": "/bin"}
    config = load_config(file, {"limits.memory_mb": 800, "run.workers": None}, environment)
    limits = config.settings.limits
    assert (limits.page_seconds, limits.open_seconds, limits.memory_mb) == (1.0, 3.0, 800)
    assert config.settings.run.workers == 7
    origins = {name: origin for name, _, origin, _ in config.rows()}
    assert origins["limits.page_seconds"] == f"file {file}"
    assert origins["limits.open_seconds"] == "variable GLYPHDEX_LIMITS_OPEN_SECONDS"
    assert origins["limits.memory_mb"] == "flag"
    assert origins["limits.recycle_mb"] == "default"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[limits]\npage_second = 1\n", "limits.page_seconds"),
        ("[limit]\npage_seconds = 1\n", "limits.page_seconds"),
        ("[run]\nworkers = 'two'\n", "must be of type int"),
        ("[run]\nworkers = 1.5\n", "must be of type int"),
        ("[run]\nworkers = true\n", "must be of type int"),
        ("[discover]\nsuffixes = [1]\n", "list of text"),
        ("[discover]\nverify = 'perhaps'\n", "must be of type bool"),
        ("[run]\nspan_pages = 0\n", "run.span_pages must be at least 1, not 0"),
        ("[run]\nworkers = -1\n", "run.workers must be from 0 to 1,024, not -1"),
        ("[limits]\npage_seconds = nan\n", "limits.page_seconds must be from 0.1 to 86,400, not nan"),
        ("[guard]\nmax_delete_fraction = 20\n", "guard.max_delete_fraction must be from 0 to 1, not 20.0"),
        ("[discover]\nsuffixes = []\n", "discover.suffixes must be a list of at least one text"),
        ("[discover]\nsuffixes = ['']\n", "discover.suffixes must be a list of at least one text"),
        ("[store]\ngenerations = 0\n", "store.generations must be at least 1, not 0"),
        ("[output]\nlog_format = 'xml'\n", "output.log_format must be one of text, json, not 'xml'"),
        ("workers = 1\n", "outside a section"),
        ("[run\n", "c.toml"),
    ],
)
def test_mistakes_are_named(tmp_path: Path, text: str, says: str) -> None:
    file = tmp_path / "c.toml"
    file.write_text(text, "utf-8")
    with pytest.raises(ConfigError, match=says):
        load_config(file, environment={})


NUMBERS = [
    (name, field)
    for section, kind in get_type_hints(Settings).items()
    if dataclasses.is_dataclass(kind)
    for name, field in ((f"{section}.{field.name}", field) for field in dataclasses.fields(kind))
    if isinstance(field.default, (int, float)) and not isinstance(field.default, bool)
]


@pytest.mark.parametrize(("name", "field"), NUMBERS)
def test_every_number_has_a_range_in_the_file_the_variables_and_the_flags(
    name: str, field: dataclasses.Field[Any], tmp_path: Path
) -> None:
    least, most = field.metadata["least"], field.metadata["most"]
    assert least is not None, f"{name} takes what is below any sense"
    wrong = [least - 1] if most is None else [least - 1, most + 1]
    if isinstance(field.default, float):
        assert most is not None, f"{name} takes inf"
        wrong += [float("nan"), float("inf"), float("-inf")]
    section, key = name.split(".")
    file = tmp_path / "c.toml"
    for value in wrong:
        file.write_text(f"[{section}]\n{key} = {value!r}\n", "utf-8")
        variable = {f"GLYPHDEX_{section}_{key}".upper(): str(value)}
        for origin in ({"file": file}, {"environment": variable}, {"flags": {name: value}}):
            with pytest.raises(ConfigError, match=f"{name} must be (at least|from) {least:g}"):
                load_config(**{"environment": {}, **origin})


def test_every_default_is_a_value_that_the_setting_may_have() -> None:
    flags = {name: value for name, value, _, _ in load_config(environment={}).rows()}
    assert load_config(flags=flags, environment={}).settings == load_config(environment={}).settings


def test_a_file_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"no\.toml"):
        load_config(tmp_path / "no.toml", environment={})


def test_an_unknown_variable_is_an_error() -> None:
    with pytest.raises(ConfigError, match=r"did you mean 'run\.workers'"):
        load_config(environment={"GLYPHDEX_RUN_WORKER": "1"})


def test_the_variable_glyphdex_config_names_the_file(tmp_path: Path) -> None:
    file = tmp_path / "c.toml"
    file.write_text("[discover]\nsuffixes = ['.pdf', '.ai']\nhidden = true\n", "utf-8")
    settings = load_config(environment={"GLYPHDEX_CONFIG": str(file)}).settings
    assert settings.discover.suffixes == (".pdf", ".ai")
    assert settings.discover.hidden
    assert load_config(environment={"GLYPHDEX_DISCOVER_SUFFIXES": ".pdf:.ai"}).settings.discover.suffixes == (
        ".pdf",
        ".ai",
    )


@pytest.mark.parametrize("name", ["local", "nightly", "test"])
def test_the_shipped_configurations_are_valid(name: str) -> None:
    file = Path(__file__).parent.parent / "configs" / f"{name}.toml"
    config = load_config(file, environment={})
    changed = [row for row in config.rows() if row[2] != "default"]
    defaults = {row[0]: row[1] for row in load_config(environment={}).rows()}
    assert changed
    for setting, value, _, _ in changed:
        assert setting.startswith("extractor.") or defaults[setting] != value, f"{setting} is the default"


def test_options_of_the_extractor_come_from_all_layers(tmp_path: Path) -> None:
    file = tmp_path / "c.toml"
    file.write_text("[extractor]\nannotations = false\n[extractor.limits]\nglyphs = 1000\n", "utf-8")
    config = load_config(file, environment={"GLYPHDEX_EXTRACTOR_KEEP_CLIPPED": "true"})
    options = extraction_options(config.settings.extractor)
    assert (options.annotations, options.limits.glyphs, options.keep_clipped) == (False, 1000, True)
    assert extraction_id(config.settings.extractor) != extraction_id({})
    assert extraction_id({"annotations": True}) == extraction_id({})  # the default, said aloud
    origins = {name: origin for name, _, origin, _ in config.rows()}
    assert origins["extractor.keep_clipped"] == "variable GLYPHDEX_EXTRACTOR_KEEP_CLIPPED"


@pytest.mark.parametrize(
    ("values", "says"),
    [
        ({"anotations": True}, "did you mean 'annotations'"),
        ({"annotations": "yes"}, "must be of type bool"),
        ({"limits": 3}, "section"),
        ({"limits": {"glyph": 3}}, "did you mean 'glyphs'"),
        ({"limits": {"glyphs": 1.5}}, "must be of type int"),
        ({"limits": {"glyphs": -1}}, "extractor.limits.glyphs must be a number of at least 0, not -1"),
    ],
)
def test_mistakes_in_the_extractors_options_are_named(values: dict[str, object], says: str) -> None:
    with pytest.raises(ConfigError, match=says):
        extraction_options(values)
