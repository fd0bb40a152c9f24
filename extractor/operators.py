"""The operators of content streams that text depends on (ISO 32000-1, Annex A).

In: nothing. Out: a table from an operator's bytes to the interpreter's method, the kinds of operands it needs and the
section that defines it. An operator that is not here has no influence on text. It must not know the interpreter.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple


class Operator(NamedTuple):
    """One line of the operator table."""

    method: str
    """Name of the interpreter's method that carries it out."""
    kinds: str
    """What it takes from the end of the operand list, a letter an operand: n a number, N a name, s a string,
    a an array, * anything."""
    section: str
    """The section of ISO 32000-1."""

    @property
    def operands(self) -> int:
        """How many operands it takes; 0 where it takes none."""
        return len(self.kinds)


OPERATORS: dict[bytes, Operator] = {
    b"q": Operator("save_state", "", "8.4.2"),
    b"Q": Operator("restore_state", "", "8.4.2"),
    b"cm": Operator("concatenate", "nnnnnn", "8.4.4"),
    b"gs": Operator("set_parameters", "N", "8.4.5"),
    b"W": Operator("clip", "", "8.5.4"),
    b"W*": Operator("clip", "", "8.5.4"),
    b"BT": Operator("begin_text", "", "9.4.1"),
    b"ET": Operator("end_text", "", "9.4.1"),
    b"Tc": Operator("set_character_spacing", "n", "9.3.2"),
    b"Tw": Operator("set_word_spacing", "n", "9.3.3"),
    b"Tz": Operator("set_scaling", "n", "9.3.4"),
    b"TL": Operator("set_leading", "n", "9.3.5"),
    b"Tf": Operator("set_font", "Nn", "9.3.1"),
    b"Tr": Operator("set_mode", "n", "9.3.6"),
    b"Ts": Operator("set_rise", "n", "9.3.7"),
    b"Td": Operator("move", "nn", "9.4.2"),
    b"TD": Operator("move_and_set_leading", "nn", "9.4.2"),
    b"Tm": Operator("set_text_matrix", "nnnnnn", "9.4.2"),
    b"T*": Operator("next_line", "", "9.4.2"),
    b"Tj": Operator("show", "s", "9.4.3"),
    b"TJ": Operator("show_adjusted", "a", "9.4.3"),
    b"'": Operator("next_line_show", "s", "9.4.3"),
    b'"': Operator("next_line_show_spaced", "nns", "9.4.3"),
    b"g": Operator("set_gray", "n", "8.6.8"),
    b"rg": Operator("set_rgb", "nnn", "8.6.8"),
    b"k": Operator("set_cmyk", "nnnn", "8.6.8"),
    b"cs": Operator("set_colour_space", "N", "8.6.8"),
    b"sc": Operator("set_colour", "", "8.6.8"),
    b"scn": Operator("set_colour", "", "8.6.8"),
    b"Do": Operator("paint_xobject", "N", "8.8"),
    b"BMC": Operator("begin_marked_content", "*", "14.6"),
    b"BDC": Operator("begin_marked_content_with_properties", "**", "14.6"),
    b"EMC": Operator("end_marked_content", "", "14.6"),
    b"true": Operator("push_true", "", "7.3.2"),
    b"false": Operator("push_false", "", "7.3.2"),
    b"null": Operator("push_null", "", "7.3.9"),
}


def operands_fit(kinds: str, operands: Sequence[Any]) -> bool:
    """Tell whether operands are what an operator takes; `kinds` as in `Operator.kinds`. A boolean is no number."""
    return all(
        kind == "*" or (isinstance(operand, _TYPES[kind]) and not isinstance(operand, bool))
        for kind, operand in zip(kinds, operands, strict=False)
    )


_TYPES: dict[str, tuple[type, ...]] = {"n": (int, float), "N": (str,), "s": (bytes,), "a": (list,)}
