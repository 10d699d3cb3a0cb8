// Mean completion times relative to ideals, by class of flow sizes.

function ratios(page) {
  at("ratios-section").hidden = page.ratios.length === 0;
  const host = at("ratios");
  for (const { reference, classes, flows, systems } of page.ratios) {
    const ran = page.systems.filter(({ number }) => systems[number]);
    const cells = ({ number }) => systems[number].map(ratio);
    const head = classes.map((label, i) => (flows.length ? `${label} (${count(flows[i])})` : label));
    const about = `Mean completion time over that under ${reference}, by data packets of a flow${flows.length ? " (number of flows)" : ""}.`;
    host.append(note(about), systemTable(["", ...head], ran, cells));
  }
}

/** A ratio; of flows that did not all finish, a lower bound. */
function ratio(found) {
  if (!found) return "–";
  const value = estimate(found.ratio, "");
  if (found.unfinished === 0) return value;
  return element("span", {}, "≥ ", value, element("small", {}, `${count(found.unfinished)} unfinished`));
}
