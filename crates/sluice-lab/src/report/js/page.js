// Puts the page together.

function main() {
  const page = JSON.parse(at("data").textContent);
  page.systems.forEach((system, number) => (system.number = number));
  at("name").textContent = page.name;
  at("about").textContent = about(page);
  at("warnings").append(...page.warnings.map(({ text }) => element("p", { class: "warning" }, ...marked(text))));
  at("scenario").textContent = page.scenario;
  at("footer").textContent = `Sluice ${page.build}. Drag across a chart to zoom, double-click to zoom out; with the keyboard, go to a chart and use arrow keys, + and −, Escape.`;
  legend(page);
  totals(page);
  curves(page);
  slowdowns(page);
  sample(page);
  jain(page);
  metrics(page);
  links(page);
  followColours();
  // A chart was drawn as wide as its place was then; what came beside it took some of that.
  for (const chart of charts) chart.fit();
  document.documentElement.dataset.ready = "";
}

function about(page) {
  const first = page.systems.find(({ totals }) => totals);
  if (!first) return "";
  const load = first.totals.offered / page.bottleneck_capacity;
  const brought = first.totals.offered > 0 ? `; flows brought ${show(first.totals.offered, "bit/s")}, ${show(load, "%")} of it` : "";
  const runs = first.runs === 1 ? "one run each" : `${first.runs} runs each`;
  const name = page.links.length > 0 ? `${page.links[0].name}, a` : "A";
  const others = page.links_that_limit > 1 ? `; ${page.links_that_limit - 1} more limit flows` : "";
  return `${name} link of ${show(page.bottleneck_capacity, "bit/s")}${brought}${others}; ${runs}.`;
}

function legend(page) {
  const buttons = page.systems.map((system) =>
    element(
      "button",
      { type: "button", "aria-pressed": "true", title: system.about, "data-name": system.name, onclick: () => toggle(system) },
      swatch(system),
      system.title,
    ),
  );
  const toggle = ({ number }) => {
    if (!hidden.delete(number)) hidden.add(number);
    update();
  };
  const all = element("button", { type: "button", class: "gap", onclick: () => (hidden.clear(), update()) }, "Show all");
  const update = () => {
    buttons.forEach((button, number) => button.setAttribute("aria-pressed", String(!hidden.has(number))));
    all.disabled = hidden.size === 0;
    for (const chart of charts) chart.setVisible();
    hideRows();
  };
  all.disabled = true;
  at("legend").append(...buttons, all);
}

/** Colours of the screen or of paper: canvases must be painted anew. */
function followColours() {
  const paint = () => charts.forEach((chart) => chart.draw());
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", paint);
  const paper = document.documentElement;
  addEventListener("beforeprint", () => {
    paper.dataset.print = "";
    at("scenario").closest("details").open = true;
    paint();
    // As wide as a page of A4.
    for (const { plot } of charts) plot.setSize({ width: 660, height: 230 });
  });
  addEventListener("afterprint", () => {
    delete paper.dataset.print;
    paint();
  });
}

main();
