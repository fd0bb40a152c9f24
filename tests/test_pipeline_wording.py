"""What people are told of errors: words, no numbers of errors, and the name that was meant."""

from __future__ import annotations

import pytest

from pipeline.wording import nearest, plain, reason_of, without_numbers


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (FileNotFoundError(2, "No such file or directory", "/a/b"), "/a/b: no such file or directory"),
        (OSError(28, "No space left on device"), "no space left on device"),
        (OSError("said by Arrow"), "said by Arrow"),
        (UnicodeDecodeError("utf-8", b"\xff", 0, 1, "invalid start byte"), "it is not UTF-8 text"),
        (ValueError("as it is"), "as it is"),
    ],
)
def test_errors_in_plain_words(error: Exception, said: str) -> None:
    assert plain(error) == said
    assert "/a/b" not in reason_of(error)


def test_what_others_said_without_numbers() -> None:
    assert (
        without_numbers("RuntimeError: OSError: [Errno 28] No space left on device")
        == "No space left on device"
    )
    assert without_numbers("exit code 1: OSError: [Errno 28] No space") == "exit code 1: No space"
    assert without_numbers("ValueError: a number 28") == "ValueError: a number 28"


def test_the_name_that_was_meant() -> None:
    assert nearest("needs_ocs", ["needs_ocr", "blank"]) == "; did you mean needs_ocr?"
    assert nearest("zzz", ["needs_ocr", "blank"]) == ""
