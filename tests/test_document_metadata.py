"""What a document says about itself: /Info, XMP, dates, language."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from extractor.document import open_source
from extractor.metadata import Metadata, parse_pdf_date, parse_xmp_date, read_metadata, xmp_text
from tests.helpers.pdf_maker import Page, Raw, Stream, make_document

XMP = """<?xpacket begin="\ufeff"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF>
<rdf:Description pdf:Producer="Maker &amp; Co" xmp:CreateDate='2020-01-02T03:04:05+01:00'>
<dc:title><rdf:Alt><rdf:li xml:lang="x-default">A  title
over lines</rdf:li></rdf:Alt></dc:title>
<dc:creator><rdf:Seq><rdf:li>Ann</rdf:li><rdf:li>Bob &#937;</rdf:li></rdf:Seq></dc:creator>
<dc:titles>wrong</dc:titles><xmp:CreatorTool>Tool</xmp:CreatorTool><dc:description/>
</rdf:Description></rdf:RDF></x:xmpmeta>"""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("D:20240229123456Z", (2024, 2, 29, 12, 34, 56)),
        ("D:20240229123456+02'00'", (2024, 2, 29, 10, 34, 56)),
        ("D:20240229123456-0530", (2024, 2, 29, 18, 4, 56)),
        ("D:20240229123456+05'30", (2024, 2, 29, 7, 4, 56)),
        ("D:20240229123456", (2024, 2, 29, 12, 34, 56)),
        ("D:20240229", (2024, 2, 29, 0, 0, 0)),
        ("D:2024", (2024, 1, 1, 0, 0, 0)),
        ("20240229123456Z00'00'", (2024, 2, 29, 12, 34, 56)),
        ("D:19991231235960Z", (1999, 12, 31, 23, 59, 59)),
        ("D:20240230", None),
        ("D:20249999", None),
        ("D:20240101000000+99'00'", None),
        ("D:00010101000000+01'00'", None),
        ("Thu Feb 29 2024", None),
        ("", None),
        (None, None),
    ],
)
def test_pdf_dates(text: str | None, expected: tuple[int, ...] | None) -> None:
    assert parse_pdf_date(text) == (datetime(*expected, tzinfo=UTC) if expected else None)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2024-02-29T12:34:56+02:00", (2024, 2, 29, 10, 34, 56)),
        ("2024-02-29T12:34:56.789Z", (2024, 2, 29, 12, 34, 56)),
        ("2024-02-29T12:34", (2024, 2, 29, 12, 34, 0)),
        ("2024-02", (2024, 2, 1, 0, 0, 0)),
        ("2024-13-01", None),
        ("yesterday", None),
    ],
)
def test_xmp_dates(text: str, expected: tuple[int, ...] | None) -> None:
    assert parse_xmp_date(text) == (datetime(*expected, tzinfo=UTC) if expected else None)


def test_information_dictionary() -> None:
    entries = {
        "Title": "T\u00eftle",
        "Author": "Ann",
        "Subject": Raw("(caf\\351)"),
        "Keywords": Raw("<efbbbfcea9>"),
        "Creator": Raw("( much   white\n space )"),
        "Producer": Raw("12"),
        "CreationDate": "D:20240229123456+02'00'",
        "ModDate": "nonsense",
    }
    data = make_document([Page("")], catalog={"Lang": Raw("(de-AT)")}, document_information=entries)
    assert open_source(data).metadata == Metadata(
        title="T\u00eftle",
        author="Ann",
        subject="caf\u00e9",
        keywords="\u03a9",
        creator="much white space",
        created=datetime(2024, 2, 29, 10, 34, 56, tzinfo=UTC),
        lang="de-AT",
    )


def test_xmp_fills_what_is_missing() -> None:
    data = make_document(
        [Page("")], title="From Info", catalog={"Metadata": Stream(XMP.encode(), flate=True)}
    )
    found = open_source(data).metadata
    assert found.title == "From Info"
    assert found.author == "Ann; Bob \u03a9"
    assert found.producer == "Maker & Co"
    assert found.creator == "Tool"
    assert found.created == datetime(2020, 1, 2, 2, 4, 5, tzinfo=UTC)
    assert found.subject is None


def test_xmp_is_read_in_utf_16_and_when_it_is_broken() -> None:
    for packet in (
        XMP.encode("utf-16"),
        XMP[: XMP.index("<dc:creator>")].encode(),
        b"\xff" * 9 + XMP.encode(),
    ):
        assert read_metadata(None, None, lambda packet=packet: packet).title == "A title over lines"
    assert read_metadata(None, None, lambda: b"") == Metadata()


def test_entities_are_not_expanded() -> None:
    bomb = (
        '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b SYSTEM "file:///etc/passwd">]><dc:title>&a;&b;</dc:title>'
    )
    assert xmp_text(bomb, "dc:title") == "&a;&b;"


def test_a_document_that_says_nothing() -> None:
    assert open_source(make_document([Page("")])).metadata == Metadata()
