"""The paper sketches the exchange of Figure 6 and gives no numbers; ours is traced from packets. A
path crosses three routers, each with a link of 10 Mb/s. All other links are faster, and the round
trip is 80 ms without queues. Long flows that cross a single router, 2 at the first, 8 at the second
and 4 at the third, make the routers' rates differ. At 8 s those at the second leave, so that the
third has the lowest rate. Every half second from 5 s to 11 s, a newcomer of 30 packets takes the
whole path. R is sampled at each router within the millisecond before a packet arrives; packets
carry it in steps of 100 b/s.
"""

from __future__ import annotations

import itertools
from typing import Any

import matplotlib.figure
import numpy
import pyarrow
from matplotlib import pyplot

from ...frame import Frame
from ...plot import style
from ...results import Results
from ...scenario import Scenario
from ..claim import Claim
from ..figure import Figure
from ..link import samples
from ..scale import Scale
from ..traffic import fixed
from ..transport import NS2
from ..verdict import Verdict
from . import ladder

NODES = ["source", "a", "b", "c", "destination"]
LINKS = list(itertools.pairwise(NODES))
#: Links behind a router.
ROUTERS = LINKS[1:]
#: Round trip without queues in seconds; each link has an eighth of it, one way.
RTT = 0.08
PACKET_BITS = 8000
#: Time drawn after the first newcomer's SYN, in milliseconds.
SHOWN_MS = 195


def run(scale: Scale) -> Results:
    """The same at both scales: it takes a second."""
    link: dict[str, Any] = {"delay": f"{RTT / 8} s", "buffer": "200 packets"}
    access = {"capacity": "1 Gbps", "router": False}
    links = [
        link
        | ({"capacity": "10 Mbps"} if (begin, end) in ROUTERS else access)
        | {"from": begin, "to": end}
        for begin, end in LINKS
    ]
    scenario = Scenario(
        transport=NS2,
        name="ps-6",
        stop="12 s",
        ideals=[],
        topology={"link": links},
        group=[
            _long(ROUTERS[0], 2),
            _long(ROUTERS[1], 8, stop="8 s"),
            _long(ROUTERS[2], 4),
            {
                "name": "newcomers",
                "from": NODES[0],
                "to": NODES[-1],
                "periodic": {
                    "every": "0.5 s",
                    "start": "5 s",
                    # Time for the last to finish.
                    "stop": "11 s",
                    "sizes": fixed(30),
                },
            },
        ],
        metrics=[{"link": ends, "every": "1 ms"} for ends in ROUTERS],
        trace={"packets": "all", "flows": ["newcomers"]},
    )
    return scale.run(scenario, ["rcp"], name="ps-6")


def table(results: Results) -> Frame:
    """A row for each link that a newcomer's packet crosses, with R at its router, and one for each
    rate that its sender receives.

    ``what`` is the kind of packet, or ``granted`` for a received rate. SYN and SYN-ACK have the
    number -1, and the first data packet 0.
    """
    sent = results.packets("rcp").where(group="newcomers")
    names = ("index", "link", "kind", "seq")
    arrival = {
        tuple(row[name] for name in names): row["time_ns"]
        for row in sent.where(event="deliver").arrow.to_pylist()
    }
    links = (f"{begin}>{end}" for begin, end in ROUTERS)
    rates = {link: samples(results, "rcp", "R", link=link) for link in links}
    rows = []
    for row in sent.where(event="enqueue").arrow.to_pylist():
        begin, end = (NODES.index(node) for node in row["link"].split(">"))
        # An acknowledgement has the number of the next packet expected.
        number = -1 if row["kind"].startswith("syn") else row["seq"] - row["ack"]
        packet = {"what": row["kind"], "flow": row["index"], "number": number}
        leaves, arrives = row["time_ns"], arrival[tuple(row[name] for name in names)]
        rate = None
        if row["link"] in rates:
            seconds, known = rates[row["link"]]
            rate = known[numpy.searchsorted(seconds, leaves / 1e9, side="right") - 1]
        rows.append(packet | _crossing(begin, end, leaves, arrives, rate))
    for row in results.senders("rcp").where(group="newcomers").arrow.to_pylist():
        received = {"what": "granted", "flow": row["index"], "number": row["acked_packets"] - 1}
        rows.append(received | _crossing(0, 0, row["time_ns"], row["time_ns"], row["rate_bps"]))
    return Frame(pyarrow.Table.from_pylist(rows))


def check(table: Frame) -> list[Claim]:
    """Claims about all newcomers."""
    at_syn, later, waits, paces, tightest = [], [], [], [], set()
    for flow in numpy.unique(table["flow"]):
        own = table.where(flow=flow)
        received, data = own.where(what="granted"), own.where(what="data", at=0)
        lowest = [numpy.nanmin(_met(own, number)["bps"]) for number in received["number"]]
        share = received["bps"] / lowest
        syn = _met(own, -1)
        tightest.add(NODES[syn["at"][numpy.nanargmin(syn["bps"])]])
        at_syn.append(share[0])
        later += list(share[1:])
        waits.append((data["seconds"][0] - own["seconds"].min()) / RTT)
        first_ack = received["seconds"][1]
        first = data["seconds"][data["seconds"] < first_ack]
        # At a low rate the first ACK may come before the second packet leaves.
        paces += list(numpy.diff(first) * received["bps"][0] / PACKET_BITS)
    return [
        Claim(
            "the SYN-ACK carries the lowest rate of the SYN's path back: the rate over that",
            paper="the lowest",
            ours=f"{_span(at_syn)} times it, over {len(at_syn)} newcomers; "
            f"router {' or '.join(sorted(tightest))} has the lowest",
            verdict=Verdict.of(_near(at_syn) and len(tightest) > 1),
            taken="within 1 %, wherever the lowest is",
        ),
        Claim(
            "a flow starts one round trip after its SYN",
            paper="1 RTT",
            ours=f"{_span(waits)} round trips without queues",
            verdict=Verdict.of(min(waits) >= 1 and max(waits) < 1.1),
            taken="1 to 1.1: the rest is queues that the SYN met",
        ),
        Claim(
            "it starts at that rate: the time between its first packets over a packet's at that "
            "rate",
            paper="at the rate",
            ours=f"packets before the first ACK are {_span(paces)} times packet / rate apart",
            verdict=Verdict.of(_near(paces)),
            taken="within 1 %",
        ),
        Claim(
            "flows that last longer get a new rate on data and ACKs: the rate over the lowest "
            "that the packet met",
            paper="periodically",
            ours=f"{_span(later)} times the lowest R that the data packet met, "
            f"over {len(later)} ACKs",
            verdict=Verdict.of(_near(later)),
            taken="within 1 %",
        ),
    ]


def plot(table: Frame) -> matplotlib.figure.Figure:
    """A ladder diagram of the first newcomer's packets, and the rates of all newcomers."""
    figure, (left, right) = pyplot.subplots(1, 2, figsize=(7, 3.6), width_ratios=(3, 2))
    ladder.draw(left, table.where(flow=0), NODES, SHOWN_MS)
    look = style.look("rcp")
    received = table.where(what="granted", number=-1)
    for place, shade in zip((1, 2, 3), style.shades(look.colour, 3), strict=True):
        met = table.where(what="syn", at=place)
        right.plot(
            met["seconds"], met["bps"] / 1e6, color=shade, label=f"R at router {NODES[place]}"
        )
    right.plot(
        received["seconds"],
        received["bps"] / 1e6,
        **look.marked(1) | {"linestyle": "none", "markerfacecolor": "none", "color": "black"},
        label="rate granted to the source",
    )
    right.set(xlabel="time (s)", ylabel="rate (Mb/s)", ylim=(0, None))
    style.legend(right)
    return figure


def _long(link: tuple[str, str], count: int, **times: str) -> dict[str, Any]:
    ends = {"from": link[0], "to": link[1]}
    return {"name": f"long-{link[0]}", "long": {"count": count, **times}} | ends


def _crossing(at: int, to: int, begin: int, end: int, bps: float | None) -> dict[str, Any]:
    return {"at": at, "to": to, "seconds": begin / 1e9, "arrives_s": end / 1e9, "bps": bps}


def _met(own: Frame, number: int) -> Frame:
    """The rows of the SYN (-1) or of a data packet, on each link."""
    return own.where(what="syn" if number < 0 else "data", number=int(number))


def _span(values: list[float]) -> str:
    return f"{min(values):.3f} to {max(values):.3f}"


def _near(values: list[float]) -> bool:
    return bool(numpy.abs(numpy.array(values) - 1).max() < 0.01)


FIGURE = Figure(
    id="ps-6",
    title="The start-up exchange: the SYN collects the path's least rate",
    doc=__doc__,
    run=run,
    table=table,
    check=check,
    plot=plot,
)
