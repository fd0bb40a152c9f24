"""A small library in many languages, for questions whose answers are known."""

from __future__ import annotations

from datetime import UTC, datetime

from tests.helpers.store_maker import Doc

RUNNING = "Annual Report of the Pump Company"

LIBRARY = [
    Doc(
        "english/foxes.pdf",
        [
            "The quick brown fox jumps over the lazy dog.\nTo be or not to be, that is the question.",
            "A well-known state-of-the-art method, un-\nderstood by inter-\nnational ex-\nperts. The dog sleeps.",
            "Don't call O'Reilly's e-mail server; use wi-fi. The effi­cient office.",
        ],
        {
            "title": "Foxes of the world",
            "author": "Ann Smith",
            "lang": "en-GB",
            "created": datetime(2019, 1, 2, tzinfo=UTC),
        },
        copies=["zz/copy of foxes.pdf"],
    ),
    Doc(
        "english/pumps.pdf",
        [
            f"{RUNNING}\nThe part E-1234/5 replaces X200-B7. Version 3.11.2 costs 1,234.56 today.\n"
            "The rotor turns without\n1",
            f"{RUNNING}\nany noise at all. Write to john.doe@example.com or see\n"
            "http://www.example.org/files/list.html#top\n2",
            f"{RUNNING}\nC++ and C# and .NET code, R&D at 10:30, AT&T, file_name.txt, m² is not m2. foo:bar (see\n3",
        ],
        {
            "title": "Pump parts",
            "author": "Smith, John",
            "lang": "en",
            "created": datetime(2021, 6, 30, tzinfo=UTC),
        },
        flags={2: ["needs_ocr"]},
    ),
    Doc(
        "deutsch/straße.pdf",
        [
            "Die Straße führt über die Brücke nach Köln.\nDonau-\ndampfschiff fährt. Größe 3,5 Meter.",
            "Ein Haus, zwei Häuser: Übermut.",
        ],
        {"title": "Straßen und Brücken", "lang": "de", "created": datetime(2020, 3, 3, tzinfo=UTC)},
    ),
    Doc(
        "français/été.pdf",
        [
            "L’été dernier, le café naïf à Orléans: un cœur, une œuvre.\nresume",
            "Son résumé est prêt. La fin d'été.",
        ],
        {"title": "L'été", "author": "Émile Zola", "lang": "fr", "created": datetime(1885, 1, 1, tzinfo=UTC)},
    ),
    Doc(
        "ελληνικά.pdf", ["Ο λόγος και το φως. ΛΟΓΟΣ ΜΕΓΑΣ.", "Ἐν ἀρχῇ ἦν ὁ λόγος, ο Όμηρος."], {"lang": "el"}
    ),
    Doc("русский.pdf", ["Ёлка и мёд стоят дорого. Мой край.", "Елка зелёная, данные точны."], {"lang": "ru"}),
    Doc(
        "中文.pdf",
        ["中华人民共和国成立于一九四九年。第3章 软件\n工程导论，东京 大学。", "软件包管理系统很重要。"],
        {"title": "软件工程", "author": "李伟", "lang": "zh-CN"},
    ),
    Doc(
        "日本語.pdf",
        ["東京大学の研究室でｶﾞｽとガラスを測定する。ＡＢＣ１２３", "京都は古い都です。"],
        {"lang": "ja"},
    ),
    Doc("한국어.pdf", ["서울에서 한국 사람을 만났다.", "책을 읽는다."], {"lang": "ko"}),
    Doc("ไทย.pdf", ["ภาษาไทยเป็นภาษาราชการ", "กรุงเทพมหานคร"], {"lang": "th"}),
    Doc(
        "العربية.pdf", ["السلام عليكم ورحمة الله. مُحَمَّد كتب الكتاب. ﻣﺮﺣﺒﺎ", "أحمد إلى المدرسة"], {"lang": "ar"}
    ),
    Doc("עברית.pdf", ["שָׁלוֹם עולם, צה״ל", "בראשית ברא"], {"lang": "he"}),
    Doc("ligatures.pdf", ["The ﬁrst eﬀect of ﬂow, oﬃce and diﬃcult.", "Ⅳ chapters, ½ done, 𝐛𝐨𝐥𝐝 text; ﬁve"]),
    Doc("türkçe.pdf", ["İstanbul'da ılık bir gün. Iğdır güzel."], {"lang": "tr"}),
    Doc("polski.pdf", ["Zażółć gęślą jaźń w mieście Łódź."], {"lang": "pl"}),
    Doc("हिन्दी.pdf", ["हिन्दी भाषा और विज्ञान", "किताब पढ़ना"], {"lang": "hi"}),
    Doc("empty.pdf", ["", "!!! ... ???"]),
]


def page(path: str, *numbers: int) -> set[tuple[str, int]]:
    return {(path, number) for number in numbers}
