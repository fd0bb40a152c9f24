"""Choose words that are worth searching for in a store.

In: a store. Out: up to three words on stdout, one a line: each from another page where it can be, found on
few pages, long enough to mean something. The quick start shows them; nothing else depends on them.

Usage: python scripts/suggest_queries.py STORE [HOW_MANY]
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from pathlib import Path

import pyarrow.parquet as pq

MOST_PAGES_READ = 2000
LETTERS = re.compile(r"[^\W\d_]{6,14}")


def suggest_queries(store: Path, how_many: int = 3) -> list[str]:
    """Return words of 6 to 14 letters, from pages spread over the store."""
    pages = [frozenset(LETTERS.findall(text.lower())) for text in _texts(store)]
    found_on = Counter(word for page in pages for word in page)
    chosen: list[str] = []
    step = max(1, len(pages) // how_many)
    for page in [*pages[::step], *pages]:
        words = sorted(page - set(chosen), key=lambda word: (-min(found_on[word], 5), -len(word), word))
        if words and len(chosen) < how_many:
            chosen.append(words[0])
    return chosen


def _texts(store: Path) -> list[str]:
    texts: list[str] = []
    for part in sorted((store / "pages").glob("*.parquet")):
        texts += [text for text in pq.read_table(part, columns=["text"])["text"].to_pylist() if text]
        if len(texts) >= MOST_PAGES_READ:
            break
    return texts[:MOST_PAGES_READ]


if __name__ == "__main__":
    for query in suggest_queries(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 3):
        print(query)
