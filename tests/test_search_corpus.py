"""Questions over PDFs of many producers, whose answers were read off the truth of their pages.

Needs the folder named by GLYPHDEX_SHARED, and is skipped without it. Every page that must be found is listed, and no other
may be: file without its ending, a colon, page numbers.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import indexing
from tests.helpers.command import run_glyphdex

pytestmark = [pytest.mark.corpus, pytest.mark.slow]

QUESTIONS = [
    # English words
    ("HARMONIUM", "chrome/cr_columns:2 lo/lo_writer_docx:1"),
    ("turpentine -luggage",
     "lo/lo_writer_article:1 lo/lo_writer_article_pdfa1:1 lo/lo_writer_article_tagged:1 "
     "variants/cropbox_slug_lo:1 wk/wk_basic:2"),
    ("geologist OR oboe", "chrome/cr_columns:2 lo/lo_writer_docx:1 tex/dvips_type1:2"),
    ('"had that book"', ""),
    ("It’s often said path:npm", "npm/pdfkit:3"),
    ("it's often assessed path:npm", "npm/pdfkit:3"),
    # phrases over line ends
    ('"conductor bowed"', "lo/lo_writer_docx:1"),
    ('"that that book had had"', "tex/pdftex_overprint:1"),
    ('"bookkeeper every coffee sack was counted twice" path:tex',
     "tex/dvips_type1:1 tex/pdftex_lettrine:1 variants/qpdf_qdf_tex:2"),
    ('"stuck at the eleventh mark for the third time" path:chrome',
     "chrome/cr_basic:1 chrome/cr_columns:1 variants/qpdf_objstm_chrome:1"),
    ('"brass nails on tuesday the surveyor" path:chrome',
     "chrome/cr_basic:1 chrome/cr_columns:1 variants/qpdf_objstm_chrome:1"),
    ('"misplaced the address book for the third time"', "lo/lo_writer_long25:8 tex/pdftex_lm_micro_hyph:1"),
    # phrases from one page to the next, past running heads and page numbers
    ('"pool room second sheet"', "chrome/cr_basic:1 variants/qpdf_objstm_chrome:1"),
    ('"half words a second sheet begins"',
     "lo/lo_writer_article:1 lo/lo_writer_article_pdfa1:1 lo/lo_writer_article_tagged:1 "
     "variants/cropbox_slug_lo:1"),
    ('"order of the bailiff the miller refilled"', "tex/luatex_long24:1"),
    ('"matter was filed the ferryman offered the brass bell"', "tex/pdftex_long40:1"),
    ('"dismissed itself when the train finally left"', "tex/dvips_type1:1"),
    ('"the rules allow it our neighbour painted the brass bell"', "tex/pdftex_lm_micro_hyph:1"),
    ('"dismissed itself sixth affair"', "typst/typst_article:1 weasy/weasy_article:1"),
    # words hyphenated over a line end
    ('"by sunrise the water" path:groff', "groff/groff_ps:1"),
    ('"cross it in winter" path:groff', "groff/groff_ps:1"),
    ("luggage path:groff", "groff/groff_ps:1"),
    ('"successive excuses" path:weasy', "weasy/weasy_article:1"),
    ('"reached the lowest step" path:weasy', "weasy/weasy_article:2"),
    ('"passengers soon noticed" path:typst', "typst/typst_article:2"),
    ('"forgot some excellent waffles at half past eleven"', "lo/lo_writer_long25:11 tex/pdftex_lm_micro_hyph:2"),
    # ligatures
    ('"affluent fjord official"',
     "fpdf2/fpdf_unicode:1 npm/pdfkit:2 tex/luatex_fonts:1 tex/xetex_fonts:1 "
     "variants/mediabox_offset_pdfkit:2 variants/shuffled_w_xetex:1"),
    ("oﬃcial ﬂute", "tex/luatex_fonts:1 tex/xetex_fonts:1 variants/shuffled_w_xetex:1"),
    ("ﬁfty",
     "fpdf2/fpdf_unicode:1 npm/pdfkit:2 tex/luatex_fonts:1 tex/xetex_fonts:1 "
     "variants/mediabox_offset_pdfkit:2 variants/shuffled_w_xetex:1"),
    ('"stiff official in a muffler" path:npm', "npm/pdfkit:1"),
    # accents, typed or not
    ("smorrebrod", "tex/pdftex_ot1_accents:1"),
    ("ångström", "chrome/cr_marks:1 tex/pdftex_ot1_accents:1"),
    ("senor",
     "chrome/cr_multilang:1 gs/gs_type3_user:1 reportlab/rl_canvas:1 tex/pdftex_ot1_accents:1 "
     "variants/form_noresources:1 variants/qpdf_rc4_secret:1 variants/split_contents_chrome:1"),
    ("Dvorak Skoda", "tex/pdftex_ot1_accents:1"),
    ("łódź", "misc/mpl_type3:1 misc/mpl_type42:1 tex/pdftex_ot1_accents:1"),
    ("GRÖSSE",
     "chrome/cr_multilang:1 gs/gs_type3_user:1 misc/mpl_type3:1 misc/mpl_type42:1 "
     "reportlab/rl_canvas:1 tex/pdftex_ot1_accents:1 variants/form_noresources:1 "
     "variants/qpdf_rc4_secret:1 variants/split_contents_chrome:1"),
    # French, German, Spanish, Polish, Czech, Turkish
    ('"le bœuf du fermier"', "chrome/cr_multilang:1 variants/form_noresources:1 variants/split_contents_chrome:1"),
    ("boeuf Noel", "chrome/cr_multilang:1 variants/form_noresources:1 variants/split_contents_chrome:1"),
    ("l’hôtel", "chrome/cr_multilang:1 variants/form_noresources:1 variants/split_contents_chrome:1"),
    ('"heiße Würstchen"', "chrome/cr_multilang:1 variants/form_noresources:1 variants/split_contents_chrome:1"),
    ("flussbett kähne", "chrome/cr_multilang:1 variants/form_noresources:1 variants/split_contents_chrome:1"),
    ('"¿quién lo habría creído?"',
     "chrome/cr_multilang:1 variants/form_noresources:1 variants/split_contents_chrome:1"),
    ("pinguino nunez", "chrome/cr_multilang:1 variants/form_noresources:1 variants/split_contents_chrome:1"),
    ("gęś łąkę path:fpdf2", "fpdf2/fpdf_unicode:1"),
    ("zazolcona zdzblo path:chrome", "chrome/cr_multilang:1 variants/split_contents_chrome:1"),
    ('"příliš žlutý kůň"',
     "chrome/cr_multilang:1 tex/luatex_multi:1 tex/xetex_multi:1 variants/form_nested4:1 "
     "variants/form_noresources:1 variants/qpdf_aes256_secret:1 variants/split_contents_chrome:1"),
    ("Iğdır’dan",
     "chrome/cr_multilang:1 tex/luatex_multi:1 tex/xetex_multi:1 variants/form_nested4:1 "
     "variants/qpdf_aes256_secret:1 variants/split_contents_chrome:1"),
    ("guneşin dogmasını",
     "chrome/cr_multilang:1 tex/luatex_multi:1 tex/xetex_multi:1 variants/form_nested4:1 "
     "variants/qpdf_aes256_secret:1 variants/split_contents_chrome:1"),
    # Vietnamese
    ('"làng chài" path:tex', "tex/luatex_multi:1 tex/xetex_multi:1"),
    ("trang sương mu path:npm", "npm/pdfkit:2 npm/pdflib:1"),
    # Greek and Cyrillic
    ("ΨΑΡΆΣ path:misc", "misc/fop:2"),
    ('"ζεστό καφέ" path:npm', "npm/pdfkit:2 npm/pdflib:1"),
    ("σελιδεσ path:reportlab", "reportlab/rl_ttf:1"),
    ('"число чаек" path:misc', "misc/fop:2"),
    ("жёлтой бумаге path:tex", "tex/luatex_multi:1 tex/pdftex_t2a_type3:1 tex/xetex_multi:1"),
    ("ОБЪЕЗДЧИК path:wk", "wk/wk_multi:1"),
    ("корабл* path:cairo", "cairo/pango_multi:1"),
    ("ґудзик їжак",
     "chrome/cr_multilang:1 tex/luatex_multi:1 tex/xetex_multi:1 variants/form_nested4:1 "
     "variants/qpdf_aes256_secret:1 variants/split_contents_chrome:1"),
    # Chinese and Japanese, whatever their line ends
    ("咖啡馆",
     "cairo/pango_multi:1 chrome/cr_cjk:1 tex/xetex_ctex:1 variants/shuffled_w_weasy:1 "
     "weasy/weasy_multi:1 wk/wk_multi:1"),
    ("三明治",
     "cairo/pango_multi:1 chrome/cr_cjk:1 tex/xetex_ctex:1 variants/shuffled_w_weasy:1 "
     "weasy/weasy_multi:1 wk/wk_multi:1"),
    ("12层", "chrome/cr_cjk:1 tex/xetex_ctex:1 wk/wk_multi:1"),
    ("烏龍茶", "chrome/cr_cjk:1"),
    ("Android用户",
     "cairo/pango_multi:1 chrome/cr_cjk:1 tex/xetex_ctex:1 variants/shuffled_w_weasy:1 "
     "weasy/weasy_multi:1"),
    ('"罚款50元"', "chrome/cr_cjk:1 tex/xetex_ctex:1 wk/wk_multi:1"),
    ("石段をかけ下りて",
     "chrome/cr_cjk:2 lo/lo_writer_tate:1 tex/luatexja_tate:1 tex/luatexja_yoko:1 tex/uplatex_noembed:1"),
    ("背表紙", "lo/lo_writer_tate:1 tex/luatexja_tate:1 tex/luatexja_yoko:1 tex/uplatex_noembed:1"),
    ("鐘", "chrome/cr_cjk:2 lo/lo_writer_tate:1 tex/luatexja_tate:1 tex/luatexja_yoko:1 tex/uplatex_noembed:1"),
    ("味噌汁 狐", "lo/lo_writer_tate:1 tex/luatexja_tate:1 tex/luatexja_yoko:1 tex/uplatex_noembed:1"),
    ("第3工場", "cairo/pango_multi:1 chrome/cr_cjk:2 tex/luatexja_yoko:1 tex/uplatex_noembed:1"),
    # Korean
    ("도서관에는",
     "cairo/pango_multi:1 chrome/cr_cjk:2 tex/pdftex_kotex:1 variants/shuffled_w_weasy:1 "
     "weasy/weasy_multi:1"),
    ('"오래된 시계탑의"', "chrome/cr_cjk:2 tex/pdftex_kotex:1"),
    ("12,000권",
     "cairo/pango_multi:1 chrome/cr_cjk:2 tex/pdftex_kotex:1 variants/shuffled_w_weasy:1 "
     "weasy/weasy_multi:1"),
    ("pdf 자료도",
     "cairo/pango_multi:1 chrome/cr_cjk:2 tex/pdftex_kotex:1 variants/shuffled_w_weasy:1 "
     "weasy/weasy_multi:1"),
    # right to left
    ("السفينة",
     "cairo/pango_multi:1 chrome/cr_rtl:1 fpdf2/fpdf_unicode:1 reportlab/rl_ttf:2 "
     "tex/luatex_arabic_hebrew:1 tex/xetex_arabic:1 variants/rotate180_rtl:1 "
     "variants/shuffled_w_weasy:2 weasy/weasy_multi:2"),
    ('"خرج الصياد إلى الميناء"',
     "cairo/pango_multi:1 chrome/cr_rtl:1 fpdf2/fpdf_unicode:1 reportlab/rl_ttf:2 "
     "tex/luatex_arabic_hebrew:1 tex/xetex_arabic:1 variants/rotate180_rtl:1 "
     "variants/shuffled_w_weasy:2 weasy/weasy_multi:2"),
    ("الولد الدرس", "chrome/cr_marks:1"),
    ('"مجلة PDF Weekly"', "chrome/cr_rtl:1 variants/rotate180_rtl:1"),
    ("الى السوق",
     "chrome/cr_rtl:1 fpdf2/fpdf_unicode:1 reportlab/rl_ttf:2 tex/luatex_arabic_hebrew:1 "
     "tex/xetex_arabic:1 variants/rotate180_rtl:1 variants/shuffled_w_weasy:2 weasy/weasy_multi:2"),
    ("הסירה",
     "cairo/pango_multi:1 chrome/cr_rtl:2 reportlab/rl_ttf:2 tex/luatex_arabic_hebrew:1 "
     "tex/xetex_hebrew:1 variants/rotate180_rtl:2 variants/shuffled_w_weasy:2 weasy/weasy_multi:2"),
    ('"מפתח חלוד ומכתב בלי חתימה"',
     "chrome/cr_rtl:2 reportlab/rl_ttf:2 tex/luatex_arabic_hebrew:1 tex/xetex_hebrew:1 "
     "variants/rotate180_rtl:2 variants/shuffled_w_weasy:2 weasy/weasy_multi:2"),
    ("שלום עולם", "chrome/cr_marks:1"),
    ('"Python 3.12"', "chrome/cr_rtl:2 variants/rotate180_rtl:2"),
    # part numbers, numbers, addresses
    ("X-200", "cairo/pango_multi:1 chrome/cr_cjk:2 tex/luatexja_yoko:1 tex/uplatex_noembed:1"),
    ("x200", "cairo/pango_multi:1 chrome/cr_cjk:2 tex/luatexja_yoko:1 tex/uplatex_noembed:1"),
    ("7.3", ""),
    ("7.25 path:groff", "groff/groff_ps:1"),
    ('"04:15" path:groff', "groff/groff_ps:1"),
    ("a/b-c.html", "variants/qpdf_qdf_tex:2"),
    ("https://example.org/a/b-c.html", "variants/qpdf_qdf_tex:2"),
    ("a_b-c.d@example.org", "chrome/cr_symbols:1"),
    ("C++", "chrome/cr_symbols:1"),
    ("C#", "chrome/cr_symbols:1"),
    (".NET", "chrome/cr_symbols:1"),
    ("H2O",
     "chrome/cr_spacing_synth:1 reportlab/rl_platypus:2 typst/typst_effects:1 "
     "variants/qpdf_aes256_objstm_cleartextmeta:2"),
    ("1911", "variants/qpdf_qdf_tex:2"),
    ("7432", "tex/pdftex_long40:39"),
    ("n/a", "chrome/cr_bigtable:1 tex/pdftex_tables:1 variants/prerotated_tables:1"),
    ("9.99", "chrome/cr_symbols:1"),
    ("office_offset", "tex/pdftex_listings:1"),
    # headings painted twice, and words that are there twice
    ('"double heading shifted right"', "tex/pdftex_overprint:1"),
    ('"shadow heading of the fifth office"', "tex/pdftex_overprint:1"),
    ('"triple strike"', "reportlab/rl_canvas:1 tex/pdftex_overprint:1 variants/qpdf_rc4_secret:1"),
    ('"struck twice heading"', "npm/pdflib:1 typst/typst_effects:1"),
    ('"heading heading"', ""),
    ('"balloon balloon"', ""),
    ('"same same same"',
     "lo/lo_writer_docx:1 misc/fop:1 reportlab/rl_platypus:1 typst/typst_effects:1 "
     "variants/hidden_layer_groff:1 variants/qpdf_aes256_objstm_cleartextmeta:1 wk/wk_basic:2"),
    ('"poor man bold heading"', "tex/pdftex_pmb_contour:1"),
    ('"overstruck heavy word"', "groff/groff_ps:1"),
    ('"exact overprint mississippi"', "tex/pdftex_overprint:1"),
    # spaced, turned and stretched text
    ('"letter by letter words"', "reportlab/rl_canvas:1 variants/qpdf_rc4_secret:1"),
    ('"widely tracked office"', "chrome/cr_spacing_synth:1"),
    ('"no space glyphs between these words"', "reportlab/rl_canvas:1 variants/qpdf_rc4_secret:1"),
    ('"climbing coffee words"', "chrome/cr_transforms:1"),
    ('"vertical axis label"', "chrome/cr_svg_text:1"),
    ('"upside down kettle"', "chrome/cr_transforms:1"),
    ('"dancing glyphs"', "chrome/cr_svg_text:1"),
    ('"write the number on both sides" path:gs', "gs/gs_landscape:1,2"),
    # columns
    ('"spring the whole plain smells of mint" columns', "chrome/cr_columns:2 lo/lo_writer_columns:1"),
    ('"difficult ledger every balloon every" columns', "chrome/cr_columns:1"),
    # patterns
    ("geologi*", "chrome/cr_columns:2 lo/lo_writer_docx:1 tex/dvips_type1:2"),
    ("*monium", "chrome/cr_columns:2 lo/lo_writer_docx:1"),
    ("turpent?ne path:lo",
     "lo/lo_writer_article:1 lo/lo_writer_article_pdfa1:1 lo/lo_writer_article_tagged:1 "
     "lo/lo_writer_columns:1 variants/cropbox_slug_lo:1"),
    # what is not on the page
    ("text:slug", ""),
    ("text:hidden", ""),
    ("marginalia", ""),
]  # fmt: skip


@pytest.fixture(scope="module")
def zoo(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> indexing.Index:
    folder = tmp_path_factory.mktemp("zoo")
    (folder / "passwords").write_text("secret\n")
    done = run_glyphdex(
        "ingest", shared / "zoo/pdf", "--store", folder / "store", "--password-file", folder / "passwords", seconds=600
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-3000:]
    return indexing.open_index(folder / "store")


def pages_of(listed: str) -> set[tuple[str, int]]:
    """Read `folder/name:1,2 ...`."""
    named = (entry.rsplit(":", 1) for entry in listed.split())
    return {(f"{name}.pdf", int(number)) for name, numbers in named for number in numbers.split(",")}


@pytest.mark.parametrize(("question", "expected"), QUESTIONS, ids=[question for question, _ in QUESTIONS])
def test_question(zoo: indexing.Index, shared: Path, question: str, expected: str) -> None:
    result = zoo.search(question, 1000)
    inputs = shared / "zoo/pdf"
    assert {(str(Path(hit.path).relative_to(inputs)), hit.page) for hit in result.hits} == pages_of(expected)
    assert result.total == len(result.hits)
    assert result.notes == ()


def test_hits_are_marked(zoo: indexing.Index) -> None:
    for question, expected in QUESTIONS:
        for hit in zoo.search(question, 1000).hits if expected else ():
            assert hit.snippet.marks, (question, hit.path, hit.page)


def test_boxes_of_hits_lie_on_their_pages_and_hold_the_marked_words(zoo: indexing.Index) -> None:
    for question, expected in QUESTIONS:
        for hit in zoo.search(question, 1000).hits if expected else ():
            marks = zoo.page_marks(hit.path, hit.page, question)
            shown = "".join(box.text for box in marks.boxes)
            for start, end in hit.snippet.marks:
                assert all(part in shown for part in hit.snippet.text[start:end].split()), (
                    question,
                    hit.path,
                )
            for box in marks.boxes:
                assert 0 <= box.x0 < box.x1 <= marks.width + 1, (question, hit.path, box)
                assert 0 <= box.y0 < box.y1 <= marks.height + 1, (question, hit.path, box)


def test_table_is_large_enough() -> None:
    assert len(QUESTIONS) >= 120
