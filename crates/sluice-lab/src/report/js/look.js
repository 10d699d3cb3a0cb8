// Draws the colours, markers and dashes of systems, which look.rs chooses.

/** Half a marker's size in CSS pixels. */
const MARK = 4.2;

function variable(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

/** The variable of a system's colour. */
function colourOf({ look: { colour } }) {
  return colour === null ? "--ideal" : `--c${colour}`;
}

/** Adds a marker by its corners, in units of half its size; a circle has none. */
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
  const { dash, marker } = system.look;
  const paint = `var(${colourOf(system)})`;
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
