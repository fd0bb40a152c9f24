"""Opening documents.

In: a path, bytes or a file, passwords, options. Out: a document whose objects are of pypdf's model. How objects are
written in a file is read by `syntax`, `xref` and `object_store`; encrypted documents alone load `decryption`, whose
library costs more to import than most documents to read. It must not know fonts or text.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from extractor.errors import DamagedError
from extractor.file_bytes import Source, read_source
from extractor.issues import IssueLog
from extractor.object_store import Cipher, ObjectStore
from extractor.open_options import OpenOptions
from extractor.opening import Opener
from extractor.pages import DocumentSource
from extractor.pypdf_objects import make_model
from extractor.repair import can_repair, rewrite
from extractor.syntax import Buffer


def open_source(
    source: Source, password: str | Sequence[str] | None = None, options: OpenOptions | None = None
) -> DocumentSource:
    """Return an open document, or raise an ExtractionError whose message names the file.

    Args:
        source: A path, bytes, or a binary file.
        password: One password or several that are tried; the empty one always is.
        options: What opening may cost and try.
    """
    options = options or OpenOptions()
    passwords = [password] if isinstance(password, str) else list(password or ())
    data, name = read_source(source, options.max_file_size)
    try:
        return _open_buffer(data, name, passwords, options, repaired=False)
    except DamagedError:
        if not (options.repair and can_repair()):
            raise
        issues = IssueLog()
        rewritten = rewrite(data, passwords, issues)
        if rewritten is None:
            raise
    document = _open_buffer(rewritten, name, passwords, options, repaired=True)
    if len(document) == 0:
        raise DamagedError(f"{name} is damaged: no page can be found in it, and repairing finds none either")
    return document


def _open_buffer(
    data: Buffer, name: str, passwords: Sequence[str], options: OpenOptions, *, repaired: bool
) -> DocumentSource:
    """Return the document in a buffer."""
    issues = IssueLog()

    def make_cipher(encrypt: Mapping[str, Any], first_id: bytes) -> Cipher:
        from extractor.decryption import make_cipher as make

        return make(encrypt, first_id, name, passwords, issues)

    store = ObjectStore(data, options, issues, make_model)
    opened = Opener(store, name, options, make_cipher).open()
    return DocumentSource(store, opened, options, repaired)
