"""Files written object by object, for tests of broken or unusual structure.

In: object bodies by number, as bytes. Out: the bytes of a file with a table, a cross-reference stream, or neither.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping

Bodies = Mapping[int, bytes]

HEADER = b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n"


def one_page(content: bytes = b"BT (Hi) Tj ET", page: bytes = b"") -> dict[int, bytes]:
    """Return the objects of a document with one page: 1 catalog, 2 page tree, 3 page, 4 content."""
    return {
        1: b"<</Type/Catalog/Pages 2 0 R>>",
        2: b"<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 200 100]>>",
        3: b"<</Type/Page/Parent 2 0 R/Contents 4 0 R" + page + b">>",
        4: stream(content),
    }


def stream(data: bytes, entries: bytes = b"", *, length: int | None = None, flate: bool = False) -> bytes:
    """Return the body of a stream object; `length` is what it says, not what it is."""
    if flate:
        data, entries = zlib.compress(data), entries + b"/Filter/FlateDecode"
    said = len(data) if length is None else length
    return b"<</Length %d%b>>stream\n%b\nendstream" % (said, entries, data)


def lay_out(bodies: Bodies, start: int) -> tuple[bytes, dict[int, int]]:
    """Return objects one behind the other, and the offset of each if the first stands at `start`."""
    output = bytearray()
    offsets: dict[int, int] = {}
    for number, body in bodies.items():
        offsets[number] = start + len(output)
        output += b"%d 0 obj\n%b\nendobj\n" % (number, body)
    return bytes(output), offsets


def without_xref(bodies: Bodies, trailer: bytes = b"trailer<</Root 1 0 R>>") -> bytes:
    """Return a file that ends with its trailer, without a cross-reference table."""
    return HEADER + lay_out(bodies, len(HEADER))[0] + trailer


def with_table(
    bodies: Bodies, trailer: bytes = b"/Root 1 0 R", *, before: bytes = HEADER, shift: int = 0
) -> bytes:
    """Return a file with a table behind `before`; `shift` is added to every offset in it."""
    objects, offsets = lay_out(bodies, len(before))
    start = len(before) + len(objects)
    rows = b"".join(
        b"%d 1\n%010d 00000 n \n" % (number, offset + shift) for number, offset in offsets.items()
    )
    size = max(offsets) + 1
    end = b"trailer\n<</Size %d%b>>\nstartxref\n%d\n%%%%EOF\n" % (size, trailer, start + shift)
    return before + objects + b"xref\n0 1\n0000000000 65535 f \n" + rows + end


def with_streams(plain: Bodies, packed: Bodies, trailer: bytes = b"/Root 1 0 R") -> bytes:
    """Return a file with a cross-reference stream, whose `packed` objects lie in object stream 90."""
    head, inside = b"", b""
    for number, body in packed.items():
        head += b"%d %d " % (number, len(inside))
        inside += body + b" "
    entries = b"/Type/ObjStm/N %d/First %d" % (len(packed), len(head))
    objects, offsets = lay_out({**plain, 90: stream(head + inside, entries, flate=True)}, len(HEADER))
    offsets[91] = len(HEADER) + len(objects)
    rows = bytearray()
    for number in range(92):
        if number in packed:
            rows += bytes((2,)) + (90).to_bytes(4, "big") + bytes((list(packed).index(number),))
        elif number in offsets:
            rows += bytes((1,)) + offsets[number].to_bytes(4, "big") + bytes((0,))
        else:
            rows += bytes(6)
    xref = stream(bytes(rows), b"/Type/XRef/W[1 4 1]/Size 92" + trailer, flate=True)
    return HEADER + objects + b"91 0 obj\n%b\nendobj\nstartxref\n%d\n%%%%EOF\n" % (xref, offsets[91])
