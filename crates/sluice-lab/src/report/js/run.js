// The page of a run.

function about(page) {
  const first = page.systems.find(({ totals }) => totals);
  if (!first) return "";
  const load = first.totals.offered / page.bottleneck_capacity;
  const offered = first.totals.offered > 0 ? `; offered load ${show(first.totals.offered, "bit/s")} (${show(load, "%")})` : "";
  const runs = first.runs === 1 ? "single run" : `${first.runs} runs each`;
  const name = page.links.length > 0 ? ` ${page.links[0].name}` : "";
  const more = page.bottlenecks - 1;
  const others = more > 0 ? `; ${more} more bottleneck ${more === 1 ? "link" : "links"}` : "";
  return `Bottleneck${name}, ${show(page.bottleneck_capacity, "bit/s")}${offered}${others}; ${runs}.`;
}

start(about, (page) => {
  at("scenario").textContent = page.scenario;
  totals(page);
  curves(page);
  ratios(page);
  slowdowns(page);
  sample(page);
  jain(page);
  metrics(page);
  datagrams(page);
  network(page);
  links(page);
});
