// Formats of numbers: three digits in the largest unit that fits.

const UNITS = {
  "": [[1, ""]],
  s: [[1, "s"], [1e-3, "ms"], [1e-6, "µs"], [1e-9, "ns"]],
  B: [[1e12, "TB"], [1e9, "GB"], [1e6, "MB"], [1e3, "kB"], [1, "B"]],
  "bit/s": [[1e12, "Tb/s"], [1e9, "Gb/s"], [1e6, "Mb/s"], [1e3, "kb/s"], [1, "b/s"]],
  "B/s": [[1e12, "TB/s"], [1e9, "GB/s"], [1e6, "MB/s"], [1e3, "kB/s"], [1, "B/s"]],
  packets: [[1, "packets"]],
  "%": [[0.01, "%"]],
};

/** The largest unit that leaves at least 1. */
function fitting(value, unit) {
  const units = UNITS[unit] ?? [[1, unit]];
  return units.find(([size]) => Math.abs(value) >= size * 0.9995) ?? units[units.length - 1];
}

function figures(value) {
  const size = Math.abs(value);
  if (value < 0) return `−${figures(size)}`;
  if (size >= 1e6 || (size > 0 && size < 1e-3)) return value.toExponential(2).replace("e+", "e");
  if (size >= 99.95 || size === 0) return String(Math.round(value));
  return value.toFixed(size >= 9.995 ? 1 : 2);
}

/** A value in its unit, or a dash if it is missing. */
function show(value, unit) {
  if (value === null || value === undefined) return "–";
  const [size, name] = value === 0 ? [1, (UNITS[unit] ?? []).at(-1)?.[1] ?? unit] : fitting(value, unit);
  return joined(figures(value / size), name);
}

/** A value beside an axis, with all its digits. */
function tick(value, unit) {
  if (value === 0) return "0";
  const [size, name] = fitting(value, unit);
  const scaled = value / size;
  const big = Math.abs(scaled) >= 1e5 || Math.abs(scaled) < 1e-4;
  return joined(big ? scaled.toExponential().replace("e+", "e") : String(+scaled.toPrecision(4)), name);
}

function joined(number, name) {
  return name ? `${number}\u00a0${name}` : number;
}

/** A count with its thousands separated. */
function count(value) {
  return String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, "\u202f");
}

/** A range; a common unit is written once. */
function range(low, high, unit) {
  const same = low > 0 && fitting(low, unit)[1] === fitting(high, unit)[1];
  const [size] = fitting(low, unit);
  return `${same ? figures(low / size) : show(low, unit)} – ${show(high, unit)}`;
}

/** `[value, low, high]` with its interval. */
function withInterval([value, low, high], unit) {
  const ends = low === null || high === null ? "" : ` (${range(low, high, unit)})`;
  return show(value, unit) + ends;
}
