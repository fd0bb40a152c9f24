"""The passwords that are tried on encrypted documents.

In: the settings that name a file or a command. Out: a list of passwords. It must not print or log one.
"""

from __future__ import annotations

import os
import shlex
import subprocess
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pipeline.paths import split_member, text_path
from pipeline.reading import SIDECAR
from pipeline.settings import PasswordSettings
from pipeline.wording import reason_of

_COMMAND_SECONDS = 60.0
_SHELL_WORDS = {"|", "||", "&&", ";", "<", ">", ">>"}


class PasswordSourceError(Exception):
    """A password file or command that cannot be used; its message never holds a password."""


class NewPasswords:
    """Which locked documents have a password to try that was not tried when they failed."""

    def __init__(self, settings: PasswordSettings) -> None:
        self._settings = settings
        self._changed = _changed(settings.file) if settings.file else 0.0

    def may_open(self, row: Mapping[str, Any]) -> bool:
        """Tell whether a document of the store, locked when its run began, may open now.

        `encrypted` says that no password was at hand; after `wrong_password` only a list or a file beside the
        document that changed since is a reason to try again.
        """
        if row["status"] != "failed" or row["reason"] not in ("encrypted", "wrong_password"):
            return False
        beside = 0.0
        if self._settings.sidecar:
            beside = _changed(text_path(split_member(row["path"])[0]) + SIDECAR)
        if row["reason"] == "encrypted":
            return bool(self._settings.file or self._settings.command or beside)
        return max(self._changed, beside) > _began(row["run_id"])


def _changed(file: str) -> float:
    """Return when a file was changed, in seconds since 1970; 0 where there is none."""
    try:
        return os.stat(file).st_mtime
    except (OSError, ValueError):
        return 0.0


def _began(run_id: str | None) -> float:
    """Return when a run began, which its name says."""
    try:
        return datetime.strptime(str(run_id)[:19], "%Y%m%dT%H%M%S.%f").replace(tzinfo=UTC).timestamp()
    except ValueError:
        return 0.0


def collect_passwords(settings: PasswordSettings) -> list[str]:
    """Return the passwords of the file and of the command's output, each once, in order."""
    found: list[str] = []
    if settings.file:
        try:
            found += Path(settings.file).read_text("utf-8").splitlines()
        except (OSError, UnicodeDecodeError) as error:
            raise PasswordSourceError(f"password file {settings.file}: {reason_of(error)}") from error
    if settings.command:
        found += _command_output(settings.command).splitlines()
    return [password for password in dict.fromkeys(found) if password]


def _command_output(command: str) -> str:
    try:
        arguments = shlex.split(command)
        done = subprocess.run(
            arguments,
            capture_output=True,
            timeout=_COMMAND_SECONDS,
            check=True,
            stdin=subprocess.DEVNULL,
        )
        return done.stdout.decode("utf-8")
    except subprocess.CalledProcessError as error:
        raise PasswordSourceError(
            f"the password command ended with exit code {error.returncode}{_no_shell(arguments)}"
        ) from error
    except subprocess.TimeoutExpired as error:
        raise PasswordSourceError(
            f"the password command was not done within {_COMMAND_SECONDS:g} seconds"
        ) from error
    except OSError as error:
        raise PasswordSourceError(
            f"the password command cannot be run: {arguments[0] if arguments else 'it is empty'}: {reason_of(error)}"
        ) from error
    except UnicodeDecodeError as error:
        raise PasswordSourceError("the output of the password command is not UTF-8 text") from error
    except (ValueError, IndexError) as error:
        raise PasswordSourceError(f"the password command cannot be read: {error}") from error


def _no_shell(arguments: list[str]) -> str:
    """Return a hint where the command was written for a shell; it is run without one."""
    if not any(part in _SHELL_WORDS or part.startswith(("$", "`")) for part in arguments):
        return ""
    return "; it is run without a shell: for pipes and variables write sh -c '...'"
