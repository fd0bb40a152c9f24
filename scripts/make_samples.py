"""Make the sample PDFs of the quick start, with the producer libraries reportlab and fpdf2.

In: a folder. Out: five PDFs that show what makes extraction hard: fake bold (text painted twice, 0.3 pt
apart), gaps between words without space glyphs, a form XObject, a slug line outside the crop box, Chinese
without an embedded font, and Greek in an embedded subset. The bytes are the same on every run, so that a
second ingest finds nothing new.

Usage: python scripts/make_samples.py FOLDER
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from datetime import UTC, datetime
from importlib.resources import as_file, files
from pathlib import Path

from fpdf import FPDF
from reportlab.lib.pagesizes import A4
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfgen.canvas import Canvas

MADE_ON = datetime(2026, 1, 1, tzinfo=UTC)
LEFT = 72
TOP = 760
LEADING = 18


def make_fake_bold(path: Path) -> None:
    """Headings made bold by painting them twice, 0.3 pt apart; a naive reader finds every letter doubled."""
    canvas = _canvas(path, "Harbour logbook")
    canvas.setFont("Helvetica", 20)
    for shift in (0, 0.3):
        canvas.drawString(LEFT + shift, TOP, "Lighthouse inspection")
    _lines(canvas, TOP - 40, [
        "The balloon filled slowly while the crew fell silent.",
        "Account 1111 was settled; all bills were still unpaid.",
        "The keeper reported a cracked lantern and a worn hinge.",
    ])  # fmt: skip
    canvas.showPage()
    canvas.setFont("Helvetica", 20)
    for shift in (0, 0.15, 0.3):
        canvas.drawString(LEFT + shift, TOP, "Weather summary")
    _lines(canvas, TOP - 40, ["Fog until noon, then a fresh north-westerly breeze."])
    canvas.save()


def make_gaps_without_spaces(path: Path) -> None:
    """Words placed one by one, as typesetters do: no space glyph stands between them."""
    canvas = _canvas(path, "Sailing instructions")
    y = TOP
    for line in (
        "Words on this page are placed one at a time",
        "and no space glyph separates neighbouring words",
        "so a reader has to measure the gap between them",
    ):
        x = float(LEFT)
        for word in line.split():
            canvas.setFont("Times-Roman", 12)
            canvas.drawString(x, y, word)
            x += pdfmetrics.stringWidth(word, "Times-Roman", 12) + 3.2
        y -= LEADING
    canvas.save()


def make_form_and_slug(path: Path) -> None:
    """A stamp in a form XObject, painted on both pages, and a printer's slug line outside of the crop box."""
    canvas = _canvas(path, "Contract 2026-17")
    canvas.beginForm("stamp", 0, 0, 220, 40)
    canvas.setFont("Helvetica-Bold", 16)
    canvas.drawString(4, 12, "CERTIFIED DUPLICATE")
    canvas.endForm()
    for number in (1, 2):
        canvas.setCropBox((36, 36, A4[0] - 36, A4[1] - 36))
        _lines(canvas, TOP, [f"Page {number} of the charter party.", "Demurrage is payable per running day."])
        canvas.saveState()
        canvas.translate(300, 120)
        canvas.rotate(20)
        canvas.doForm("stamp")
        canvas.restoreState()
        canvas.setFont("Courier", 6)
        canvas.drawString(40, 14, "SLUGLINE plate 3 cyan 17:42 do not print")
        canvas.showPage()
    canvas.save()


def make_chinese(path: Path) -> None:
    """Chinese in STSong-Light, which is not embedded: its text comes from a predefined CMap."""
    pdfmetrics.registerFont(UnicodeCIDFont("STSong-Light"))
    canvas = _canvas(path, "Chinese sample")
    _lines(canvas, TOP, [
        "港口管理局每天早上发布潮汐表。",
        "全文检索让人们很快找到需要的文件。",
        "本报告由95后工程师编写。",
    ], font="STSong-Light")  # fmt: skip
    canvas.save()


def make_greek(path: Path) -> None:
    """Greek in an embedded subset of Roboto, mapped to Unicode by the file itself."""
    document = FPDF(format="A4")
    document.set_creation_date(MADE_ON)
    document.set_title("Ελληνικό δείγμα")
    document.add_page()
    with as_file(files("font_roboto") / "files" / "Roboto-Regular.ttf") as font:
        document.add_font("Roboto", fname=font)
    document.set_font("Roboto", size=13)
    for line in ("Ο φάρος του λιμανιού ανάβει στη δύση του ήλιου.", "Ο λόγος του καπετάνιου είναι νόμος."):
        document.cell(text=line, new_x="LMARGIN", new_y="NEXT", h=9)
    document.output(str(path))


SAMPLES: dict[str, Callable[[Path], None]] = {
    "fake-bold.pdf": make_fake_bold,
    "gaps-without-spaces.pdf": make_gaps_without_spaces,
    "form-and-slug.pdf": make_form_and_slug,
    "chinese.pdf": make_chinese,
    "greek.pdf": make_greek,
}


def make_samples(folder: Path) -> list[Path]:
    """Write all samples into `folder`, made if need be, and return their paths; what stands there stays."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for name, make in SAMPLES.items():
        path, fresh = folder / name, folder / f"{name}.new"
        make(fresh)
        if path.is_file() and path.read_bytes() == fresh.read_bytes():
            fresh.unlink()  # its time of change says that there is nothing to do
        else:
            fresh.replace(path)
        paths.append(path)
    return paths


def _canvas(path: Path, title: str) -> Canvas:
    canvas = Canvas(str(path), pagesize=A4, invariant=1)
    canvas.setTitle(title)
    return canvas


def _lines(canvas: Canvas, y: float, lines: list[str], font: str = "Helvetica") -> None:
    for index, line in enumerate(lines):
        canvas.setFont(font, 12)
        canvas.drawString(LEFT, y - index * LEADING, line)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: make_samples.py FOLDER")
    for made in make_samples(Path(sys.argv[1])):
        print(made)
