"""Fixtures that many tests share: the real corpora, the sample PDFs, the command as a process."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from tests.helpers.pdf_maker import make_pdf

PROJECT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def project() -> Path:
    """The project's folder."""
    return PROJECT


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of real files, named by GLYPHDEX_SHARED; without it the test is skipped, visibly."""
    named = os.environ.get("GLYPHDEX_SHARED")
    if not named or not Path(named).is_dir():
        pytest.skip("needs the shared corpora: set GLYPHDEX_SHARED to their folder")
    return Path(named)


@pytest.fixture(scope="session")
def samples(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the sample PDFs of the quick start; each test process makes its own."""
    from scripts.make_samples import make_samples

    folder = tmp_path_factory.mktemp("sample pdfs")
    make_samples(folder)
    return folder


@pytest.fixture
def page_of() -> Iterator[Callable[..., Any]]:
    """A function that opens make_pdf(content, ...) and returns its first page."""
    import extractor

    with ExitStack() as open_documents:

        def open_first_page(content: Any, **arguments: Any) -> Any:
            pdf = make_pdf(content, **arguments)
            return open_documents.enter_context(extractor.open_document(pdf))[0]

        yield open_first_page
