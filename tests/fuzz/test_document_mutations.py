"""Files changed at random: opening them ends soon, with pages or with an error that says why."""

from __future__ import annotations

import random
import re
import time
from unittest import mock

import pytest

from extractor.document import open_source
from extractor.errors import ExtractionError
from extractor.objects import entry, resolve
from extractor.open_options import OpenOptions
from tests.helpers.pdf_maker import Page, encrypt, form, make_document, make_pdf
from tests.helpers.raw_pdf import one_page, stream, with_streams, with_table

SYNTAX = (
    b"obj endobj stream endstream << >> [ ] ( ) < > % / /Kids /Parent /Length /Type/Pages /Filter/LZWDecode /Encrypt "
    b"1\x000\x00R 2\x000\x00R 3\x000\x00R null true -1 0.0.0 -- 99999999999999999999 xref trailer startxref"
)
TOKENS = [b" " + token.replace(b"\x00", b" ") + b" " for token in SYNTAX.split(b" ") if token]
OPTIONS = OpenOptions(repair=False, max_stream_length=1_000_000)
MOST_SECONDS = 2.0
"""CPU time for one file of a few kilobytes."""

FIELDS = [{"Subtype": "/Widget", "FT": "/Tx", "V": b"x", "Rect": [0, 0, 9, 9], "AP": {"N": form("BT ET")}}]
LABELS = {"PageLabels": {"Nums": [0, {"S": "/r"}]}, "OCProperties": {"D": {"OFF": []}}}


def encrypt_the_same(algorithm: str) -> bytes:
    """Return an encrypted file that is the same in every run, so that a round that fails can be repeated."""
    with mock.patch("secrets.token_bytes", random.Random(7).randbytes):
        return encrypt(make_pdf("BT ET", flate=True), "", "owner", algorithm)


SEEDS = {
    "table": with_table(
        {**one_page(), 4: stream(b"BT ET" * 50, flate=True)}, b"/Root 1 0 R/Info<</Title(x)>>"
    ),
    "streams": with_streams({4: stream(b"BT ET")}, {k: v for k, v in one_page().items() if k != 4}),
    "many pages": make_document(
        [Page("BT ET", flate=True, annotations=FIELDS)] * 5, catalog=LABELS, title="x"
    ),
    "encrypted": encrypt_the_same("AES-128"),
    "encrypted 256": encrypt_the_same("AES-256"),
}


def mutate(data: bytes, chance: random.Random) -> bytes:
    """Return data with one to fifty changes of bytes, tokens, numbers and pieces."""
    changed = bytearray(data)
    for _ in range(chance.choice((1, 1, 2, 5, 50))):
        at = chance.randrange(len(changed) + 1)
        match chance.randrange(6):
            case 0:
                changed[at : at + 1] = bytes((chance.randrange(256),))
            case 1:
                del changed[at : at + chance.choice((1, 2, 10, 100))]
            case 2:
                changed[at:at] = chance.choice(TOKENS)
            case 3:
                source = chance.randrange(len(changed) + 1)
                changed[at:at] = changed[source : source + chance.choice((5, 50, 500))]
            case 4:
                numbers = list(re.finditer(rb"\d+", bytes(changed[at : at + 300])))
                if numbers:
                    start, end = chance.choice(numbers).span()
                    value = chance.choice((0, 1, 2, 3, -1, 65535, 2**31, 10**12, 2**64, chance.randrange(99)))
                    changed[at + start : at + end] = b"%d" % value
            case 5 if chance.random() < 0.1:
                del changed[at:]
    return bytes(changed)


def read_everything(data: bytes) -> None:
    """Open a file and look at all that the interpreter looks at."""
    with open_source(data, options=OPTIONS) as document:
        assert document.metadata is not None
        for index in range(min(len(document), 20)):
            try:
                page = document.page(index)
            except ExtractionError:
                continue
            x0, y0, x1, y1 = page.visible_box
            assert x0 < x1
            assert y0 < y1
            assert page.rotation in (0, 90, 180, 270)
            assert isinstance(page.content, bytes)
            assert isinstance(page.label, str)
            for annotation in page.annotations:
                assert annotation.appearance is None or isinstance(annotation.appearance.get_data(), bytes)
            fonts = entry(page.resources, "/Font")
            for font in fonts.values() if isinstance(fonts, dict) else ():
                resolve(font)


def reason_of(data: bytes) -> str | None:
    """Return why a file cannot be read, None if it can."""
    try:
        read_everything(data)
    except ExtractionError as error:
        return error.reason
    return None


@pytest.mark.parametrize("name", SEEDS)
def test_mutated_files(name: str) -> None:
    chance = random.Random(name)
    for round_number in range(250):
        data = mutate(SEEDS[name], chance)
        started = time.process_time()
        try:
            reason = reason_of(data)
        except Exception as error:  # the point of the test: name the round
            raise AssertionError(f"{name}, round {round_number}: {error!r}") from error
        assert reason != ""
        assert time.process_time() - started < MOST_SECONDS, f"{name}, round {round_number}"


@pytest.mark.parametrize("name", SEEDS)
def test_truncated_files(name: str) -> None:
    data = SEEDS[name]
    for length in range(0, len(data), 37):
        assert reason_of(data[:length]) in {None, "empty_file", "not_a_pdf", "damaged", "encrypted"}, length


HEADER = b"%PDF-1.4\n"
HOSTILE = {
    "strings": HEADER + b"".join(b"%d 0 obj(" % number for number in range(30_000)),
    "hexadecimal": HEADER + b"".join(b"%d 0 obj<" % number for number in range(60_000)),
    "comments": HEADER + b"".join(b"%d 0 obj%%" % number for number in range(60_000)),
    "dictionaries": HEADER + b"".join(b"%d 0 obj<<" % number for number in range(60_000)),
    "stray pages": HEADER + b"<</Type/Page(" * 100_000,
    "trailers": HEADER + b"trailer<<((((" * 100_000,
    "updates": HEADER
    + b"".join(b"xref\n0 0\ntrailer<</Prev %d>>" % (9 + 28 * (number + 1)) for number in range(20_000))
    + b"startxref\n9\n%%EOF",
    "streams": HEADER
    + b"".join(b"%d 0 obj<</Type/ObjStm/First 3>>stream\nendobj\n" % n for n in range(20_000)),
    "kids": with_table(
        {1: b"<</Type/Catalog/Pages 2 0 R>>"}
        | {n: b"<</Type/Pages/Kids[" + b"%d 0 R " % (n + 1) * 50 + b"]>>" for n in range(2, 60)}
    ),
    "annotations": with_table(
        one_page(page=b"/Annots[" + b" ".join(b"%d 0 R" % n for n in range(10, 5_000)) + b"]")
        | dict.fromkeys(range(10, 5_000), b"<</Subtype/Widget/Rect(")
    ),
}
"""Files in which every object reaches to the end, so that careless reading takes the square of their length."""


@pytest.mark.parametrize("name", HOSTILE)
def test_files_made_to_cost_time(name: str) -> None:
    started = time.process_time()
    reason_of(HOSTILE[name])
    assert time.process_time() - started < 2 * MOST_SECONDS
