"""The systems beside Ledger.

RCP has the parameters of its paper, and also the gains of its authors' ns-2 code. The others have
their sources' defaults, but for DCTCP's threshold.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import numpy
from matplotlib.axes import Axes

from ...frame import Frame
from ...results import Results
from ...scenario import Scenario
from ..closeness import WITH_SACK, line
from ..link import FROM, TO
from ..scale import Scale
from ..system import System

LEDGER, RCP, AUTHORS = "Ledger", "RCP", "RCP 0.4"
SYSTEMS = {
    LEDGER: System("ledger"),
    RCP: System("rcp"),
    AUTHORS: System("rcp", {"rcp.alpha": 0.4, "rcp.beta": 0.4}, shade=1),
    "XCP": System("xcp"),
    "NCP": System("ncp"),
    "TCP SACK": System("tcp", WITH_SACK),
    "CUBIC": System("cubic"),
    "BBR v3": System("bbr3", shade=1),
    "DCTCP": System("dctcp"),
    "HPCC": System("hpcc"),
}
#: RCP's settings; Ledger is compared with the better one.
SETTINGS = (RCP, AUTHORS)
#: Those that claims are about, which have more seeds.
JUDGED = (LEDGER, *SETTINGS)
#: Drawn at the full scale alone.
FULL_ONLY = ("BBR v3", "DCTCP", "HPCC")
#: The first seed; the law was tuned with 1 to 60, 1000 to 1105 and 2001 to 2100.
FIRST_SEED = 4001
#: Seeds of a run at the quick and the full scale.
SEEDS = (3, 10)


def simulate(
    scale: Scale, system: System, scenario: Scenario, folder: str, seeds: int | None = None
) -> Results:
    """A system in a scenario, with the seeds of all these figures unless others are given."""
    return scale.run(
        scenario.set(system.parameters),
        [system.protocol],
        name=folder,
        seeds=scale.pick(*SEEDS) if seeds is None else seeds,
        first=FIRST_SEED,
    )


def settings(system: System, bdp_bytes: float) -> dict[str, Any]:
    """Fields of a scenario for a system on a dumbbell with this bandwidth-delay product."""
    if system.protocol != "dctcp":
        return system.parameters
    # K > C RTT / 7 (equation 13 of DCTCP's paper).
    queue = {"threshold": {"mark_above": f"{bdp_bytes / 7:.0f} B"}}
    return system.parameters | {"link": [{"from": FROM, "to": TO, "queue": queue}]}


def look(name: str) -> dict[str, Any]:
    """Arguments of the line of a system."""
    ours = {"linestyle": "-", "linewidth": 2.0, "zorder": 3}
    return SYSTEMS[name].line(name) | (ours if name == LEDGER else {"linewidth": 0.9})


def lines(
    ax: Axes, table: Frame, x: str, column: str = "ratio", *, marked: Collection[str]
) -> None:
    """Draws a column of each system against another: those ``marked`` with markers and error
    bars, which take room in the file, and the others without."""
    for name in dict.fromkeys(table["system"]):
        rows = table.where(system=name)
        if name in marked:
            line(ax, rows, x, column, **look(name))
        else:
            at = numpy.unique(rows[x])
            means = [rows.where(**{x: place})[column].mean() for place in at]
            ax.plot(at, means, **(look(name) | {"marker": None}))
