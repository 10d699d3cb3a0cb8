"""Figures: data of lines, labels of axes, and errors if there is nothing to draw."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import matplotlib
import numpy
import pytest
import sluice
from matplotlib import pyplot
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from sluice import plot
from sluice.plot import by_size, distribution, scales, style

BUFFER = "topology.dumbbell.buffer"


def line(ax: Axes, label: str) -> Line2D:
    found = {line.get_label(): line for line in ax.get_lines()}
    assert label in found, f"{label!r} is none of {list(found)}"
    return found[label]


def ys(ax: Axes, label: str) -> list[float]:
    return list(line(ax, label).get_ydata())


def xs(ax: Axes, label: str) -> list[float]:
    return list(line(ax, label).get_xdata())


def ticks(ax: Axes, which: str) -> list[str]:
    """What is written along an axis, within its limits."""
    ax.figure.draw_without_rendering()
    axis = getattr(ax, f"{which}axis")
    low, high = axis.get_view_interval()
    found = [tick for tick in axis.get_major_ticks() if low <= tick.get_loc() <= high]
    return [tick.label1.get_text().replace("\N{NO-BREAK SPACE}", " ") for tick in found]


# Every figure, as users would ask for it first.
FIGURES: dict[str, Callable[[sluice.Results, Any], Axes]] = {
    "completion": lambda results, ax: plot.completion(results, ax=ax),
    "slowdown": lambda results, ax: plot.slowdown(results, ax=ax),
    "cdf": lambda results, ax: plot.cdf(results, ax=ax),
    "queue": lambda results, ax: plot.queue(results, ax=ax),
    "series": lambda results, ax: plot.series(results, "R", ax=ax),
    "rate": lambda results, ax: plot.rate(results, ax=ax),
    "cwnd": lambda results, ax: plot.cwnd(results, ax=ax),
    "sequence": lambda results, ax: plot.sequence(results, "long", ax=ax),
    "convergence": lambda results, ax: plot.convergence(results, protocol="tcp", ax=ax),
    "fairness": lambda results, ax: plot.fairness(results, ax=ax),
    "phase": lambda results, ax: plot.phase(results, ax=ax),
}


@pytest.mark.parametrize("name", FIGURES)
def test_a_figure_is_drawn_and_leaves_matplotlib_as_it_was(
    name: str, mixed: sluice.Results, tmp_path: Path
) -> None:
    matplotlib.get_backend()  # pyplot decides on one as it is first used.
    before = matplotlib.rcParams.copy()
    ax = FIGURES[name](mixed, None)
    ax.figure.savefig(tmp_path / "figure.pdf")
    assert matplotlib.rcParams == before
    assert tuple(ax.figure.get_size_inches()) == style.RC["figure.figsize"]
    assert ax.get_xlabel() and ax.get_ylabel()
    assert any(len(line.get_xdata()) > 1 for line in ax.get_lines())
    # Printers refuse Type 3 fonts.
    assert b"/Type3" not in (tmp_path / "figure.pdf").read_bytes()


@pytest.mark.parametrize("name", FIGURES)
def test_a_figure_goes_into_given_axes_and_makes_none(name: str, mixed: sluice.Results) -> None:
    figure, (left, right) = pyplot.subplots(1, 2)
    font = right.xaxis.label.get_size()
    assert FIGURES[name](mixed, right) is right
    assert pyplot.get_fignums() == [figure.number]
    assert not left.get_lines() and right.get_lines()
    assert right.xaxis.label.get_size() == font


def test_what_a_backend_sets_meanwhile_stays() -> None:
    with plot.context():
        # As that of notebooks does, which else shows one figure and then no other.
        matplotlib.interactive(True)
    stayed = matplotlib.is_interactive()
    matplotlib.interactive(False)
    assert stayed
    assert matplotlib.rcParams["font.size"] == matplotlib.rcParamsDefault["font.size"]


@pytest.mark.parametrize("name", FIGURES)
def test_a_legend_covers_no_data(name: str, mixed: sluice.Results) -> None:
    ax = FIGURES[name](mixed, None)
    ax.figure.draw_without_rendering()
    legend = ax.get_legend().get_window_extent()
    assert legend.y0 >= ax.bbox.y1 - 1
    assert legend.x0 >= 0 and legend.x1 <= ax.figure.bbox.x1 and legend.y1 <= ax.figure.bbox.y1


def test_a_figure_without_a_layout_has_its_legend_within(mixed: sluice.Results) -> None:
    figure, (above, below) = pyplot.subplots(2, 1)
    plot.completion(mixed, ax=below)
    figure.draw_without_rendering()
    assert below.get_legend().get_window_extent().y1 <= below.bbox.y1
    assert above.get_legend() is None


@pytest.mark.parametrize("figure", ["mean", "p50", "p99"])
@pytest.mark.parametrize("measure", ["completion", "slowdown"])
def test_lines_by_size_are_those_of_the_summary(
    measure: str, figure: str, mixed: sluice.Results
) -> None:
    ax = getattr(plot, measure)(mixed, figure=figure)
    for name, label in (("rcp", "RCP"), ("tcp", "TCP"), ("max_min", "ideal: max-min")):
        sizes = mixed.of(name)["by_size"]
        assert ys(ax, label) == [found[measure][figure] for found in sizes]
        assert all(
            found["from"] < x < found["to"] for x, found in zip(xs(ax, label), sizes, strict=True)
        )


def test_bands_are_the_intervals_of_protocols(mixed: sluice.Results) -> None:
    ax = plot.slowdown(mixed, protocol=["rcp", "srpt"])
    (band,) = ax.collections
    corners = {round(y, 9) for y in band.get_paths()[0].vertices[:, 1]}
    intervals = [found["slowdown"]["intervals"]["p50"] for found in mixed.of("rcp")["by_size"]]
    assert all(interval is not None for interval in intervals)
    intervals = [found["slowdown"]["intervals"]["mean"] for found in mixed.of("rcp")["by_size"]]
    tops = {round(high, 9) for _, high in intervals}
    assert tops <= corners


def test_wide_intervals_leave_the_picture_and_narrow_ones_do_not() -> None:
    look = style.looks(["rcp"])["rcp"]
    for low, high, limits in ((1.5, 5.0, (1.5, 5.0)), (-3.0, 99.0, (1.0, 8.0)), (2.5, 3.0, (2, 4))):
        ax = pyplot.subplots()[1]
        ax.set_yscale("log")
        ax.set_ylim(2, 4)
        by_size.bands(ax, [(look, [1.0, 2.0], [None, (low, high)]), (look, [], [])])
        assert ax.get_ylim() == limits


def test_theory_stands_beside_means_where_it_says_anything(
    short: sluice.Results, mixed: sluice.Results
) -> None:
    expected = [found["completion"] for found in short.summary["analytic"]["by_size"]]
    assert ys(plot.completion(short), "theory: PS") == expected
    for ax in (
        plot.completion(short, figure="p99"),
        plot.slowdown(short),
        plot.completion(mixed),
    ):
        assert "theory: PS" not in [line.get_label() for line in ax.get_lines()]


def test_what_did_not_finish_is_said(short: sluice.Results) -> None:
    unfinished = short.of("tcp")["unfinished"]
    assert unfinished > 0
    for ax in (plot.completion(short), plot.slowdown(short), plot.cdf(short)):
        line(ax, f"TCP ({unfinished} unfinished)")


@pytest.mark.parametrize(
    "of, column, unit", [("slowdown", "slowdown", 1), ("completion", "completion_ns", 1e9)]
)
def test_a_distribution_is_that_of_the_flows(
    of: str, column: str, unit: float, mixed: sluice.Results
) -> None:
    ax = plot.cdf(mixed, of, sizes=(5_000, 50_000), protocol="rcp")
    flows = mixed.flows("rcp").to_pandas()
    kept = flows[flows.measured & flows.size_bytes.ge(5_000) & flows.size_bytes.lt(50_000)]
    values = numpy.sort(kept[column].dropna()) / unit
    assert len(values) > 20
    assert xs(ax, "RCP")[1:] == pytest.approx(values)
    assert ys(ax, "RCP")[0] == 0 and ys(ax, "RCP")[-1] == 1
    median = numpy.interp(0.5, ys(ax, "RCP"), xs(ax, "RCP"))
    assert median == pytest.approx(numpy.median(values), rel=0.05)


def test_a_distribution_of_many_flows_has_few_points(
    monkeypatch: pytest.MonkeyPatch, mixed: sluice.Results
) -> None:
    whole = plot.cdf(mixed, protocol="tcp")
    monkeypatch.setattr(distribution, "POINTS", 50)
    few = plot.cdf(mixed, protocol="tcp")
    assert len(xs(few, "TCP")) == 51 < len(xs(whole, "TCP"))
    known = set(zip(xs(whole, "TCP"), ys(whole, "TCP"), strict=True))
    assert set(zip(xs(few, "TCP"), ys(few, "TCP"), strict=True)) <= known
    assert xs(few, "TCP")[-1] == xs(whole, "TCP")[-1]


def test_a_queue_is_what_was_sampled(long: sluice.Results) -> None:
    rows = long.series("tcp").where(quantity="queue_bytes")
    ax = plot.queue(long, link=["left", "right"], protocol="tcp")
    assert ys(ax, "TCP") == list(rows["value"])
    assert xs(ax, "TCP") == pytest.approx(list(rows["time_ns"] / 1e9))
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("time (s)", "queue (kB)")
    assert "40" in ticks(ax, "y")
    # Packets have 1000 bytes.
    ax = plot.queue(long, unit="packets", link="left>right", protocol="tcp")
    assert ys(ax, "TCP") == pytest.approx(list(rows["value"] / 1000))
    assert ax.get_ylabel() == "queue (packets)"


def test_only_protocols_with_the_quantity_are_drawn(long: sluice.Results) -> None:
    assert [line.get_label() for line in plot.series(long, "R").get_lines()] == ["RCP"]
    assert plot.series(long, "phi").get_ylabel() == "aggregate feedback, $\\phi$ (kB/s)"
    assert plot.series(long, "d0").get_ylabel() == "mean round-trip time, $d_0$ (ms)"


def test_the_first_seed_is_drawn_unless_another_is_named(mixed: sluice.Results) -> None:
    first, second = mixed.seeds
    drawn = {seed: ys(plot.queue(mixed, protocol="rcp", seed=seed), "RCP") for seed in mixed.seeds}
    assert drawn[first] != drawn[second]
    assert ys(plot.queue(mixed, protocol="rcp"), "RCP") == drawn[first]


def test_flows_of_a_protocol_are_shades_of_its_colour(long: sluice.Results) -> None:
    ax = plot.cwnd(long, protocol="tcp")
    colours = [line(ax, f"TCP long {index}").get_color() for index in (0, 1)]
    assert colours[0] == style.looks(["tcp"])["tcp"].colour
    assert sum(matplotlib.colors.to_rgb(colours[1])) > sum(matplotlib.colors.to_rgb(colours[0]))
    rows = long.series("tcp").where(quantity="cwnd", index=1)
    assert ys(ax, "TCP long 1") == list(rows["value"])


def test_senders_that_were_traced_will_do(mixed: sluice.Results, tmp_path: Path) -> None:
    scenario = sluice.Scenario.load(mixed.folder / "scenario.toml").set({"metrics": []})
    traced = sluice.run(scenario, out=tmp_path, progress=False)
    rows = traced.senders("tcp", 1).where(index=1)
    ax = plot.cwnd(traced, protocol="tcp", seed=1)
    assert ys(ax, "TCP long 1") == list(rows["cwnd_packets"])
    rates = plot.rate(traced, flow=("long", 0), protocol="rcp")
    assert max(ys(rates, "RCP")) == max(traced.senders("rcp", 1).where(index=0)["rate_bps"])


def test_a_sequence_plot_shows_what_was_lost_and_sent_again(mixed: sluice.Results) -> None:
    ax = plot.sequence(mixed, "long", 0, protocol="tcp", seed=1)
    packets = mixed.packets("tcp", 1).where(group="long", index=0)
    dropped = packets.where(event="drop")
    assert len(dropped) > 0
    drawn = {line.get_marker(): line for line in ax.get_lines() if len(line.get_xdata())}
    assert list(drawn["x"].get_ydata()) == list(dropped["seq"])
    again, first = drawn["o"], drawn["."]
    assert set(again.get_ydata()) <= set(first.get_ydata())
    assert len(set(first.get_ydata())) == len(first.get_ydata())
    # A flow's record counts to the stop; a packet may be on its way to the link then.
    counted = mixed.flows("tcp", 1).where(group="long", index=0)["retransmissions"][0]
    assert abs(numpy.sum(again.get_xdata() < 4.0) - counted) <= 1
    labels = [text.get_text() for text in ax.get_legend().get_texts()]
    assert labels == ["acknowledged", "data", "sent again", "lost"]
    acknowledged = next(line for line in ax.get_lines() if line.get_drawstyle() == "steps-post")
    assert all(numpy.diff(acknowledged.get_ydata()) >= 0)


def test_a_sequence_plot_needs_only_metrics(long: sluice.Results) -> None:
    ax = plot.sequence(long, "long", 1)
    labels = [text.get_text() for text in ax.get_legend().get_texts()]
    assert labels == ["RCP", "XCP", "TCP", "acknowledged", "sent up to"]
    rows = long.series("xcp").where(quantity="sequence_packets", index=1)
    assert any(list(line.get_ydata()) == list(rows["value"]) for line in ax.get_lines())


def test_flows_converge_to_the_fair_share(long: sluice.Results) -> None:
    ax = plot.convergence(long, protocol="xcp")
    # A packet has no header here: 10 Mb/s are shared by one flow, then by two.
    assert ys(ax, "fair share")[0] == 10e6 and ys(ax, "fair share")[-1] == 5e6
    assert ax.get_ylabel() == "throughput (Mb/s)"
    for index in (0, 1):
        late = [
            y
            for x, y in zip(xs(ax, f"XCP long {index}"), ys(ax, f"XCP long {index}"), strict=True)
            if x > 6
        ]
        assert numpy.mean(late) == pytest.approx(5e6, rel=0.1)
    # What was acknowledged in the whole run is what the samples end with.
    rows = long.series("xcp").where(quantity="acked_packets", index=0)
    total = numpy.nansum(ys(ax, "XCP long 0")) * 0.04 / 8000
    assert total == pytest.approx(rows["value"][-1], abs=1e-6)
    # A flow is not drawn before it starts.
    before = [y for x, y in zip(xs(ax, "XCP long 1"), ys(ax, "XCP long 1"), strict=True) if x < 1]
    assert before and all(map(math.isnan, before))


def test_windows_are_means_of_samples(long: sluice.Results) -> None:
    fine = plot.convergence(long, protocol="tcp")
    coarse = plot.convergence(long, protocol="tcp", window=0.4)
    whole = len(xs(coarse, "TCP long 0")) * 10
    means = numpy.reshape(ys(fine, "TCP long 0")[:whole], (-1, 10)).mean(axis=1)
    assert ys(coarse, "TCP long 0") == pytest.approx(list(means))


def test_no_fair_share_is_claimed_that_is_not_known(mixed: sluice.Results) -> None:
    labels = [line.get_label() for line in plot.convergence(mixed, protocol="rcp").get_lines()]
    assert labels == ["RCP long 0", "RCP long 1"]


def test_fairness_is_jains_index_of_the_throughputs(long: sluice.Results) -> None:
    rates = plot.convergence(long, protocol="tcp", window=0.2)
    a, b = numpy.array(ys(rates, "TCP long 0")), numpy.array(ys(rates, "TCP long 1"))
    ax = plot.fairness(long, window=0.2)
    numpy.testing.assert_allclose(ys(ax, "TCP"), (a + b) ** 2 / (2 * (a**2 + b**2)))
    known = [y for y in ys(ax, "XCP") if not math.isnan(y)]
    assert all(0.5 <= y <= 1.0 + 1e-12 for y in known) and known[-1] > 0.98


def test_a_phase_portrait_goes_from_start_to_end(long: sluice.Results) -> None:
    ax = plot.phase(long, "queue_bytes", "R")
    rows = long.series("rcp")
    queue, rate = (rows.where(quantity=name)["value"] for name in ("queue_bytes", "R"))
    assert xs(ax, "RCP") == list(queue) and ys(ax, "RCP") == list(rate)
    marks = {line.get_marker(): line for line in ax.get_lines() if len(line.get_xdata()) == 1}
    assert (marks["o"].get_xdata()[0], marks["o"].get_ydata()[0]) == (queue[0], rate[0])
    assert (marks["s"].get_xdata()[0], marks["s"].get_ydata()[0]) == (queue[-1], rate[-1])


def test_a_sweep_is_drawn_over_numbers_with_their_unit(swept: sluice.Frame) -> None:
    rows = swept.where(load=0.3)
    ax = plot.sweep(rows, BUFFER, "completion_mean")
    assert xs(ax, "RCP") == [0.01, 0.1]
    assert ax.get_xlabel() == f"{BUFFER} (ms)" and "100" in ticks(ax, "x")
    whole = rows.where(protocol="rcp").to_pandas().query("size_from.isna()").set_index(BUFFER)
    assert ys(ax, "RCP") == [whole.completion_mean["10 ms"], whole.completion_mean["100 ms"]]


def test_a_sweep_has_bands_of_protocols_only(swept: sluice.Frame) -> None:
    rows = swept.where(**{BUFFER: "100 ms"})
    assert len(plot.sweep(rows, "load", "completion_p50").collections) == 2
    assert len(plot.sweep(rows, "load", "drops").collections) == 0


def test_a_sweep_can_be_of_some_sizes(swept: sluice.Frame) -> None:
    rows = swept.where(**{BUFFER: "100 ms"})
    ax = plot.sweep(rows, "load", "slowdown_mean", sizes=(1_000, 10_000))
    expected = rows.where(protocol="tcp", size_from=1_000)["slowdown_mean"]
    assert ys(ax, "TCP") == list(expected)


def test_values_that_are_no_numbers_stand_side_by_side(swept: sluice.Frame) -> None:
    rows = swept.where(load=0.3)
    named = rows.arrow.set_column(
        rows.columns.index(BUFFER),
        BUFFER,
        [["drop_tail" if value == "100 ms" else "red" for value in rows[BUFFER]]],
    )
    ax = plot.sweep(sluice.Frame(named), BUFFER, "drops")
    assert ticks(ax, "x") == ["drop_tail", "red"]


def test_a_protocol_has_one_colour_and_marker_everywhere(
    mixed: sluice.Results, long: sluice.Results, swept: sluice.Frame
) -> None:
    drawn = [
        plot.completion(mixed),
        plot.completion(mixed, protocol="tcp"),
        plot.cdf(mixed),
        plot.queue(long),
        plot.sweep(swept.where(load=0.3), BUFFER),
    ]
    assert len({line(ax, "TCP").get_color() for ax in drawn}) == 1
    assert line(drawn[0], "TCP").get_marker() == line(drawn[-1], "TCP").get_marker()


def test_every_look_differs_from_the_others() -> None:
    looks = style.looks([*style.PROTOCOLS, *(f"law {number}" for number in range(20))])
    pairs = {(look.colour, look.marker) for look in looks.values()}
    assert len(pairs) == len(looks)
    lines = {(look.colour, look.dashes) for look in style.looks(style.PROTOCOLS).values()}
    assert len(lines) == len(style.PROTOCOLS), "lines without markers look the same"
    ideals = style.looks(style.IDEALS).values()
    assert len({look.dashes for look in ideals}) == len(style.IDEALS)
    assert {look.marker for look in ideals} == {None}


def test_a_measured_protocol_has_the_colour_of_its_simulation() -> None:
    looks = style.looks(["rcp", "rcp@linux", "mine", "mine@linux"])
    simulated, measured = looks["rcp"], looks["rcp@linux"]
    assert (measured.title, simulated.title) == ("RCP on Linux", "RCP")
    assert (measured.colour, measured.marker) == (simulated.colour, simulated.marker)
    assert measured.dashes != simulated.dashes
    # A law of one's own is not measured.
    assert looks["mine@linux"].title == "mine@linux"
    assert looks["mine"].colour != looks["mine@linux"].colour


def test_every_protocol_and_ideal_there_is_has_a_look_of_its_own() -> None:
    assert list(style.PROTOCOLS) == sluice.names("protocol")
    assert list(style.IDEALS) == sluice.names("ideal")


def test_a_law_of_ones_own_leaves_the_known_colours_alone() -> None:
    for known in (["rcp"], list(style.PROTOCOLS[:6]), ["bbr1", "dctcp", "tcp"]):
        looks = style.looks(["mine", *known, "another", "max_min"])
        assert {name: looks[name] for name in known} == style.looks(known)
        assert looks["mine"].title == "mine"
        colours = {looks[name].colour for name in known}
        own = {looks["mine"].colour, looks["another"].colour}
        assert len(own) == 2 and not own & colours


@pytest.mark.parametrize(
    "low, high, unit, expected",
    [
        (1e3, 1e8, "B", ["1 kB", "10 kB", "100 kB", "1 MB", "10 MB", "100 MB"]),
        (0.02, 0.7, "s", ["20 ms", "50 ms", "100 ms", "200 ms", "500 ms"]),
        (1.0, 8.0, "", ["1", "2", "5"]),
    ],
)
def test_ticks_of_decades_say_their_unit(
    low: float, high: float, unit: str, expected: list[str]
) -> None:
    ax = pyplot.subplots()[1]
    ax.set_xlim(low, high)
    scales.logarithmic(ax, "x", "what", unit)
    assert ticks(ax, "x") == expected


@pytest.mark.parametrize(
    "text, expected",
    [
        ("2.5 MB", (2.5e6, "B")),
        ("64KiB", (65536.0, "B")),
        ("7 us", (7e-6, "s")),
        ("1e3 kbps", (1e6, "b/s")),
        ("25 packets", (25.0, "packets")),
        ("1 packet", (1.0, "packets")),
        ("0.1 BDP", (0.1, "bdp")),
        ("1.5 Mbit/s", (1.5e6, "b/s")),
        ("10 MB/s", (80e6, "b/s")),
        ("1.2.3", None),
        ("3 wishes", None),
        (3, (3.0, "")),
        ("r1", None),
        (True, None),
        ("", None),
    ],
)
def test_numbers_are_read_with_their_units(text: object, expected: object) -> None:
    assert scales.number(text) == expected


def test_a_notebook_gets_a_picture(mixed: sluice.Results, long: sluice.Results) -> None:
    picture = plot.inline(mixed)
    assert picture.startswith("<img ") and "data:image/svg+xml;base64," in picture
    assert picture == plot.inline(mixed)
    assert pyplot.get_fignums() == []
    # No flow of these has an end.
    assert plot.inline(long) == ""


WRONG: dict[str, tuple[Callable[[sluice.Results], object], str]] = {
    "protocol": (
        lambda r: plot.completion(r, protocol="rpc"),
        "no run of 'rpc'; there are rcp, tcp",
    ),
    "no protocol": (
        lambda r: plot.completion(r, protocol=[]),
        "`protocol` is empty; there are rcp, tcp",
    ),
    "one of several": (lambda r: plot.queue(r, protocol=["rcp", "x"]), "no run of 'x'"),
    "figure": (lambda r: plot.slowdown(r, figure="p98"), "'p98' is not one of mean, p50"),
    "distribution": (
        lambda r: plot.cdf(r, "size"),
        "`of`: 'size' is not one of slowdown",
    ),
    "sizes": (lambda r: plot.cdf(r, sizes=(1, 2)), "no measured flow of 1 to 2 bytes finished"),
    "seed": (lambda r: plot.queue(r, seed=9), r"no run with seed 9; there are \[1, 2\]"),
    "link": (lambda r: plot.queue(r, link=("a", "b")), "no 'queue_bytes' of 'a>b'.*'left>right'"),
    "unit": (lambda r: plot.queue(r, unit="bits"), "`unit`: 'bits' is not one of bytes, packets"),
    "flow": (
        lambda r: plot.cwnd(r, flow=("long", 7)),
        r"no 'cwnd' of \('long', 7\).*\('long', 0\)",
    ),
    "quantity": (lambda r: plot.series(r, "Z"), "no 'Z' was sampled; rcp has queue_bytes, load, R"),
    "which protocol": (
        lambda r: plot.convergence(r),
        "results of rcp, tcp: choose one with `protocol=`",
    ),
    "group": (lambda r: plot.sequence(r, "w"), r"no 'acked_packets' of \('w', 0\).*\('long', 0\)"),
    "phase": (lambda r: plot.phase(r, "R", "T"), "no 'T' was sampled"),
}


@pytest.mark.parametrize("what", WRONG)
def test_a_wrong_name_is_an_error_that_lists_the_known_ones(
    what: str, mixed: sluice.Results
) -> None:
    draw, message = WRONG[what]
    with pytest.raises(ValueError, match=message):
        draw(mixed)
    # Nothing half drawn is left behind.
    assert pyplot.get_fignums() == []


def test_flows_without_metrics_are_an_error_with_the_lines_to_add(short: sluice.Results) -> None:
    lines = r'\[\[metrics\]\]\nflow = \{ group = "web", index = 0 \}\nevery = "10 ms"'
    for draw in (plot.rate, plot.fairness, lambda r: plot.sequence(r, "web")):
        with pytest.raises(ValueError, match=lines):
            draw(short)


def test_links_without_a_probe_are_an_error_with_the_lines_to_add(
    web: sluice.Scenario, tmp_path: Path
) -> None:
    unsampled = sluice.run(web.set({"metrics": []}), out=tmp_path, progress=False)
    lines = r'\[\[metrics\]\]\nlink = \["left", "right"\]'
    with pytest.raises(ValueError, match=f"nothing was sampled.*\n{lines}"):
        plot.queue(unsampled)


def test_what_is_no_results_is_an_error() -> None:
    draws = (plot.completion, plot.cdf, plot.queue, plot.rate, plot.fairness, plot.convergence)
    for draw in (*draws, plot.phase, plot.cwnd, lambda r: plot.sequence(r, "web")):
        with pytest.raises(TypeError, match="`results`: expected sluice.Results, not a str"):
            draw("results/web")


def test_no_finished_flow_is_an_error(long: sluice.Results) -> None:
    for draw in (plot.completion, plot.slowdown, plot.cdf):
        with pytest.raises(ValueError, match="no measured flow finished"):
            draw(long)


def test_a_sweep_of_more_than_one_field_asks_for_a_choice(swept: sluice.Frame) -> None:
    with pytest.raises(ValueError, match=f"'{BUFFER}' was swept as well"):
        plot.sweep(swept, "load")
    with pytest.raises(ValueError, match="no column 'lod'; there are load"):
        plot.sweep(swept, "lod")
    with pytest.raises(ValueError, match=r"no flows of sizes \(1, 2\); there are \(1000, 10000\)"):
        plot.sweep(swept.where(load=0.3), BUFFER, sizes=(1, 2))


@pytest.mark.parametrize(
    ("draw", "error", "said"),
    [
        (lambda r: plot.series(r, "R", flow=3), TypeError, r"`flow`: expected \(group, index\)"),
        (lambda r: plot.rate(r, flow=("long", 7)), ValueError, r"\('long', 7\) was sampled"),
        (lambda r: plot.series(r, "R", link=("left",)), TypeError, "`link`: expected its ends"),
        (lambda r: plot.series(r, 3), TypeError, "`quantity`: expected a text, not 3"),
        (lambda r: plot.fairness(r, window=-1), ValueError, "`window` must be .* above 0, not -1"),
        (lambda r: plot.fairness(r, window="1 s"), TypeError, "`window`: expected a number"),
        (lambda r: plot.cdf(r, sizes=3), TypeError, r"`sizes`: expected \(from, to\) in bytes"),
        (lambda r: plot.cdf(r, sizes=(9, 1)), ValueError, "the first below the second"),
        (lambda r: plot.completion(r, protocol=3), TypeError, "`protocol`: expected a list, not 3"),
        (lambda r: plot.completion(r, ax=3), TypeError, "`ax`: expected axes of matplotlib, not 3"),
        (lambda r: plot.sequence(r, 3), TypeError, "`group`: expected a text, not 3"),
        (lambda r: plot.sweep(r, "load"), TypeError, "`swept`: expected a sluice.Sweep"),
    ],
)
def test_wrong_arguments_are_named(
    draw: Callable[[sluice.Results], Axes],
    error: type[Exception],
    said: str,
    mixed: sluice.Results,
) -> None:
    with pytest.raises(error, match=said):
        draw(mixed)


def test_a_network_has_the_utilization_of_each_direction(mixed: sluice.Results) -> None:
    ax = plot.network(mixed, protocol="tcp")
    rows = mixed.links("tcp").to_pandas()
    means = rows.groupby(["from", "to"])["utilization"].mean()
    drawn = [len(lines.get_segments()) for lines in ax.collections]
    legend = ax.get_legend()
    assert legend is not None
    ranges = [text.get_text() for text in legend.get_texts()]
    assert ranges == ["0–10 %", "10–30 %", "30–50 %", "50–70 %", "70–90 %", "90–100 %"]
    for i, (least, end) in enumerate(itertools.pairwise([0, 0.1, 0.3, 0.5, 0.7, 0.9, 2])):
        assert drawn[i] == sum(least <= value < end for value in means), i
    assert sum(drawn) == len(means)
    names = {text.get_text() for text in ax.texts}
    assert names == set(rows["from"]) | set(rows["to"])
    with pytest.raises(ValueError, match="choose one with `protocol=`"):
        plot.network(mixed)
