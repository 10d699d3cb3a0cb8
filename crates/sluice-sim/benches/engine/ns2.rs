//! ns-2's speed on the first network, where ns-2 is installed, beside ours. Both are timed by what
//! they spend on a core, without building the network.

use std::process::Command;

/// The network of [`super::networks`] that the script rebuilds.
pub const NETWORK: &str = "dumbbell-xcp-155";
/// Simulated seconds; a second or so of ns-2's time.
const SECONDS: &str = "10";

/// Runs ns-2 and prints its line, and how many times its packets a second `ours` are.
pub fn measure(ours: f64) {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../validation/ns2/bench.tcl");
    let output = match Command::new("ns").args([script, "-stop", SECONDS]).output() {
        Ok(output) if output.status.success() => output.stdout,
        Ok(output) => {
            let why = String::from_utf8_lossy(&output.stderr);
            println!("bench ns2-{NETWORK} skipped: ns failed: {}", why.trim());
            return;
        }
        Err(error) => {
            println!("bench ns2-{NETWORK} skipped: no ns-2 here (ns: {error})");
            return;
        }
    };
    let Some(rate) = packets_per_second(&String::from_utf8_lossy(&output)) else {
        println!("bench ns2-{NETWORK} skipped: ns reported no packets per second");
        return;
    };
    println!(
        "bench ns2-{NETWORK} mpps={:.2} ns_per_packet={:.1} sluice_over_ns2={:.1}",
        rate / 1e6,
        1e9 / rate,
        ours / rate,
    );
}

/// From rows of name and value.
fn packets_per_second(table: &str) -> Option<f64> {
    let row = table.lines().find_map(|line| line.strip_prefix("packets_per_second\t"))?;
    row.trim().parse().ok().filter(|&rate: &f64| rate > 0.0)
}
