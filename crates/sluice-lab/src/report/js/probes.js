// Links and flows over time.

function probes(page) {
  const host = at("probes");
  if (page.probes.length === 0) {
    host.append(
      empty('Nothing was watched over time. A `[[probe]]` in the scenario does that, e.g. `link = ["a", "b"]` with `every = "10 ms"`.'),
    );
    return;
  }
  const draw = (number) => {
    for (const chart of charts.filter(({ spec }) => spec.group === "time")) discard(chart);
    host.replaceChildren();
    page.probes[number].quantities.forEach((quantity) => new Chart(host, timeSpec(page, quantity)));
  };
  if (page.probes.length > 1) {
    at("probe-controls").append(choice("Watched:", page.probes.map(({ name }) => name), draw));
  } else {
    at("probe-controls").append(note(page.probes[0].name));
  }
  draw(0);
  const thinned = page.probes.some(({ quantities }) => quantities.some((quantity) => quantity.thinned));
  const left = page.probes_left_out ? ` ${page.probes_left_out} more were watched; their files have them.` : "";
  host.after(
    note(
      `The run with seed ${page.probes[0].seed}.${thinned ? " Where samples are dense, the least and the greatest of each interval are drawn." : ""}${left}`,
    ),
  );
}

function timeSpec(page, { title, unit, times, values }) {
  const lines = page.systems.filter(({ number }) => values[number]?.length).map((system) => ({ system, ys: values[system.number] }));
  return {
    title,
    x: { label: "time", unit: "s" },
    y: { label: "", unit },
    xs: times,
    lines,
    group: "time",
    heading: (i) => `at ${show(times[i], "s")}`,
    text: ({ ys }, i) => show(ys[i], unit),
  };
}

function discard(chart) {
  chart.resize.disconnect();
  chart.plot.destroy();
  charts.splice(charts.indexOf(chart), 1);
}
