//! Flows over one link: measured, they take the time that is simulated.

use crate::bed::{alone, assert_near, group, play, system};

/// Four flows of ten packets, each alone; four of 700 packets that meet; a long one. R begins at the capacity, as at a link
/// that was idle before.
const SCENARIO: &str = "
protocols = [\"rcp\", \"cubic\"]
rcp.initial_rate = 1
stop = \"5 s\"
limit = \"20 s\"
topology.dumbbell = { capacity = \"50 Mbps\", rtt = \"40 ms\", bottleneck_delay = \"20 ms\", buffer = \"1 bdp\" }
group = [
    { name = \"first\", from = \"s0\", to = \"d0\", periodic = { every = \"400 ms\", stop = \"1.5 s\", sizes = { fixed = \"14 kB\" } } },
    { name = \"large\", from = \"s0\", to = \"d0\", periodic = { start = \"1.6 s\", every = \"100 ms\", stop = \"1.99 s\", sizes = { fixed = \"1 MB\" } } },
    { name = \"long\", from = \"s0\", to = \"d0\", long = { start = \"2.5 s\" } },
]
metrics = [{ link = [\"left\", \"right\"], every = \"100 ms\" }]
";

#[test]
fn flows_take_as_long_as_simulated_ones() {
    let Some(_alone) = alone() else { return };
    let found = play(SCENARIO);
    // Which of four flows of CUBIC lose packets as they start differs from run to run.
    for (protocol, of_large, of_long) in [("rcp", 0.15, 0.08), ("cubic", 0.6, 0.15)] {
        let simulated = system(&found, protocol);
        let kernel = system(&found, &format!("{protocol}@linux"));
        assert_eq!((kernel.all.flows, kernel.unfinished), (8, 0), "{protocol}");
        let both = [kernel, simulated];
        let [first, expected] = both.map(|of| group(of, "first").completion.unwrap());
        assert_near(first, expected, 0.1);
        let [large, expected] = both.map(|of| group(of, "large").completion.unwrap());
        assert_near(large, expected, of_large);
        let [long, expected] = both.map(|of| group(of, "long").throughput);
        assert_near(long, expected, of_long);
        let [used, expected] = both.map(|of| of.bottleneck.utilization);
        assert_near(used, expected, of_long);
    }
    // None is faster than alone.
    assert_eq!(found.slowdowns.len(), 16);
    let fastest = found.slowdowns.iter().min_by(|one, other| one.1.total_cmp(&other.1)).unwrap();
    assert!(fastest.1 > 0.99, "{fastest:?}");
    assert!(system(&found, "rcp@linux").bottleneck.mean_queue < 30_000.0);
}
