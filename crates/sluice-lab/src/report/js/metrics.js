// Links and flows over time.

function metrics(page) {
  const host = at("metrics");
  if (page.metrics.length === 0) {
    host.append(
      empty('No metrics were sampled. Add `[[metrics]]` to the scenario, e.g. with `link = ["a", "b"]` and `every = "10 ms"`.'),
    );
    return;
  }
  const draw = (number) => {
    for (const chart of charts.filter(({ spec }) => spec.group === "time")) discard(chart);
    host.replaceChildren();
    page.metrics[number].quantities.forEach((quantity) => new Chart(host, timeSpec(page, quantity)));
  };
  if (page.metrics.length > 1) {
    at("metrics-controls").append(choice("Metrics of", page.metrics.map(({ name }) => name), draw));
  } else {
    at("metrics-controls").append(note(page.metrics[0].name));
  }
  draw(0);
  const thinned = page.metrics.some(({ quantities }) => quantities.some((quantity) => quantity.thinned));
  const left = page.metrics_left_out ? ` ${page.metrics_left_out} more series are omitted; see series.parquet of each run.` : "";
  host.after(
    note(
      `Run with seed ${page.metrics[0].seed}.${thinned ? " Dense samples are drawn as the minimum and the maximum of each interval." : ""}${left}`,
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
