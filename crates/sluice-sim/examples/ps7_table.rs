//! Prints PS-7's table: completion times by size under RCP, TCP and XCP, paired flow by flow with
//! ideal processor sharing of the same flows.

#[path = "../tests/it/fluid/mod.rs"]
mod fluid;
#[path = "../tests/it/ps7/mod.rs"]
mod ps7;
#[path = "../tests/it/shown/mod.rs"]
mod shown;

use ps7::{Run, measure, rows};
use sluice_laws::registry::{Parameters, ProtocolName};
use sluice_laws::tcp::LossRecovery;

/// Seconds of warm-up, measured, and after it.
const SECONDS: (u64, u64, u64) = (5, 20, 20);
const SEEDS: u64 = 8;

fn main() {
    // "TCP Reno ... with an initial window size of two packets" (PS 3.1).
    let mut parameters = Parameters::default();
    parameters.tcp.recovery = Some(LossRecovery::Reno);
    println!("{SEEDS} seeds, {} s measured after {} s", SECONDS.1, SECONDS.0);
    for name in ProtocolName::ALL {
        let protocol = parameters.protocol(*name);
        let runs: Vec<Run> = (1..=SEEDS).map(|seed| measure(protocol, seed, SECONDS)).collect();
        let drops: u64 = runs.iter().map(|run| run.drops).sum();
        let utilization = runs.iter().map(|run| run.utilization).sum::<f64>() / runs.len() as f64;
        println!("\n{name}: {drops} drops, utilization {utilization:.3}");
        println!("| packets | flows | unfinished | mean s | PS mean s | ratio | 95% | largest s |");
        println!("|---|---|---|---|---|---|---|---|");
        for row in rows(&runs) {
            let up_to =
                if row.up_to == u64::MAX { "more".into() } else { format!("to {}", row.up_to) };
            let (low, high) = row.interval;
            println!(
                "| {up_to} | {} | {} | {:.3} | {:.3} | {:.2} | {low:.2} to {high:.2} | {:.2} |",
                row.flows, row.unfinished, row.took, row.ideal, row.ratio, row.largest,
            );
        }
    }
}
