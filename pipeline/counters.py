"""Beam counters of a run: pages, glyphs by kind, milliseconds, failures.

In: rows of pages. Out: Beam metrics in the namespace "glyphdex", which every runner shows in its own way.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from apache_beam.metrics import Metrics  # noqa: TID253 - loaded by ingest alone

NAMESPACE = "glyphdex"
_SUMMED = ("painted", "visible", "overprinted", "off_page", "hidden", "unmapped", "words", "lines")


class RunCounters:
    """The counters of one worker; Beam adds them up over all."""

    def __init__(self) -> None:
        self._pages = Metrics.counter(NAMESPACE, "pages")
        self._failed = Metrics.counter(NAMESPACE, "pages_failed")
        self._sums = {name: Metrics.counter(NAMESPACE, name) for name in _SUMMED}
        self._milliseconds = Metrics.distribution(NAMESPACE, "page_milliseconds")

    def add_page(self, row: Mapping[str, Any]) -> None:
        """Count one page."""
        self._pages.inc()
        for name, counter in self._sums.items():
            counter.inc(int(row.get(name) or 0))
        self._milliseconds.update(int(row.get("ms") or 0))
        if row["status"] != "ok":
            self._failed.inc()
            Metrics.counter(NAMESPACE, f"failed_{row['reason']}").inc()
