"""Real files: each opens, or says why it cannot; pages can be read within bounds."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from extractor.document import open_source
from extractor.errors import ExtractionError, PageDamagedError

MOST_SECONDS = 10.0
"""CPU time for opening a file and reading the content of all its pages."""

UNREADABLE = {"empty.pdf": "empty_file"}
"""Files that nobody can read, and the reason given."""


@pytest.mark.corpus
@pytest.mark.parametrize("folder", ["cases", "zoo"])
def test_every_real_file_opens(shared: Path, folder: str) -> None:
    passwords = ["secret"]
    for line in (shared / "cases" / "cases.jsonl").read_text("utf-8").splitlines():
        passwords.extend({json.loads(line).get("password") or ""} - {""})
    failures: list[str] = []
    for path in sorted((shared / folder / "pdf").rglob("*.pdf")):
        started, reason, empty = time.process_time(), None, False
        try:
            with open_source(path, passwords) as document:
                empty = len(document) == 0
                for index in range(len(document)):
                    assert isinstance(document.page(index).content, bytes)
        except PageDamagedError:
            reason = None
        except ExtractionError as error:
            reason = error.reason
        if reason != UNREADABLE.get(path.name) or empty or time.process_time() - started > MOST_SECONDS:
            failures.append(f"{path.name}: {reason}, {time.process_time() - started:.1f} s")
    assert failures == []
