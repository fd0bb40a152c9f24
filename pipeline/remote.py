"""Inputs on file systems that Beam knows: gs://, s3://, hdfs:// and others whose extra is installed.

In: URLs. Out: the files they name, with size and time of change, and local copies of them for the child,
which never imports Beam. It must not know what is in a file.
"""

from __future__ import annotations

import hashlib
import os
import shutil
from pathlib import Path

from pipeline.paths import is_url
from pipeline.records import FoundFile

_CHUNK = 1 << 20


class RemoteInputError(Exception):
    """A URL that names nothing, or a file system that is not installed or does not answer."""


def find_remote(url: str, suffixes: tuple[str, ...]) -> list[FoundFile]:
    """Return the files that a URL names: one file, a pattern, or the wanted ones below a folder."""
    from apache_beam.io.filesystem import BeamIOError
    from apache_beam.io.filesystems import FileSystems

    patterns = [url] if not url.endswith("/") else [f"{url}**"]
    try:
        results = FileSystems.match(patterns)
        if not results[0].metadata_list and not url.endswith("/"):
            results = FileSystems.match([f"{url}/**"])
    except (BeamIOError, ValueError, OSError) as error:
        raise RemoteInputError(f"{url}: {_cause(error)}") from error
    found = [
        FoundFile(entry.path, entry.size_in_bytes, int(float(entry.last_updated_in_seconds or 0) * 1e9))
        for result in results
        for entry in result.metadata_list
        if entry.path == url or entry.path.lower().endswith(suffixes)
    ]
    if not found:
        raise RemoteInputError(f"{url}: there is no such file, and nothing below it that is wanted")
    return sorted(found, key=lambda item: item.path)


class LocalCopies:
    """Local copies of remote files, one at a time: a document's spans mostly come one after the other."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._url = ""
        self._copy: Path | None = None

    def path_of(self, path: str) -> str:
        """Return a local path with the content of `path`, which is `path` itself where it is local.

        What cannot be fetched becomes the name of a file that is not there; reading it says so.
        """
        if not is_url(path):
            return path
        if path != self._url or self._copy is None:
            self.clear()
            self._url, self._copy = path, self._fetch(path)
        return os.fspath(self._copy)

    def clear(self) -> None:
        """Delete the copy."""
        if self._copy is not None:
            self._copy.unlink(missing_ok=True)
        self._url, self._copy = "", None

    def _fetch(self, url: str) -> Path:
        from apache_beam.io.filesystem import BeamIOError
        from apache_beam.io.filesystems import FileSystems

        self._folder.mkdir(parents=True, exist_ok=True)
        name = hashlib.blake2b(f"{url}\0{id(self)}".encode(), digest_size=12).hexdigest()
        copy = self._folder / f"{name}.pdf"
        try:
            with FileSystems.open(url, compression_type="uncompressed") as source, open(copy, "wb") as target:
                shutil.copyfileobj(source, target, _CHUNK)
        except (BeamIOError, ValueError, OSError):
            copy.unlink(missing_ok=True)
        return copy


def _cause(error: Exception) -> str:
    """Return the first line of what Beam says; it names the extra that is missing."""
    return str(error).strip().splitlines()[0][:300] if str(error).strip() else type(error).__name__
