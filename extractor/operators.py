"""The operators of content streams that text depends on (ISO 32000-1, Annex A).

In: nothing. Out: a table from an operator's bytes to the interpreter's method, the number of operands it needs and the
section that defines it. An operator that is not here has no influence on text. It must not know the interpreter.
"""

from __future__ import annotations

from typing import NamedTuple


class Operator(NamedTuple):
    """One line of the operator table."""

    method: str
    """Name of the interpreter's method that carries it out."""
    operands: int
    """How many operands it takes from the end of the operand list; 0 where it takes none."""
    section: str
    """The section of ISO 32000-1."""


OPERATORS: dict[bytes, Operator] = {
    b"q": Operator("save_state", 0, "8.4.2"),
    b"Q": Operator("restore_state", 0, "8.4.2"),
    b"cm": Operator("concatenate", 6, "8.4.4"),
    b"gs": Operator("set_parameters", 1, "8.4.5"),
    b"W": Operator("clip", 0, "8.5.4"),
    b"W*": Operator("clip", 0, "8.5.4"),
    b"BT": Operator("begin_text", 0, "9.4.1"),
    b"ET": Operator("end_text", 0, "9.4.1"),
    b"Tc": Operator("set_character_spacing", 1, "9.3.2"),
    b"Tw": Operator("set_word_spacing", 1, "9.3.3"),
    b"Tz": Operator("set_scaling", 1, "9.3.4"),
    b"TL": Operator("set_leading", 1, "9.3.5"),
    b"Tf": Operator("set_font", 2, "9.3.1"),
    b"Tr": Operator("set_mode", 1, "9.3.6"),
    b"Ts": Operator("set_rise", 1, "9.3.7"),
    b"Td": Operator("move", 2, "9.4.2"),
    b"TD": Operator("move_and_set_leading", 2, "9.4.2"),
    b"Tm": Operator("set_text_matrix", 6, "9.4.2"),
    b"T*": Operator("next_line", 0, "9.4.2"),
    b"Tj": Operator("show", 1, "9.4.3"),
    b"TJ": Operator("show_adjusted", 1, "9.4.3"),
    b"'": Operator("next_line_show", 1, "9.4.3"),
    b'"': Operator("next_line_show_spaced", 3, "9.4.3"),
    b"g": Operator("set_gray", 1, "8.6.8"),
    b"rg": Operator("set_rgb", 3, "8.6.8"),
    b"k": Operator("set_cmyk", 4, "8.6.8"),
    b"cs": Operator("set_colour_space", 1, "8.6.8"),
    b"sc": Operator("set_colour", 0, "8.6.8"),
    b"scn": Operator("set_colour", 0, "8.6.8"),
    b"Do": Operator("paint_xobject", 1, "8.8"),
    b"BMC": Operator("begin_marked_content", 1, "14.6"),
    b"BDC": Operator("begin_marked_content_with_properties", 2, "14.6"),
    b"EMC": Operator("end_marked_content", 0, "14.6"),
    b"true": Operator("push_true", 0, "7.3.2"),
    b"false": Operator("push_false", 0, "7.3.2"),
    b"null": Operator("push_null", 0, "7.3.9"),
}
