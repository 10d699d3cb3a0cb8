"""Draws docs/figures/websearch.svg: mean completion time by flow size, on logarithmic axes."""

import math
from typing import NamedTuple

#: (flow size in bytes, mean completion time in seconds) in order of size.
Points = list[tuple[float, float]]


class Style(NamedTuple):
    """How a line is drawn; markers differ too, for readers who cannot distinguish the colours."""

    name: str
    label: str
    marker: str
    #: On white and on dark; from Okabe and Ito's palette for the colour-blind.
    colours: tuple[str, str]


STYLES = [
    Style("tcp2", "TCP, window 2", "M-5 -4.2L0 5L5 -4.2Z", ("#8a6d3b", "#c9b282")),
    Style("tcp", "TCP", "M-5 4.2L0 -5L5 4.2Z", ("#a34700", "#f0a070")),
    Style("xcp", "XCP", "M-4.2 -4.2H4.2V4.2H-4.2Z", ("#007a5a", "#3dd6a8")),
    Style(
        "ledger",
        "Ledger",
        "M0 -6.2L1.9 -1.9L6.2 0L1.9 1.9L0 6.2L-1.9 1.9L-6.2 0L-1.9 -1.9Z",
        ("#1f2328", "#f0f6fc"),
    ),
    Style("ncp", "NCP", "M0 -5.4L5.4 0L0 5.4L-5.4 0Z", ("#7a3e9d", "#c79be0")),
    Style(
        "rcp", "RCP", "M-4.8 0A4.8 4.8 0 1 1 4.8 0A4.8 4.8 0 1 1 -4.8 0Z", ("#0060a8", "#6cbcf5")
    ),
]

WIDTH, HEIGHT = 760, 430
LEFT, RIGHT, TOP, BOTTOM = 78, 650, 70, 366
#: Least distance between the baselines of two labels.
LINE = 15
#: The ends of the axes, in bytes and in seconds.
SIZES, TIMES = (1e3, 3e7), (0.03, 2.0)

CSS = """
    text { font: 13px system-ui, -apple-system, "Segoe UI", Helvetica, Arial, sans-serif; }
    .title { font-size: 16px; font-weight: 600; } .name { font-weight: 600; }
    .line { fill: none; stroke-width: 2; } .alone { stroke-dasharray: 5 4; stroke-width: 1.5; }
"""


def draw(lines: dict[str, Points], alone: Points) -> str:
    """The SVG of a line for each of `STYLES`, by name, and of a flow alone on an empty path."""
    dark = f"@media (prefers-color-scheme: dark) {{{theme(1)}    }}"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" '
        f'height="{HEIGHT}" role="img" aria-label="Mean flow completion time by flow size under '
        'RCP, XCP, NCP, Ledger and TCP">',
        f"<style>{CSS}{theme(0)}    {dark}\n</style>",
        f'<rect class="page" width="{WIDTH}" height="{HEIGHT}" rx="8"/>',
        text("title", LEFT, 28, "How long a flow takes, by its size"),
        text(
            "faint",
            LEFT,
            49,
            "mean completion time; web-search flows at load 0.7 on a shared 10 Gb/s link,"
            " RTT 20 to 40 ms",
        ),
        *axes(),
        f'<path class="line alone" d="{path(alone)}"/>',
        label("alone", "alone on the", alone[-1], 0),
        label("alone", "empty path", alone[-1], LINE),
    ]
    for style in STYLES:
        points = lines[style.name]
        parts.append(f'<path class="line {style.name}" d="{path(points)}"/>')
        parts += [
            f'<path class="mark {style.name}" d="{style.marker}" '
            f'transform="translate({x(size)} {y(time)})"/>'
            for size, time in points
        ]
    parts += labels({style: lines[style.name][-1] for style in STYLES})
    return "\n".join([*parts, "</svg>\n"])


def theme(number: int) -> str:
    """Colours on white (0) or dark (1). The background is drawn too, so that both are legible."""
    page, ink, faint, grid = [
        ("#ffffff", "#1f2328", "#59636e", "#e3e7eb"),
        ("#151b23", "#f0f6fc", "#a5b0bb", "#2f3741"),
    ][number]
    rules = [
        f".page {{ fill: {page}; stroke: {grid}; }} text {{ fill: {ink}; }}",
        f"text.faint, text.alone {{ fill: {faint}; }} .grid {{ stroke: {grid}; }}",
        f".line.alone {{ stroke: {faint}; }}",
    ]
    for style in STYLES:
        colour = style.colours[number]
        rules.append(
            f".line.{style.name} {{ stroke: {colour}; }} "
            f".mark.{style.name}, text.{style.name} {{ fill: {colour}; }}"
        )
    return "\n    " + "\n    ".join(rules) + "\n"


def axes() -> list[str]:
    parts = []
    sizes = {1e3: "1 kB", 1e4: "10 kB", 1e5: "100 kB", 1e6: "1 MB", 1e7: "10 MB"}
    for size, name in sizes.items():
        parts.append(f'<path class="grid" d="M{x(size)} {TOP}V{BOTTOM}"/>')
        parts.append(text("faint", x(size), BOTTOM + 20, name, anchor="middle"))
    times = {0.05: "50 ms", 0.1: "0.1 s", 0.2: "0.2 s", 0.5: "0.5 s", 1: "1 s", 2: "2 s"}
    for time, name in times.items():
        parts.append(f'<path class="grid" d="M{LEFT} {y(time)}H{RIGHT}"/>')
        parts.append(text("faint", LEFT - 10, f"{y(time) + 4.5:.1f}", name, anchor="end"))
    middle = (LEFT + RIGHT) / 2
    return [*parts, text("faint", middle, BOTTOM + 44, "flow size", anchor="middle")]


def labels(ends: dict[Style, tuple[float, float]]) -> list[str]:
    """The names of the lines at their ends, moved down where they would overlap."""
    parts, free = [], float("-inf")
    for style, end in sorted(ends.items(), key=lambda item: y(item[1][1])):
        down = max(free - y(end[1]), 0)
        parts.append(label(f"name {style.name}", style.label, end, down))
        free = y(end[1]) + down + LINE
    return parts


def label(kind: str, words: str, point: tuple[float, float], down: float) -> str:
    """Text to the right of a point, by some pixels below it."""
    return text(kind, f"{x(point[0]) + 12:.1f}", f"{y(point[1]) + 4.5 + down:.1f}", words)


def text(kind: str, left: float | str, base: float | str, words: str, anchor: str = "") -> str:
    anchored = f' text-anchor="{anchor}"' if anchor else ""
    return f'<text class="{kind}"{anchored} x="{left}" y="{base}">{words}</text>'


def path(points: Points) -> str:
    return "M" + "L".join(f"{x(size)} {y(time)}" for size, time in points)


def x(size: float) -> float:
    return scale(size, SIZES, LEFT, RIGHT)


def y(time: float) -> float:
    return scale(time, TIMES, BOTTOM, TOP)


def scale(value: float, ends: tuple[float, float], first: int, last: int) -> float:
    """The position of a value on a logarithmic axis, to a tenth of a pixel."""
    part = math.log(value / ends[0]) / math.log(ends[1] / ends[0])
    return round(first + part * (last - first), 1)
