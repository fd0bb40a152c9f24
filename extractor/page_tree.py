"""Finding the pages of a document (ISO 32000-1, 7.7.3), without recursion and without trust.

In: the catalog's page tree as resolved mappings. Out: one entry a page, with the attributes it inherits
(7.7.3.4). It must not know how objects are read, nor what the attributes mean.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from extractor.issues import IssueLog
from extractor.objects import as_array, as_dictionary, as_integer, as_name, entry, raw_entry, reference_key

_INHERITABLE = ("/Resources", "/MediaBox", "/CropBox", "/Rotate")
"""Attributes that a page takes from its ancestors (table 30)."""

_MAX_PARENTS = 200
"""Ancestors followed through /Parent for a page that was found without its tree."""


@dataclass(frozen=True, slots=True)
class PageEntry:
    """One page: a reference to its dictionary (or the dictionary), and what its ancestors give it."""

    page: Any
    inherited: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class _Node:
    """A node of the tree that is still to be looked at."""

    value: Any
    inherited: Mapping[str, Any]


def walk_pages(root: Any, max_pages: int, issues: IssueLog) -> list[PageEntry]:
    """Return the pages under a page tree's root in order; a kid that cannot be read keeps its place.

    Args:
        root: The catalog's /Pages, a reference or a dictionary.
        max_pages: Pages at most; the rest is left out and recorded.
        issues: Where faults are recorded.
    """
    pages: list[PageEntry] = []
    damaged = 0
    visited: set[int] = set()
    pending = [_Node(root, {})]
    while pending:
        node = pending.pop()
        if len(pages) >= max_pages:
            issues.add("page_limit", f"pages beyond {max_pages} were left out")
            break
        dictionary = as_dictionary(node.value)
        kids = as_array(entry(dictionary, "/Kids"))
        if dictionary is None:
            damaged += 1
            pages.append(PageEntry(None, {}))
        elif kids is None:
            if is_page(dictionary):
                pages.append(PageEntry(node.value, node.inherited))
        elif _visit(node.value, visited, issues):
            inherited = inherit(dictionary, node.inherited)
            pending.extend(_Node(kid, inherited) for kid in reversed(kids[: 2 * max_pages]))
    if damaged:
        pages = _settle_damaged(pages, damaged, as_integer(entry(root_dictionary(root), "/Count")), issues)
    return pages


def is_page(dictionary: Mapping[str, Any]) -> bool:
    """Tell whether a node without /Kids is a page: it says so, or says nothing else, or has content."""
    return as_name(entry(dictionary, "/Type")) != "Pages" or raw_entry(dictionary, "/Contents") is not None


def whole_page(page: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a page with the entries that its /Resources swallowed because its own >> is missing."""
    if raw_entry(page, "/Type") is not None:
        return page
    resources = entry(page, "/Resources")
    if as_name(entry(resources, "/Type")) != "Page":
        return page
    return {
        **{key: raw_entry(resources, key) for key in resources},
        **{key: raw_entry(page, key) for key in page},
    }


def root_dictionary(root: Any) -> Mapping[str, Any]:
    """Return the dictionary of a page tree's root, an empty one if there is none."""
    return as_dictionary(root) or {}


def _visit(node: Any, visited: set[int], issues: IssueLog) -> bool:
    """Tell whether an inner node is met for the first time; a loop in /Kids meets one twice."""
    key = reference_key(node)
    if key and key in visited:
        issues.add("page_tree_loop", f"the page tree leads to object {key} again")
        return False
    visited.add(key)
    return True


def _settle_damaged(
    pages: list[PageEntry], damaged: int, count: int | None, issues: IssueLog
) -> list[PageEntry]:
    """Return the pages without the kids that cannot be read if /Count does not count them either."""
    issues.add("damaged_kids", f"{damaged} kids of the page tree cannot be read")
    good = [page for page in pages if page.page is not None]
    return good if not good or (count is not None and count <= len(good)) else pages


def inherit(dictionary: Mapping[str, Any], inherited: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the inheritable attributes below a node."""
    own = {key: value for key in _INHERITABLE if (value := raw_entry(dictionary, key)) is not None}
    return {**inherited, **own} if own else inherited


def loose_pages(candidates: Iterable[Any]) -> list[PageEntry]:
    """Return the pages among objects found without a page tree; they inherit along /Parent."""
    pages: list[PageEntry] = []
    for candidate in candidates:
        dictionary = as_dictionary(candidate)
        if dictionary is not None and as_name(entry(dictionary, "/Type")) == "Page":
            pages.append(PageEntry(candidate, _inherit_from_parents(dictionary)))
    return pages


def _inherit_from_parents(page: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the inheritable attributes that a chain of /Parent gives a page; a loop ends it."""
    found: dict[str, Any] = {}
    visited: set[int] = set()
    node = as_dictionary(raw_entry(page, "/Parent"))
    while node is not None and id(node) not in visited and len(visited) < _MAX_PARENTS:
        visited.add(id(node))
        for key in _INHERITABLE:
            value = raw_entry(node, key)
            if value is not None:
                found.setdefault(key, value)
        node = as_dictionary(raw_entry(node, "/Parent"))
    return found


def page_attribute(page: Mapping[str, Any], inherited: Mapping[str, Any], key: str) -> Any:
    """Return an attribute of a page as it stands there, or as its ancestors give it."""
    own = raw_entry(page, key)
    return own if own is not None else inherited.get(key)
