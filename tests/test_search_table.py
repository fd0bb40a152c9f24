"""Questions whose answers are known: every page that must be found, and no other."""

from __future__ import annotations

from pathlib import Path

import pytest

import indexing
from tests.helpers.collection import LIBRARY, page
from tests.helpers.store_maker import make_store

FOX, PUMP, GERMAN, FRENCH = "english/foxes.pdf", "english/pumps.pdf", "deutsch/straße.pdf", "français/été.pdf"
GREEK, RUSSIAN, CHINESE, JAPANESE = "ελληνικά.pdf", "русский.pdf", "中文.pdf", "日本語.pdf"
KOREAN, THAI, ARABIC, HEBREW = "한국어.pdf", "ไทย.pdf", "العربية.pdf", "עברית.pdf"
LIGATURES, HINDI = "ligatures.pdf", "हिन्दी.pdf"
NONE: set[tuple[str, int]] = set()

QUESTIONS = [
    # words and operators
    ("fox", page(FOX, 1)),
    ("FOX", page(FOX, 1)),
    ("lazy fox", page(FOX, 1)),
    ("dog", page(FOX, 1, 2)),
    ("dog -fox", page(FOX, 2)),
    ("dog NOT fox", page(FOX, 2)),
    ("dog AND fox", page(FOX, 1)),
    ("dog && fox", page(FOX, 1)),
    ("rotor OR fox", page(FOX, 1) | page(PUMP, 1)),
    ("(rotor OR fox) AND lazy", page(FOX, 1)),
    ("rotor OR fox AND lazy", page(FOX, 1) | page(PUMP, 1)),
    ("-(dog OR rotor) quick OR noise", page(PUMP, 2)),
    ("nosuchword", NONE),
    ("fox nosuchword", NONE),
    # phrases
    ('"brown fox"', page(FOX, 1)),
    ('"fox brown"', NONE),
    ('"to be or not to be"', page(FOX, 1)),
    ('"lazy dog to be"', page(FOX, 1)),
    ('"quick fox"', NONE),
    ('"quick fox"~1', page(FOX, 1)),
    ('"quick jumps"~1', NONE),
    ('"quick jumps"~2', page(FOX, 1)),
    ('"the the"~7', page(FOX, 1, 2) | page(PUMP, 1)),
    # from one page to the next, past running heads and page numbers
    ('"without any noise"', page(PUMP, 1)),
    ('"turns without any"', page(PUMP, 1)),
    ('"without noise"', NONE),
    # hyphens
    ("international", page(FOX, 2)),
    ("inter-national", page(FOX, 2)),
    ("understood experts", page(FOX, 2)),
    ("national", page(FOX, 2)),
    ('"by international experts"', page(FOX, 2)),
    ("donaudampfschiff", page(GERMAN, 1)),
    ("well-known", page(FOX, 2)),
    ("wellknown", page(FOX, 2)),
    ('"well known"', page(FOX, 2)),
    ("state-of-the-art", page(FOX, 2)),
    ('"state of the art"', page(FOX, 2)),
    ('"the art method"', page(FOX, 2)),
    ("wifi", page(FOX, 3)),
    ("wi-fi", page(FOX, 3)),
    ("email", page(FOX, 3)),
    ("efficient", page(FOX, 3)),
    # apostrophes
    ("dont", page(FOX, 3)),
    ("don't", page(FOX, 3)),
    ("don’t", page(FOX, 3)),
    ("o'reilly", page(FOX, 3)),
    ("reilly", page(FOX, 3)),
    # part numbers, numbers, addresses
    ("E-1234", page(PUMP, 1)),
    ("E-1234/5", page(PUMP, 1)),
    ("1234/5", page(PUMP, 1)),
    ("e1234", page(PUMP, 1)),
    ("X200-B7", page(PUMP, 1)),
    ("x200", page(PUMP, 1)),
    ("3.11", page(PUMP, 1)),
    ("3.11.2", page(PUMP, 1)),
    ("11.2", page(PUMP, 1)),
    ("3.2", NONE),
    ("11.3", NONE),
    ("1,234.56", page(PUMP, 1)),
    ("234.56", page(PUMP, 1)),
    ("3,5", page(GERMAN, 1)),
    ("john.doe@example.com", page(PUMP, 2)),
    ("example.com", page(PUMP, 2)),
    ("doe@example", page(PUMP, 2)),
    ("http://www.example.org/files/list.html", page(PUMP, 2)),
    ("example.org/files", page(PUMP, 2)),
    ("list.html#top", page(PUMP, 2)),
    ("C++", page(PUMP, 3)),
    ("C#", page(PUMP, 3)),
    (".NET", page(PUMP, 3)),
    ("R&D", page(PUMP, 3)),
    ("at&t", page(PUMP, 3)),
    ("10:30", page(PUMP, 3)),
    ("foo:bar", page(PUMP, 3)),
    ("file_name", page(PUMP, 3)),
    ("file_name.txt", page(PUMP, 3)),
    ("m²", page(PUMP, 3)),
    # accents, ligatures, forms
    ("cafe", page(FRENCH, 1)),
    ("café", page(FRENCH, 1)),
    ("CAFÉ", page(FRENCH, 1)),
    ("café", page(FRENCH, 1)),
    ("resume", page(FRENCH, 1, 2)),
    ("résumé", page(FRENCH, 1, 2)),
    ("été", page(FRENCH, 1, 2)),
    ("coeur oeuvre", page(FRENCH, 1)),
    ("strasse", page(GERMAN, 1)),
    ("STRASSE", page(GERMAN, 1)),
    ("brucke", page(GERMAN, 1)),
    ('"über die Brücke"', page(GERMAN, 1)),
    ("first effect flow", page(LIGATURES, 1)),
    ("office", page(LIGATURES, 1) | page(FOX, 3)),
    ("oﬃce", page(LIGATURES, 1) | page(FOX, 3)),
    ("bold", page(LIGATURES, 2)),
    ("abc123", page(JAPANESE, 1)),
    ("ａｂｃ１２３", page(JAPANESE, 1)),
    ("lodz", page("polski.pdf", 1)),
    ("zazolc gesla", page("polski.pdf", 1)),
    ("istanbul", page("türkçe.pdf", 1)),
    ("ilik", page("türkçe.pdf", 1)),
    # Greek, Cyrillic
    ("λόγος", page(GREEK, 1, 2)),
    ("λόγοσ", page(GREEK, 1, 2)),
    ("λογοσ", page(GREEK, 1, 2)),
    ("ΛΌΓΟΣ", page(GREEK, 1, 2)),
    ("αρχη", page(GREEK, 2)),
    ("елка", page(RUSSIAN, 1, 2)),
    ("ёлка", page(RUSSIAN, 1, 2)),
    ("мои", NONE),
    ("данные", page(RUSSIAN, 2)),
    # Chinese, Japanese, Korean, Thai
    ("中华人民共和国", page(CHINESE, 1)),
    ("人民", page(CHINESE, 1)),
    ("软件", page(CHINESE, 1, 2)),
    ("软件工程", page(CHINESE, 1)),
    ("件工", page(CHINESE, 1)),
    ("第3章", page(CHINESE, 1)),
    ("件", page(CHINESE, 1, 2)),
    ("民华", NONE),
    ("京大", page(JAPANESE, 1)),
    ("東京大学", page(JAPANESE, 1)),
    ("ガス", page(JAPANESE, 1)),
    ("ｶﾞｽ", page(JAPANESE, 1)),
    ("京", page(JAPANESE, 1, 2) | page(CHINESE, 1)),
    ("서울", page(KOREAN, 1)),
    ("한국 사람", page(KOREAN, 1)),
    ("책", page(KOREAN, 2)),
    ("ภาษา", page(THAI, 1)),
    ("ราชการ", page(THAI, 1)),
    ("มหานคร", page(THAI, 2)),
    # Arabic, Hebrew, Hindi
    ("محمد", page(ARABIC, 1)),
    ("مُحَمَّد", page(ARABIC, 1)),
    ("مرحبا", page(ARABIC, 1)),
    ("احمد الي", page(ARABIC, 2)),
    ("שלום", page(HEBREW, 1)),
    ('"שלום עולם"', page(HEBREW, 1)),
    ("विज्ञान", page(HINDI, 1)),
    ("किताब", page(HINDI, 2)),
    # patterns and like spellings
    ("jump*", page(FOX, 1)),
    ("*national", page(FOX, 2)),
    ("f?x", page(FOX, 1)),
    ("q*k", page(FOX, 1)),
    ("caf*", page(FRENCH, 1)),
    ("été*", page(FRENCH, 1, 2)),
    ("quikc~", page(FOX, 1)),
    ("intrenational~2", page(FOX, 2)),
    ("strase~ -fox", page(GERMAN, 1)),
    ("3.1*", page(PUMP, 1)),
    ("3.2*", NONE),
    ("E-12*", page(PUMP, 1)),
    ("X200-B*", page(PUMP, 1)),
    ("1,23*", page(PUMP, 1)),
    ("john.d*", page(PUMP, 2)),
    ("*@example.com", page(PUMP, 2)),
    ("www.exam*", page(PUMP, 2)),
    ("example.*", page(PUMP, 2)),
    ("fil?_name", page(PUMP, 3)),
    ("state-of-the-a*", page(FOX, 2)),
    ("don't*", page(FOX, 3)),
    ("软件工*", page(CHINESE, 1)),
    ("東京大*", page(JAPANESE, 1)),
    ('"brown fo*"', page(FOX, 1)),
    ('"brown do*"', NONE),
    ('"qui* fox"~1', page(FOX, 1)),
    ('"the laz* dog to be"', page(FOX, 1)),
    ('dog -"brown fo*"', page(FOX, 2)),
    ('"fox"~', page(FOX, 1)),
    ("3.11~", page(PUMP, 1)),
    # fields
    ("folder:english dog", page(FOX, 1, 2)),
    ("folder:zz", page("zz/copy of foxes.pdf", 1, 2, 3)),
    ("folder:foxes", NONE),
    ("folder:engl*", page(FOX, 1, 2, 3) | page(PUMP, 1, 2, 3)),
    ("folder:(fran* OR deutch~)", page(FRENCH, 1, 2) | page(GERMAN, 1, 2)),
    ("dog -folder:foxes", page(FOX, 1, 2)),
    ("dog -folder:english", NONE),
    ("filename:straß*.pdf", page(GERMAN, 1, 2)),
    ("path:english/* dog", page(FOX, 1, 2)),
    ("title:foxes", page(FOX, 1, 2, 3)),
    ("foxes", page(FOX, 1)),
    ("author:zola", page(FRENCH, 1, 2)),
    ("author:Émile été", page(FRENCH, 1, 2)),
    ('author:"smith john"', page(PUMP, 1, 2, 3)),
    ("author:smith -author:ann", page(PUMP, 1, 2, 3)),
    ("title:软件", page(CHINESE, 1, 2)),
    ("filename:pumps", page(PUMP, 1, 2, 3)),
    ("path:english dog", page(FOX, 1, 2)),
    ("filename:copy", page("zz/copy of foxes.pdf", 1, 2, 3)),
    ("lang:en", page(FOX, 1, 2, 3) | page(PUMP, 1, 2, 3)),
    ("lang:en-GB fox", page(FOX, 1)),
    ("year:2021", page(PUMP, 1, 2, 3)),
    ("year:[2019 TO 2020] dog", page(FOX, 1, 2)),
    ("year:2019..2020 dog", page(FOX, 1, 2)),
    ("page:..1 fox", page(FOX, 1)),
    ("year:<1900", page(FRENCH, 1, 2)),
    ("year:>=2021 noise", page(PUMP, 2)),
    ("created:2021-06", page(PUMP, 1, 2, 3)),
    ("date:[2021-06-30 TO *] rotor", page(PUMP, 1)),
    ("page:2 dog", page(FOX, 2)),
    ("page:[2 TO 3] the author:smith", page(FOX, 2, 3) | page(PUMP, 2, 3)),
    ("flag:needs_ocr", page(PUMP, 3)),
    ("title:(foxes OR pump) dog", page(FOX, 1, 2)),
    ("text:foxes", NONE),
]  # fmt: skip


@pytest.fixture(scope="module", params=[1, 5], ids=["one segment", "five segments"])
def opened(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> indexing.Index:
    folder: Path = tmp_path_factory.mktemp("library")
    return indexing.open_index(make_store(folder, LIBRARY, parts=request.param))


@pytest.mark.parametrize(("question", "expected"), QUESTIONS, ids=[question for question, _ in QUESTIONS])
def test_question(opened: indexing.Index, question: str, expected: set[tuple[str, int]]) -> None:
    result = opened.search(question, 1000)
    assert {(hit.path, hit.page) for hit in result.hits} == expected
    assert result.total == len(expected)


def test_table_is_large_enough() -> None:
    assert len(QUESTIONS) >= 150
