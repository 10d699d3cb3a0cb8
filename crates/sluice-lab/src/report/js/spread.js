// The distribution of slowdowns, and a sample of flows.

const SLOWDOWN_AXIS = { label: "slowdown (1 = alone on an idle path)", unit: "", log: true, floor: 1 };

function slowdowns(page) {
  const { at: xs, classes } = page.slowdowns;
  if (!classes.length) return;
  let [of, tail] = [0, false];
  const spec = () => {
    const { label, flows, above } = classes[of];
    const share = (number, i) => above[number][i] / flows[number];
    const lines = page.systems
      .filter(({ number }) => flows[number] > 0)
      .map((system) => ({
        system,
        ys: xs.map((_, i) => {
          const slower = share(system.number, i);
          return tail ? slower || null : 1 - slower;
        }),
      }));
    return {
      title: tail ? `Complementary distribution of slowdown, ${label}` : `Distribution of slowdown, ${label}`,
      x: SLOWDOWN_AXIS,
      y: { label: tail ? "flows above" : "flows at or below", unit: "%", log: tail },
      xs,
      lines,
      heading: (i) => `slowdown ${show(xs[i], "")}`,
      text: ({ system }, i) => {
        const slower = share(system.number, i);
        return tail ? `${show(slower, "%")} above` : `${show(1 - slower, "%")} at or below`;
      },
    };
  };
  const chart = new Chart(at("slowdowns"), spec());
  at("slowdowns-controls").append(
    choice("Flow size", classes.map(({ label }) => label), (number) => {
      of = number;
      chart.show(spec());
    }),
    choice("Show", ["distribution (CDF)", "tail (CCDF)"], (number) => {
      tail = number === 1;
      chart.show(spec());
    }),
  );
}

function sample(page) {
  const { size: xs, group, index, seed, alone, slowdown, groups, quota } = page.sample;
  if (!xs.length) return;
  const lines = page.systems
    .filter(({ number }) => slowdown[number]?.some((value) => value !== null))
    .map((system) => ({ system, ys: slowdown[system.number] }));
  new Chart(at("sample"), {
    title: "Sample of flows",
    x: SIZE_AXIS,
    y: { ...SLOWDOWN_AXIS, label: "slowdown" },
    xs,
    lines,
    scatter: true,
    heading: (i) => `flow ${index[i]} of ${groups[group[i]]}, seed ${seed[i]}: ${show(xs[i], "B")}, alone ${show(alone[i], "s")}`,
    text: ({ ys }, i) => `${show(ys[i], "")} × alone = ${show(ys[i] * alone[i], "s")}`,
  });
  at("sample-controls").append(
    note(`At most ${quota} flows per size bin, chosen by a hash of their names: the same flows under every system.`),
  );
}
