"""The errors that a caller has to act upon.

In: a reason (one word, stable, meant for rows and counters) and a message (one plain sentence, meant for
people). Out: an exception that carries both. It must not know where a fault was found: whoever raises
names the file or the page in the message.
"""

from __future__ import annotations


class ExtractionError(Exception):
    """A document or a page that cannot be read.

    Attributes:
        reason: One stable word, such as "encrypted" or "damaged".
        message: One sentence for people.
    """

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason
        self.message = message

    def __reduce__(self) -> tuple[type[ExtractionError], tuple[str, str]]:
        """Let the error cross a process border."""
        return _rebuild, (self.reason, self.message)  # type: ignore[return-value]


def _rebuild(reason: str, message: str) -> ExtractionError:
    """Return the error of the class that belongs to `reason`."""
    known: dict[str, type[_FixedReason]] = {cls.fixed_reason: cls for cls in _FixedReason.__subclasses__()}
    return known[reason](message) if reason in known else ExtractionError(reason, message)


class _FixedReason(ExtractionError):
    """An error whose reason follows from its class."""

    fixed_reason = "unreadable"

    def __init__(self, message: str) -> None:
        super().__init__(self.fixed_reason, message)


class EmptyFileError(_FixedReason):
    """The file has no bytes, or white space only."""

    fixed_reason = "empty_file"


class NotAPdfError(_FixedReason):
    """Nothing in the file is PDF."""

    fixed_reason = "not_a_pdf"


class EncryptedError(_FixedReason):
    """A password is needed and none was given, or the encryption is of a kind that is not supported."""

    fixed_reason = "encrypted"


class WrongPasswordError(_FixedReason):
    """None of the passwords given opens the document."""

    fixed_reason = "wrong_password"


class DamagedError(_FixedReason):
    """The file was a PDF once, but no page of it can be found."""

    fixed_reason = "damaged"


class UnreadableError(_FixedReason):
    """The operating system does not let us read the file."""

    fixed_reason = "unreadable"


class TooLargeError(_FixedReason):
    """The file is larger than the options allow."""

    fixed_reason = "too_large"


class PageDamagedError(_FixedReason):
    """One page cannot be read; the others may."""

    fixed_reason = "page_damaged"


class LimitError(_FixedReason):
    """A limit of the options was reached, so that going on would cost too much time or memory."""

    fixed_reason = "limit"
