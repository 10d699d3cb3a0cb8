// Styles of systems: colour, marker and dashes, so that colour is never the only difference.

/** Half a marker's size in CSS pixels. */
const MARK = 4.2;

/** Corners of markers, in units of half their size; a circle has none. */
const MARKERS = [
  [],
  [[-0.9, -0.9], [0.9, -0.9], [0.9, 0.9], [-0.9, 0.9]],
  [[0, -1.25], [1.25, 0], [0, 1.25], [-1.25, 0]],
  [[-1.15, 0.95], [0, -1.15], [1.15, 0.95]],
  [[-1.15, -0.95], [0, 1.15], [1.15, -0.95]],
  [[-1.2, -0.4], [-0.4, -0.4], [-0.4, -1.2], [0.4, -1.2], [0.4, -0.4], [1.2, -0.4], [1.2, 0.4], [0.4, 0.4], [0.4, 1.2], [-0.4, 1.2], [-0.4, 0.4], [-1.2, 0.4]],
  [[-1.2, 0], [-0.6, -1.1], [0.6, -1.1], [1.2, 0], [0.6, 1.1], [-0.6, 1.1]],
  [[0, -1.3], [0.4, -0.4], [1.3, 0], [0.4, 0.4], [0, 1.3], [-0.4, 0.4], [-1.3, 0], [-0.4, -0.4]],
];
/** Ideals and theory are grey and dashed. */
const DASHES = { ideal: [[7, 4], [2, 3], [10, 3, 2, 3]], theory: [[1, 4]] };

function variable(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

/** A system's colour, dashes and marker (none for ideals and theory). */
function look(system) {
  if (system.kind !== "protocol") {
    const dashes = DASHES[system.kind];
    return { colour: "--ideal", dash: dashes[system.style % dashes.length], marker: null };
  }
  // Beyond eight, colours repeat with another marker.
  const turn = Math.floor(system.style / MARKERS.length);
  const marker = MARKERS[(system.style + turn) % MARKERS.length];
  return { colour: `--c${system.style % 8}`, dash: undefined, marker };
}

function addMarker(path, corners, x, y, size) {
  if (corners.length === 0) {
    path.moveTo(x + size, y);
    path.arc(x, y, size, 0, 2 * Math.PI);
    return;
  }
  corners.forEach(([dx, dy], i) => path[i ? "lineTo" : "moveTo"](x + dx * size, y + dy * size));
  path.closePath();
}

const SVG = "http://www.w3.org/2000/svg";

function svg(name, attributes, ...children) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

/** A sample of a system's line. */
function swatch(system) {
  const { colour, dash, marker } = look(system);
  const paint = `var(${colour})`;
  const line = svg("line", { x1: 0, x2: 34, y1: 7, y2: 7 });
  line.style.stroke = paint;
  line.style.strokeWidth = "2.5";
  if (dash) line.style.strokeDasharray = dash.join(" ");
  const parts = [line];
  if (marker) {
    const points = marker.map(([x, y]) => `${17 + x * 5},${7 + y * 5}`).join(" ");
    const mark = marker.length
      ? svg("polygon", { points })
      : svg("circle", { cx: 17, cy: 7, r: 5 });
    mark.style.fill = paint;
    parts.push(mark);
  }
  return svg("svg", { class: "swatch", viewBox: "0 0 34 14", "aria-hidden": "true" }, ...parts);
}
