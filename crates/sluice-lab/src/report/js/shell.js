// What all pages share: the header, warnings, the legend, and colours of the screen and of paper.

/** Fills a page: what is common, then what `fill` adds. */
function start(about, fill) {
  const page = JSON.parse(at("data").textContent);
  page.systems.forEach((system, number) => (system.number = number));
  at("name").textContent = page.name;
  at("about").textContent = about(page);
  at("footer").textContent = `Sluice ${page.build}.`;
  at("keys").textContent = "Drag across a chart to zoom, double-click to reset; on the keyboard, focus a chart and use the arrow keys, + and −, Escape.";
  warnings(page);
  legend(page);
  fill(page);
  followColours();
  // Elements added beside a chart after it was drawn have narrowed its box.
  for (const chart of charts) chart.fit();
  document.documentElement.dataset.ready = "";
}

/** Headings of warnings by severity, the gravest first. */
const SEVERITIES = { bias: "Results are biased", uncertainty: "Results are uncertain", remark: "Remarks" };

function warnings(page) {
  for (const [severity, heading] of Object.entries(SEVERITIES)) {
    const texts = page.warnings.filter((warning) => warning.severity === severity).map(({ text }) => text);
    if (texts.length === 0) continue;
    const items = texts.map((text) => element("li", {}, ...marked(text)));
    at("warnings").append(
      element("div", { class: `warning ${severity}` }, element("h2", {}, heading), element("ul", {}, ...items)),
    );
  }
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

/** Repaints canvases in the colours of the screen or of paper. */
function followColours() {
  const paint = () => charts.forEach((chart) => chart.draw());
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", paint);
  const paper = document.documentElement;
  addEventListener("beforeprint", () => {
    paper.dataset.print = "";
    for (const details of document.querySelectorAll("details.printed")) details.open = true;
    paint();
    for (const { plot } of charts) plot.setSize(ON_PAPER);
  });
  addEventListener("afterprint", () => {
    delete paper.dataset.print;
    paint();
  });
}

/** Hides the rows of hidden systems. */
function hideRows() {
  for (const row of document.querySelectorAll("[data-system]")) {
    row.hidden = hidden.has(Number(row.dataset.system));
  }
}
