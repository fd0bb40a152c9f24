"""What a document says about itself: /Info (ISO 32000-1, 14.3.3), XMP (14.3.2), /Lang (14.9.2).

In: the information dictionary, the catalog, and XMP as bytes. Out: text and aware UTC times. It must not know
files.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone
from html import unescape
from typing import Any

from extractor.objects import as_dictionary, entry
from extractor.text_strings import decode_text

_PDF_DATE = re.compile(
    r"\s*(?:D:)?\s*(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?(?:\.\d+)?\s*(?:([+\-Zz])\s*(?:(\d\d?)'?\s*(\d\d)?'?)?)?"
)
_XMP_DATE = re.compile(
    r"\s*(\d{4})(?:-(\d\d))?(?:-(\d\d))?(?:[T ](\d\d):(\d\d)(?::(\d\d))?(?:\.\d+)?)?"
    r"\s*(?:([+\-Zz])(?:(\d\d):?(\d\d))?)?"
)
_MAX_XMP = 2_000_000
"""Bytes of an XMP packet that are searched."""

_LONGEST_TEXT = 10_000
"""Characters of one entry."""

_WHITE_SPACE = re.compile(r"\s+")
_TAG = re.compile(r"<[^>]*+>")
_OPEN_TAG = re.compile(r"(?:\s[^>]*+)?(?<!/)>")
_ATTRIBUTE = re.compile(r"\s*+=\s*+(\"[^\"<]*+\"|'[^'<]*+')")
_ITEM = re.compile(r"<rdf:li\b[^>]*+>([^<]*+)</rdf:li>")


@dataclass(frozen=True, slots=True)
class Metadata:
    """What a document says about itself; None where it says nothing usable."""

    title: str | None = None
    author: str | None = None
    subject: str | None = None
    keywords: str | None = None
    creator: str | None = None
    producer: str | None = None
    created: datetime | None = None
    modified: datetime | None = None
    lang: str | None = None


def read_metadata(information: Any, catalog: Any, read_xmp: Callable[[], bytes]) -> Metadata:
    """Return a document's metadata: from /Info, and what is missing there from XMP.

    Args:
        information: The trailer's /Info.
        catalog: The catalog.
        read_xmp: Returns the XMP packet's bytes; asked only when something is missing in /Info.
    """
    found = as_dictionary(information)
    title, author = _text(found, "/Title"), _text(found, "/Author")
    created, modified = _date(found, "/CreationDate"), _date(found, "/ModDate")
    subject, keywords = _text(found, "/Subject"), _text(found, "/Keywords")
    creator, producer = _text(found, "/Creator"), _text(found, "/Producer")
    if not (title and author and created and producer):
        xmp = decode_xmp(read_xmp())
        title = title or xmp_text(xmp, "dc:title")
        author = author or xmp_text(xmp, "dc:creator")
        subject = subject or xmp_text(xmp, "dc:description")
        keywords = keywords or xmp_text(xmp, "pdf:Keywords") or xmp_text(xmp, "dc:subject")
        creator = creator or xmp_text(xmp, "xmp:CreatorTool")
        producer = producer or xmp_text(xmp, "pdf:Producer")
        created = created or parse_xmp_date(xmp_text(xmp, "xmp:CreateDate"))
        modified = modified or parse_xmp_date(xmp_text(xmp, "xmp:ModifyDate"))
    lang = _text(as_dictionary(catalog), "/Lang")
    return Metadata(title, author, subject, keywords, creator, producer, created, modified, lang)


def _text(dictionary: Any, key: str) -> str | None:
    """Return a text string entry with its white space folded, None for an empty one."""
    value = entry(dictionary, key)
    return _fold(decode_text(value[:_LONGEST_TEXT])) if isinstance(value, bytes) else None


def _fold(text: str | None) -> str | None:
    """Return text with runs of white space as one space, None for nothing."""
    return _WHITE_SPACE.sub(" ", text).strip()[:_LONGEST_TEXT] or None if text else None


def _date(dictionary: Any, key: str) -> datetime | None:
    """Return a date entry (7.9.4) as UTC."""
    return parse_pdf_date(_text(dictionary, key))


def parse_pdf_date(text: str | None) -> datetime | None:
    """Return a PDF date, D:YYYYMMDDHHmmSSOHH'mm' (7.9.4), as aware UTC, a broken one as None."""
    found = _PDF_DATE.match(text) if text else None
    return _to_utc(found.groups()) if found else None


def parse_xmp_date(text: str | None) -> datetime | None:
    """Return an ISO 8601 date of XMP as aware UTC; a broken one is None; no zone means UTC."""
    found = _XMP_DATE.match(text) if text else None
    return _to_utc(found.groups()) if found else None


def _to_utc(groups: tuple[str | None, ...]) -> datetime | None:
    """Return year, month, day, hour, minute, second, sign, offset hours and minutes as aware UTC."""
    year, month, day, hour, minute, second = (int(part) if part else None for part in groups[:6])
    sign, offset_hours, offset_minutes = groups[6:9]
    offset = timedelta(hours=int(offset_hours or 0), minutes=int(offset_minutes or 0))
    try:
        zone = timezone(-offset if sign == "-" else offset) if sign in ("+", "-") else UTC
        local = datetime(
            year or 0, month or 1, day or 1, hour or 0, minute or 0, min(second or 0, 59), tzinfo=zone
        )
        return local.astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def decode_xmp(packet: bytes) -> str:
    """Return an XMP packet as text: UTF-8, or UTF-16 by its byte order mark."""
    packet = packet[:_MAX_XMP]
    if packet[:2] in (b"\xfe\xff", b"\xff\xfe"):
        return packet.decode("utf-16", "replace")
    return packet.decode("utf-8", "replace")


def xmp_text(xmp: str, name: str) -> str | None:
    """Return a property of an XMP packet: an element's text, its list items joined, or an attribute.

    The packet is searched, not parsed: no entity is ever expanded but the five of XML and character
    references, and a packet that is not well-formed still gives what it has.
    """
    position = -1
    while (position := xmp.find(name, position + 1)) >= 0:
        behind = position + len(name)
        before = xmp[position - 1 : position]
        if before == "<" and (tag := _OPEN_TAG.match(xmp, behind)):
            end = xmp.find(f"</{name}>", tag.end())
            inner = xmp[tag.end() : end] if end >= 0 else ""
            items = _ITEM.findall(inner)
            return _fold(unescape("; ".join(items) if items else _TAG.sub("", inner)))
        if before.isspace() and (attribute := _ATTRIBUTE.match(xmp, behind)):
            return _fold(unescape(attribute[1][1:-1]))
    return None
