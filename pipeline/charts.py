"""Small charts as SVG text, for reports that are read without a network.

In: numbers with names. Out: SVG elements as text. It must not know what the numbers mean.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

_WIDTH, _HEIGHT, _LEFT, _BOTTOM = 720, 200, 70, 22
COLOURS = ("#2f6f8f", "#c98a2b", "#8a4f7d", "#5b8c5a", "#b5483a", "#777777")


def stacked_bars(columns: Sequence[tuple[str, Mapping[str, float]]], names: Sequence[str]) -> str:
    """Return one bar a column, its parts in the order of `names`, with a scale and a legend."""
    most = max((sum(parts.get(name, 0) for name in names) for _, parts in columns), default=0) or 1
    step = (_WIDTH - _LEFT) / max(1, len(columns))
    drawn: list[str] = []
    for place, (label, parts) in enumerate(columns):
        top = float(_HEIGHT - _BOTTOM)
        for name, colour in zip(names, COLOURS, strict=False):
            height = parts.get(name, 0) / most * (_HEIGHT - _BOTTOM - 10)
            top -= height
            drawn.append(
                f'<rect x="{_LEFT + place * step + 2:.1f}" y="{top:.1f}" width="{max(1.0, step - 4):.1f}" '
                f'height="{height:.1f}" fill="{colour}"><title>{escape(label)}: {escape(name)} '
                f"{parts.get(name, 0):,.0f}</title></rect>"
            )
    return _frame(drawn, most, "0") + _legend(names)


def lines(columns: Sequence[str], series: Mapping[str, Sequence[float]]) -> str:
    """Return one line a series over the columns, values being shares from 0 to 1."""
    most = max((value for values in series.values() for value in values), default=0.0) or 0.01
    step = (_WIDTH - _LEFT) / max(1, len(columns))
    drawn: list[str] = []
    for (name, values), colour in zip(series.items(), COLOURS, strict=False):
        points = [
            (_LEFT + (place + 0.5) * step, _HEIGHT - _BOTTOM - value / most * (_HEIGHT - _BOTTOM - 10))
            for place, value in enumerate(values)
        ]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        drawn.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        for (x, y), column, value in zip(points, columns, values, strict=True):
            title = f"{escape(column)}: {escape(name)} {value:.2%}"
            drawn.append(
                f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"><title>{title}</title></circle>'
            )
    return _frame(drawn, most, "0 %", percent=True) + _legend(list(series))


def _frame(drawn: Sequence[str], most: float, zero: str, *, percent: bool = False) -> str:
    top = f"{most:.1%}" if percent else f"{most:,.0f}"
    base = _HEIGHT - _BOTTOM
    return (
        f'<svg viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img">'
        f'<line x1="{_LEFT}" y1="{base}" x2="{_WIDTH}" y2="{base}" stroke="#999"/>'
        f'<text x="{_LEFT - 6}" y="16" text-anchor="end">{top}</text>'
        f'<text x="{_LEFT - 6}" y="{base}" text-anchor="end">{zero}</text>'
        f"{''.join(drawn)}</svg>"
    )


def _legend(names: Sequence[str]) -> str:
    items = "".join(
        f'<span><i style="background:{colour}"></i>{escape(name)}</span>'
        for name, colour in zip(names, COLOURS, strict=False)
    )
    return f'<p class="legend">{items}</p>'
