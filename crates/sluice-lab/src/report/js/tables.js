// Tables of results.

/** A table with a row for each system; the legend hides rows, too. */
function systemTable(head, systems, cells) {
  const rows = systems.map((system) => ({
    attributes: { "data-system": system.number, class: system.kind },
    cells: [element("span", { class: "name", title: system.about }, swatch(system), system.title), ...cells(system)],
  }));
  return table(head, rows, { class: "systems" });
}

/** An estimate with its interval below it. */
function estimate([value, low, high], unit) {
  const shown = show(value, unit);
  if (low === null || high === null) return shown;
  return element("span", {}, shown, element("small", {}, range(low, high, unit)));
}

/** Unfinished flows, with their share: they are missing from completion times. */
function unfinishedFlows({ flows, unfinished }) {
  if (unfinished === 0) return "0";
  return element("strong", { class: "biased" }, `${count(unfinished)} (${show(unfinished / (flows + unfinished), "%")})`);
}

/** The measured mean, and below it what models predict, with what to doubt as a tooltip. */
function completionMean({ completion, estimate: found }) {
  const measured = estimate(completion.mean, "s");
  if (!found) return measured;
  const doubtful = found.doubts.length > 0;
  const title = ["Mean by formulas, without packets.", ...found.doubts].join("\n");
  const predicted = element("small", { title }, `est. ${show(found.mean, "s")}${doubtful ? " (?)" : ""}`);
  return element("span", {}, measured, predicted);
}

/** Columns of the table of totals: heading, value of a system's totals, and whether it is shown. */
const TOTALS = [
  ["flows finished", ({ flows }) => count(flows)],
  ["unfinished", unfinishedFlows],
  ["completion mean", completionMean, ({ flows }) => flows],
  ["completion median", ({ completion }) => estimate(completion.p50, "s"), ({ flows }) => flows],
  ["completion p99", ({ completion }) => estimate(completion.p99, "s"), ({ flows }) => flows],
  ["slowdown mean", ({ slowdown }) => estimate(slowdown.mean, ""), ({ flows }) => flows],
  ["slowdown p99", ({ slowdown }) => estimate(slowdown.p99, ""), ({ flows }) => flows],
  ["utilization", ({ utilization }) => show(utilization, "%")],
  ["mean queue", ({ mean_queue }) => show(mean_queue, "B")],
  ["p99 queue", ({ p99_queue }) => show(p99_queue, "B")],
  ["bottleneck drops", ({ bottleneck_drops }) => count(bottleneck_drops)],
  ["drops, all links", ({ drops }) => count(drops)],
  ["resent", ({ retransmissions }) => count(retransmissions)],
];

function totals(page) {
  const ran = page.systems.filter((system) => system.totals);
  const host = at("totals");
  if (ran.length === 0) {
    host.append(empty("No run finished."));
    return;
  }
  const columns = TOTALS.filter(([, , used]) => !used || ran.some((system) => used(system.totals)));
  const cells = (system) => columns.map(([, value]) => value(system.totals));
  host.append(systemTable(["", ...columns.map(([name]) => name)], ran, cells));
}

function links(page) {
  const host = at("links");
  if (page.links.length === 0) {
    host.append(empty("No run finished."));
    return;
  }
  const ran = page.systems.filter(({ number }) => page.links.some(({ systems }) => systems[number]));
  let of = 0;
  const fill = () => {
    const link = page.links[of];
    const cells = ({ number, ...system }) => {
      const use = link.systems[number];
      if (!use) return ["–", "–", "–", "–", "–"];
      return [usage(use.utilization, system), show(use.mean_queue, "B"), show(use.p99_queue, "B"), count(use.drops), count(use.marks)];
    };
    const made = systemTable(["", "utilization", "mean queue", "p99 queue", "dropped (mean over runs)", "marked (mean over runs)"], ran, cells);
    host.replaceChildren(made);
    hideRows();
  };
  const name = (link) => `${link.name} (${show(link.capacity, "bit/s")})`;
  const select = choice("Link", page.links.map(name), (number) => {
    of = number;
    fill();
  });
  host.before(element("div", { class: "controls" }, select));
  if (page.links_left_out) host.after(note(`${page.links_left_out} links with lower utilization are omitted.`));
  fill();
}

function usage(part, system) {
  const bar = element("i", {});
  bar.style.width = `${Math.min(part, 1) * 100}%`;
  bar.style.background = `var(${colourOf(system)})`;
  return element("span", {}, show(part, "%"), element("span", { class: "bar" }, bar));
}
