"""Axes with units and prefixes, and texts with units as numbers."""

from __future__ import annotations

import math
import re

from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullLocator

#: Prefixes of the units of axes, from the largest.
PREFIXES = {
    "s": ((1.0, ""), (1e-3, "m"), (1e-6, "µ"), (1e-9, "n")),
    "B": ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k"), (1.0, "")),
}
PREFIXES["b/s"] = PREFIXES["B/s"] = PREFIXES["B"]

#: Units in scenarios, except those of sizes and rates, as multiples of units of axes.
UNITS = {
    "": (1.0, ""),
    "ns": (1e-9, "s"),
    "us": (1e-6, "s"),
    "\N{MICRO SIGN}s": (1e-6, "s"),
    "\N{GREEK SMALL LETTER MU}s": (1e-6, "s"),
    "ms": (1e-3, "s"),
    "s": (1.0, "s"),
    "min": (60.0, "s"),
    "h": (3600.0, "s"),
    "packet": (1.0, "packets"),
    "packets": (1.0, "packets"),
    "bdp": (1.0, "bdp"),
    "BDP": (1.0, "bdp"),
}
#: Sizes and rates: a prefix, whether it is binary, and the unit.
DATA = re.compile(r"([kKMGT]?)(i?)(B|bytes?|bps|b/s|bit/s|B/s)")


def number(value: object) -> tuple[float, str] | None:
    """A value of a scenario as a number and a unit; ``None`` if it is not a number.

    >>> number("100 ms"), number("2.4 Gbps"), number("1 bdp"), number(0.5), number("red")
    ((0.1, 's'), (2400000000.0, 'b/s'), (1.0, 'bdp'), (0.5, ''), None)
    """
    found = re.fullmatch(r"\s*([-+]?[.\d]+(?:[eE][-+]?\d+)?)\s*(.*?)\s*", str(value))
    multiple = found and _multiple(found[2])
    if not found or not multiple:
        return None
    try:
        count = float(found[1])
    except ValueError:
        return None
    size, unit = multiple
    # Division by a whole number is exact where multiplication by 1e-3 is not.
    return (count * size if size >= 1 else count / round(1 / size)), unit


def _multiple(unit: str) -> tuple[float, str] | None:
    """A unit of a scenario as a multiple of a unit of an axis."""
    found = DATA.fullmatch(unit)
    if found is None:
        return UNITS.get(unit)
    prefix, binary, of = found.groups()
    size = float((1024 if binary else 1000) ** " kmgt".index(prefix.lower() or " "))
    if of == "B/s":
        return 8 * size, "b/s"
    return size, "B" if of.startswith(("B", "byte")) else "b/s"


def size(text: str) -> float:
    """A size in a scenario, in bytes. Raises ValueError if it is not a size.

    >>> size("1.5 kB")
    1500.0
    """
    found = number(text)
    if found is None or found[1] != "B":
        raise ValueError(f"{text!r} is not a size")
    return found[0]


def linear(ax: Axes, which: str, title: str, unit: str) -> None:
    """A linear axis (``"x"`` or ``"y"``) with its title, and a unit whose prefix fits its range."""
    axis = getattr(ax, f"{which}axis")
    size, name = _fitting(max(map(abs, axis.get_view_interval())), unit)
    axis.set_major_locator(MaxNLocator(nbins=6, steps=[1, 2, 2.5, 5, 10]))
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value / size:.6g}"))
    axis.set_label_text(f"{title} ({name})" if name else title)


def logarithmic(ax: Axes, which: str, title: str, unit: str) -> None:
    """A logarithmic axis (``"x"`` or ``"y"``) with its title, and units at its ticks."""
    ax.set(**{f"{which}scale": "log"})
    axis = getattr(ax, f"{which}axis")
    low, high = axis.get_view_interval()
    decades = math.log10(high / low)
    # Within few decades, powers of ten alone would give one tick or none.
    few = decades < (2.0 if which == "x" else 2.7)
    axis.set_major_locator(LogLocator(subs=(1, 2, 5) if few else (1,)))
    axis.set_major_formatter(FuncFormatter(lambda value, _: _in_unit(value, unit)))
    if few:
        axis.set_minor_locator(NullLocator())
    axis.set_label_text(title)


def _fitting(value: float, unit: str) -> tuple[float, str]:
    """The largest multiple of a unit in which the value is at least 1, and its name."""
    prefixes = PREFIXES.get(unit, ((1.0, ""),))
    fitting = (found for found in prefixes if value >= found[0] * 0.9995)
    size, prefix = next(fitting, prefixes[-1] if value else (1.0, ""))
    return size, f"{prefix}{unit}"


def _in_unit(value: float, unit: str) -> str:
    size, name = _fitting(value, unit)
    return f"{value / size:.4g}\N{NO-BREAK SPACE}{name}".rstrip("\N{NO-BREAK SPACE}")
