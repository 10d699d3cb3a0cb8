// What was found in figures.

/** A table with a row for each system, which the legend hides too. */
function systemTable(head, systems, cells) {
  const rows = systems.map((system) => ({
    attributes: { "data-system": system.number, class: system.kind },
    cells: [element("span", { class: "name", title: system.about }, swatch(system), system.title), ...cells(system)],
  }));
  return table(head, rows);
}

/** A value with its interval below it. */
function figure([value, low, high], unit) {
  const shown = show(value, unit);
  if (low === null || high === null) return shown;
  return element("span", {}, shown, element("small", {}, range(low, high, unit)));
}

/** Columns of the table of totals: heading, and what a system's totals have there. */
const TOTALS = [
  ["flows finished", ({ flows }) => count(flows)],
  ["unfinished", ({ unfinished }) => count(unfinished)],
  ["completion mean", ({ completion }) => figure(completion.mean, "s"), ({ flows }) => flows],
  ["completion median", ({ completion }) => figure(completion.p50, "s"), ({ flows }) => flows],
  ["completion p99", ({ completion }) => figure(completion.p99, "s"), ({ flows }) => flows],
  ["slowdown mean", ({ slowdown }) => figure(slowdown.mean, ""), ({ flows }) => flows],
  ["slowdown p99", ({ slowdown }) => figure(slowdown.p99, ""), ({ flows }) => flows],
  ["link used", ({ utilization }) => show(utilization, "%")],
  ["queue mean", ({ mean_queue }) => show(mean_queue, "B")],
  ["queue p99", ({ p99_queue }) => show(p99_queue, "B")],
  ["dropped", ({ drops }) => count(drops)],
  ["resent", ({ retransmissions }) => count(retransmissions)],
];

function totals(page) {
  const ran = page.systems.filter((system) => system.totals);
  const host = at("totals");
  if (ran.length === 0) {
    host.append(empty("No run went to its end."));
    return;
  }
  const columns = TOTALS.filter(([, , used]) => !used || ran.some((system) => used(system.totals)));
  const cells = (system) => columns.map(([, value]) => value(system.totals));
  host.append(systemTable(["", ...columns.map(([name]) => name)], ran, cells));
}

function links(page) {
  const host = at("links");
  if (page.links.length === 0) {
    host.append(empty("No run went to its end."));
    return;
  }
  const ran = page.systems.filter(({ number }) => page.links.some(({ systems }) => systems[number]));
  let of = 0;
  const fill = () => {
    const link = page.links[of];
    const cells = ({ number, ...system }) => {
      const use = link.systems[number];
      if (!use) return ["–", "–", "–", "–"];
      return [usage(use.utilization, system), show(use.mean_queue, "B"), show(use.p99_queue, "B"), count(use.drops)];
    };
    const made = systemTable(["", "used", "mean queue", "99th percentile", "dropped, mean of runs"], ran, cells);
    host.replaceChildren(made);
    hideRows();
  };
  const name = (link) => `${link.name} (${show(link.capacity, "bit/s")})`;
  const select = choice("Link", page.links.map(name), (number) => {
    of = number;
    fill();
  });
  host.before(element("div", { class: "controls" }, select));
  if (page.links_left_out) host.after(note(`${page.links_left_out} links that carried less are left out.`));
  fill();
}

function usage(part, system) {
  const bar = element("i", {});
  bar.style.width = `${Math.min(part, 1) * 100}%`;
  bar.style.background = `var(${look(system).colour})`;
  return element("span", {}, show(part, "%"), element("span", { class: "bar" }, bar));
}

function hideRows() {
  for (const row of document.querySelectorAll("[data-system]")) {
    row.hidden = hidden.has(Number(row.dataset.system));
  }
}
