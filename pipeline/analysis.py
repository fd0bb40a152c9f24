"""How the text of pages is analysed for the index, as the settings say it.

In: the settings' section [index]. Out: indexing.Analysis. It must not analyse anything.
"""

from __future__ import annotations

import indexing
from pipeline.config import ConfigError
from pipeline.settings import IndexSettings

_STEMMED = (
    "ar", "da", "de", "en", "es", "fi", "fr", "hu", "it", "nl", "no", "pt", "ro", "ru", "sv",
)  # fmt: skip
"""Languages that Whoosh has stemmers for."""


def index_analysis(settings: IndexSettings) -> indexing.Analysis:
    """Return the analysis of the index; raises ConfigError for a language without stems."""
    if settings.stem and settings.stem not in _STEMMED:
        raise ConfigError(
            f"index.stem: there are no stems for {settings.stem!r}, only for {', '.join(_STEMMED)}"
        )
    return indexing.Analysis(stem=settings.stem or None)
