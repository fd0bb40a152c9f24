"""What differs between the Pythons that are supported, 3.11.0 to 3.13: things that tests on one of them do not show."""

from __future__ import annotations

import re

import pytest

from extractor import repetition
from tests.helpers.command import run_python

FIND_POSSESSIVE_GROUPS = """
import importlib, importlib.util, re, sys
from re import _constants as c, _parser
spec = importlib.util.spec_from_file_location("extractor.repetition", "extractor/repetition.py")
repetition = sys.modules["extractor.repetition"] = importlib.util.module_from_spec(spec)
spec.loader.exec_module(repetition)
repetition._EXACT = False  # before the others are imported
from tests.helpers.source_tree import modules

SINGLE = {c.IN, c.LITERAL, c.NOT_LITERAL, c.ANY}

def parts(value):
    if isinstance(value, _parser.SubPattern):
        yield value
    elif isinstance(value, (tuple, list)):
        for item in value:
            yield from parts(item)

def groups(pattern):
    for operation, value in pattern:
        if operation is c.POSSESSIVE_REPEAT and not (len(value[2]) == 1 and value[2][0][0] in SINGLE):
            yield value
        for part in parts(value):
            yield from groups(part)

for module in modules("extractor", "indexing"):
    for name, value in vars(importlib.import_module(module.name)).items():
        if isinstance(value, re.Pattern):
            if any(groups(_parser.parse(value.pattern, value.flags))):
                print(module.name, name)
print("DONE")
"""


def test_no_possessive_repeat_of_a_group_where_python_gets_it_wrong() -> None:
    """Before 3.11.5 such a repeat keeps what a failed round consumed (gh-106052); `repeated` knows another way."""
    seen = run_python("-c", FIND_POSSESSIVE_GROUPS)
    assert seen.stdout == "DONE\n", seen.stdout + seen.stderr


@pytest.mark.parametrize("exact", [True, False])
@pytest.mark.parametrize(
    ("item", "times", "text", "matched"),
    [
        (rb"[-+.\d ]++|\([^()]*+\)", b"*", b"1 2(ab)3(c) (x", b"1 2(ab)3(c) "),
        (rb"ab?c", b"+", b"abcacab", b"abcac"),
        (rb"\d++ ", b"{0,2}", b"1 2 3 ", b"1 2 "),
        (rb"a", b"*", b"b", b""),
    ],
)
def test_repeated(
    monkeypatch: pytest.MonkeyPatch, exact: bool, item: bytes, times: bytes, text: bytes, matched: bytes
) -> None:
    if exact and not repetition._EXACT:
        pytest.skip("this Python has no exact possessive repeat of a group")
    monkeypatch.setattr(repetition, "_EXACT", exact)
    found = re.match(repetition.repeated(item, times), text)
    assert found is not None
    assert found.group() == matched


@pytest.mark.parametrize("exact", [True, False])
def test_repeated_gives_nothing_back(monkeypatch: pytest.MonkeyPatch, exact: bool) -> None:
    monkeypatch.setattr(repetition, "_EXACT", exact)
    assert re.match(repetition.repeated(rb"ab|cd") + rb"cd", b"abcdcd") is None
