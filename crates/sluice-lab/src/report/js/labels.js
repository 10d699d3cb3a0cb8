// Labels of nodes: beside each node where there is room, the first ones first.

/** Half the height and the width of a character, in CSS pixels. */
const LABEL = { half: 6, character: 6.3 };

/** The largest cosine between the side of a label and a link that does not touch it. */
const ASIDE = 0.5;

/** The sides of a node: where a label stands, as a direction and an anchor. */
const SIDES = [
  [0, 1, "middle"],
  [0, -1, "middle"],
  [1, 0, "start"],
  [-1, 0, "end"],
];

/**
 * Labels of `nodes`, each `{name, x, y, size, ways, is_host}` with half its size and the directions
 * of its links, within a width and height. Nodes without room for a label have none.
 */
function labels(nodes, width, height) {
  const taken = nodes.map(({ x, y, size }) => box(x - size, y - size, x + size, y + size));
  const made = [];
  for (const node of nodes) {
    // The side farthest from the node's links first; no label of a host lies on its link.
    const near = ([dx, dy]) => Math.max(-1, ...node.ways.map(([x, y]) => dx * x + dy * y));
    const sides = SIDES.filter((side) => !node.is_host || near(side) < ASIDE);
    for (const side of sides.sort((a, b) => near(a) - near(b))) {
      const place = labelled(node, side);
      const { left, top, right, bottom } = place.box;
      if (left < 0 || top < 0 || right > width || bottom > height) continue;
      if (taken.some((other) => overlap(other, place.box))) continue;
      taken.push(place.box);
      made.push(svg("text", { x: place.x, y: place.y, "text-anchor": side[2] }, node.name));
      break;
    }
  }
  return made;
}

function labelled({ name, x, y, size }, [dx, dy, anchor]) {
  const [half, length] = [LABEL.half, name.length * LABEL.character];
  const [atX, middle] = [x + dx * (size + 4), y + dy * (size + half + 2)];
  const left = anchor === "middle" ? atX - length / 2 : anchor === "start" ? atX : atX - length;
  return { x: atX, y: middle + 4, box: box(left - 2, middle - half, left + length + 2, middle + half) };
}

function box(left, top, right, bottom) {
  return { left, top, right, bottom };
}

function overlap(a, b) {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}
