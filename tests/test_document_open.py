"""Opening files: whole, unusual, broken, encrypted, and those that are none."""

from __future__ import annotations

import io
import logging
import pickle
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from extractor.document import open_source
from extractor.errors import ExtractionError
from extractor.open_options import OpenOptions
from extractor.pages import DocumentSource
from tests.helpers.pdf_maker import Page, encrypt, make_document, make_pdf
from tests.helpers.raw_pdf import HEADER, lay_out, one_page, stream, with_streams, with_table, without_xref

HI = b"BT (Hi) Tj ET"
NO_REPAIR = OpenOptions(repair=False)


def contents(document: DocumentSource) -> list[bytes]:
    return [document.page(index).content for index in range(len(document))]


def codes(document: DocumentSource) -> set[str]:
    return {issue.code for issue in document.issues.items}


def reason(data: bytes, password: str | None = None, options: OpenOptions = NO_REPAIR) -> str:
    with pytest.raises(ExtractionError) as caught:
        open_source(data, password, options)
    return caught.value.reason


def test_opens_bytes_paths_and_files(tmp_path: Path) -> None:
    data = with_table(one_page())
    path = tmp_path / "a [1] \u00e9.pdf"
    path.write_bytes(data)
    for source in (data, path, str(path), io.BytesIO(data)):
        with open_source(source) as document:
            assert contents(document) == [HI]
            assert not document.encrypted
            assert not document.repaired
            assert document.issues.items == ()


def test_opens_what_another_writer_writes() -> None:
    with open_source(make_document([Page("BT ET"), Page("q Q", flate=True)])) as document:
        assert contents(document) == [b"BT ET", b"q Q"]


def test_large_files_are_mapped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("extractor.file_bytes._MAPPED_FROM", 10)
    path = tmp_path / "large.pdf"
    path.write_bytes(with_streams({4: stream(HI)}, {k: v for k, v in one_page().items() if k != 4}))
    with open_source(path) as document:
        assert contents(document) == [HI]


def test_cross_reference_stream_and_object_stream() -> None:
    plain = {4: stream(HI, flate=True)}
    packed = {number: body for number, body in one_page().items() if number != 4}
    with open_source(with_streams(plain, packed)) as document:
        assert contents(document) == [HI]
        assert document.issues.items == ()


@pytest.mark.parametrize("count", [31, 32, 33, 40])
def test_cross_reference_stream_with_several_subsections(count: int) -> None:
    bodies = {number + (count if number > 3 else 0): body for number, body in one_page().items()}
    bodies[3] = bodies[3].replace(b"4 0 R", b"%d 0 R" % (count + 4))
    bodies[200], bodies[300] = b"(second)", b"(third)"
    objects, offsets = lay_out(bodies, len(HEADER))
    subsections = [(1, count), (count + 4, 1), (200, count), (300, count)]
    numbers = [number for first, many in subsections for number in range(first, first + many)]
    rows = b"".join(
        bytes((number in offsets,)) + offsets.get(number, 0).to_bytes(2, "big") for number in numbers
    )
    index = b" ".join(b"%d %d" % pair for pair in subsections)
    start = len(HEADER) + len(objects)
    xref = stream(rows, b"/Type/XRef/W[1 2 0]/Root 1 0 R/Size 400/Index[" + index + b"]")
    tail = b"399 0 obj\n%b\nendobj\nstartxref\n%d\n%%%%EOF\n" % (xref, start)
    with open_source(HEADER + objects + tail) as document:
        places = [document._store.xref.find(number) for number in sorted(offsets)]
        assert [place and place.offset for place in places] == [offsets[number] for number in sorted(offsets)]
        assert contents(document) == [HI]
        assert document._store.get_object(300) == b"third"


def update(data: bytes, bodies: dict[int, bytes], trailer: bytes = b"") -> bytes:
    """Append an incremental update (7.5.6)."""
    previous = int(data.rsplit(b"startxref", 1)[1].split()[0])
    objects, offsets = lay_out(bodies, len(data))
    rows = b"".join(b"%d 1\n%010d 00000 n \n" % item for item in offsets.items())
    start = len(data) + len(objects)
    tail = b"trailer<</Size 99/Root 1 0 R/Prev %d%b>>\nstartxref\n%d\n%%%%EOF" % (previous, trailer, start)
    return data + objects + b"xref\n" + rows + tail


def test_the_newest_update_wins() -> None:
    data = update(update(with_table(one_page()), {4: stream(b"old")}), {4: stream(b"new")})
    with open_source(data) as document:
        assert contents(document) == [b"new"]


def test_freed_objects_are_null() -> None:
    data = with_table(one_page())
    freed = data + b"xref\n4 1\n0000000000 00001 f \ntrailer<</Root 1 0 R/Prev %d>>startxref\n%d\n%%%%EOF" % (
        int(data.rsplit(b"startxref", 1)[1].split()[0]),
        len(data),
    )
    with open_source(freed) as document:
        assert contents(document) == [b""]


def test_hybrid_file_finds_what_its_table_hides() -> None:
    head = b"4 0 "
    bodies = {
        **one_page(),
        5: stream(b"[(packed)]", b"/X 1"),
        9: stream(head + b"7", b"/Type/ObjStm/N 1/First 4"),
    }
    del bodies[4]
    objects, offsets = lay_out(bodies, len(HEADER))
    hidden = len(HEADER) + len(objects)
    rows = bytes((2, 0, 9, 0))
    objects += b"10 0 obj\n" + stream(rows, b"/Type/XRef/W[1 2 1]/Index[4 1]/Size 11") + b"\nendobj\n"
    start = len(HEADER) + len(objects)
    table = b"xref\n" + b"".join(b"%d 1\n%010d 00000 n \n" % item for item in offsets.items())
    table += b"4 1\n0000000000 00000 f \ntrailer<</Root 1 0 R/XRefStm %d>>\nstartxref\n%d\n%%%%EOF" % (
        hidden,
        start,
    )
    with open_source(HEADER + objects + table) as document:
        assert document._store.get_object(4) == 7


@pytest.mark.parametrize(
    "break_it",
    [
        lambda data: b"junk\n" * 30 + data,
        lambda data: data.replace(b"%PDF-1.7", b"%XDF-1.7"),
        lambda data: data[: data.index(b"startxref")],
        lambda data: data[: data.index(b"xref\n0 1")] + b"trailer<</Root 1 0 R>>",
        lambda data: data.replace(b"trailer", b"trialer"),
        lambda data: data[: data.index(b"xref\n0 1")],
        lambda data: data.replace(b"0000000000 65535 f \n", b"0000000000 65535 f\n"),
        lambda data: data.replace(b"startxref\n", b"startxref\n9"),
        lambda data: data.replace(b"startxref\n", b"startxref "),
        lambda data: data + b"\x00" * 5000,
        lambda data: data.replace(b"00000 n", b"00000 x"),
        lambda data: data.replace(b"%%EOF\n", b""),
        lambda data: data.replace(b"/Catalog", b"/Catalof"),
        lambda data: data.replace(b"/Root 1 0 R", b"/Root 7 0 R"),
        lambda data: data.replace(b"/Pages 2 0 R", b"/Pages 9 0 R"),
        lambda data: data.replace(b"/Kids[3 0 R]", b"/Kids[8 0 R]"),
        lambda data: data.replace(b"/Kids[3 0 R]", b"/Kids 3 0 R"),
        lambda data: data.replace(b"endobj", b""),
        lambda data: data.replace(b"1 0 obj", b"1  0\nobj"),
        lambda data: data.replace(b"\n", b"\r"),
    ],
    ids=lambda value: None,
)
def test_broken_structure_is_read_anyway(break_it: Callable[[bytes], bytes]) -> None:
    with open_source(break_it(with_table(one_page())), options=NO_REPAIR) as document:
        assert [content.replace(b"\r", b"") for content in contents(document)] == [HI]


@pytest.mark.parametrize("shift", [-3, 1, 4, 2000])
def test_wrong_offsets_are_put_right_and_recorded(shift: int) -> None:
    with open_source(with_table(one_page(), shift=shift)) as document:
        assert contents(document) == [HI]
        assert codes(document) & {"wrong_offset", "no_xref"}


def test_offsets_that_count_from_the_header() -> None:
    with open_source(b"X" * 100 + with_table(one_page())) as document:
        assert contents(document) == [HI]
        assert codes(document) == {"junk_before_header"}


def test_a_scan_takes_the_later_of_two_objects_and_looks_into_object_streams() -> None:
    packed = b"1 0 2 30 <</Type/Catalog/Pages 2 0 R>> <</Type/Pages/Kids[3 0 R]/Count 1>>"
    first = packed.index(b"<<")
    bodies = {
        3: b"<</Type/Page/Contents 4 0 R/Parent 2 0 R>>",
        4: stream(b"old"),
        5: stream(packed, b"/Type/ObjStm/N 2/First %d" % first, flate=True),
    }
    data = without_xref(bodies, b"") + lay_out({4: stream(HI)}, 0)[0]
    with open_source(data) as document:
        assert contents(document) == [HI]
        assert "recovered" in codes(document)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"3 0 obj", b"3 0 obk"),
        (b"3 0 obj\n", b"3 0 obj\n500 "),
        (b"3 0 obj\n", b"3 0 obj\n["),
        (b"2 0 obj", b"2 Q obj"),
    ],
)
def test_pages_whose_object_is_damaged_are_found_by_their_type(old: bytes, new: bytes) -> None:
    with open_source(with_table(one_page()).replace(old, new), options=NO_REPAIR) as document:
        assert contents(document) == [HI]


def test_a_catalog_without_pages_gives_way_to_an_older_one() -> None:
    bodies = {**one_page(), 6: b"<</Type/Catalog/Pages 7 0 R>>", 7: b"<</Type/Pages/Kids[]/Count 0>>"}
    with open_source(with_table(bodies, b"/Root 6 0 R"), options=NO_REPAIR) as document:
        assert contents(document) == [HI]


def test_loops_end() -> None:
    data = with_table(one_page())
    start = int(data.rsplit(b"startxref", 1)[1].split()[0])
    with open_source(data.replace(b"/Root 1 0 R", b"/Prev %d/Root 1 0 R" % start)) as document:
        assert contents(document) == [HI]
    looping = {**one_page(), 4: b"<</Length 4 0 R>>stream\nBT ET\nendstream"}
    with open_source(with_table(looping)) as document:
        assert contents(document) == [b"BT ET"]
    itself = {**one_page(), 5: b"5 0 R", 3: b"<</Type/Page/Contents 4 0 R/Rotate 5 0 R/Parent 2 0 R>>"}
    with open_source(with_table(itself)) as document:
        assert document.page(0).rotation == 0


@pytest.mark.parametrize("length", [0, 3, 12, 16, 500, 10**9, -5])
def test_wrong_stream_lengths(length: int) -> None:
    with open_source(with_table({**one_page(), 4: stream(HI, length=length)})) as document:
        assert contents(document) == [HI]


def test_a_stream_that_is_cut_off_keeps_its_bytes() -> None:
    data = without_xref({**one_page(), 4: b"", 5: b"<</Length 900>>stream\nBT (Hi) Tj"}, b"")
    data = data.replace(b"4 0 R", b"5 0 R").split(b"\nendobj\n")
    with open_source(b"\nendobj\n".join(data[:-1]), options=NO_REPAIR) as document:
        assert contents(document) == [b"BT (Hi) Tj"]


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", "empty_file"),
        (b"hello", "not_a_pdf"),
        (b"\x89PNG\r\n" + bytes(3000), "not_a_pdf"),
        (b"%PDF-1.7\n", "damaged"),
        (b"%PDF-1.7\n1 0 obj\n<</Type/Catalog>>\nendobj", "damaged"),
        (with_table({1: b"<</Type/Catalog/Pages 2 0 R>>", 2: b"<</Type/Pages/Kids[]/Count 3>>"}), "damaged"),
    ],
)
def test_what_cannot_be_opened_says_why(data: bytes, expected: str) -> None:
    assert reason(data) == expected


def test_the_message_names_the_file(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_bytes(b"just text")
    with pytest.raises(ExtractionError, match=r"notes\.txt is not a PDF file"):
        open_source(path)
    with pytest.raises(ExtractionError, match=r"missing\.pdf cannot be read: No such file"):
        open_source(tmp_path / "missing.pdf")
    with pytest.raises(ExtractionError) as caught:
        open_source(tmp_path)
    assert caught.value.reason == "unreadable"
    again = pickle.loads(pickle.dumps(caught.value))
    assert (type(again), again.reason, again.message) == (
        type(caught.value),
        "unreadable",
        caught.value.message,
    )


def test_limits_are_options() -> None:
    data = make_document([Page(f"({number}) Tj") for number in range(9)])
    assert reason(data, options=OpenOptions(max_file_size=100)) == "too_large"
    with open_source(data, options=OpenOptions(max_pages=4)) as document:
        assert len(document) == 4
        assert codes(document) == {"page_limit"}
    assert reason(data[: data.index(b"xref")], options=OpenOptions(recovery=False, repair=False)) == "damaged"


def test_a_document_may_have_no_pages() -> None:
    empty = with_table({1: b"<</Type/Catalog/Pages 2 0 R>>", 2: b"<</Type/Pages/Kids[]/Count 0>>"})
    with open_source(empty, options=NO_REPAIR) as document:
        assert len(document) == 0


ALGORITHMS = ["RC4-40", "RC4-128", "AES-128", "AES-256-R5", "AES-256"]


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_encryption(algorithm: str) -> None:
    data = encrypt(make_pdf("BT (Hi) Tj ET", flate=True), "us\u00e9r", "\u00f6wner", algorithm)
    for password in ("us\u00e9r", "\u00f6wner", ["wrong", "us\u00e9r"]):
        with open_source(data, password) as document:
            assert contents(document) == [HI]
            assert document.encrypted
    assert reason(data) == "encrypted"
    assert reason(data, "wrong") == "wrong_password"


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_an_empty_user_password_needs_none(algorithm: str) -> None:
    data = encrypt(make_document([Page("BT (Hi) Tj ET")], title="T\u00eftle \u03a9"), "", "owner", algorithm)
    for password in (None, "not needed", "owner"):
        with open_source(data, password) as document:
            assert contents(document) == [HI]
            assert document.metadata.title == "T\u00eftle \u03a9"


def test_a_password_for_a_file_without_encryption_is_no_fault() -> None:
    with open_source(with_table(one_page()), "secret") as document:
        assert contents(document) == [HI]
        assert not document.encrypted


@pytest.mark.parametrize("value", [b"null", b"<<>>", b"77 0 R", b"(x)"])
def test_encrypt_entries_that_say_nothing(value: bytes) -> None:
    with open_source(with_table(one_page(), b"/Root 1 0 R/Encrypt " + value)) as document:
        assert contents(document) == [HI]


@pytest.mark.parametrize("method", [b"AESV2", b"AESV3", b"V2"])
@pytest.mark.parametrize("algorithm", ["AES-128", "AES-256"])
def test_a_method_that_does_not_fit_the_key_is_no_crash(algorithm: str, method: bytes) -> None:
    data = encrypt(make_pdf("BT (Hi) Tj ET"), "", "owner", algorithm)
    changed = re.sub(rb"/CFM */AESV\d", b"/CFM /" + method, data)
    assert b"/CFM /" + method in changed
    with open_source(changed) as document:
        page = document.page(0)
        assert isinstance(page.content, bytes)
        if algorithm == "AES-256":
            assert page.content == HI


def test_unknown_encryption_is_reported() -> None:
    trailer = b"/Root 1 0 R/Encrypt<</Filter/Adobe.PubSec/V 4/R 4>>"
    assert reason(with_table(one_page(), trailer)) == "encrypted"


def test_encrypted_files_without_a_table() -> None:
    data = encrypt(make_pdf("BT (Hi) Tj ET"), "pass")
    with open_source(data[: data.rindex(b"startxref")], "pass") as document:
        assert contents(document) == [HI]


def test_nothing_is_logged_and_the_application_still_gets_pypdfs_messages(
    caplog: pytest.LogCaptureFixture,
) -> None:
    data = bytearray(encrypt(make_pdf("BT (Hi) Tj ET"), "pass", algorithm="AES-256"))
    data[data.index(b"/Perms") + 10] ^= 3
    with caplog.at_level(logging.DEBUG), open_source(bytes(data), "pass") as document:
        assert contents(document) == [HI]
        assert "pypdf" in codes(document)
        assert caplog.records == []
        logging.getLogger("pypdf._encryption").warning("from elsewhere")
    assert [record.getMessage() for record in caplog.records] == ["from elsewhere"]


def test_the_last_resort_is_to_let_qpdf_rewrite_the_file() -> None:
    pytest.importorskip("pikepdf")
    broken = with_table(one_page(), shift=7)
    assert reason(broken, options=OpenOptions(recovery=False, repair=False)) == "damaged"
    with open_source(broken, options=OpenOptions(recovery=False)) as document:
        assert contents(document) == [HI]
        assert document.repaired
    assert reason(b"%PDF-1.7 " + bytes(100), options=OpenOptions()) == "damaged"


def test_closing_releases_the_file() -> None:
    document = open_source(with_table(one_page()))
    document.close()
    assert document._store.data == b""
    assert document._store._cache == {}


@pytest.mark.parametrize(
    ("filters", "opens"),
    [(b"/EFF/StdCF", True), (b"/StmF/Identity/StrF/Identity", True), (b"/StmF/StdCF/StrF/Identity", False)],
)
def test_files_that_encrypt_attachments_only_need_no_password(filters: bytes, opens: bool) -> None:
    bodies = one_page()
    bodies[9] = (
        b"<</Filter/Standard/V 4/R 4/Length 128/P -4/O(%b)/U(%b)/CF<</StdCF<</CFM/AESV2/Length 16>>>>%b>>"
        % (b"o" * 32, b"u" * 32, filters)
    )
    data = with_table(bodies, b"/Root 1 0 R/Encrypt 9 0 R/ID[(a)(a)]")
    if opens:
        with open_source(data) as document:
            assert contents(document) == [HI]
    else:
        assert reason(data) == "encrypted"
