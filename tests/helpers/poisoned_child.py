"""The extracting child, except that pages that say so misbehave: for tests of what a page can do to a run.

In: as worker_main. Out: as worker_main, where a page of text "POISON loop" loops, "POISON segv" crashes
and so on. It changes the extractor in its own process only.
"""

from __future__ import annotations

import ctypes
import os
import re
import sys
import time
from typing import Any

import extractor
from pipeline import worker_main

_EXTRACT = extractor.extract_page


def extract_or_misbehave(document: Any, index: int) -> Any:
    """Extract a page, or do what its text says."""
    result = _EXTRACT(document, index)
    found = re.search(r"POISON (\w+)", result.text)
    if found is None:
        return result
    match found.group(1):
        case "loop":
            while True:
                pass
        case "sleep":
            time.sleep(3600)
        case "segv":
            ctypes.string_at(0)
        case "exit":
            os._exit(9)
        case "memory":
            hoard = [bytearray(1 << 26) for _ in range(1 << 12)]
            return hoard
        case "recursion":
            return _descend(0)
        case "raise":
            raise ValueError("a fault of ours")
        case "print":
            print("stray output", flush=True)
            return result
    return result


def _descend(depth: int) -> int:
    return _descend(depth + 1) + 1


if __name__ == "__main__":
    extractor.extract_page = extract_or_misbehave
    sys.exit(worker_main.main())
