"""The child process that opens and extracts, and that may be killed at any moment.

In: frames on standard input: first the set-up, then requests "plan" and "extract". Out: frames on standard
output; a page's frame is sent as soon as the page is done, so that nothing done is lost with the process.
It must not import Beam, and it limits itself, since limits set between fork and exec have hit innocent
processes.
"""

from __future__ import annotations

import faulthandler
import os
import resource
import signal
import sys
import threading
import time
from collections.abc import Mapping
from typing import Any, BinaryIO

import extractor
import indexing
from pipeline.extraction import extraction_id
from pipeline.protocol import Channel, ChannelClosedError
from pipeline.reading import (
    UnreadableFileError,
    content_hash,
    document_facts,
    open_bytes,
    open_document,
    passwords_for,
)
from pipeline.rows import failed_row, line_batch, page_row, word_batch

MEMORY_EXIT = 77
"""Exit code that tells the parent that the memory limit was met; the heap is not to be trusted after that."""
_CPU_SLACK_SECONDS = 5


class Session:
    """One child's life: the set-up it was given and the document it has open."""

    def __init__(self, channel: Channel, setup: Mapping[str, Any]) -> None:
        self._channel = channel
        self._setup = setup
        self._key: tuple[Any, ...] | None = None
        self._document: Any = None
        self._source: BinaryIO | None = None

    def answer(self, request: Mapping[str, Any]) -> None:
        """Do one request and send its frames, the last of them of kind "done" or "refused"."""
        try:
            if request["kind"] == "plan":
                self._plan(request)
            elif request["kind"] == "segment":
                limit_cpu(request["seconds"])
                analysis = indexing.Analysis(stem=self._setup["stem"])
                indexing.build_segment(request["parts"], request["folder"], analysis)
            else:
                self._extract(request)
            self._channel.send({"kind": "done", "resident": resident_bytes()})
        except UnreadableFileError as error:
            self._refuse(error.reason, error.message)
        except extractor.ExtractionError as error:
            self._refuse(error.reason, str(error))
        except indexing.IndexingError as error:
            self._refuse(error.code, error.message)

    def _refuse(self, reason: str, message: str) -> None:
        message = message.encode("utf-8", "replace").decode("utf-8")
        self._channel.send(
            {"kind": "refused", "reason": reason, "message": message, "resident": resident_bytes()}
        )

    def _plan(self, request: Mapping[str, Any]) -> None:
        self._forget()
        source = open_bytes(request["path"], self._setup["max_file_bytes"])
        size = source.seek(0, os.SEEK_END)
        source.seek(0)
        doc_id = content_hash(source)
        self._channel.send({"kind": "hashed", "doc_id": doc_id, "size": size})
        document = self._open(request, source, doc_id)
        self._channel.send({"kind": "planned", "pages": len(document), "facts": document_facts(document)})

    def _extract(self, request: Mapping[str, Any]) -> None:
        document = self._opened(request)
        self._channel.send({"kind": "opened"})
        for index in range(request["first"], request["last"] + 1):
            limit_cpu(self._setup["page_seconds"])
            header, blobs = _page_frame(document, index)
            self._channel.send(header, blobs)

    def _opened(self, request: Mapping[str, Any]) -> Any:
        if self._key == (request["path"], request["doc_id"]):
            return self._document
        self._forget()
        source = open_bytes(request["path"], self._setup["max_file_bytes"])
        if content_hash(source) != request["doc_id"]:
            raise UnreadableFileError("changed", "the file changed while the run was reading it")
        return self._open(request, source, request["doc_id"])

    def _open(self, request: Mapping[str, Any], source: BinaryIO, doc_id: str) -> Any:
        limit_cpu(self._setup["open_seconds"])
        passwords = passwords_for(request["path"], self._setup["passwords"], self._setup["sidecar"])
        self._document = open_document(source, passwords, self._setup["options"])
        self._source, self._key = source, (request["path"], doc_id)
        return self._document

    def _forget(self) -> None:
        if self._document is not None:
            self._document.close()
        if self._source is not None:
            self._source.close()
        self._document = self._source = self._key = None


def _page_frame(document: Any, index: int) -> tuple[dict[str, Any], list[bytes]]:
    """Extract one page.

    What goes wrong in it is its row's reason, except for memory, which ends the process.
    """
    started = time.process_time()
    try:
        result = extractor.extract_page(document, index)
        row = page_row(result)
        blobs = [line_batch(result.lines), word_batch(result.words)]
    except MemoryError:
        raise
    except Exception as error:  # the border to the rest of the corpus: a fault of ours costs this page alone
        row, blobs = failed_row("internal", f"{type(error).__name__}: {error}"), []
    if row["reason"] == "memory":
        raise MemoryError
    row["ms"] = row.get("ms") or (time.process_time() - started) * 1000
    return {"kind": "page", "page_index": index, "row": row}, blobs


def resident_bytes() -> int:
    """Return the resident memory of this process in bytes, 0 where the system does not tell."""
    try:
        with open("/proc/self/statm", encoding="ascii") as status:
            return int(status.read().split()[1]) * resource.getpagesize()
    except OSError:
        return 0


def limit_cpu(seconds: float) -> None:
    """Let this process use `seconds` of CPU from now, and a little: the guard where the parent died first."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    allowed = int(used.ru_utime + used.ru_stime + 2 * seconds) + _CPU_SLACK_SECONDS
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (allowed, hard))


def _limit_memory(megabytes: int) -> None:
    limit = megabytes << 20
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    limit = limit if hard == resource.RLIM_INFINITY else min(limit, hard)
    resource.setrlimit(resource.RLIMIT_AS, (limit, hard))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _prefer_for_oom() -> None:
    """Ask the system's out-of-memory killer to take this process before the pipeline's own."""
    try:
        with open("/proc/self/oom_score_adj", "w", encoding="ascii") as score:
            score.write("600")
    except OSError:
        return  # not Linux, or not allowed: the limit above still holds


def _watch_parent(parent: int) -> None:
    """End this process when its parent is gone, also while a page is being extracted."""
    while os.getppid() == parent:
        time.sleep(5.0)
    os._exit(0)


def _check_version(setup: Mapping[str, Any]) -> None:
    """Refuse to work for a parent of another version: the program was replaced while the run was going on."""
    if extraction_id(setup["options"]) != setup["extraction_id"]:
        sys.exit("the program was changed while the run was going on; run it again")


def _claim_pipes() -> Channel:
    """Take the two pipes for the channel, and point standard output at standard error for stray prints."""
    read_fd, write_fd = os.dup(0), os.dup(1)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.dup2(2, 1)
    return Channel(read_fd, write_fd)


def main() -> int:
    """Serve requests until the pipe closes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    faulthandler.enable()
    channel = _claim_pipes()
    threading.Thread(target=_watch_parent, args=(os.getppid(),), daemon=True).start()
    try:
        setup, _ = channel.receive()
        _check_version(setup)
        _limit_memory(setup["memory_mb"])
        _prefer_for_oom()
        channel.send({"kind": "ready"})
        session = Session(channel, setup)
        while True:
            request, _ = channel.receive()
            session.answer(request)
    except ChannelClosedError:
        return 0
    except MemoryError:
        os._exit(MEMORY_EXIT)


if __name__ == "__main__":
    sys.exit(main())
