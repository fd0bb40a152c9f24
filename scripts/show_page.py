"""Draw a page with the boxes of its glyphs, coloured by what became of each.

In: a PDF and a page number. Out: a PNG, drawn by `pipeline/drawing.py`: the page as PDFium renders it, and
over it one box a painted glyph; what lies outside of the visible box is shown under grey. The counts go to
stdout. `glyphdex explain --png` draws the same picture.

    python scripts/show_page.py FILE PAGE OUT.png [--scale 2] [--password-file F]
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(PROJECT))


def main() -> None:
    """Read the command line, draw, save."""
    import extractor
    from pipeline.drawing import COLOURS, draw_page

    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("file", type=Path)
    parser.add_argument("page", type=int, help="counted from 1")
    parser.add_argument("out", type=Path)
    parser.add_argument("--scale", type=float, default=2, help="pixels a point")
    parser.add_argument("--password-file", type=Path)
    arguments = parser.parse_args()
    passwords = arguments.password_file.read_text().splitlines() if arguments.password_file else []
    with extractor.open_document(arguments.file, password=passwords or None) as document:
        if not 1 <= arguments.page <= len(document):
            sys.exit(f"{arguments.file} has pages 1 to {len(document)}")
        page = document[arguments.page - 1]
        records = page.glyph_records(painted=True)
        picture = draw_page(arguments.file.read_bytes(), passwords, page, records, arguments.scale)
    picture.save(arguments.out)
    for fate, count in Counter(record.fate for record in records).most_common():
        print(f"{fate:10} {count:6}  rgb{COLOURS[fate]}")


if __name__ == "__main__":
    main()
