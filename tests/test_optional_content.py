"""Optional content (8.11): groups, membership policies, visibility expressions."""

from __future__ import annotations

from typing import Any

import pytest

from extractor.optional_content import OptionalContent


class Group(dict[str, Any]):
    """A group that is an indirect object with a number."""

    def __init__(self, number: int, **entries: Any) -> None:
        super().__init__({"/Type": "/OCG", **{f"/{key}": value for key, value in entries.items()}})
        self.idnum = number

    def get_object(self) -> dict[str, Any]:
        return dict(self)


ON, OFF, OTHER = Group(1), Group(2), Group(3)
DESIGN = Group(2, Intent=["/Design"])
USAGE_OFF = Group(4, Usage={"/View": {"/ViewState": "/OFF"}})
USAGE_ON = Group(2, Usage={"/View": {"/ViewState": "/ON"}})
CONTENT = OptionalContent({"/OCGs": [ON, OFF, OTHER], "/D": {"/ON": [ON], "/OFF": [OFF]}})
BASE_OFF = OptionalContent({"/D": {"/BaseState": "/OFF", "/ON": [ON]}})


def member(groups: Any, policy: str | None = None, **entries: Any) -> dict[str, Any]:
    result = {"/Type": "/OCMD", "/OCGs": groups, **{f"/{key}": value for key, value in entries.items()}}
    return result if policy is None else {**result, "/P": f"/{policy}"}


@pytest.mark.parametrize(
    ("value", "hidden"),
    [
        (DESIGN, False),
        (ON, False),
        (OFF, True),
        (OTHER, False),
        (USAGE_OFF, True),
        (USAGE_ON, True),
        (None, False),
        ({}, False),
        (7, False),
    ],
)
def test_groups(value: Any, hidden: bool) -> None:
    assert CONTENT.hidden(value) is hidden


def test_base_state_off() -> None:
    assert [BASE_OFF.hidden(group) for group in (ON, OFF, OTHER)] == [False, True, True]


def test_without_optional_content_nothing_is_hidden() -> None:
    assert not OptionalContent(None).hidden(OFF)


@pytest.mark.parametrize(
    ("policy", "both", "none_on", "all_on"),
    [
        (None, False, True, False),
        ("AnyOn", False, True, False),
        ("AllOn", True, True, False),
        ("AnyOff", False, False, True),
        ("AllOff", True, False, True),
    ],
)
def test_policies(policy: str | None, both: bool, none_on: bool, all_on: bool) -> None:
    """The columns: one group on and one off; only off; only on."""
    assert CONTENT.hidden(member([ON, OFF], policy)) is both
    assert CONTENT.hidden(member([OFF, OFF], policy)) is none_on
    assert CONTENT.hidden(member(ON, policy)) is all_on


def test_membership_without_groups_is_visible() -> None:
    for groups in (None, [], [None], [7]):
        assert not CONTENT.hidden(member(groups, "AllOn"))


@pytest.mark.parametrize(
    ("expression", "hidden"),
    [
        (["/And", ON, OFF], True),
        (["/And", ON, OTHER], False),
        (["/Or", ON, OFF], False),
        (["/Or", OFF, OFF], True),
        (["/Not", OFF], False),
        (["/Not", ON], True),
        (["/And", ["/Not", OFF], ["/Or", OFF, ["/And", ON, ON]]], False),
        (["/And"], False),
        ([], True),
    ],
)
def test_visibility_expressions_come_before_groups(expression: list[Any], hidden: bool) -> None:
    assert CONTENT.hidden(member(OFF, VE=expression)) is hidden


def test_expressions_that_contain_themselves_end() -> None:
    loop: list[Any] = ["/And", ON]
    loop.append(loop)
    assert not CONTENT.hidden(member(OFF, VE=loop))
    wide: list[Any] = ["/And", ON]
    for _ in range(28):  # as written a few bytes, as a tree 2 to the power of 28 terms
        wide = ["/And", wide, wide]
    assert not CONTENT.hidden(member(OFF, VE=wide))
