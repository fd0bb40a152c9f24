"""Names of files as text: one to one, whatever bytes they hold."""

from __future__ import annotations

import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.paths import is_url, path_text, shown, split_member, text_path


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        (b"/a/b.pdf", "/a/b.pdf"),
        ("/a/λόγος[1].pdf".encode(), "/a/λόγος[1].pdf"),
        (b"/a/\xff\xfe.pdf", "/a/\\xff\\xfe.pdf"),
        (b"/a/\\xff.pdf", "/a/\\x5cxff.pdf"),
        (b"/a/back\\slash.pdf", "/a/back\\slash.pdf"),
        (b"/a/two\nlines.pdf", "/a/two\nlines.pdf"),
    ],
)
def test_names_become_text_and_back(raw: bytes, text: str) -> None:
    assert path_text(raw) == text
    assert os.fsencode(text_path(text)) == raw


@given(st.binary(min_size=1, max_size=40).filter(lambda raw: b"\0" not in raw))
def test_any_bytes_survive(raw: bytes) -> None:
    text = path_text(raw)
    text.encode("utf-8")
    assert os.fsencode(text_path(text)) == raw


def test_shown_keeps_one_line() -> None:
    assert shown("a\nb\x1b[31m.pdf") == "a\\nb\\x1b[31m.pdf"


def test_members_of_archives() -> None:
    assert split_member("/a/b.zip!/c/d.pdf") == ("/a/b.zip", "c/d.pdf")
    assert split_member("/a/B.ZIP!/d.pdf") == ("/a/B.ZIP", "d.pdf")
    assert split_member("/a/b.pdf") == ("/a/b.pdf", None)


def test_urls() -> None:
    assert is_url("gs://bucket/a.pdf")
    assert not is_url("/a/b.pdf")
    assert not is_url("C:/b.pdf")
