// Completion time, slowdown and fairness by flow size.

const STATISTICS = [
  ["mean", "mean"],
  ["p50", "median"],
  ["p99", "99th percentile"],
];

const SIZE_AXIS = { label: "flow size", unit: "B", log: true };

/** What models predict, as thin dashed lines in the colours of the systems. */
function estimatedLines(page) {
  const estimated = page.systems.filter(({ kind, totals }) => kind === "protocol" && totals?.estimate);
  return estimated.map((system) => {
    const ys = system.totals.estimate.by_size;
    const look = { ...system.look, dash: [4, 4], marker: null };
    return { system: { ...system, title: `${system.title}, estimated`, look }, isThin: true, ys, found: ys.map((y) => [y, null, null]) };
  });
}

/** Lines over sizes; `value` maps the point of a size to `[value, low, high]`. */
function sizeLines(page, value) {
  const lines = page.systems.map((system) => {
    const found = page.sizes.map(({ systems }) => systems[system.number] && value(systems[system.number]));
    return {
      system,
      found,
      ys: found.map((estimate) => estimate?.[0] ?? null),
      intervals: found.map((estimate) => (estimate && estimate[1] !== null && estimate[2] !== null ? [estimate[1], estimate[2]] : null)),
    };
  });
  return lines.filter(({ ys }) => ys.some((y) => y !== null));
}

function sizeSpec(page, title, y, value, further = []) {
  const flows = (number) => (number ? `, ${count(number)} flow${number === 1 ? "" : "s"}` : "");
  const of = ({ system }, i) => page.sizes[i].systems[system.number]?.flows;
  /** The number of flows finished, if it is the same under all systems. */
  const common = (i) => {
    const counts = new Set(lines.map((line) => of(line, i)).filter(Boolean));
    return counts.size === 1 ? [...counts][0] : 0;
  };
  const lines = sizeLines(page, value);
  const shown = lines.length > 0 ? [...lines, ...further] : lines;
  return {
    title,
    x: SIZE_AXIS,
    y,
    xs: page.sizes.map(({ mean }) => mean),
    lines: shown,
    heading: (i) => `${range(page.sizes[i].from, page.sizes[i].to, "B")}${flows(common(i))}`,
    text: (line, i) => withInterval(line.found[i], y.unit) + (common(i) || line.isThin ? "" : flows(of(line, i))),
    asTable: true,
  };
}

function curves(page) {
  const host = at("by-size");
  if (page.sizes.length === 0) {
    host.append(empty("No measured flow finished, so there are no results by size."));
    at("spread").hidden = true;
    return;
  }
  const specs = ([key, name]) => [
    sizeSpec(page, `Completion time, ${name}`, { label: "completion time", unit: "s", log: true }, (point) => point.completion[key], key === "mean" ? estimatedLines(page) : []),
    sizeSpec(page, `Slowdown, ${name} (1 = alone on an idle path)`, { label: "slowdown", unit: "", log: true, floor: 1 }, (point) => point.slowdown[key]),
  ];
  const drawn = specs(STATISTICS[0]).map((spec) => new Chart(host, spec));
  const select = choice("Statistic", STATISTICS.map(([, name]) => name), (number) =>
    specs(STATISTICS[number]).forEach((spec, i) => drawn[i].show(spec)),
  );
  at("by-size-controls").append(select);
  host.after(note(aboutIntervals(page)));
}

function aboutIntervals(page) {
  const sure = `${Math.round(page.confidence * 100)} %`;
  const most = Math.max(...page.systems.map(({ runs }) => runs));
  const bars =
    most > 1
      ? `Bars are ${sure} confidence intervals over ${most} runs (Student's t).`
      : `Single run: bars are ${sure} confidence intervals of the median and the 99th percentile (assuming independent flows); means have none.`;
  const ideal = page.systems.some(isIdeal) ? " Ideals are fluid models that share links perfectly: a bound for protocols." : "";
  const estimated = estimatedLines(page).length > 0 ? " Thin dashed lines are means by formulas, without packets, one for each decade of sizes." : "";
  return `Four size bins per decade. ${bars}${ideal}${estimated}`;
}

function jain(page) {
  const spec = sizeSpec(
    page,
    "Jain's index of 1/slowdown within a size bin (1 = all equal)",
    { label: "Jain's index", unit: "" },
    (point) => [point.jain, null, null],
  );
  if (spec.lines.length > 0) new Chart(at("jain"), spec);
  const long = page.systems.filter(({ totals }) => totals?.long_flows > 0);
  const host = at("groups");
  if (long.length > 0) {
    host.append(
      element("h3", {}, "Long flows"),
      systemTable(["", "flows (all runs)", "Jain's index of throughputs"], long, ({ totals }) => [
        count(totals.long_flows),
        totals.jain === null ? "–" : totals.jain.toFixed(4),
      ]),
    );
  }
  const ran = page.systems.filter(({ totals }) => totals);
  if (page.groups.length > 0 && ran.length > 0) {
    const head = ["", ...page.groups.map(({ name }) => name)];
    host.append(element("h3", {}, "Throughput by group"));
    host.append(systemTable(head, ran, ({ number }) => page.groups.map(({ throughput }) => show(throughput[number], "bit/s"))));
  }
}
