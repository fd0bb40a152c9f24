"""What is shown while a run goes on: shares, estimates, lines."""

from __future__ import annotations

import io
import json

import pytest

import pipeline.progress
from pipeline.progress import Display, Fraction, Log, describe, format_bytes


class Clock:
    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 100.0
        monkeypatch.setattr(pipeline.progress.time, "monotonic", lambda: self.now)


def test_the_share_goes_by_bytes_then_by_pages() -> None:
    fraction = Fraction(files=4, size=1000)
    assert fraction.of({}) == pytest.approx(0.0, abs=1e-3)
    assert fraction.of({"documents": 2, "bytes": 500}) == pytest.approx(0.04, abs=1e-3)
    opened = {"documents": 4, "bytes": 1000, "planned_pages": 120, "known_pages": 20}
    assert fraction.of(opened) == pytest.approx(0.08)
    assert fraction.of({**opened, "pages": 50}) == pytest.approx(0.54)
    assert fraction.of({**opened, "pages": 100}) == pytest.approx(1.0)


def test_the_share_of_pages_is_of_those_that_the_bytes_not_opened_yet_promise() -> None:
    fraction = Fraction(files=4, size=1000)
    half = {"documents": 2, "bytes": 500, "planned_pages": 50, "pages": 50}
    assert fraction.of(half) == pytest.approx(0.5, abs=1e-3)


def test_the_time_left_is_that_of_the_stage(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock(monkeypatch)
    fraction = Fraction(files=1, size=10)
    opened = {"documents": 1, "bytes": 10, "planned_pages": 100}
    assert fraction.seconds_left(opened) is None
    clock.now += 30
    assert fraction.seconds_left({**opened, "pages": 25}) == pytest.approx(90.0)
    clock.now += 30
    assert fraction.seconds_left({**opened, "pages": 75}) == pytest.approx(20.0)


def test_lines_come_every_few_seconds_and_say_all(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock(monkeypatch)
    stream = io.StringIO()
    done = {"documents": 3, "bytes": 1500, "planned_pages": 20, "pages": 10, "failed_pages": 1}
    with Display(Log("json", stream), Fraction(3, 1500)) as display:
        display.update(done)
        assert stream.getvalue() == ""
        clock.now += 11
        display.update(done)
        clock.now += 1
        display.update(done)
    (event,) = [json.loads(line) for line in stream.getvalue().splitlines()]
    assert event["event"] == "progress"
    assert event["pages"] == 10
    assert event["share"] == pytest.approx(0.54)
    assert describe(done, Fraction(3, 1500)) == (
        "3 of 3 documents, 1.5 kB of 1.5 kB, 10 of 20 pages, 1 failed"
    )


@pytest.mark.parametrize(
    ("size", "text"), [(0, "0 B"), (999, "999 B"), (1000, "1.0 kB"), (2.5e9, "2.5 GB"), (3e12, "3.0 TB")]
)
def test_sizes_for_people(size: float, text: str) -> None:
    assert format_bytes(size) == text
