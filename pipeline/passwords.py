"""The passwords that are tried on encrypted documents.

In: the settings that name a file or a command. Out: a list of passwords. It must not print or log one.
"""

from __future__ import annotations

import shlex
import subprocess
from pathlib import Path

from pipeline.settings import PasswordSettings

_COMMAND_SECONDS = 60.0


class PasswordSourceError(Exception):
    """A password file or command that cannot be used; its message never holds a password."""


def collect_passwords(settings: PasswordSettings) -> list[str]:
    """Return the passwords of the file and of the command's output, each once, in order."""
    found: list[str] = []
    if settings.file:
        try:
            found += Path(settings.file).read_text("utf-8").splitlines()
        except (OSError, UnicodeDecodeError) as error:
            raise PasswordSourceError(f"password file {settings.file}: {error}") from error
    if settings.command:
        found += _command_output(settings.command).splitlines()
    return [password for password in dict.fromkeys(found) if password]


def _command_output(command: str) -> str:
    try:
        done = subprocess.run(
            shlex.split(command),
            capture_output=True,
            timeout=_COMMAND_SECONDS,
            check=True,
            stdin=subprocess.DEVNULL,
        )
        return done.stdout.decode("utf-8")
    except subprocess.CalledProcessError as error:
        raise PasswordSourceError(f"the password command ended with exit code {error.returncode}") from error
    except (OSError, ValueError, subprocess.TimeoutExpired) as error:
        raise PasswordSourceError(f"the password command cannot be run: {type(error).__name__}") from error
