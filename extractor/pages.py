"""A document and its pages as the interpreter reads them.

In: an opened object store, catalog and page entries. Out: per page the content bytes, resources, boxes and
annotations, each read when it is asked for. It must not know pypdf, fonts or text.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import TracebackType
from typing import Any, Self

from extractor.annotations import AnnotationSource, read_annotations, says_it_is_never_painted
from extractor.errors import PageDamagedError
from extractor.issues import IssueLog
from extractor.labels import PageLabels
from extractor.metadata import Metadata, read_metadata
from extractor.object_store import ObjectStore
from extractor.objects import as_array, as_dictionary, entry, is_stream, raw_entry, reference_key, resolve
from extractor.open_options import OpenOptions
from extractor.opening import Opened
from extractor.optional_content import OptionalContent
from extractor.page_boxes import Box, page_boxes, page_rotation, user_unit
from extractor.page_tree import page_attribute, whole_page

_MAX_CONTENT_PARTS = 100_000
"""Streams of one page's /Contents."""


@dataclass(frozen=True)
class PageSource:
    """One page: what stands in its dictionary or is inherited, and its streams decoded on demand.

    Attributes:
        index: Position in the document, from 0.
        label: What a viewer calls the page (12.4.2).
        resources: The resource dictionary (7.8.3), an empty one if there is none.
        media_box: MediaBox in user space.
        crop_box: CropBox in user space, the MediaBox if there is none.
        visible_box: CropBox clipped to MediaBox (14.11.2).
        rotation: 0, 90, 180 or 270 degrees clockwise.
        user_unit: Size of a unit in 1/72 inch.
        issues: Faults found while this page is read.
    """

    index: int
    label: str
    resources: Mapping[str, Any]
    media_box: Box
    crop_box: Box
    visible_box: Box
    rotation: int
    user_unit: float
    issues: IssueLog
    _dictionary: Mapping[str, Any] = field(repr=False)
    _optional_content: OptionalContent = field(repr=False)
    _options: OpenOptions = field(repr=False)
    _unparsed: Callable[[Any], bytes] = field(repr=False)

    @cached_property
    def content(self) -> bytes:
        """The page's content streams, decoded and joined by line feeds (7.8.2)."""
        contents = resolve(raw_entry(self._dictionary, "/Contents"))
        parts = as_array(contents)
        if parts is None:
            return contents.get_data() if is_stream(contents) else b""
        return b"\n".join(self._decode_parts(parts[:_MAX_CONTENT_PARTS]))

    def _decode_parts(self, parts: Any) -> Iterator[bytes]:
        """Yield the data of content streams until the limit is reached; one that is named again is decoded once."""
        remaining = self._options.max_stream_length
        repeated = {key for key, times in Counter(map(reference_key, parts)).items() if key and times > 1}
        known: dict[int, bytes] = {}
        for part in parts:
            key = reference_key(part)
            decoded = known.get(key)
            if decoded is None:
                stream = resolve(part)
                if not is_stream(stream):
                    self.issues.add("missing_content", "a part of the page's content is missing")
                    continue
                decoded = stream.get_data()
                if key in repeated:
                    known[key] = decoded
            yield decoded[:remaining]
            remaining -= len(decoded)
            if remaining <= 0:
                self.issues.add(
                    "content_limit", f"content beyond {self._options.max_stream_length} bytes was left out"
                )
                return

    @cached_property
    def annotations(self) -> tuple[AnnotationSource, ...]:
        """The annotations that a viewer shows, in drawing order (12.5)."""
        listed = raw_entry(self._dictionary, "/Annots")
        items = (as_array(listed) or ())[: self._options.max_annotations]
        shown = [item for item in items if not says_it_is_never_painted(self._unparsed(item))]
        return read_annotations(shown, self._optional_content, self._options.max_annotations)


class DocumentSource:
    """An open document."""

    def __init__(self, store: ObjectStore, opened: Opened, options: OpenOptions, repaired: bool) -> None:
        self._store = store
        self._opened = opened
        self._options = options
        self._trailer = store.xref.trailer
        self.encrypted = opened.encrypted
        self.repaired = repaired
        self.issues = store.issues

    def __len__(self) -> int:
        return len(self._opened.pages)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Drop the file's bytes and all parsed objects; pages can no longer be read."""
        self._store.close()

    @cached_property
    def optional_content(self) -> OptionalContent:
        """Which optional content is shown by default (8.11)."""
        return OptionalContent(entry(self._opened.catalog, "/OCProperties"))

    @cached_property
    def metadata(self) -> Metadata:
        """What the document says about itself."""
        return read_metadata(raw_entry(self._trailer, "/Info"), self._opened.catalog, self._read_xmp)

    @cached_property
    def _labels(self) -> PageLabels:
        """The document's page labels."""
        return PageLabels(raw_entry(self._opened.catalog, "/PageLabels"))

    def _read_xmp(self) -> bytes:
        """Return the bytes of the catalog's XMP packet, none if there is none."""
        stream = entry(self._opened.catalog, "/Metadata")
        return stream.get_data() if is_stream(stream) else b""

    def page(self, index: int) -> PageSource:
        """Return the page with this index (from 0), or raise IndexError or PageDamagedError.

        Objects parsed for earlier pages are dropped here when there are many, to bound the memory used.
        """
        if not 0 <= index < len(self):
            raise IndexError(f"there is no page {index + 1} in a document of {len(self)} pages")
        self._store.release()
        found = self._opened.pages[index]
        own = as_dictionary(found.page)
        if own is None:
            raise PageDamagedError(f"page {index + 1} is damaged: its dictionary cannot be read")
        dictionary = whole_page(own)
        issues = IssueLog()
        self._store.issues = issues

        def attribute(key: str) -> Any:
            return page_attribute(dictionary, found.inherited, key)

        media_box, crop_box, visible_box = page_boxes(attribute("/MediaBox"), attribute("/CropBox"), issues)
        return PageSource(
            index=index,
            label=self._labels.label(index),
            resources=as_dictionary(attribute("/Resources")) or {},
            media_box=media_box,
            crop_box=crop_box,
            visible_box=visible_box,
            rotation=page_rotation(attribute("/Rotate"), issues),
            user_unit=user_unit(raw_entry(dictionary, "/UserUnit")),
            issues=issues,
            _dictionary=dictionary,
            _optional_content=self.optional_content,
            _options=self._options,
            _unparsed=self._store.unparsed,
        )
