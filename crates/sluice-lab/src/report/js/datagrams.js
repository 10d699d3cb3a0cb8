// Streams of datagrams, apart from flows: they have no completion time and do not respond to loss.

function datagrams(page) {
  const groups = page.groups.filter(({ streams }) => streams.length > 0);
  at("datagrams-section").hidden = groups.length === 0;
  const host = at("datagrams");
  for (const { name, streams } of groups) {
    const ran = page.systems.filter(({ number }) => streams[number]);
    const cells = ({ number }) => {
      const found = streams[number];
      return [
        count(found.streams),
        show(found.offered, "bit/s"),
        count(found.sent),
        show(found.loss, "%"),
        show(found.mean_delay, "s"),
        show(found.p99_delay, "s"),
      ];
    };
    const head = ["", "streams", "load offered", "sent (mean over runs)", "lost", "delay mean", "delay p99 (worst stream)"];
    host.append(element("h3", {}, name), systemTable(head, ran, cells));
  }
}
