"""Files that survive a crash: written beside, synced, then renamed into place.

In: paths and contents. Out: files and digests. It must not know what is in them.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import uuid
from pathlib import Path
from typing import Any

from indexing.errors import StoreError


def sync_file(path: Path) -> None:
    """Force a file's contents to the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


sync_folder = sync_file
"""Force a folder's entries to the disk: new and renamed files are not safe before that."""


def write_atomically(path: Path, content: bytes) -> None:
    """Write a file so that a reader, and a crash, sees the old one or the new one."""
    beside = path.with_name(f"{path.name}.tmp-{uuid.uuid4().hex}")
    try:
        with open(beside, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, path)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise
    sync_folder(path.parent)


def encode_json(value: object) -> bytes:
    """Write JSON as people read it, keys in their given order."""
    return (json.dumps(value, ensure_ascii=False, indent=1) + "\n").encode()


def read_json(path: Path) -> dict[str, Any]:
    """Read a JSON object; raise StoreError where it is missing, unreadable or no JSON object."""
    try:
        value = json.loads(path.read_bytes())
    except FileNotFoundError as error:
        raise StoreError(f"{path} is missing", "damaged") from error
    except IsADirectoryError as error:
        raise StoreError(f"{path} is a folder", "damaged") from error
    except OSError as error:
        raise StoreError(f"{path} cannot be read: {error.strerror}", "unreadable") from error
    except ValueError as error:
        raise StoreError(f"{path} is not JSON: {error}", "damaged") from error
    if not isinstance(value, dict):
        raise StoreError(f"{path} does not hold a JSON object", "damaged")
    return value


def digest(path: Path) -> str:
    """Hash a file's contents (SHA-256, hexadecimal)."""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def adopt_file(source: Path, target: Path) -> None:
    """Give a file a second name; copy it where the file system cannot link."""
    try:
        os.link(source, target)
    except FileExistsError:
        raise
    except OSError:
        shutil.copyfile(source, target)
        sync_file(target)
