"""Which programs made a store.

In: nothing. Out: names and versions. It must not import the programs.
"""

from __future__ import annotations

import platform
from importlib.metadata import PackageNotFoundError, version

import extractor

_PACKAGES = ("glyphdex", "pypdf", "apache-beam", "pyarrow", "numpy", "whoosh3")


def versions() -> dict[str, str]:
    """Return the versions of this program, of what its rows mean, and of the libraries that decide."""
    found = {"extraction": extractor.VERSION, "python": platform.python_version()}
    for package in _PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue  # run from a checkout that was not installed
    return found
