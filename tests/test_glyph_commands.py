"""`glyphdex glyphs`, `glyphdex explain` and the forms of `glyphdex text`, as processes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.helpers.command import run_glyphdex, run_python
from tests.helpers.pages import grid_font
from tests.helpers.pdf_maker import Page, encrypt, form, make_document
from tests.test_rules_r10_layout import TABLE, TABLE_ROWS, at, drawn

FONTS = {"F": grid_font()}
COLUMNS = drawn((60, 700, "one"), (200, 700, "three"), (60, 688, "two"), (200, 688, "four"))
BOLD = drawn((100, 700, "ab cd"), (100.4, 700, "ab cd"), (100, 900, "slug"))


@pytest.fixture(scope="module")
def pdf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A table, two columns, bold text with a slug, a form."""
    stamp = form(at(100, 700, "form"), resources={"Font": FONTS})
    pages = [
        Page(drawn(*TABLE), fonts=FONTS),
        Page(COLUMNS, fonts=FONTS),
        Page(BOLD, fonts=FONTS),
        Page("/X Do", fonts=FONTS, xobjects={"X": stamp}),
    ]
    path = tmp_path_factory.mktemp("commands") / "four pages.pdf"
    path.write_bytes(make_document(pages))
    return path


def records(*arguments: str | Path) -> list[dict[str, Any]]:
    done = run_glyphdex("glyphs", *arguments, "--json")
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


# -- text -------------------------------------------------------------------------------------------------


def test_text_on_a_grid(pdf: Path) -> None:
    done = run_glyphdex("text", pdf, "--layout", "--pages", "1")
    assert (done.returncode, done.stdout) == (0, TABLE_ROWS + "\n")


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (["--columns"], "one\ntwo\nthree\nfour\n"),
        (["--columns", "3"], "one\ntwo\nthree\nfour\n"),
        (["--columns=30"], "one three\ntwo four\n"),
        (["--columns", "30"], "one three\ntwo four\n"),
        ([], "one three\ntwo four\n"),
    ],
)
def test_text_in_columns(pdf: Path, options: list[str], expected: str) -> None:
    for arguments in ([*options, pdf], [pdf, *options]):
        done = run_glyphdex("text", "--pages", "2", *arguments)
        assert (done.returncode, done.stdout) == (0, expected), done.stderr


def test_forms_of_text_as_json(pdf: Path) -> None:
    done = run_glyphdex("text", pdf, "--columns", "--json", "--pages", "2")
    assert json.loads(done.stdout)["text"] == "one\ntwo\nthree\nfour"


@pytest.mark.parametrize(
    "options",
    [
        ["--layout", "--columns"],
        ["--bom", "--json"],
        ["--columns", "-1"],
        ["--pages", "-2"],
        ["--pages", "1-x"],
    ],
)
def test_options_that_make_no_sense(pdf: Path, options: list[str]) -> None:
    done = run_glyphdex("text", pdf, *options)
    assert (done.returncode, done.stdout) == (2, "")
    assert "Error:" in done.stderr


def test_a_byte_order_mark_once(pdf: Path) -> None:
    text = run_glyphdex("text", pdf, "--bom").stdout
    assert text.startswith("\ufeff")
    assert text.count("\ufeff") == 1
    assert text.count("\f") == 3


@pytest.mark.parametrize(("ranges", "pages"), [("", 4), ("1-3,2", 3), ("3-", 2), ("4,1", 2)])
def test_page_ranges(pdf: Path, ranges: str, pages: int) -> None:
    done = run_glyphdex("text", pdf, "--pages", ranges)
    assert done.returncode == 0
    assert len(done.stdout.split("\f") if done.stdout else []) == pages


# -- glyphs -----------------------------------------------------------------------------------------------


def test_glyphs_of_a_page(pdf: Path) -> None:
    first, second, *_ = found = records(pdf, "--page", "3")
    assert "".join(record["text"] for record in found) == "ab cd "  # a space is never a copy (R4)
    assert first["start"] == [100, 100]
    assert first["end"] == first["pen"] == [105, 100]
    assert first["box"] == [100, 92, 105, 102]
    assert (first["height"], first["em"], first["angle"], first["mode"]) == (10, 10, 0, 0)
    assert (first["code"], first["font"], first["vertical"]) == (ord("a"), "Grid", False)
    assert (second["index"], second["fate"], second["twin"], second["form"]) == (1, "kept", None, None)
    assert second["source"] is not None


def test_painted_glyphs(pdf: Path) -> None:
    found = records(pdf, "--page", "3", "--painted")
    assert [record["fate"] for record in found] == ["kept"] * 5 + (
        ["copy"] * 2 + ["kept"] + ["copy"] * 2 + ["off_page"] * 4
    )
    assert [record["twin"] for record in found[5:10]] == [0, 1, None, 3, 4]
    assert [record["said"] for record in found[5:7]] == ["", ""]


def test_glyphs_of_a_form(pdf: Path) -> None:
    assert {(record["form"], record["source"]) for record in records(pdf, "--page", "4")} == {("/X", None)}


def test_glyphs_as_a_table(pdf: Path) -> None:
    done = run_glyphdex("glyphs", pdf, "--page", "3", "--painted")
    heading, first, *others = done.stdout.splitlines()
    assert heading.split()[:4] == ["glyph", "text", "unicode", "says"]
    assert first.split()[:5] == ["0", "a", "U+0061", "97", "Grid"]
    assert len(others) == 13


# -- explain ----------------------------------------------------------------------------------------------


def test_explain_as_a_table(pdf: Path) -> None:
    done = run_glyphdex("explain", pdf, "--page", "3")
    assert done.returncode == 0, done.stderr
    assert "painted 14 = visible 6 + overprinted 4 + off the page 4 + hidden 0" in done.stdout
    assert "b | c" in done.stdout
    assert "twin 0, 0.040 along, 0.000 across (heights), height ratio 1.000" in done.stdout
    assert "centre 102.50 -103.00, visible box 0.00 0.00 600.00 800.00" in done.stdout


def test_explain_near_a_text(pdf: Path) -> None:
    done = run_glyphdex("explain", pdf, "--page", "2", "--near", "onethree", "--json")
    answer = json.loads(done.stdout)
    assert (done.returncode, answer["found"], answer["near"]) == (0, 1, "onethree")
    (one,) = [one for one in answer["boundaries"] if one["separator"] == "space"]
    assert one["gap"] == 125
    assert one["gap_limit"] == 1.5
    assert one["rule"] == "R5"


def test_explain_near_a_text_that_is_not_there(pdf: Path) -> None:
    done = run_glyphdex("explain", pdf, "--near", "nowhere")
    assert done.returncode == 1
    assert "'nowhere' is not on page 1" in done.stderr


def test_explain_as_a_picture(pdf: Path, tmp_path: Path) -> None:
    out = tmp_path / "page.png"
    done = run_glyphdex("explain", pdf, "--page", "3", "--png", out, "--scale", "1")
    assert done.returncode == 0, done.stderr
    assert out.read_bytes().startswith(b"\x89PNG")


def test_a_picture_that_cannot_be_written(pdf: Path, tmp_path: Path) -> None:
    done = run_glyphdex("explain", pdf, "--png", tmp_path / "no such folder" / "page.png")
    assert done.returncode == 2
    assert "Traceback" not in done.stderr


def test_without_the_extra(pdf: Path, tmp_path: Path) -> None:
    """The message names it."""
    start = (
        "import sys; sys.modules['pypdfium2'] = None\n"
        "from pipeline.cli.main import main; sys.argv[0] = 'glyphdex'; main()"
    )
    done = run_python("-c", start, "explain", pdf, "--png", tmp_path / "page.png")
    assert done.returncode == 2
    assert "pip install 'glyphdex[render]'" in done.stderr


# -- files that cannot be read ----------------------------------------------------------------------------


@pytest.mark.parametrize("command", ["glyphs", "explain"])
def test_files_and_pages_that_are_not_there(pdf: Path, tmp_path: Path, command: str) -> None:
    broken = tmp_path / "broken.pdf"
    broken.write_bytes(b"no pdf at all")
    for arguments, said in [
        ([tmp_path / "missing.pdf"], "not_found"), ([broken], "not_a_pdf"), ([pdf, "--page", "5"], "4 pages"),
        ([pdf, "--page", "0"], "--page"),
    ]:  # fmt: skip
        done = run_glyphdex(command, *arguments)
        assert (done.returncode, done.stdout) == (2, ""), arguments
        assert said in done.stderr


def test_a_password(pdf: Path, tmp_path: Path) -> None:
    locked, words = tmp_path / "locked.pdf", tmp_path / "passwords"
    locked.write_bytes(encrypt(pdf.read_bytes(), "secret"))
    words.write_text("wrong\nsecret\n")
    assert run_glyphdex("explain", locked).returncode == 2
    out = tmp_path / "page.png"
    done = run_glyphdex("explain", locked, "--password-file", words, "--png", out)
    assert done.returncode == 0, done.stderr
    assert out.is_file()
    assert len(records(locked, "--password-file", words)) == len(records(pdf))
