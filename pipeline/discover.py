"""Which files the inputs of a run name.

In: files, folders, globs, lists, zip archives. Out: the files found, what was passed over and why, and the
scope: which paths these inputs speak for, so that a file of the store that is in scope and was not found
is known to be gone. It must not open a PDF.
"""

from __future__ import annotations

import glob
import os
import re
import stat
import zipfile
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from pipeline.paths import MEMBER_MARK, is_url, path_text, split_member, text_path
from pipeline.patterns import IgnoreRule, glob_regex, has_magic, ignored, parse_ignore
from pipeline.records import FoundFile
from pipeline.remote import find_remote
from pipeline.settings import DiscoverSettings

IGNORE_FILE = ".glyphdexignore"


class InputError(Exception):
    """An input that names nothing."""


@dataclass(frozen=True)
class Skipped:
    """An entry that was passed over."""

    path: str
    reason: str


@dataclass
class Scope:
    """The paths that the inputs speak for."""

    folders: list[str] = field(default_factory=list)
    files: set[str] = field(default_factory=set)
    globs: list[re.Pattern[str]] = field(default_factory=list)
    unsure: list[str] = field(default_factory=list)
    """Folders that could not be listed: nothing below them is known to be gone."""

    def __contains__(self, path: str) -> bool:
        container, _ = split_member(path)
        if any(_below(path, folder) for folder in self.unsure):
            return False
        return (
            path in self.files
            or container in self.files
            or any(_below(path, folder) for folder in self.folders)
            or any(pattern.fullmatch(container) for pattern in self.globs)
        )


@dataclass
class Discovery:
    """What a walk over the inputs found."""

    files: dict[str, FoundFile] = field(default_factory=dict)
    skipped: list[Skipped] = field(default_factory=list)
    scope: Scope = field(default_factory=Scope)

    @property
    def bytes(self) -> int:
        """Bytes of all files found."""
        return sum(found.size for found in self.files.values())


@dataclass(frozen=True)
class Listed:
    """Paths of a list: no patterns, and any of them may have vanished since the list was made."""

    paths: Sequence[str] = ()
    missed: Collection[str] = ()
    """Paths that were not there the last time either: documents that vanished, not documents that are gone."""


def discover(
    inputs: Iterable[str],
    settings: DiscoverSettings,
    known: Collection[str] = (),
    listed: Listed | None = None,
) -> Discovery:
    """Find the files that `inputs` name, and those of a list.

    `known` are the paths in the store, of which a named one may be gone.
    """
    listed = listed or Listed()
    walk = _Walk(settings)
    for given in inputs:
        if is_url(given):
            walk.url(given)
            continue
        name = os.path.abspath(given)
        if not walk.named(name):
            if has_magic(given):
                walk.pattern(name)
            elif path_text(name) in known:
                walk.found.scope.files.add(path_text(name))
            else:
                raise InputError(f"{path_text(given)}: there is no such file or folder")
    for given in listed.paths:
        if is_url(given):
            walk.url(given)
            continue
        name = os.path.abspath(given)
        if not walk.named(name):
            walk.found.scope.files.add(path_text(name))
            if path_text(name) not in known or path_text(name) in listed.missed:
                walk.named_file(name)
    return walk.found


class _Walk:
    """One pass over all inputs; a file named twice is found once."""

    def __init__(self, settings: DiscoverSettings) -> None:
        self._settings = settings
        self._suffixes = tuple(suffix.lower() for suffix in settings.suffixes)
        self.found = Discovery()

    def named(self, name: str) -> bool:
        """Take what stands under a name: a folder, a file, a file in an archive; tell whether anything does."""
        if os.path.isdir(name):
            self.found.scope.folders.append(path_text(name))
            self.folder(name, [])
        elif os.path.lexists(name):
            self.found.scope.files.add(path_text(name))
            self.named_file(name)
        elif os.path.isfile(_container(name)):
            self.found.scope.files.add(path_text(name))
            self.member(name)
        else:
            return False
        return True

    def pattern(self, name: str) -> None:
        """Take what a glob matches; folders among it are walked."""
        matches = sorted(glob.glob(name, recursive=True, include_hidden=self._settings.hidden))
        if not matches:
            raise InputError(
                f"{path_text(name)}: no file matches"
            )  # more likely a slip than an emptied folder
        self.found.scope.globs.append(glob_regex(path_text(name)))
        for match in matches:
            if os.path.isdir(match):
                if not match.endswith("/") and "**" not in name:
                    self.found.scope.folders.append(path_text(match))
                    self.folder(match, [])
            else:
                self.named_file(match)

    def named_file(self, name: str) -> None:
        """Take a file that was named, whatever its ending."""
        if name.lower().endswith(".zip"):
            self._archive(name)
        else:
            self._file(name)

    def folder(self, name: str, rules: list[IgnoreRule]) -> None:
        """Take the files below a folder, in the order of their names."""
        try:
            entries = sorted(os.scandir(name), key=lambda entry: os.fsencode(entry.name))
        except OSError as error:
            self.found.scope.unsure.append(path_text(name))
            gone = isinstance(error, FileNotFoundError | NotADirectoryError)
            self._skip(name, "vanished" if gone else "unreadable_folder")
            return
        rules = [*rules, *_rules_in(name)]
        for entry in entries:
            if entry.name.startswith(".") and not self._settings.hidden:
                continue
            is_folder = _is_folder(entry, self._settings.follow_symlinks)
            if not ignored(path_text(entry.path), is_folder, rules):
                self._entry(entry, is_folder, rules)

    def _entry(self, entry: os.DirEntry[str], is_folder: bool, rules: list[IgnoreRule]) -> None:
        wanted = entry.name.lower().endswith(self._suffixes)
        if is_folder:
            if wanted:
                self._skip(entry.path, "folder")
            if not self._settings.follow_symlinks or not _is_loop(entry.path):
                self.folder(entry.path, rules)
        elif wanted:
            self._file(entry.path)
        elif entry.name.lower().endswith(".zip"):
            if self._settings.archives:
                self._archive(entry.path)
            else:
                self._skip(entry.path, "archive")
        elif entry.is_symlink() and os.path.isdir(entry.path):
            self._skip(entry.path, "linked_folder")

    def _file(self, name: str) -> None:
        text = path_text(name)
        try:
            status = os.stat(name)
        except OSError:
            self.found.files[text] = FoundFile(text, 0, 0)  # reading it will say what is wrong
            return
        if stat.S_ISDIR(status.st_mode):
            self._skip(name, "linked_folder")
        elif not stat.S_ISREG(status.st_mode):
            self._skip(name, "not_a_file")
        else:
            self.found.files[text] = FoundFile(text, status.st_size, status.st_mtime_ns)

    def _archive(self, name: str) -> None:
        """Take the PDF files in a zip archive; one that cannot be read is a document that fails."""
        text = path_text(name)
        try:
            changed = os.stat(name).st_mtime_ns
            with zipfile.ZipFile(name) as archive:
                members = archive.infolist()
        except (OSError, zipfile.BadZipFile, ValueError, RuntimeError):
            self._file(name)
            return
        for member in members:
            if not member.is_dir() and self._takes_member(member.filename):
                path = text + MEMBER_MARK + path_text(member.filename)
                if path in self.found.files:
                    self.found.skipped.append(Skipped(path, "same_name"))
                self.found.files[path] = FoundFile(path, member.file_size, changed)

    def _takes_member(self, name: str) -> bool:
        hidden = any(part.startswith(".") for part in name.split("/"))
        return name.lower().endswith(self._suffixes) and (self._settings.hidden or not hidden)

    def url(self, name: str) -> None:
        """Take the files that a URL names, on a file system that Beam knows."""
        found = find_remote(name, self._suffixes)
        self.found.files.update({item.path: item for item in found})
        scope = self.found.scope
        if has_magic(name):
            scope.globs.append(glob_regex(name))
        elif [item.path for item in found] == [name]:
            scope.files.add(name)
        else:
            scope.folders.append(name)

    def member(self, name: str) -> None:
        """Take one file in an archive, if it is there."""
        inside = _Walk(replace(self._settings, hidden=True))  # it was named
        inside._archive(_container(name))
        wanted = path_text(name)
        if wanted in inside.found.files:
            self.found.files[wanted] = inside.found.files[wanted]

    def _skip(self, name: str, reason: str) -> None:
        self.found.skipped.append(Skipped(path_text(name), reason))


def read_list(content: bytes) -> Iterator[str]:
    """Yield the paths of a list, one a line, or separated by NUL bytes where it holds any."""
    separator = b"\0" if b"\0" in content else b"\n"
    for raw in content.split(separator):
        line = raw.rstrip(b"\r") if separator == b"\n" else raw
        if line:
            yield os.fsdecode(line)


def _rules_in(folder: str) -> list[IgnoreRule]:
    try:
        with open(os.path.join(folder, IGNORE_FILE), encoding="utf-8", errors="replace") as lines:
            return parse_ignore(lines, path_text(folder))
    except OSError:
        return []  # most folders have none


def _is_folder(entry: os.DirEntry[str], follow: bool) -> bool:
    try:
        return entry.is_dir(follow_symlinks=follow)
    except OSError:
        return False


def _is_loop(name: str) -> bool:
    """Tell whether a folder, behind symbolic links, is one of those above it."""
    real, parent = os.path.realpath(name), os.path.realpath(os.path.dirname(name))
    return _below(parent, real) or parent == real


def _below(path: str, folder: str) -> bool:
    return path.startswith(folder.rstrip("/") + "/")


def _container(name: str) -> str:
    """Return the archive that holds the document `name`, `name` itself for a plain file."""
    return text_path(split_member(path_text(name))[0])
