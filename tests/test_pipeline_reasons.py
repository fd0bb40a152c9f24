"""Every reason, everywhere in the code, is in the table that explains it."""

from __future__ import annotations

import re

import extractor.errors
from pipeline.reasons import FLAGS, PASSED_OVER, PASSING, REASONS
from tests.helpers.source_tree import modules

_RAISED = re.compile(
    r"(?:UnreadableFileError|_Lost|failed_row|_failed|_failure|ExtractionError)\(\s*(?:index, )?\"(\w+)\""
)
_SKIPPED = re.compile(r"_skip\([^\n]*?\"(\w+)\"")


def test_every_reason_of_the_extractor_is_explained() -> None:
    classes = extractor.errors.ExtractionError.__subclasses__()
    fixed = {
        cls.fixed_reason
        for base in classes
        for cls in [base, *base.__subclasses__()]
        if hasattr(cls, "fixed_reason")
    }
    assert "encrypted" in fixed
    assert fixed <= REASONS.keys()


def test_every_reason_in_the_code_is_explained() -> None:
    raised = {code for module in modules() for code in _RAISED.findall(module.source)}
    assert {"timeout", "crash", "memory", "vanished", "internal"} <= raised
    assert raised <= REASONS.keys()
    skipped = {code for module in modules("pipeline") for code in _SKIPPED.findall(module.source)}
    assert {"folder", "not_a_file"} <= skipped
    assert skipped <= PASSED_OVER.keys()


def test_every_flag_is_explained() -> None:
    source = next(module.source for module in modules("extractor") if module.relative == "extractor/flags.py")
    flags = set(re.findall(r"flags.append\(\"(\w+)\"\)|^ +\(\"(\w+)\", counts", source, re.MULTILINE))
    named = {name for pair in flags for name in pair if name}
    assert {"needs_ocr", "garbled", "overprinted"} <= named
    assert named <= FLAGS.keys()


def test_reasons_about_the_moment_are_tried_again() -> None:
    assert {"vanished", "unreadable", "changed"} <= PASSING
    assert not PASSING & {"encrypted", "damaged", "timeout"}
