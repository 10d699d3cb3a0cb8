//! Networks of several links.

use crate::bed::{alone, assert_near, group, play, refused, system};

/// Two links in a row, each with a flow of its own beside those that cross both.
const PARKING_LOT: &str = "
protocols = [\"rcp\"]
warm_up = \"2 s\"
stop = \"5 s\"
topology.link = [
    { from = \"a\", to = \"r0\", capacity = \"1 Gbps\", delay = \"0 s\", buffer = \"unlimited\", router = false },
    { from = \"b\", to = \"r1\", capacity = \"1 Gbps\", delay = \"0 s\", buffer = \"unlimited\", router = false },
    { from = \"r0\", to = \"r1\", capacity = \"60 Mbps\", delay = \"5 ms\", buffer = \"100 ms\" },
    { from = \"r1\", to = \"r2\", capacity = \"30 Mbps\", delay = \"5 ms\", buffer = \"100 ms\" },
    { from = \"r1\", to = \"c\", capacity = \"1 Gbps\", delay = \"0 s\", buffer = \"unlimited\", router = false },
    { from = \"r2\", to = \"d\", capacity = \"1 Gbps\", delay = \"0 s\", buffer = \"unlimited\", router = false },
]
group = [
    { name = \"both\", from = \"a\", to = \"d\", long = { count = 2 } },
    { name = \"first\", from = \"a\", to = \"c\", long = {} },
    { name = \"second\", from = \"b\", to = \"d\", long = {} },
]
";

/// Max-min: a third of the second link each to those that cross it, and to the other what is left of the first.
#[test]
fn two_bottlenecks_in_a_row_share_max_min() {
    let Some(_alone) = alone() else { return };
    let found = play(PARKING_LOT);
    let rcp = system(&found, "rcp@linux");
    // Of 1514 bytes on a link, 1436 are payload.
    let payload = |mbps: f64| mbps * 1e6 * 0.95 * 1_436.0 / 1_514.0;
    assert_near(group(rcp, "both").throughput, payload(20.0), 0.1);
    assert_near(group(rcp, "second").throughput, payload(10.0), 0.1);
    assert_near(group(rcp, "first").throughput, payload(60.0 - 20.0), 0.1);
    assert_eq!(rcp.links.len(), 2);
    for link in &rcp.links {
        assert!(link.mean_queue < 20_000.0 && link.utilization > 0.9, "{link:?}");
    }
    assert_eq!(rcp.drops, 0);
}

#[test]
fn what_cannot_be_played_is_named() {
    let with = |topology: &str, group: &str| {
        refused(&format!(
            "protocols = [\"rcp\"]\nstop = \"1 s\"\n{topology}\n[[group]]\nname = \"g\"\nfrom = \"s0\"\nto = \"d0\"\n{group}"
        ))
    };
    let dumbbell = |more: &str| {
        format!("topology.dumbbell = {{ capacity = \"10 Mbps\", rtt = \"10 ms\"{more} }}")
    };
    for (more, group, what) in [
        (
            ", queue = \"red\"",
            "long = {}",
            "the link from `left` to `right` has a queue that is not `drop_tail`",
        ),
        (
            ", router = \"rcp\"",
            "long = {}",
            "the link from `left` to `right` has a router law of its own",
        ),
        ("", "udp = { rate = \"1 Mbps\", size = \"1000 B\" }", "group `g` has datagrams"),
        ("", "weight = 2\nlong = {}", "group `g` has a weight"),
        ("", "protocol = \"cubic\"\nlong = {}", "group `g` has a protocol of its own"),
        (", pairs = 40", "long = {}", "82 nodes; at most 64 can be played"),
    ] {
        let error = with(&dumbbell(more), group);
        assert!(error.starts_with(what), "{error}");
    }
}
