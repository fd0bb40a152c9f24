"""Every reason, everywhere in the code, is in the table that explains it."""

from __future__ import annotations

import re
from pathlib import Path

import extractor.errors
import pipeline.run_report
from pipeline.config import load_config
from pipeline.metrics import metric_lines
from pipeline.reasons import FLAGS, PASSED_OVER, PASSING, REASONS
from pipeline.run_report import RunReport
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


def test_the_operators_manual_explains_every_code_exit_and_metric(project: Path) -> None:
    manual = (project / "OPERATIONS.md").read_text("utf-8")
    for code, reason in REASONS.items():
        assert f"| `{code}` | {reason.meaning}" in manual
    for table in (PASSED_OVER, FLAGS):
        for code, meaning in table.items():
            assert f"| `{code}` | {meaning} |" in manual
    named = set(re.findall(r"`(glyphdex_\w+)`", manual))
    written = {line.split("{")[0].split()[0] for line in metric_lines(REPORT) if not line.startswith("#")}
    assert named <= written
    exits = {code for name, code in vars(pipeline.run_report).items() if name.startswith("EXIT_")}
    assert exits == {int(code) for code in re.findall(r"^\| (\d+) \|", manual, re.MULTILINE)}
    settings = set(re.findall(r"`((?:limits|parts|guard|store|passwords|discover|run)\.\w+)`", manual))
    assert settings <= {row[0] for row in load_config(environment={}).rows()}


REPORT = RunReport(
    "r", "ingest", "2026-01-01T00:00:00+00:00", documents={"ok": 1}, reasons={"encrypted": 1}, plan={"new": 1},
    pages={"ok": 1},
    glyphs=dict.fromkeys(("visible", "words", "lines", "images", "ms"), 1.0),
    phases={"extract": 1.0}, peak_memory_mb={"child": 1.0}, snapshot=1,
)  # fmt: skip
