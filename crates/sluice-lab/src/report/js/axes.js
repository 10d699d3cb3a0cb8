// Axes: ranges and ticks.

/** Ticks of a logarithmic axis: as many as have room, at round numbers. */
function logTicks(min, max, room) {
  let best = [];
  for (const steps of [[1], [1, 3], [1, 2, 5], [1, 1.5, 2, 3, 5, 7], [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 7, 8, 9]]) {
    const ticks = [];
    for (let decade = Math.floor(Math.log10(min)); 10 ** decade <= max; decade++) {
      for (const step of steps) {
        const value = +(step * 10 ** decade).toPrecision(3);
        if (value >= min && value <= max) ticks.push(value);
      }
    }
    if (best.length && (ticks.length > room || !apart(ticks, min, max, room))) break;
    best = ticks;
  }
  // Decades alone may be too many, and a narrow range may hold no round number.
  const every = Math.ceil(best.length / Math.max(room, 1));
  best = best.filter((_, i) => i % every === 0);
  return best.length >= 2 ? best : evenTicks(min, max, room);
}

/** Whether no two ticks are closer than there is room for. */
function apart(ticks, min, max, room) {
  const least = Math.log(max / min) / (room * 1.6);
  return ticks.every((tick, i) => i === 0 || Math.log(tick / ticks[i - 1]) >= least);
}

function evenTicks(min, max, room) {
  const rough = (max - min) / Math.max(room, 2);
  const decade = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((m) => m * decade).find((s) => s >= rough);
  const ticks = [];
  for (let n = Math.ceil(min / step); n * step <= max; n++) ticks.push(+(n * step).toPrecision(12));
  return ticks;
}

/** How far intervals may widen an axis beyond the values: a factor if logarithmic, else spans of them. */
const WIDENED = 2;

/** Ends of the values, widened towards those of their intervals, which may be far off. */
function widened([min, max], intervals, log) {
  if (!intervals || min === null || min === undefined) return [min, max];
  const [least, most] = log ? [min / WIDENED, max * WIDENED] : [min - (max - min) * WIDENED, max + (max - min) * WIDENED];
  return [Math.max(Math.min(min, intervals[0]), least), Math.min(Math.max(max, intervals[1]), most)];
}

/**
 * A scale of uPlot for `{log, floor, air}`; `ends` are those of the data, which get some air, and
 * `intervals` the ends of all intervals.
 */
function scale({ log, floor, air }, ends, intervals) {
  const range = (_, low, high) => {
    let [min, max] = widened([low, high], intervals, log);
    if (min === null || max === null || min === undefined) return log ? [1, 10] : [0, 1];
    if (ends && (min !== ends[0] || max !== ends[1])) return [min, max];
    if (!log) {
      if (ends) return min === max ? [min - 1, max + 1] : [min - (max - min) * (air ?? 0), max + (max - min) * (air ?? 0)];
      const lower = Math.min(0, min);
      return [lower, max > lower ? max + (max - lower) * 0.06 : lower + 1];
    }
    if (min === max) [min, max] = [min / 1.5, max * 1.5];
    const factor = Math.max((max / min) ** 0.04, 1.02);
    // A little below the floor, so that what lies on it is not cut.
    const least = floor && min >= floor && min < floor * 1.3 ? floor / Math.sqrt(factor) : min / factor;
    return [least, max * factor];
  };
  return { time: false, distr: log ? 3 : 1, range };
}

/** An axis of uPlot for `{log, unit, label}`, or with `names` of the values 0, 1, ... */
function axis(side, { log, unit, label, names }) {
  const across = side === 2;
  const [stroke, line] = [variable("--faint"), variable("--line")];
  const font = "12px system-ui, -apple-system, 'Segoe UI', Helvetica, Arial, sans-serif";
  const room = (u) => Math.floor((across ? (u.width - 80) / 68 : (u.height - 70) / 26));
  return {
    scale: across ? "x" : "y",
    side,
    stroke,
    font,
    labelFont: font,
    label,
    labelSize: 20,
    size: across ? 30 : 68,
    gap: 4,
    grid: { stroke: line, width: 1 },
    ticks: { stroke: line, width: 1, size: 4 },
    splits: (u, _, min, max) => (names ? [...names.keys()] : (log ? logTicks : evenTicks)(min, max, room(u))),
    filter: (_, splits) => splits,
    values: (_, splits) => splits.map((value) => (names ? names[value] : tick(value, unit))),
  };
}
