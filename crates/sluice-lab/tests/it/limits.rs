//! Which links a summary shows: those that limit flows, wherever they are.

use crate::common::{folder, results};
use sluice_lab::{Report, table};

/// A chain of routers `n0`, `n1`, ... at 10 Mb/s, each with a host `h0`, `h1`, ... at 100 Mb/s.
fn chain(hops: usize, protocols: &str) -> String {
    let link = |from: String, to: String, capacity: &str| {
        format!(
            "[[topology.link]]\nfrom = \"{from}\"\nto = \"{to}\"\ncapacity = \"{capacity}\"\n\
             delay = \"1 ms\"\n"
        )
    };
    let hop = |i: usize| link(format!("n{i}"), format!("n{}", i + 1), "10 Mbps");
    let host = |i: usize| link(format!("h{i}"), format!("n{i}"), "100 Mbps");
    let links: String = (0..hops).map(hop).chain((0..=hops).map(host)).collect();
    format!("schema = 1\nprotocols = {protocols}\nideals = []\nstop = \"3 s\"\n{links}")
}

fn group(name: &str, from: usize, to: usize, traffic: &str) -> String {
    format!("[[group]]\nname = \"{name}\"\nfrom = \"h{from}\"\nto = \"h{to}\"\n{traffic}\n")
}

/// The links of the first protocol.
fn shown(report: &Report) -> Vec<String> {
    let links = &report.summary.protocols[0].links;
    links.iter().map(|link| format!("{}>{}", link.from, link.to)).collect()
}

#[test]
fn every_bottleneck_of_a_parking_lot_is_shown() {
    let through = group("through", 0, 3, "long = {}");
    let cross = (0..3).map(|i| group(&format!("cross{i}"), i, i + 1, "long = {}"));
    let text = chain(3, "[\"rcp\", \"tcp\"]") + &through + &cross.collect::<String>();
    let (report, _) = results(&folder("parking-lot"), &text, 2, "out");
    let mut links = shown(&report);
    links.sort();
    assert_eq!(links, ["n0>n1", "n1>n2", "n2>n3"]);
    for protocol in &report.summary.protocols {
        assert_eq!(protocol.bottleneck.from, protocol.links[0].from);
        assert!(protocol.links.iter().all(|link| link.utilization > 0.7), "{protocol:?}");
    }
}

/// Ten senders respond at once, and their packets meet at one slow port: its utilization is a
/// tenth, and that of other links twice as high.
#[test]
fn a_port_that_loses_packets_is_shown_before_links_that_are_used_more() {
    let mut text = String::from(
        "schema = 1\nprotocols = [\"tcp\"]\nideals = []\nstop = \"3 s\"\n\
         [[topology.link]]\nfrom = \"sw\"\nto = \"r\"\ncapacity = \"10 Mbps\"\ndelay = \"1 ms\"\n\
         buffer = \"10 packets\"\n\
         [[topology.link]]\nfrom = \"sw\"\nto = \"x\"\ncapacity = \"10 Mbps\"\ndelay = \"1 ms\"\n\
         buffer = \"unlimited\"\n",
    );
    for sender in 0..10 {
        text += &format!(
            "[[topology.link]]\nfrom = \"s{sender}\"\nto = \"sw\"\ncapacity = \"100 Mbps\"\n\
             delay = \"1 ms\"\n[[group]]\nname = \"a{sender}\"\nfrom = \"s{sender}\"\nto = \"r\"\n\
             periodic = {{ every = \"1 s\", sizes.fixed = \"12 kB\" }}\n"
        );
    }
    text += "[[group]]\nname = \"steady\"\nfrom = \"s0\"\nto = \"x\"\n\
             periodic = { every = \"100 ms\", sizes.fixed = \"25 kB\" }\n";
    let (report, _) = results(&folder("incast"), &text, 1, "out");
    let links = &report.summary.protocols[0].links;
    assert_eq!(shown(&report)[0], "sw>r", "{links:?}");
    let steady = report.summary.protocols[0].groups.last().unwrap();
    let used = steady.throughput / 10e6;
    assert!(links[0].drops > 20.0 && links[0].utilization < 0.6 * used, "{links:?} {used}");
}

#[test]
fn five_links_are_shown_and_the_others_counted() {
    let cross = (0..8).map(|i| group(&format!("cross{i}"), i, i + 1, "long = {}"));
    let text = chain(8, "[\"tcp\"]") + &cross.collect::<String>();
    let (report, _) = results(&folder("eight"), &text, 2, "out");
    assert_eq!((shown(&report).len(), report.summary.links_left_out), (5, 3));
    let text = table::render(&report.summary, table::Style::Plain);
    assert!(text.contains("\n  and 3 more: see links.parquet"), "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 100), "{text}");
}

/// If no link is full, one link is shown nevertheless: the slow one, not a host's access link.
#[test]
fn little_traffic_has_one_bottleneck() {
    let flows = "periodic = { every = \"500 ms\", sizes.fixed = \"10 kB\" }";
    let text = chain(1, "[\"xcp\"]") + &group("few", 0, 1, flows);
    let (report, _) = results(&folder("little"), &text, 1, "out");
    assert_eq!(shown(&report), ["n0>n1"]);
    assert_eq!(report.summary.bottleneck_capacity, 10_000_000);
}
