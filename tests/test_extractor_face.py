"""The public face of the extractor: opening, metadata, passwords, errors, and the error border of a page."""

from __future__ import annotations

import io
from datetime import UTC, datetime
from pathlib import Path

import pytest

import extractor
from tests.helpers.pages import grid_font
from tests.helpers.pdf_maker import Page, encrypt, make_document, make_pdf

HELLO = "BT /F1 12 Tf 72 700 Td (Hello page) Tj ET"
TWO_PAGES = make_document([Page(HELLO), Page(HELLO.replace("page", "again"), rotate=90)], title="Grüße")


def test_opens_paths_bytes_and_files(tmp_path: Path) -> None:
    path = tmp_path / "name with ünïcode [1].pdf"
    path.write_bytes(TWO_PAGES)
    with path.open("rb") as file:
        for source in (path, str(path), TWO_PAGES, io.BytesIO(TWO_PAGES), file):
            with extractor.open_document(source) as document:
                assert len(document) == 2
                assert [document[index].text() for index in range(2)] == ["Hello page", "Hello again"]


def test_pages_are_a_sequence() -> None:
    with extractor.open_document(TWO_PAGES) as document:
        assert [page.number for page in document] == [1, 2]
        assert document[-1].index == 1
        with pytest.raises(IndexError):
            document[2]


def test_page_size_and_rotation() -> None:
    with extractor.open_document(TWO_PAGES) as document:
        assert [(page.width, page.height, page.rotation) for page in document] == [
            (600, 800, 0),
            (800, 600, 90),
        ]


def test_metadata() -> None:
    pdf = make_document(
        [Page(HELLO)],
        title="Ελληνικά",
        document_information={
            "Author": "A. Author", "Subject": "S", "Keywords": "k1, k2", "Creator": "C", "Producer": "P",
            "CreationDate": "D:20240229123000+02'00'", "ModDate": "D:2025",
        },
        catalog={"Lang": b"el-GR"},
    )  # fmt: skip
    with extractor.open_document(pdf) as document:
        metadata = document.metadata
    assert (metadata.title, metadata.author, metadata.subject) == ("Ελληνικά", "A. Author", "S")
    assert (metadata.keywords, metadata.creator, metadata.producer, metadata.lang) == (
        "k1, k2",
        "C",
        "P",
        "el-GR",
    )
    assert metadata.created == datetime(2024, 2, 29, 10, 30, tzinfo=UTC)
    assert metadata.modified is not None
    assert metadata.modified.year == 2025
    assert metadata.modified.tzinfo is not None


@pytest.mark.parametrize(
    "date", ["", "D:", "yesterday", "D:20241399", "D:99999999999999", "D:20240101999999"]
)
def test_broken_dates_are_no_dates(date: str) -> None:
    pdf = make_document([Page(HELLO)], document_information={"CreationDate": date})
    with extractor.open_document(pdf) as document:
        created = document.metadata.created
    assert created is None or created.year in (2024, 9999)


def test_no_metadata() -> None:
    with extractor.open_document(make_pdf(HELLO)) as document:
        assert document.metadata.title is None
        assert document.metadata.created is None
        assert not document.encrypted
        assert not document.repaired


def test_page_labels() -> None:
    labels = {"Nums": [0, {"S": "/r"}, 2, {"S": "/D", "St": 7, "P": b"A-"}]}
    pdf = make_document([Page(HELLO)] * 4, catalog={"PageLabels": labels})
    with extractor.open_document(pdf) as document:
        assert [page.label for page in document] == ["i", "ii", "A-7", "A-8"]
    with extractor.open_document(TWO_PAGES) as document:
        assert [page.label for page in document] == ["1", "2"]


@pytest.mark.parametrize("algorithm", ["RC4-40", "RC4-128", "AES-128", "AES-256"])
class TestEncryption:
    def test_empty_user_password(self, algorithm: str) -> None:
        with extractor.open_document(encrypt(make_pdf(HELLO), algorithm=algorithm)) as document:
            assert document.encrypted
            assert document[0].text() == "Hello page"

    @pytest.mark.parametrize("password", ["secret", "owner", ["no", "secret"]])
    def test_given_password(self, algorithm: str, password: str | list[str]) -> None:
        pdf = encrypt(make_pdf(HELLO), "secret", "owner", algorithm)
        with extractor.open_document(pdf, password=password) as document:
            assert document[0].text() == "Hello page"

    def test_missing_and_wrong_password(self, algorithm: str) -> None:
        pdf = encrypt(make_pdf(HELLO), "secret", "owner", algorithm)
        with pytest.raises(extractor.ExtractionError) as missing:
            extractor.open_document(pdf)
        assert missing.value.reason == "encrypted"
        with pytest.raises(extractor.ExtractionError) as wrong:
            extractor.open_document(pdf, password="guess")
        assert wrong.value.reason == "wrong_password"
        assert "guess" not in str(wrong.value)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "empty_file"),
        (b"hello", "not_a_pdf"),
        (b"PK\x03\x04" + bytes(500), "not_a_pdf"),
        (b"\x00" * 5000, "not_a_pdf"),
    ],
)
def test_files_that_are_no_pdfs(content: bytes, reason: str) -> None:
    with pytest.raises(extractor.ExtractionError) as caught:
        extractor.open_document(content)
    assert caught.value.reason == reason


def test_a_missing_file_and_a_folder(tmp_path: Path) -> None:
    for path in (tmp_path / "missing.pdf", tmp_path):
        with pytest.raises(extractor.ExtractionError) as caught:
            extractor.open_document(path)
        assert caught.value.reason == "unreadable"


def test_a_header_alone_is_damaged() -> None:
    with pytest.raises(extractor.ExtractionError) as caught:
        extractor.open_document(b"%PDF-1.7\n" + b"nothing to see here\n" * 20)
    assert caught.value.reason == "damaged"


@pytest.mark.parametrize(
    "damage",
    [
        lambda pdf: pdf[: pdf.rindex(b"startxref")],
        lambda pdf: pdf.replace(b"startxref\n", b"startxref\n9"),
        lambda pdf: b"junk before the header\n" + pdf,
        lambda pdf: pdf + b"\n\x00\x00trailing junk" * 50,
        lambda pdf: pdf[: pdf.rindex(b"xref\n0")],
        lambda pdf: pdf.replace(b"\n", b"\r\n", 3),
    ],
    ids=["no startxref", "wrong startxref", "junk before", "junk after", "no xref", "shifted offsets"],
)
def test_damaged_files_are_read_all_the_same(damage: object) -> None:
    with extractor.open_document(damage(TWO_PAGES)) as document:  # type: ignore[operator]
        assert [page.text() for page in document] == ["Hello page", "Hello again"]


def test_extract_page_is_a_complete_answer() -> None:
    with extractor.open_document(TWO_PAGES) as document:
        result = extractor.extract_page(document, 1)
    assert (result.status, result.reason, result.message) == ("ok", None, None)
    assert (result.page_index, result.text, result.label) == (1, "Hello again", "2")
    assert (result.width, result.height, result.rotation) == (800, 600, 90)
    assert result.words.texts() == ["Hello", "again"]
    assert result.lines.texts() == ["Hello again"]
    assert result.counts.painted == 11
    assert result.ms >= 0


def test_extract_page_never_raises_for_bad_input() -> None:
    broken = make_document(
        [Page(HELLO, entries={"Contents": 7, "Resources": "/Nothing", "MediaBox": ["/a"]}), Page(HELLO)]
    )
    with extractor.open_document(broken) as document:
        results = [extractor.extract_page(document, index) for index in range(2)]
    assert results[0].status in ("ok", "failed")
    assert results[0].text == ""
    assert results[1].text == "Hello page"


def test_the_same_bytes_give_the_same_answer() -> None:
    content = "BT /F 10 Tf 100 700 Td (some words) Tj 0 -14 Td [(kern)-200(ed)] TJ ET"
    pdf = make_pdf(content, fonts={"F": grid_font()})
    answers = set()
    for _ in range(3):
        with extractor.open_document(pdf) as document:
            page = document[0]
            answers.add(
                (page.text(), page.words.x0.tobytes(), page.words.y1.tobytes(), page.glyphs.start_x.tobytes())
            )
    assert len(answers) == 1


def test_pages_in_any_order_give_the_same_text() -> None:
    pdf = make_document([Page(HELLO.replace("page", str(number))) for number in range(5)])
    with extractor.open_document(pdf) as forwards, extractor.open_document(pdf) as backwards:
        texts = [forwards[index].text() for index in range(5)]
        assert [backwards[index].text() for index in reversed(range(5))] == texts[::-1]


def test_version_names_the_semantics() -> None:
    assert isinstance(extractor.VERSION, str)
    assert extractor.VERSION


@pytest.mark.parametrize(
    ("content", "flags"),
    [
        ("", set()),
        ("BT /F1 12 Tf 72 700 Td (Words) Tj ET", set()),
        ("q 500 0 0 700 50 50 cm /Im Do Q", {"needs_ocr"}),
        ("q 0 500 -700 0 750 50 cm /Im Do Q", {"needs_ocr"}),
        (
            "q 500 0 0 100 50 50 cm /Im Do Q q 500 0 0 100 50 150 cm /Im Do Q q 500 0 0 100 50 250 cm /Im Do Q",
            {"needs_ocr"},
        ),
        ("q 100 0 0 60 50 700 cm /Im Do Q", set()),
        ("q 500 0 0 700 50 50 cm /Im Do Q BT /F1 12 Tf 72 700 Td (A caption with words) Tj ET", set()),
        ("q 500 0 0 700 50 50 cm /Im Do Q BT /F1 12 Tf 72 700 Td (17) Tj ET", {"needs_ocr"}),
    ],
    ids=[
        "blank",
        "text",
        "scan",
        "turned scan",
        "scan in strips",
        "logo",
        "picture with text",
        "scan with its number",
    ],
)
def test_needs_ocr(content: str, flags: set[str]) -> None:
    """A page with large images and no text; a blank page is not one, nor one with a logo."""
    from tests.helpers.pdf_maker import Stream

    image = Stream(bytes(100), {
        "Type": "/XObject", "Subtype": "/Image", "Width": 10, "Height": 10, "ColorSpace": "/DeviceGray",
        "BitsPerComponent": 8,
    })  # fmt: skip
    with extractor.open_document(make_pdf(content, xobjects={"Im": image})) as document:
        assert set(document[0].flags) & {"needs_ocr"} == flags


def test_columns_print_in_a_line() -> None:
    with extractor.open_document(
        make_pdf("BT /F 10 Tf 100 700 Td (ab cd) Tj ET", fonts={"F": grid_font()})
    ) as document:
        page = document[0]
        assert repr(page.words) == "<2 words: 'ab', 'cd'>"
        assert repr(page.lines) == "<1 lines: 'ab cd'>"
        assert repr(page.glyphs) == "<5 glyphs: 'ab cd'>"
