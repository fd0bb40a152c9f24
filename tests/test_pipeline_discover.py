"""Which files the inputs name, and which paths they speak for."""

from __future__ import annotations

import os
import warnings
import zipfile
from pathlib import Path

import pytest

from pipeline.discover import InputError, Listed, discover, read_list
from pipeline.paths import path_text
from pipeline.patterns import glob_regex, ignored, parse_ignore
from pipeline.settings import DiscoverSettings

DEFAULT = DiscoverSettings()


def make(folder: Path, *names: str | bytes) -> None:
    for name in names:
        path = os.path.join(os.fsencode(folder), os.fsencode(name))
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(b"%PDF")


def names(folder: Path, found: dict[str, object]) -> list[str]:
    return sorted(path.removeprefix(f"{folder}/") for path in found)


def test_a_listed_file_may_have_vanished_and_is_no_pattern(tmp_path: Path) -> None:
    (tmp_path / "here [1].pdf").write_bytes(b"%PDF")
    (tmp_path / "a.pdf").write_bytes(b"%PDF")
    known = {f"{tmp_path}/known.pdf"}
    listed = [f"{tmp_path}/{name}" for name in ("here [1].pdf", "gone.pdf", "[a].pdf", "known.pdf")]
    found = discover([], DiscoverSettings(), known, Listed(listed))
    assert {Path(path).name: file.size for path, file in found.files.items()} == {
        "here [1].pdf": 4,
        "gone.pdf": 0,
        "[a].pdf": 0,
    }
    assert all(path in found.scope for path in (*listed, *known))
    with pytest.raises(InputError, match="no such file"):
        discover([f"{tmp_path}/gone.pdf"], DiscoverSettings(), known)


def test_folders_are_walked_to_any_depth_with_any_name(tmp_path: Path) -> None:
    make(
        tmp_path,
        "a.pdf",
        "sub/B.PDF",
        "sub/deep/c[1].pdf",
        "two\nlines.pdf",
        b"bad\xff.pdf",
        "note.txt",
        ".hidden.pdf",
    )
    found = discover([str(tmp_path)], DEFAULT)
    assert names(tmp_path, found.files) == [
        "a.pdf",
        "bad\\xff.pdf",
        "sub/B.PDF",
        "sub/deep/c[1].pdf",
        "two\nlines.pdf",
    ]
    assert found.files[f"{tmp_path}/a.pdf"].size == 4
    assert found.bytes == 20


def test_a_name_with_brackets_is_a_file_before_it_is_a_pattern(tmp_path: Path) -> None:
    make(tmp_path, "c[1].pdf", "c1.pdf")
    assert names(tmp_path, discover([f"{tmp_path}/c[1].pdf"], DEFAULT).files) == ["c[1].pdf"]
    assert names(tmp_path, discover([f"{tmp_path}/c[12].pdf"], DEFAULT).files) == ["c1.pdf"]


def test_a_glob_that_matches_nothing_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no file matches"):
        discover([f"{tmp_path}/*.pdf"], DEFAULT)


def test_globs_with_two_stars_take_the_top_folder_too(tmp_path: Path) -> None:
    make(tmp_path, "top.pdf", "a/b/low.pdf", "a/b/low.txt")
    found = discover([f"{tmp_path}/**/*.pdf"], DEFAULT)
    assert names(tmp_path, found.files) == ["a/b/low.pdf", "top.pdf"]
    assert f"{tmp_path}/a/gone.pdf" in found.scope
    assert f"{tmp_path}/a/gone.txt" not in found.scope


def test_what_is_no_file_is_named_and_passed_over(tmp_path: Path) -> None:
    make(tmp_path, "folder.pdf/inside.pdf", "real.pdf")
    os.mkfifo(tmp_path / "pipe.pdf")
    (tmp_path / "broken.pdf").symlink_to(tmp_path / "nowhere")
    (tmp_path / "loop").symlink_to(tmp_path)
    found = discover([str(tmp_path)], DEFAULT)
    assert names(tmp_path, found.files) == ["broken.pdf", "folder.pdf/inside.pdf", "real.pdf"]
    assert {(Path(entry.path).name, entry.reason) for entry in found.skipped} == {
        ("folder.pdf", "folder"),
        ("pipe.pdf", "not_a_file"),
        ("loop", "linked_folder"),
    }


def test_symbolic_links_to_folders_are_followed_on_request_and_loops_end(tmp_path: Path) -> None:
    make(tmp_path / "in", "a.pdf")
    make(tmp_path / "elsewhere", "b.pdf")
    (tmp_path / "in" / "link").symlink_to(tmp_path / "elsewhere")
    (tmp_path / "in" / "loop").symlink_to(tmp_path / "in")
    inside = tmp_path / "in"
    assert names(inside, discover([str(inside)], DEFAULT).files) == ["a.pdf"]
    following = discover([str(inside)], DiscoverSettings(follow_symlinks=True))
    assert names(inside, following.files) == ["a.pdf", "link/b.pdf"]


def test_an_ignore_file_speaks_for_its_folder(tmp_path: Path) -> None:
    make(
        tmp_path,
        "keep.pdf",
        "draft-1.pdf",
        "draft-keep.pdf",
        "old/a.pdf",
        "sub/old/b.pdf",
        "sub/top.pdf",
        "top.pdf",
    )
    (tmp_path / ".glyphdexignore").write_text(
        "# comment\ndraft-*.pdf\n!draft-keep.pdf\nold/\n/top.pdf\n", "utf-8"
    )
    assert names(tmp_path, discover([str(tmp_path)], DEFAULT).files) == [
        "draft-keep.pdf",
        "keep.pdf",
        "sub/top.pdf",
    ]


@pytest.mark.parametrize(
    ("pattern", "path", "matches"),
    [
        ("*.pdf", "a.pdf", True),
        ("*.pdf", "a/b.pdf", False),
        ("**/*.pdf", "b.pdf", True),
        ("**/*.pdf", "a/c/b.pdf", True),
        ("a/**", "a/c/b.pdf", True),
        ("[!a].pdf", "b.pdf", True),
        ("[!a].pdf", "a.pdf", False),
        ("a[.pdf", "a[.pdf", True),
        ("a?.pdf", "a/.pdf", False),
    ],
)
def test_patterns(pattern: str, path: str, matches: bool) -> None:
    assert bool(glob_regex(pattern).fullmatch(path)) is matches


def test_rules_of_a_deeper_folder_come_last() -> None:
    rules = [*parse_ignore(["*.pdf"], "/in"), *parse_ignore(["!b.pdf"], "/in/sub")]
    assert ignored("/in/b.pdf", False, rules)
    assert not ignored("/in/sub/b.pdf", False, rules)


def test_scope_says_what_can_be_gone(tmp_path: Path) -> None:
    make(tmp_path / "in", "a.pdf")
    (tmp_path / "other").mkdir()
    scope = discover([str(tmp_path / "in")], DEFAULT).scope
    assert f"{tmp_path}/in/b.pdf" in scope
    assert f"{tmp_path}/in/x.zip!/b.pdf" in scope
    assert f"{tmp_path}/other/b.pdf" not in scope
    assert f"{tmp_path}/in2/b.pdf" not in scope


def test_nothing_below_a_folder_that_cannot_be_listed_is_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make(tmp_path, "a.pdf", "locked/b.pdf")
    listed = os.scandir

    def refuse(name: str) -> object:
        if name.endswith("locked"):
            raise PermissionError(name)
        return listed(name)

    monkeypatch.setattr(os, "scandir", refuse)
    found = discover([str(tmp_path)], DEFAULT)
    assert f"{tmp_path}/locked/b.pdf" not in found.scope
    assert f"{tmp_path}/c.pdf" in found.scope
    assert [entry.reason for entry in found.skipped] == ["unreadable_folder"]


def test_an_input_that_names_nothing_is_an_error_unless_the_store_knows_it(tmp_path: Path) -> None:
    missing = str(tmp_path / "missing.pdf")
    with pytest.raises(InputError, match="no such file"):
        discover([missing], DEFAULT)
    assert missing in discover([missing], DEFAULT, known=[missing]).scope


def test_archives_are_looked_into(tmp_path: Path) -> None:
    archive = tmp_path / "a.zip"
    with zipfile.ZipFile(archive, "w") as content:
        content.writestr("in/x.pdf", b"%PDF")
        content.writestr("readme.txt", b"text")
    assert names(tmp_path, discover([str(archive)], DEFAULT).files) == ["a.zip!/in/x.pdf"]
    assert names(tmp_path, discover([str(tmp_path)], DEFAULT).files) == []
    assert names(tmp_path, discover([str(tmp_path)], DiscoverSettings(archives=True)).files) == [
        "a.zip!/in/x.pdf"
    ]
    (tmp_path / "bad.zip").write_bytes(b"no archive")
    assert names(tmp_path, discover([f"{tmp_path}/bad.zip"], DEFAULT).files) == ["bad.zip"]


def test_members_of_archives_that_are_hidden_or_have_one_name(tmp_path: Path) -> None:
    archive = tmp_path / "a.zip"
    with zipfile.ZipFile(archive, "w") as content, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of the name that is there twice
        for name, body in (("a.pdf", b"1"), ("a.pdf", b"22"), (".h.pdf", b"3"), ("__MACOSX/._a.pdf", b"4")):
            content.writestr(name, body)
    found = discover([str(archive)], DEFAULT)
    assert names(tmp_path, found.files) == ["a.zip!/a.pdf"]
    assert [item.size for item in found.files.values()] == [2]
    assert [(entry.path, entry.reason) for entry in found.skipped] == [(f"{archive}!/a.pdf", "same_name")]
    assert len(discover([str(archive)], DiscoverSettings(hidden=True)).files) == 3
    assert names(tmp_path, discover([f"{archive}!/.h.pdf"], DEFAULT).files) == ["a.zip!/.h.pdf"]


def test_lists_of_paths() -> None:
    assert list(read_list(b"a.pdf\nb c.pdf\r\n\n")) == ["a.pdf", "b c.pdf"]
    assert [path_text(path) for path in read_list(b"two\nlines.pdf\0bad\xff.pdf\0")] == [
        "two\nlines.pdf",
        "bad\\xff.pdf",
    ]
