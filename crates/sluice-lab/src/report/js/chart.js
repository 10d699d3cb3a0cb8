// A chart: uPlot with the legend, tooltips, keys and zoom that all charts share.

const HEIGHT = 300;
/** Width and height on A4 paper, two charts side by side. */
const ON_PAPER = { width: 330, height: 190 };
/** The factor of a zoom step. */
const STEP = 0.6;
/** The minimum distance of markers along a dense line, in CSS pixels. */
const MARKER_DISTANCE = 80;

const charts = [];
/** Numbers of systems that are hidden. */
const hidden = new Set();

/**
 * `spec`: `title`; `x` and `y` as in axes.js; `xs`; `lines`: a list of `{system, ys, intervals}`,
 * in the order of the legend, with `doubts` of points if there are any, `isThin` for what accompanies another line; `heading(i)` and `text(line, i)` for a tooltip; `group` of charts
 * whose pointer and zoom go together; `scatter` for points without lines, all of one flow at one x;
 * `asTable` if its values may be shown as a table.
 */
class Chart {
  constructor(host, spec) {
    this.caption = element("span", {});
    this.reset = element("button", { type: "button", hidden: true, onclick: () => this.zoomOut() }, "Reset zoom");
    this.tip = element("div", { class: "tip", hidden: true, role: "status" });
    this.box = element("div", {
      class: "chart",
      tabindex: "0",
      role: "group",
      onkeydown: (event) => this.key(event),
      onblur: () => this.leave(),
    });
    this.table = element("details", { ontoggle: () => this.fillTable() }, element("summary", {}, "Values"));
    host.append(element("figure", {}, element("figcaption", {}, this.caption, this.reset), this.box, this.table));
    this.resize = new ResizeObserver(() => this.fit());
    this.resize.observe(this.box);
    charts.push(this);
    this.show(spec);
  }

  /** Draws another spec in the same box. */
  show(spec) {
    this.spec = spec;
    // Ideals are drawn first, so that protocols lie on top.
    this.drawn = [...spec.lines].sort((a, b) => isIdeal(b.system) - isIdeal(a.system));
    this.caption.textContent = spec.title;
    this.table.hidden = !spec.asTable;
    this.box.setAttribute(
      "aria-label",
      `${spec.title}. Arrow keys show values, plus and minus zoom, Escape resets.`,
    );
    this.draw();
    this.fillTable();
  }

  /** Redraws, e.g. after a change of colours. */
  draw() {
    this.plot?.destroy();
    const { spec } = this;
    this.ends = [spec.xs[0], spec.xs[spec.xs.length - 1]];
    const options = {
      width: Math.max(this.box.clientWidth, 200),
      height: HEIGHT,
      legend: { show: false },
      cursor: {
        drag: { x: true, y: Boolean(spec.scatter), uni: spec.scatter ? 30 : undefined },
        points: { show: !spec.scatter, size: 9 },
        sync: spec.group ? { key: spec.group } : undefined,
      },
      scales: { x: scale(spec.x, this.ends), y: scale(spec.y, null, intervalEnds(spec.lines)) },
      axes: [axis(2, spec.x), axis(3, spec.y)],
      series: [{}, ...this.drawn.map((line) => this.series(line))],
      hooks: {
        drawSeries: [(u, number) => this.drawIntervals(u, number), (u, number) => this.drawDoubts(u, number)],
        setCursor: [(u) => this.point(u)],
        setScale: [(u, key) => key === "x" && this.zoomed(u)],
      },
    };
    const data = [spec.xs, ...this.drawn.map((line) => line.ys)];
    this.plot = new uPlot(options, data, this.box);
    this.box.append(this.tip);
    this.leave();
  }

  series({ system, isThin }) {
    const { dash, marker } = system.look;
    const stroke = variable(colourOf(system));
    const { scatter } = this.spec;
    const size = scatter ? MARK * 0.65 : MARK;
    const marked = marker ?? (scatter ? [] : null);
    return {
      show: !hidden.has(system.number),
      stroke,
      // Over time lines cross often.
      width: this.spec.group || isThin ? 1.25 : isIdeal(system) ? 1.75 : 2,
      dash: dash ?? undefined,
      spanGaps: true,
      paths: scatter ? () => null : undefined,
      points: {
        show: Boolean(marked),
        size: size * 2,
        stroke,
        fill: scatter ? translucent(stroke) : stroke,
        width: scatter ? 0.01 : 1,
        paths: marked ? (u, number, first, last) => marks(u, number, first, last, marked, size, !scatter) : undefined,
      },
    };
  }

  /** Intervals as bars across the points. */
  drawIntervals(u, number) {
    const { intervals } = this.drawn[number - 1] ?? {};
    if (!intervals || !u.series[number].show) return;
    const { ctx, bbox } = u;
    const pixel = devicePixelRatio;
    const { min, max } = u.scales.y;
    // Beside each other, since bars of several systems at one point would cover one another.
    const shown = this.drawn.filter((line) => line.intervals && !hidden.has(line.system.number));
    const aside = (shown.indexOf(this.drawn[number - 1]) - (shown.length - 1) / 2) * 3 * pixel;
    ctx.save();
    ctx.beginPath();
    ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
    ctx.clip();
    ctx.beginPath();
    intervals.forEach((ends, i) => {
      if (!ends) return;
      const x = u.valToPos(u.data[0][i], "x", true) + aside;
      const [low, high] = ends.map((end) => u.valToPos(Math.min(Math.max(end, min), max), "y", true));
      ctx.moveTo(x, low);
      ctx.lineTo(x, high);
      addEnd(ctx, x, low, ends[0] < min ? -3 * pixel : 0, 3 * pixel);
      addEnd(ctx, x, high, ends[1] > max ? 3 * pixel : 0, 3 * pixel);
    });
    ctx.strokeStyle = u.series[number].stroke(u, number);
    ctx.globalAlpha = 0.65;
    ctx.lineWidth = 1.2 * pixel;
    ctx.stroke();
    ctx.restore();
  }

  /** Doubtful points as hollow markers. */
  drawDoubts(u, number) {
    const { doubts, system } = this.drawn[number - 1] ?? {};
    if (!doubts || !u.series[number].show) return;
    const path = new Path2D();
    doubts.forEach((found, i) => {
      const y = u.data[number][i];
      if (!found?.length || y === null) return;
      const at = [u.valToPos(u.data[0][i], "x", true), u.valToPos(y, "y", true)];
      addMarker(path, system.look.marker ?? [], ...at, MARK * devicePixelRatio);
    });
    const { ctx } = u;
    ctx.save();
    ctx.fillStyle = variable("--page");
    ctx.fill(path);
    ctx.strokeStyle = u.series[number].stroke(u, number);
    ctx.lineWidth = 1.5 * devicePixelRatio;
    ctx.setLineDash([]);
    ctx.stroke(path);
    ctx.restore();
  }

  setVisible() {
    this.drawn.forEach(({ system }, i) => {
      const show = !hidden.has(system.number);
      if (this.plot.series[i + 1].show !== show) this.plot.setSeries(i + 1, { show });
    });
    this.leave();
  }

  fit() {
    const width = this.box.clientWidth;
    if (width > 0 && width !== this.plot.width) this.plot.setSize({ width, height: HEIGHT });
  }

  // --- values under the pointer

  point(u) {
    // Charts that follow the pointer of another show its position, not values.
    const followed = u.cursor.event === null || u.cursor.event === undefined ? !this.byKey : !this.box.matches(":hover");
    const { idx, left, top } = u.cursor;
    if (followed || idx === null || idx === undefined || left < 0) {
      this.tip.hidden = true;
      return;
    }
    const near = this.spec.scatter && !this.byKey ? this.nearest(left, top) : { i: idx, line: null };
    if (near) this.showTip(near, left, top);
    else this.tip.hidden = true;
  }

  /** The point of a scatter within a few pixels. */
  nearest(left, top) {
    let [best, found] = [14 ** 2, null];
    const { plot } = this;
    const xs = plot.data[0].map((x) => plot.valToPos(x, "x"));
    for (const line of this.visible()) {
      line.ys.forEach((y, i) => {
        if (y === null || Math.abs(xs[i] - left) > 14) return;
        const distance = (xs[i] - left) ** 2 + (plot.valToPos(y, "y") - top) ** 2;
        if (distance < best) [best, found] = [distance, { i, line }];
      });
    }
    return found;
  }

  visible() {
    return this.spec.lines.filter(({ system }) => !hidden.has(system.number));
  }

  showTip({ i, line: near }, left, top) {
    const rows = this.visible()
      .filter(({ ys }) => ys[i] !== null && ys[i] !== undefined)
      .map((line) =>
        element(
          "tr",
          { class: line === near ? "near" : null },
          element("td", {}, swatch(line.system)),
          element("td", {}, line.system.title),
          element("td", {}, this.spec.text(line, i)),
        ),
      );
    this.tip.replaceChildren(element("b", {}, this.spec.heading(i)), element("table", {}, element("tbody", {}, ...rows)));
    this.tip.hidden = rows.length === 0;
    const { over } = this.plot;
    const room = this.box.clientWidth - this.tip.offsetWidth - 4;
    const x = over.offsetLeft + left + 16;
    const beside = x > room ? x - this.tip.offsetWidth - 32 : x;
    this.tip.style.left = `${Math.max(0, Math.min(beside, room))}px`;
    this.tip.style.top = `${over.offsetTop + Math.max(0, Math.min(top, HEIGHT - 60 - this.tip.offsetHeight))}px`;
  }

  leave() {
    this.byKey = false;
    this.tip.hidden = true;
  }

  // --- keys

  key(event) {
    if (event.target !== this.box || event.ctrlKey || event.metaKey || event.altKey) return;
    const step = event.shiftKey ? 10 : 1;
    const acts = {
      ArrowLeft: () => this.step(-step),
      ArrowRight: () => this.step(step),
      "+": () => this.zoomBy(STEP),
      "=": () => this.zoomBy(STEP),
      "-": () => this.zoomBy(1 / STEP),
      Escape: () => this.zoomOut(),
      0: () => this.zoomOut(),
    };
    if (!acts[event.key]) return;
    event.preventDefault();
    acts[event.key]();
  }

  step(by) {
    const { plot } = this;
    const { min, max } = plot.scales.x;
    const within = plot.data[0].flatMap((x, i) => (x >= min && x <= max ? [i] : []));
    if (within.length === 0) return;
    const old = within.indexOf(plot.cursor.idx);
    const place = old < 0 || !this.byKey ? 0 : Math.min(Math.max(old + by, 0), within.length - 1);
    this.byKey = true;
    plot.cursor.event = null;
    const left = plot.valToPos(plot.data[0][within[place]], "x");
    plot.setCursor({ left, top: plot.over.clientHeight / 4 });
  }

  // --- zoom

  zoomBy(factor) {
    const { min, max } = this.plot.scales.x;
    const [to, from] = this.spec.x.log ? [Math.log, Math.exp] : [(x) => x, (x) => x];
    const idx = this.byKey ? this.plot.cursor.idx : null;
    const middle = idx === null ? (to(min) + to(max)) / 2 : to(this.plot.data[0][idx]);
    const end = (value) => from(middle + (to(value) - middle) * factor);
    this.zoomTo(end(min), end(max));
  }

  zoomTo(min, max) {
    if (min <= this.ends[0] && max >= this.ends[1]) [min, max] = this.ends;
    const group = this.spec.group ? charts.filter(({ spec }) => spec.group === this.spec.group) : [this];
    for (const { plot } of group) plot.setScale("x", { min, max });
  }

  zoomOut() {
    this.leave();
    if (this.spec.scatter) this.plot.setData(this.plot.data);
    else this.zoomTo(...this.ends);
  }

  zoomed(u) {
    const { min, max } = u.scales.x;
    this.reset.hidden = !this.ends || (min <= this.ends[0] && max >= this.ends[1]);
  }

  // --- values as a table

  fillTable() {
    this.table.querySelector("table")?.remove();
    if (!this.table.open || !this.spec.asTable) return;
    const lines = this.visible();
    const rows = this.spec.xs.map((_, i) => ({
      cells: [this.spec.heading(i), ...lines.map((line) => (line.ys[i] === null ? "–" : this.spec.text(line, i)))],
    }));
    this.table.append(table([this.spec.x.label, ...lines.map(({ system }) => system.title)], rows));
  }
}

/** The end of a bar: a cap, or an arrow of some height where the interval goes on beyond the chart. */
function addEnd(ctx, x, y, height, width) {
  ctx.moveTo(x - width, y + height);
  ctx.lineTo(x, y);
  ctx.lineTo(x + width, y + height);
}

/** Removes a chart, so that another may take its place. */
function discard(chart) {
  chart.resize.disconnect();
  chart.plot.destroy();
  charts.splice(charts.indexOf(chart), 1);
}

function isIdeal(system) {
  return Number(system.kind === "ideal" || system.kind === "theory");
}

/** The lowest and the highest end of any interval, or null. */
function intervalEnds(lines) {
  const ends = lines.flatMap(({ intervals }) => (intervals ?? []).filter(Boolean));
  return ends.length ? [Math.min(...ends.map(([low]) => low)), Math.max(...ends.map(([, high]) => high))] : null;
}

/** Markers of a series as uPlot paints points; along a dense line only some of them. */
function marks(u, number, first, last, corners, size, sparse) {
  const [xs, ys] = [u.data[0], u.data[number]];
  const path = new Path2D();
  const pixel = devicePixelRatio;
  const dense = sparse && (last - first) * 14 * pixel > u.bbox.width;
  // Offset the first marker by series, so that markers of coinciding lines do not overlap.
  let next = dense ? u.bbox.left + ((number * 0.38) % 1) * MARKER_DISTANCE * pixel : -Infinity;
  for (let i = first; i <= last; i++) {
    if (ys[i] === null || ys[i] === undefined) continue;
    const x = u.valToPos(xs[i], "x", true);
    if (x < next) continue;
    addMarker(path, corners, x, u.valToPos(ys[i], "y", true), size * pixel);
    if (dense) next = x + MARKER_DISTANCE * pixel;
  }
  const clip = new Path2D();
  clip.rect(u.bbox.left, u.bbox.top, u.bbox.width, u.bbox.height);
  return { stroke: path, fill: path, clip, flags: 3 };
}

function translucent(colour) {
  return `color-mix(in srgb, ${colour} 60%, transparent)`;
}
