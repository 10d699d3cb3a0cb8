#!/usr/bin/env python3
"""Tests the page of `sluice report` in a browser.

It draws, it fetches nothing, and the pointer, the keyboard, the legend, dark mode, paper and a
narrow window work.

Needs Chromium or Chrome and says loudly where there is none; with SLUICE_BROWSER=must that is an
error. Standard library only.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

import browser

ROOT = Path(__file__).resolve().parent.parent

#: All that a page can show: replications, ideals, long flows, watched links and flows.
FULL = """
schema = 1
protocols = ["rcp", "xcp", "tcp"]
replications = 2
warm_up = "500 ms"
stop = "4 s"
limit = "30 s"

[topology.dumbbell]
pairs = 2
capacity = "20 Mbps"
rtt = ["20 ms", "60 ms"]

[[group]]
name = "web"
pairs = "each"
poisson = { load = 0.5, sizes = { pareto = { mean = "30 packets", shape = 1.35 } } }

[[group]]
name = "long"
from = "s0"
to = "d0"
long = { count = 2, spacing = "100 ms", stop = "3 s" }

[[group]]
name = "stream"
from = "s1"
to = "d1"
udp = { rate = "1 Mbps", size = "1000 B" }

[[metrics]]
link = ["left", "right"]
every = "10 ms"

[[metrics]]
flow = { group = "long", index = 1 }
every = "10 ms"
"""

#: What formulas have an estimate of.
ESTIMATED = """
schema = 1
protocols = ["rcp", "tcp"]
warm_up = "1 s"
stop = "6 s"

[topology.dumbbell]
capacity = "20 Mbps"
rtt = "40 ms"

[[group]]
name = "web"
from = "s0"
to = "d0"
poisson = { load = 0.5, sizes = { pareto = { mean = "30 packets", shape = 1.4 } } }
"""

#: As little as there can be: one protocol, no flow that finishes, nothing watched.
BARE = """
schema = 1
protocols = ["tcp"]
ideals = []
stop = "1 s"

[topology.dumbbell]
capacity = "10 Mbps"
rtt = "20 ms"

[[group]]
name = "long"
from = "s0"
to = "d0"
long = { count = 1 }
"""

#: Overloaded and short: flows are left, the load is not reached, and intervals are wide.
DOUBTFUL = FULL.replace('limit = "30 s"', 'limit = "4 s"').replace("load = 0.5", "load = 1.2")

#: What each canvas shows, to compare.
CANVASES = "[...document.querySelectorAll('.chart canvas')].map((canvas) => canvas.toDataURL())"
#: How many pixels of a chart are of a colour that `--c...` names.
PAINTED = """(() => {{
    const canvas = document.querySelectorAll(".chart canvas")[{chart}];
    const copy = document.createElement("canvas");
    [copy.width, copy.height] = [canvas.width, canvas.height];
    const context = copy.getContext("2d", {{ willReadFrequently: true }});
    context.drawImage(canvas, 0, 0);
    const paint = context.getImageData(0, 0, copy.width, copy.height).data;
    const hex = getComputedStyle(document.documentElement).getPropertyValue("{colour}").trim();
    const wanted = [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16));
    let found = 0;
    for (let i = 0; i < paint.length; i += 4)
      found += wanted.every((part, k) => paint[i + k] === part);
    return found;
}})()"""


def sluice(*arguments: object) -> None:
    cargo = [os.environ.get("CARGO", "cargo"), "run", "--locked", "-q", "-p", "sluice-cli", "--"]
    command = [os.environ["SLUICE"]] if "SLUICE" in os.environ else cargo
    done = subprocess.run(
        [*command, *map(str, arguments)], cwd=ROOT, capture_output=True, text=True
    )
    if done.returncode != 0:
        sys.exit(done.stderr)


class Page(unittest.TestCase):
    """One page in one window."""

    scenario = ""
    #: The command that makes the results, and its options.
    command: tuple[str, ...] = ("run",)

    @classmethod
    def setUpClass(cls) -> None:
        temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(temporary.cleanup)
        folder = Path(temporary.name)
        (folder / "page.toml").write_text(cls.scenario, encoding="utf-8")
        command, *options = cls.command
        sluice(command, folder / "page.toml", *options, "--out", folder / "results", "--quiet")
        sluice("report", folder / "results", "--out", folder / "page.html")
        cls.page = folder / "page.html"
        cls.window = browser.Browser(browser.find())
        cls.addClassCleanup(cls.window.close)

    def setUp(self) -> None:
        self.window.resize(1280, 900)
        self.window.dark(False)
        self.seconds = self.window.open(self.page)

    def tearDown(self) -> None:
        self.assertEqual(self.window.complaints(), [])
        self.assertEqual(self.window.requests(), [self.page.as_uri()])

    def text(self, selector: str) -> str:
        return self.window.evaluate(
            f"document.querySelector({json.dumps(selector)})?.innerText ?? ''"
        )

    def count(self, selector: str) -> int:
        return self.window.evaluate(f"document.querySelectorAll({json.dumps(selector)}).length")

    def data(self) -> dict:
        return self.window.evaluate("JSON.parse(document.getElementById('data').textContent)")

    def hover(self, plot: str, part: float) -> str:
        """Points at a part of a chart's width; what the tooltip says."""
        # A slow browser may still show what was pointed at before.
        self.window.move(2, 2)
        self.wait_until(lambda: not self.text(".tip:not([hidden])"))
        left, top, width, height = self.window.place(f"{plot} .u-over")
        self.window.move(left + part * width, top + 0.3 * height)
        self.wait_until(lambda: self.text(f"{plot} .tip:not([hidden])"))
        return self.text(f"{plot} .tip:not([hidden])")

    def wait_until(self, happened) -> None:
        """Gives a busy browser ten seconds; what it shows then is what the test judges."""
        end = time.monotonic() + 10
        while not happened() and time.monotonic() < end:
            time.sleep(0.02)


class Full(Page):
    scenario = FULL

    def test_it_is_there_at_once(self) -> None:
        self.assertLess(self.seconds, 2)
        fills = (
            "[...document.querySelectorAll('.chart')].map((box) => "
            "box.querySelector('canvas').clientWidth - box.clientWidth)"
        )
        self.assertEqual(
            set(self.window.evaluate(fills)), {0}, "a chart is not as wide as its place"
        )

    def test_every_chart_draws_every_system(self) -> None:
        # Two by size, distribution, sample, fairness, and over time at least queue, load and R.
        self.assertGreaterEqual(self.count(".chart canvas"), 8)
        for chart, wanted in [(0, "012"), (1, "012"), (2, "012"), (4, "012"), (5, "012")]:
            for protocol, colour in enumerate(["--c0", "--c1", "--c3"]):
                if str(protocol) in wanted:
                    found = self.window.evaluate(PAINTED.format(chart=chart, colour=colour))
                    self.assertGreater(found, 20, f"chart {chart} under protocol {protocol}")

    def test_the_policy_lets_nothing_be_fetched(self) -> None:
        fetched = "fetch('data:,hello').then(() => 'fetched', () => 'refused')"
        self.assertEqual(self.window.evaluate(fetched), "refused")
        self.assertTrue(any("Content Security Policy" in text for text in self.window.complaints()))
        self.window.events.clear()
        self.window.open(self.page)

    def test_the_legend_acts_on_all_charts(self) -> None:
        before = self.window.evaluate(CANVASES)
        self.window.click("#legend button", 0)
        hidden = self.window.evaluate(CANVASES)
        # Charts over time that XCP's router or TCP's host alone fills have no RCP.
        with_rcp = [
            i
            for i in range(len(before))
            if self.window.evaluate(PAINTED.format(chart=i, colour="--c0"))
        ]
        self.assertEqual(with_rcp, [], "RCP is still drawn")
        changed = [a != b for a, b in zip(before[:7], hidden[:7], strict=True)]
        self.assertTrue(all(changed), "a chart did not change")
        self.assertEqual(self.count("tr[data-system='0']:not([hidden])"), 0)
        self.assertNotIn("RCP", self.hover("#by-size", 0.5))
        self.window.click("#legend button", 0)
        self.window.evaluate("document.activeElement.blur()")
        self.window.move(2, 2)
        self.assertEqual(self.window.evaluate(CANVASES), before)

    def test_the_legend_takes_keys(self) -> None:
        self.window.evaluate("document.querySelectorAll('#legend button')[1].focus()")
        self.window.key("Enter")
        pressed = (
            "[...document.querySelectorAll('#legend button[aria-pressed]')]"
            ".map((b) => b.ariaPressed)"
        )
        self.assertEqual(self.window.evaluate(pressed)[:3], ["true", "false", "true"])

    def test_pointing_shows_the_values_of_the_data(self) -> None:
        tip = self.hover("#by-size", 0.6)
        size = next(
            bin
            for bin in self.data()["sizes"]
            if f"{bin['systems'][0]['flows']} flow" in tip.replace("\u202f", "")
        )
        # Times here are all between 20 ms and 10 s: three figures of them.
        figures = f"{size['systems'][0]['completion']['mean'][0] * 1000:.3g}".rstrip("0").rstrip(
            "."
        )
        row = next(line for line in tip.split("\n") if line.startswith("RCP") or "\tRCP" in line)
        shown = row.split("\t")[-1].split()
        scale = {"ms": 1, "s": 1000}[shown[1]]
        self.assertAlmostEqual(
            float(shown[0]) * scale, float(figures), delta=float(figures) * 0.006
        )
        for system in ["XCP", "TCP", "ideal: max-min"]:
            self.assertIn(system, tip)

    def test_a_flow_of_the_sample_is_shown_under_all(self) -> None:
        left, top, width, height = self.window.place("#sample .u-over")
        points = [
            (left + width * x / 40, top + height * y / 20)
            for x in range(8, 40)
            for y in range(10, 20)
        ]
        for point in points:
            self.window.move(*point)
            if tip := self.text("#sample .tip:not([hidden])"):
                break
        self.assertRegex(tip, r"flow \d+ of web")
        self.assertIn("× alone", tip)

    def test_dragging_zooms_and_a_double_click_zooms_out(self) -> None:
        first = self.hover("#by-size", 0.02)
        self.assertEqual(self.text("#by-size figcaption button:not([hidden])"), "")
        left, top, width, height = self.window.place("#by-size .u-over")
        y = top + height / 2
        self.window.drag((left + 0.5 * width, y), (left + 0.9 * width, y))
        self.assertEqual(self.text("#by-size figcaption button:not([hidden])"), "Reset zoom")
        zoomed = self.hover("#by-size", 0.02)
        self.assertNotEqual(first.split("\n")[0], zoomed.split("\n")[0])
        self.window.pointer("mousePressed", left + 50, y, 2, held=True)
        self.window.pointer("mouseReleased", left + 50, y, 2)
        self.window.settle()
        self.assertEqual(self.hover("#by-size", 0.02), first)
        self.assertEqual(self.text("#by-size figcaption button:not([hidden])"), "")

    def test_charts_over_time_zoom_together(self) -> None:
        left, top, width, _ = self.window.place("#metrics .u-over")
        self.window.drag((left + 0.2 * width, top + 50), (left + 0.4 * width, top + 60))
        shown = self.count("#metrics figcaption button:not([hidden])")
        self.assertEqual(shown, self.count("#metrics .chart"))

    def test_keys_show_values_and_zoom(self) -> None:
        self.window.evaluate("document.querySelector('#by-size .chart').focus()")
        self.window.key("ArrowRight")
        first = self.text("#by-size .tip:not([hidden])")
        self.window.key("ArrowRight")
        self.assertNotEqual(first, "")
        self.assertNotEqual(self.text("#by-size .tip:not([hidden])"), first)
        self.window.key("+")
        self.assertEqual(self.text("#by-size figcaption button:not([hidden])"), "Reset zoom")
        self.window.key("Escape")
        self.assertEqual(self.text("#by-size figcaption button:not([hidden])"), "")

    def test_choices_change_what_is_drawn(self) -> None:
        for selector in [
            "#by-size-controls select",
            "#slowdowns-controls select",
            "#metrics-controls select",
        ]:
            before = self.window.evaluate(CANVASES)
            self.window.evaluate(f"document.querySelector({json.dumps(selector)}).focus()")
            self.window.key("ArrowDown")
            self.assertNotEqual(self.window.evaluate(CANVASES), before, selector)

    def test_values_can_be_read_as_a_table(self) -> None:
        self.window.click("#by-size summary")
        rows = self.count("#by-size details[open] tbody tr")
        self.assertEqual(rows, len(self.data()["sizes"]))

    def test_dark_is_drawn_in_other_colours(self) -> None:
        light = self.window.evaluate(CANVASES)
        self.window.dark(True)
        self.window.settle()
        dark = self.window.evaluate(CANVASES)
        self.assertTrue(all(a != b for a, b in zip(light, dark, strict=True)))
        self.assertEqual(
            self.window.evaluate("getComputedStyle(document.body).backgroundColor"),
            "rgb(21, 27, 35)",
        )

    def test_paper_is_light_and_the_screen_comes_back(self) -> None:
        self.window.dark(True)
        self.window.settle()
        before = self.window.evaluate(CANVASES)
        self.window.evaluate(
            "addEventListener('beforeprint', () => (window.printed = ["
            "getComputedStyle(document.body).backgroundColor, "
            f"{PAINTED.format(chart=0, colour='--c0')}]))"
        )
        paper = self.window.print()
        self.assertTrue(paper.startswith(b"%PDF"))
        self.assertIn(paper.count(b"/Type /Page\n"), [3, 4])
        colour, painted = self.window.evaluate("window.printed")
        self.assertEqual(colour, "rgb(255, 255, 255)")
        self.assertGreater(painted, 20)
        self.window.settle()
        self.assertEqual(self.window.evaluate(CANVASES), before)

    def test_a_narrow_window_needs_no_scrolling_aside(self) -> None:
        self.window.resize(380, 800)
        self.window.settle()
        self.assertLessEqual(self.window.evaluate("document.documentElement.scrollWidth"), 380)
        # One chart beside the other would be too small.
        self.assertGreater(
            self.window.evaluate("document.querySelector('.chart canvas').width"), 300
        )

    def test_a_narrow_window_shows_every_column(self) -> None:
        self.window.resize(400, 800)
        self.window.settle()
        self.assertGreater(self.count("#totals td"), 50)
        cut = "[...document.querySelectorAll('.systems td')].filter((cell) =>"
        cut += " cell.getBoundingClientRect().right > 400 || cell.scrollWidth > cell.clientWidth)"
        self.assertEqual(self.window.evaluate(f"{cut}.length"), 0)
        # Without the head of the table, each value has its name.
        self.assertEqual(
            self.window.evaluate(
                "getComputedStyle(document.querySelector('#totals td'), '::before').content"
            ),
            '"flows finished"',
        )

    def test_paper_has_the_choices_as_text_and_no_menus(self) -> None:
        visible = "[...document.querySelectorAll({!r})].filter((e) => e.checkVisibility()).length"
        self.assertEqual(self.window.evaluate(visible.format(".chosen")), 0)
        self.window.evaluate("document.querySelector('#by-size-controls select').focus()")
        self.window.key("ArrowDown")
        self.window.paper(True)
        self.addCleanup(self.window.paper, False)
        self.assertEqual(self.window.evaluate(visible.format("select")), 0)
        self.assertEqual(self.text("#by-size-controls .chosen"), "median")

    def test_the_scenario_is_there(self) -> None:
        self.window.click("main > section:last-child summary")
        self.assertIn('capacity = "20 Mbps"', self.text("#scenario"))

    def test_the_network_shows_what_each_direction_of_a_link_did(self) -> None:
        drawing = self.data()["network"]["drawing"]
        self.assertEqual(self.count("#network .way"), len(drawing["links"]))
        self.assertEqual(self.count("#network rect") + self.count("#network circle"), 6)
        names = [node["name"] for node in drawing["nodes"]]
        link = next(
            link
            for link in drawing["links"]
            if (names[link["from"]], names[link["to"]]) == ("left", "right")
        )
        for system, menu in enumerate(["RCP", "XCP"]):
            self.assertEqual(
                self.window.evaluate(
                    "document.querySelector('#network-controls select').selectedOptions[0].text"
                ),
                menu,
            )
            self.window.evaluate("document.querySelector('#network .network').focus()")
            self.window.key("ArrowRight")
            tip = self.text("#network .tip:not([hidden])")
            self.assertTrue(tip.startswith("left → right"), tip)
            figures = f"{100 * link['systems'][system][2]:.3g}"
            self.assertIn(figures, tip)
            for word in ["20.0\u00a0Mb/s", "delay", "p99 queue", "dropped", "marked"]:
                self.assertIn(word, tip)
            self.window.evaluate("document.querySelector('#network-controls select').focus()")
            self.window.key("ArrowDown")

    def test_pointing_at_half_a_link_shows_its_direction(self) -> None:
        self.window.evaluate("document.querySelector('#network').scrollIntoView()")
        left, top, width, height = self.window.place("#network .network svg")
        for part, name in [(0.45, "left → right"), (0.55, "right → left")]:
            self.window.move(left + part * width, top + height / 2)
            self.wait_until(lambda name=name: name in self.text("#network .tip:not([hidden])"))
            self.assertIn(name, self.text("#network .tip:not([hidden])"))

    def test_datagrams_are_apart_from_flows(self) -> None:
        group = next(group for group in self.data()["groups"] if group["name"] == "stream")
        found = group["streams"][0]
        shown = self.text("#datagrams")
        self.assertIn("stream", shown)
        self.assertAlmostEqual(found["offered"], 1e6, delta=2e4)
        self.assertIn(f"{found['offered'] / 1e3:.0f}\u00a0kb/s", shown)
        # Ideals have no packets.
        self.assertEqual(self.count("#datagrams tbody tr"), 3)

    def test_ratios_to_ideals_are_shown_by_class(self) -> None:
        every = self.data()["ratios"]
        references = [found["reference"] for found in every]
        self.assertEqual(references, ["ideal: max-min", "ideal: SRPT"])
        compared = [cells for found in every for cells in found["systems"] if cells]
        self.assertEqual(self.count("#ratios tbody tr"), len(compared))
        heads, shown = self.text("#ratios thead"), self.text("#ratios")
        for label, flows in zip(every[0]["classes"], every[0]["flows"], strict=True):
            self.assertIn(f"{label} ({flows})", heads)
        for cells in compared:
            bound = "≥ " if cells[0]["unfinished"] else ""
            self.assertIn(f"{bound}{cells[0]['ratio'][0]:.2f}", shown)


class Estimated(Page):
    scenario = ESTIMATED

    def test_estimates_stand_beside_measured_means(self) -> None:
        rows = self.text("#totals tbody")
        systems = self.data()["systems"]
        estimated = [one for one in systems if one["totals"] and one["totals"]["estimate"]]
        self.assertEqual(rows.count("est. "), len(estimated))
        for system in systems[:2]:
            found = system["totals"]["estimate"]
            self.assertGreater(found["mean"], 0)
            self.assertEqual(len(found["by_size"]), len(self.data()["sizes"]))
            self.assertTrue(any(found["by_size"]))
        self.assertIn("Thin dashed lines", self.text("body"))

    def test_the_mean_alone_has_a_line_of_the_estimate(self) -> None:
        self.window.evaluate("document.querySelector('#by-size details').open = true")
        self.wait_until(lambda: self.count("#by-size details table"))
        self.assertIn("RCP, estimated", self.text("#by-size details thead"))
        self.assertNotIn("ideal: max-min, estimated", self.text("#by-size details thead"))
        self.window.evaluate(
            "(() => { const select = document.querySelector('#by-size-controls select');"
            " select.selectedIndex = 2; select.dispatchEvent(new Event('change')); })()"
        )
        self.wait_until(lambda: "estimated" not in self.text("#by-size details thead"))
        self.assertNotIn("estimated", self.text("#by-size details thead"))


class Bare(Page):
    scenario = BARE

    def test_missing_results_are_stated(self) -> None:
        notes = [
            self.window.evaluate(f"document.querySelectorAll('.empty')[{i}].innerText")
            for i in range(2)
        ]
        self.assertIn("No measured flow finished", notes[0])
        self.assertIn("No metrics were sampled", notes[1])
        self.assertFalse(
            self.window.evaluate("document.querySelector('#spread').checkVisibility()")
        )
        self.assertEqual(self.count(".chart"), 0)
        self.assertIn("TCP", self.text("#totals"))
        self.assertFalse(
            self.window.evaluate("document.querySelector('#datagrams-section').checkVisibility()")
        )
        self.assertFalse(
            self.window.evaluate("document.querySelector('#ratios-section').checkVisibility()")
        )


class Doubtful(Page):
    scenario = DOUBTFUL

    def test_biased_results_are_stated_first(self) -> None:
        headings = self.window.evaluate(
            "[...document.querySelectorAll('.warning h2')].map((heading) => heading.innerText)"
        )
        self.assertEqual(headings[:2], ["Results are biased", "Results are uncertain"])
        self.assertIn("unfinished", self.text(".warning.bias"))
        self.assertIn("infinite variance", self.text(".warning.uncertainty"))

    def test_unfinished_flows_stand_out_in_the_table(self) -> None:
        totals = self.data()["systems"][0]["totals"]
        self.assertGreater(totals["unfinished"], 0)
        share = 100 * totals["unfinished"] / (totals["unfinished"] + totals["flows"])
        shown = self.text("#totals .biased")
        self.assertIn(f"{totals['unfinished']} (", shown)
        self.assertAlmostEqual(float(shown.split("(")[1].split()[0]), share, delta=share / 50)


class Sweep(Page):
    scenario = DOUBTFUL.replace("load = 1.2", 'load = "$load"') + "[variables]\nload = 0.5\n"
    command = ("sweep", "--vary", "load=0.3,0.9", "--vary", "topology.dumbbell.buffer=0.1bdp,1bdp")

    def choose(self, menu: int, option: str) -> None:
        """Chooses an option of a menu by its text, with the keyboard."""
        menus = f"document.querySelectorAll('#controls select')[{menu}]"
        self.window.evaluate(f"{menus}.focus()")
        for _ in range(30):
            if self.window.evaluate(f"{menus}.selectedOptions[0].text") == option:
                return
            self.window.key("ArrowDown")
        self.fail(f"no option {option}")

    def value(self, measure: str, values: list[int], size: int, system: int) -> list:
        """The estimate that the page has for a measure at a point."""
        data = self.data()
        number = [found["name"] for found in data["measures"]].index(measure)
        point = next(point for point in data["points"] if point["values"] == values)
        return point["found"][number][size][system][0]

    def test_a_chart_has_a_measure_over_a_field(self) -> None:
        self.assertEqual(self.text("#charts figcaption span"), "Completion time, mean, all sizes")
        tip = self.hover("#charts", 0.05)
        self.assertTrue(tip.startswith("load = 0.3, topology.dumbbell.buffer = 0.1bdp"), tip)
        seconds = self.value("completion_mean", [0, 0], 0, 0)[0]
        self.assertRegex(tip, rf"RCP\s+{seconds * 1000:.3g}")

    def test_doubtful_points_give_their_reasons(self) -> None:
        tip = self.hover("#charts", 0.95)
        self.assertIn("unfinished", tip)
        self.assertIn("no confidence interval", tip)
        self.window.click("#doubts summary")
        self.assertIn("flows unfinished", self.text("#doubts table"))

    def test_menus_choose_the_measure_the_field_the_sizes_and_other_values(self) -> None:
        self.choose(0, "slowdown, 99th percentile")
        self.choose(1, "topology.dumbbell.buffer")
        self.choose(3, "0.9")
        tip = self.hover("#charts", 0.95)
        self.assertTrue(tip.startswith("load = 0.9, topology.dumbbell.buffer = 1bdp"), tip)
        self.choose(2, "each size")
        self.assertEqual(self.count("#charts .chart"), len(self.data()["sizes"]))
        self.choose(0, "utilization")
        self.assertEqual(self.count("#charts .chart"), 1)
        used = self.value("utilization", [1, 1], 0, 2)[0]
        self.assertRegex(self.hover("#charts", 0.95), rf"TCP\s+{100 * used:.3g}")

    def test_a_narrow_window_needs_no_scrolling_aside(self) -> None:
        self.window.resize(400, 800)
        self.window.settle()
        self.assertLessEqual(self.window.evaluate("document.documentElement.scrollWidth"), 400)


def main() -> None:
    if browser.find() is None:
        print(
            "SKIPPED: the page is not tested: there is no Chromium (Debian's package: chromium)",
            file=sys.stderr,
        )
        sys.exit(int(os.environ.get("SLUICE_BROWSER") == "must"))
    unittest.main()


if __name__ == "__main__":
    main()
