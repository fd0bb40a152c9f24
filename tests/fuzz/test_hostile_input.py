"""Hostile input through the public face: never a crash, a hang or unclean text; bounded and repeatable.

Every case is derived from a number, so that a failure names the case: run it again with -k and the number.
"""

from __future__ import annotations

import random
import re
import time
import unicodedata
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path

import pytest

import extractor
from tests.helpers.pages import grid_font
from tests.helpers.pdf_maker import (
    Page,
    Raw,
    Stream,
    cmap_stream,
    form,
    make_document,
    make_pdf,
    resource_entries,
    simple_font,
    type0_font,
    type3_font,
)

SECONDS_A_FILE = 20
"""CPU seconds that a few hundred bytes of content may cost."""
TOKENS = """
    q Q cm BT ET Tf Tj TJ ' " Td TD Tm T* Tc Tw Tz TL Ts Tr Do gs BDC BMC EMC MP DP BI ID EI W W* n re m l h f S
    d0 d1 sh scn SCN rg BX EX ( ) << >> [ ] [ [ < > { } /F /G /X /GS /OC /Span /F#20A / //
    (a(b)) <61 <6162> [(a)-3(b)] 0 1 -1 10 0.5 -.5 1e9 99999999999 --3 4.4.4 + . true null <</MCID+0>> % \\
    """.split()  # noqa: SIM905 - a list of a hundred quoted words cannot be read
TOKENS += ["\n", "\x00", "\xff", "1 0 0 1 0 0", "<</ActualText (x)>>"]
FONT = {"F": grid_font(), "G": type0_font({1: "x", 2: "yz"})}


def read(pdf: bytes) -> list[extractor.PageResult]:
    """Read all pages as a run would, and judge what comes out. A file that cannot be opened has said so."""
    start = time.process_time()
    results = []
    try:
        with extractor.open_document(pdf) as document:
            for index in range(min(len(document), 20)):
                results.append(extractor.extract_page(document, index))
            str(document.metadata)
    except extractor.ExtractionError as error:
        refusal = (error.reason, str(error))
        assert all(refusal), refusal
    assert time.process_time() - start < SECONDS_A_FILE
    for result in results:
        judge(result)
    return results


def judge(result: extractor.PageResult) -> None:
    assert result.status in ("ok", "failed")
    if result.status == "failed":
        unforeseen = re.match(r"page \d+: \w+: ", result.message or "")
        assert not unforeseen, f"an error that nobody foresaw: {result.message}"
        return
    counts = result.counts
    assert counts.painted == counts.visible + counts.overprinted + counts.off_page + counts.hidden
    result.text.encode("utf-8")  # no lone surrogates
    unclean = [
        c for c in result.text if c in "\ufffd\ufffe\uffff" or (unicodedata.category(c) == "Cc" and c != "\n")
    ]
    assert not unclean
    assert result.words is not None
    assert result.words.texts() == result.text.split()
    for column in (result.words.x0, result.words.y0, result.words.x1, result.words.y1):
        assert all(-1e9 < value < 1e9 for value in column.tolist())


@pytest.mark.parametrize("case", range(120))
def test_token_soup(case: int) -> None:
    draw = random.Random(case)
    content = " ".join(draw.choices(TOKENS, k=draw.randrange(5, 400)))
    if case % 2:
        content = "BT /F 10 Tf 100 700 Td (a) Tj " + content
    inner = " ".join(draw.choices(TOKENS, k=40))
    stamp = form(inner, resources=resource_entries(FONT))
    read(make_pdf(content, fonts=FONT, xobjects={"X": stamp, "F": stamp}))


@pytest.mark.parametrize("case", range(60))
def test_random_bytes_as_content(case: int) -> None:
    draw = random.Random(case)
    content = draw.randbytes(draw.randrange(1, 3000))
    read(make_pdf(b"BT /F 10 Tf (ok) Tj " + content, fonts=FONT))


def mutated(draw: random.Random, data: bytes) -> bytes:
    """Return the bytes with a few of them changed, cut out, doubled or swapped."""
    buffer = bytearray(data)
    for _ in range(draw.choice([1, 1, 3, 10, 40])):
        if not buffer:
            break
        at = draw.randrange(len(buffer))
        length = draw.choice([1, 1, 4, 50])
        match draw.randrange(5):
            case 0:
                buffer[at] = draw.randrange(256)
            case 1:
                del buffer[at : at + length]
            case 2:
                buffer[at:at] = buffer[at : at + length]
            case 3:
                buffer[at:at] = draw.choice(
                    [b"99999", b"-1", b"<<", b">>", b"[", b"]", b"(", b")", b" R", b"/A", b"\x00"]
                )
            case 4:
                other = draw.randrange(len(buffer))
                buffer[at : at + length] = buffer[other : other + length]
    return bytes(buffer)


def whole_files() -> list[bytes]:
    """Return files that use much of what a reader has to understand, so that changes hit it."""
    content = "BT /F 10 Tf 100 700 Td [(ab)-300(c)] TJ /G 10 Tf <00010002> Tj /T 10 Tf (ab) Tj ET /X Do"
    fonts = {
        "F": simple_font(differences={97: "alpha", 98: "uni0062"}, to_unicode={99: "c"}),
        "G": type0_font({1: "x", 2: "yz"}, widths=[1, [500, 600], 3, 9, 700], default_width=900),
        "T": type3_font({97: ("a", 500, "500 0 d0"), 98: ("b", 500, "500 0 d0")}, to_unicode={97: "A"}),
    }
    stamp = form("BT /F 5 Tf (stamp) Tj ET", matrix=(1, 0, 0, 1, 5, 5))
    pages = [
        Page(content, fonts, {"X": stamp}, rotate=90, crop_box=(0, 0, 500, 700)),
        Page(["BT /F 9 Tf", "(x) Tj ET"]),
    ]
    catalog = {"PageLabels": {"Nums": [0, {"S": "/r"}]}, "Lang": b"en"}
    return [make_document(pages, title="Fuzz", catalog=catalog), make_pdf(content, fonts=fonts, flate=True)]


@pytest.mark.parametrize("case", range(200))
def test_mutated_files(case: int) -> None:
    draw = random.Random(case)
    read(mutated(draw, draw.choice(whole_files())))


@pytest.mark.parametrize("case", range(40))
def test_mutated_samples(case: int, samples: Path) -> None:
    """Files of real producers: compressed streams, object streams, subsets of real fonts."""
    draw = random.Random(case)
    paths = sorted(samples.glob("*.pdf"))
    read(mutated(draw, paths[case % len(paths)].read_bytes()))


@pytest.mark.parametrize("case", range(100))
def test_mutated_cmaps(case: int) -> None:
    draw = random.Random(case)
    body = (
        "2 begincodespacerange <00> <7f> <8000> <ffff> endcodespacerange\n"
        "2 beginbfchar <01> <0041> <02> <d83dde00> endbfchar\n"
        "2 beginbfrange <10> <20> <0061> <30> <32> [<0061> <00620063> <>] endbfrange\n"
        "1 begincidrange <8000> <80ff> 5 endcidrange 1 beginnotdefrange <00> <1f> 1 endnotdefrange"
    )
    text = mutated(draw, body.encode()).decode("latin-1")
    codes = draw.randbytes(60).hex()
    for font in (
        type0_font(cmap_stream(text)),
        type0_font({1: "a"}, encoding=cmap_stream(text, Type=Raw("/CMap"), CMapName=Raw("/Fuzz"))),
        simple_font(to_unicode=cmap_stream(text)),
    ):
        read(make_pdf(f"BT /F 10 Tf 100 700 Td <{codes}> Tj ET", fonts={"F": font}))


def programs() -> dict[str, tuple[bytes, Callable[[bytes], dict[str, object]]]]:
    """Return font programs of installed packages by kind, each with what embeds it."""

    def true_type(program: bytes) -> dict[str, object]:
        return simple_font(
            "Fuzz", "TrueType", encoding=None, descriptor={"Flags": 4, "FontFile2": Stream(program)}
        )

    def cid_true_type(program: bytes) -> dict[str, object]:
        return type0_font(descriptor={"FontFile2": Stream(program)}, CIDToGIDMap="/Identity")

    def type_1(program: bytes) -> dict[str, object]:
        return simple_font(
            "Fuzz", "Type1", encoding=None, descriptor={"Flags": 4, "FontFile": Stream(program)}
        )

    reportlab = files("reportlab") / "fonts"
    vera = (reportlab / "Vera.ttf").read_bytes()
    type_1_program = (reportlab / "cob_____.pfb").read_bytes()
    return {"TrueType": (vera, true_type), "CID": (vera, cid_true_type), "Type1": (type_1_program, type_1)}


@pytest.mark.parametrize("case", range(30))
@pytest.mark.parametrize("kind", ["TrueType", "CID", "Type1"])
def test_mutated_font_programs(kind: str, case: int) -> None:
    program, embed = programs()[kind]
    draw = random.Random(case)
    if case % 3 == 0:
        program = program[: draw.randrange(len(program))]
    else:  # the tables' directory and headers are where changes hurt
        head = draw.choice([300, 3000, len(program)])
        program = mutated(draw, program[:head]) + program[head:]
    codes = bytes(range(1, 250)).hex()
    read(make_pdf(f"BT /F 10 Tf 10 700 Td <{codes}> Tj ET", fonts={"F": embed(program)}))


@pytest.mark.parametrize(
    "content",
    [
        "q " * 100_000,
        "[" * 100_000,
        "<<" * 50_000,
        "(" * 100_000,
        "BT /F 10 Tf " + "(a) Tj " * 50_000,
        "BT /F 10 Tf [" + "(a) 1 " * 100_000 + "] TJ",
        "BT /F 10 Tf (" + "a" * 300_000 + ") Tj",
        "/S BMC " * 50_000,
        "BI " * 20_000,
        "1 " * 300_000,
        "/N" * 100_000,
        "2 0 0 2 0 0 cm " * 20_000 + "BT /F 10 Tf (a) Tj ET",
        "BT /F 1e38 Tf 1e38 0 0 1e38 1e38 1e38 Tm (a) Tj ET",
        "BT /F 10 Tf " + "1 0 0 1 5 5 Tm (a) Tj " * 30_000,
    ],
    ids=lambda content: content[:24],
)
def test_much_of_one_thing(content: str) -> None:
    (result,) = read(make_pdf(content, fonts=FONT))
    assert result.status == "ok" or result.reason in ("limit", "memory")
