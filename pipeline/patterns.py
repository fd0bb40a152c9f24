"""File name patterns: globs with `**`, and the rules of `.glyphdexignore`.

In: patterns and paths as text. Out: whether they match. It must not touch the file system.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

_MAGIC = re.compile(r"[*?\[]")


def has_magic(text: str) -> bool:
    """Tell whether `text` holds a character that means something in a glob."""
    return _MAGIC.search(text) is not None


def glob_regex(pattern: str) -> re.Pattern[str]:
    """Return a pattern for whole paths: `*` and `?` stay within a name, `**` spans folders, also none."""
    pieces: list[str] = []
    at = 0
    while at < len(pattern):
        if pattern.startswith("**/", at):
            pieces.append(r"(?:[^/]+/)*")
            at += 3
        elif pattern.startswith("**", at):
            pieces.append(r".*")
            at += 2
        else:
            piece, at = _one(pattern, at)
            pieces.append(piece)
    return re.compile("".join(pieces), re.DOTALL)


def _one(pattern: str, at: int) -> tuple[str, int]:
    """Return the regular expression of the element at `at`, and where the next one begins."""
    character = pattern[at]
    if character == "*":
        return r"[^/]*", at + 1
    if character == "?":
        return r"[^/]", at + 1
    if character == "[":
        end = pattern.find("]", at + 2)
        if end > 0:
            body = pattern[at + 1 : end].replace("\\", r"\\")
            body = "^" + body[1:] if body[0] in "!^" else body
            return f"[{body}]", end + 1
    return re.escape(character), at + 1


@dataclass(frozen=True)
class IgnoreRule:
    """One line of an ignore file, in the folder `folder` (text ending in a slash)."""

    folder: str
    regex: re.Pattern[str]
    folders_only: bool
    keeps: bool


def parse_ignore(lines: Iterable[str], folder: str) -> list[IgnoreRule]:
    """Return the rules of an ignore file, which speak of paths below `folder`.

    The last rule that matches decides.

    As in .gitignore: `#` comments, `!` keeps what an earlier rule ignored, a trailing slash means
    folders only, a slash elsewhere ties the pattern to the folder, else it matches names at any depth.
    """
    rules: list[IgnoreRule] = []
    for raw in lines:
        line = raw.strip()
        if not line or line.startswith("#"):
            continue
        keeps = line.startswith("!")
        line = line[1:] if keeps else line.removeprefix("\\")
        folders_only = line.endswith("/")
        line = line.rstrip("/")
        anchored = "/" in line
        pattern = line.lstrip("/") if anchored else f"**/{line}"
        rules.append(IgnoreRule(folder.rstrip("/") + "/", glob_regex(pattern), folders_only, keeps))
    return rules


def ignored(path: str, is_folder: bool, rules: Sequence[IgnoreRule]) -> bool:
    """Tell whether the last rule that matches `path` ignores it."""
    for rule in reversed(rules):
        if rule.folders_only and not is_folder:
            continue
        if path.startswith(rule.folder) and rule.regex.fullmatch(path[len(rule.folder) :]):
            return not rule.keeps
    return False
