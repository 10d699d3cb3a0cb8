// The network, with the utilization of each direction of each link under one system.

/** The widths of links in CSS pixels: by class, so that colour is not the only difference. */
const WIDTHS = [1.5, 2, 2.7, 3.4, 4.2, 5];
/** Half the size of switches and of hosts in CSS pixels. */
const SIZES = { switch: 6, host: 4.5 };
/** Room around the drawing for labels, and the largest height. */
const ROOM = { x: 46, y: 24, height: 430 };
/** Most rows in the table of a network that is too large to draw. */
const BUSIEST = 20;

function network(page) {
  const host = at("network");
  const { drawing, nodes, links } = page.network;
  const ran = page.systems.filter((_, number) => page.links.some(({ systems }) => systems[number]));
  if (ran.length === 0) {
    host.append(empty("No run finished."));
    return;
  }
  const size = `${count(nodes)} nodes, ${count(links)} links (each direction counted)`;
  const shown = drawing ? new NetworkChart(host, drawing, ran[0]) : new BusiestLinks(host, page, size, ran[0]);
  at("network-controls").append(choice("Under", ran.map(({ title }) => title), (number) => shown.show(ran[number])));
  if (drawing?.nodes.some(({ hosts }) => hosts > 1)) {
    host.append(note(`${size}. The hosts of a switch are drawn as one node, whose link shows the busiest of theirs in each direction.`));
  }
}

/** In place of a drawing, a table of the busiest links. */
class BusiestLinks {
  constructor(host, page, size, system) {
    this.links = page.links;
    this.host = element("div", { class: "scroll" });
    host.append(note(`${size}: too large to draw. The busiest links:`), this.host);
    this.show(system);
  }

  show({ number }) {
    const used = this.links.filter(({ systems }) => systems[number]);
    used.sort((a, b) => b.systems[number].utilization - a.systems[number].utilization);
    const rows = used.slice(0, BUSIEST).map(({ name, capacity, systems }) => {
      const { utilization, mean_queue, p99_queue, drops, marks } = systems[number];
      const values = [utilization, mean_queue, p99_queue, drops, marks];
      return { cells: [name, show(capacity, "bit/s"), ...formatted(USE, values)] };
    });
    this.host.replaceChildren(table(["link", "capacity", ...namesOf(USE)], rows));
  }
}

/** What a link did: headings and formats. */
const USE = [
  ["utilization", (value) => show(value, "%")],
  ["mean queue", (value) => show(value, "B")],
  ["p99 queue", (value) => show(value, "B")],
  ["dropped", count],
  ["marked", count],
];

/** What a link is and did, in the order of the data of a drawing. */
const FIGURES = [["capacity", (value) => show(value, "bit/s")], ["delay", (value) => show(value, "s")], ...USE];

function namesOf(figures) {
  return figures.map(([name]) => name);
}

function formatted(figures, values) {
  return figures.map(([, format], i) => format(values[i]));
}

/** The drawing, its legend, the values under the pointer or by key, and all of them as a table. */
class NetworkChart {
  constructor(host, drawing, system) {
    this.drawing = drawing;
    this.tip = element("div", { class: "tip", hidden: true, role: "status" });
    this.box = element("div", {
      class: "network",
      tabindex: "0",
      role: "group",
      onkeydown: (event) => this.key(event),
      onblur: () => this.leave(),
      onpointermove: (event) => this.point(event),
      onpointerleave: () => this.leave(),
    });
    this.table = element("details", { ontoggle: () => this.fillTable() }, element("summary", {}, "Values"));
    host.append(element("figure", {}, utilizationLegend(drawing.classes), this.box, this.table));
    new ResizeObserver(() => this.box.clientWidth !== this.width && this.draw()).observe(this.box);
    this.show(system);
  }

  /** Shows utilization under a system. */
  show(system) {
    this.system = system;
    const used = this.drawing.links.filter(({ systems }) => systems[system.number]);
    this.byUse = used.sort((a, b) => this.utilization(b) - this.utilization(a));
    this.box.setAttribute(
      "aria-label",
      `Utilization of links under ${system.title}. Arrow keys show links, the busiest first.`,
    );
    this.draw();
    this.fillTable();
  }

  used({ systems }) {
    return systems[this.system.number];
  }

  utilization(link) {
    const [, , utilization] = this.used(link);
    return utilization;
  }

  /** The class of colours of a link. */
  levelOf(link) {
    return this.drawing.classes.findLastIndex((least) => this.utilization(link) >= least);
  }

  draw() {
    const { nodes, links, height } = this.drawing;
    this.width = this.box.clientWidth;
    const scale = Math.min(Math.max(this.width - 2 * ROOM.x, 100), ROOM.height / Math.max(height, 0.01));
    const tall = height * scale + 2 * ROOM.y;
    const left = (this.width - scale) / 2;
    this.places = nodes.map(({ x, y }) => [left + x * scale, ROOM.y + y * scale]);
    this.sizes = sizesOf(nodes, this.places);
    const ways = new Set(links.map(({ from, to }) => `${from} ${to}`));
    // The busiest last, so that they lie on top.
    this.lines = new Map([...this.byUse].reverse().map((link) => [link, this.line(link, ways.has(`${link.to} ${link.from}`))]));
    const parts = nodes.map((node, number) => symbol(node, this.places[number], this.sizes[number]));
    const titles = labels(this.labelled(), this.width, tall);
    this.picture = svg(
      "svg",
      { viewBox: `0 0 ${this.width} ${tall}`, width: this.width, height: tall, "aria-hidden": "true" },
      ...this.lines.values(),
      ...parts,
      ...titles,
    );
    this.box.replaceChildren(this.picture, this.tip);
    this.leave();
  }

  /** A direction of a link: the half at its start if the other half shows the way back. */
  line(link, half) {
    const [from, to] = [this.places[link.from], this.places[link.to]];
    const end = half ? middleOf(from, to) : to;
    const level = this.levelOf(link);
    const ends = { x1: from[0], y1: from[1], x2: end[0], y2: end[1] };
    const shown = svg("line", { ...ends, class: `level${level}`, "stroke-width": WIDTHS[level] });
    const near = svg("line", { ...ends, class: "near" });
    const made = svg("g", { class: "way" }, shown, near);
    made.link = link;
    return made;
  }

  /** Nodes for labels: switches first, then hosts. */
  labelled() {
    const { nodes, links } = this.drawing;
    const ways = nodes.map(() => []);
    for (const { from, to } of links) {
      const [[x, y], [toX, toY]] = [this.places[from], this.places[to]];
      const length = Math.hypot(toX - x, toY - y) || 1;
      for (const [node, sign] of [[from, 1], [to, -1]]) {
        ways[node].push([(sign * (toX - x)) / length, (sign * (toY - y)) / length]);
      }
    }
    return nodes
      .map((node, number) => {
        const [x, y] = this.places[number];
        return { ...node, x, y, size: this.sizes[number], ways: ways[number] };
      })
      .sort((a, b) => a.is_host - b.is_host);
  }

  // --- values under the pointer and by key

  point({ target, clientX, clientY }) {
    const { link } = target.closest?.(".way") ?? {};
    if (!link) return this.leave();
    const { left, top } = this.box.getBoundingClientRect();
    this.showTip(link, clientX - left, clientY - top);
  }

  key(event) {
    const steps = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };
    if (event.key === "Escape") this.leave();
    const step = steps[event.key];
    if (!step || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const old = this.byUse.indexOf(this.near);
    const link = this.byUse[old < 0 ? 0 : Math.min(Math.max(old + step, 0), this.byUse.length - 1)];
    const [x, y] = middleOf(this.places[link.from], this.places[link.to]);
    this.showTip(link, x, y);
  }

  showTip(link, x, y) {
    this.leave();
    this.near = link;
    this.lines.get(link).classList.add("chosen-way");
    const values = formatted(FIGURES, this.used(link));
    const rows = namesOf(FIGURES).map((name, i) => element("tr", {}, element("td", {}, name), element("td", {}, values[i])));
    this.tip.replaceChildren(element("b", {}, this.name(link)), element("table", {}, element("tbody", {}, ...rows)));
    this.tip.hidden = false;
    const room = [this.width - this.tip.offsetWidth, this.box.clientHeight - this.tip.offsetHeight];
    const beside = x + 16 > room[0] ? x - this.tip.offsetWidth - 16 : x + 16;
    this.tip.style.left = `${Math.max(0, Math.min(beside, room[0]))}px`;
    this.tip.style.top = `${Math.max(0, Math.min(y + 8, room[1]))}px`;
  }

  name({ from, to, of }) {
    const { nodes } = this.drawing;
    const ends = `${nodes[from].name} → ${nodes[to].name}`;
    return of > 1 ? `${ends} (busiest of ${of})` : ends;
  }

  leave() {
    this.lines.get(this.near)?.classList.remove("chosen-way");
    this.near = null;
    this.tip.hidden = true;
  }

  fillTable() {
    this.table.querySelector("table")?.remove();
    if (!this.table.open) return;
    const rows = this.byUse.map((link) => ({ cells: [this.name(link), ...formatted(FIGURES, this.used(link))] }));
    this.table.append(table(["link", ...namesOf(FIGURES)], rows));
  }
}

function middleOf(from, to) {
  return [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2];
}

/** Half the size of each node; smaller ones where nodes would cover each other. */
function sizesOf(nodes, places) {
  const full = nodes.map(({ is_host, hosts }) => (is_host ? SIZES.host + (hosts > 1 ? 3 : 0) : SIZES.switch));
  const nearest = places.map(([x, y], i) => Math.min(...places.map((other, j) => (i === j ? Infinity : Math.hypot(other[0] - x, other[1] - y)))));
  return full.map((size, i) => Math.max(1.5, Math.min(size, 0.42 * nearest[i])));
}

/** A square for a switch, a circle for a host or several. */
function symbol(node, [x, y], size) {
  return node.is_host
    ? svg("circle", { cx: x, cy: y, r: size })
    : svg("rect", { x: x - size, y: y - size, width: 2 * size, height: 2 * size, rx: 2 });
}

/** The colours, and what is drawn. */
function utilizationLegend(classes) {
  const part = (level) => {
    const line = svg("line", { x1: 0, x2: 26, y1: 7, y2: 7, class: `level${level}`, "stroke-width": WIDTHS[level] });
    const [from, to] = [classes[level], classes[level + 1] ?? 1].map((least) => Math.round(least * 100));
    const text = `${from}–${to}\u00a0%`;
    return element("span", {}, svg("svg", { viewBox: "0 0 26 14", width: 26, height: 14, "aria-hidden": "true" }, line), text);
  };
  return element(
    "figcaption",
    { class: "levels" },
    element("b", {}, "Utilization"),
    ...classes.map((_, level) => part(level)),
    element("small", {}, "Each half of a link shows the direction that leaves its node. Squares are switches, circles hosts."),
  );
}
