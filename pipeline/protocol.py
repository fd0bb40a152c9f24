"""Frames over pipes between the pipeline and the child process that extracts.

In: file descriptors. Out: frames, each a JSON header and binary blobs, with a deadline on reading. It must
not know what the frames mean.
"""

from __future__ import annotations

import json
import os
import select
import struct
import time
from collections.abc import Mapping, Sequence
from typing import Any

_LENGTH = struct.Struct(">I")
_READ_BYTES = 1 << 18


class ChannelClosedError(Exception):
    """The other side has closed its end, or has died."""


class DeadlineError(Exception):
    """Nothing came within the time allowed."""


class Channel:
    """One end of a two-way connection over two file descriptors."""

    def __init__(self, read_fd: int, write_fd: int) -> None:
        self._read_fd = read_fd
        self._write_fd = write_fd
        self._pending = bytearray()
        self._poll = select.poll()  # select() refuses descriptors above 1023
        self._poll.register(read_fd, select.POLLIN | select.POLLHUP)

    def send(self, header: Mapping[str, Any], blobs: Sequence[bytes] = ()) -> None:
        """Write one frame; raises ChannelClosedError where nobody reads."""
        head = json.dumps({**header, "blobs": [len(blob) for blob in blobs]}).encode("ascii")
        payload = memoryview(b"".join((_LENGTH.pack(len(head)), head, *blobs)))
        try:
            while payload:
                payload = payload[os.write(self._write_fd, payload) :]
        except (BrokenPipeError, OSError) as error:
            raise ChannelClosedError(str(error)) from error

    def receive(self, seconds: float | None = None) -> tuple[dict[str, Any], list[bytes]]:
        """Read one frame.

        Raises DeadlineError after `seconds` (None: wait for ever) and ChannelClosedError.
        """
        deadline = None if seconds is None else time.monotonic() + seconds
        (length,) = _LENGTH.unpack(self._take(_LENGTH.size, deadline))
        header = json.loads(self._take(length, deadline))
        blobs = [self._take(size, deadline) for size in header.pop("blobs")]
        return header, blobs

    def _take(self, size: int, deadline: float | None) -> bytes:
        while len(self._pending) < size:
            if deadline is not None:
                left = deadline - time.monotonic()
                if left <= 0 or not self._poll.poll(left * 1000):
                    raise DeadlineError
            received = os.read(self._read_fd, _READ_BYTES)
            if not received:
                raise ChannelClosedError("end of stream")
            self._pending += received
        taken = bytes(self._pending[:size])
        del self._pending[:size]
        return taken
