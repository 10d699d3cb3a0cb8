//! Prints the goodput of a MulTCP flow over that of a TCP flow beside it, by weight, recovery and queue.

#[path = "../tests/it/multcp/mod.rs"]
mod multcp;
#[path = "../tests/it/shown/mod.rs"]
mod shown;

use multcp::{Bottleneck, by_equal_probability, by_equal_times, ratio};
use shown::mean_and_half_width;
use sluice_laws::tcp::LossRecovery;
use sluice_units::Span;

fn main() {
    let columns = [
        (Bottleneck::Red { wait: true }, LossRecovery::Rack),
        (Bottleneck::Red { wait: true }, LossRecovery::Sack),
        (Bottleneck::Red { wait: true }, LossRecovery::Reno),
        (Bottleneck::Red { wait: false }, LossRecovery::Rack),
        (Bottleneck::DropTail, LossRecovery::Rack),
    ];
    println!("{columns:?}: means of ten runs with 95% intervals");
    for weight in [1, 2, 3, 5, 7, 10, 30] {
        let (chance, times) = (by_equal_probability(weight as f64), by_equal_times(weight as f64));
        print!("| {weight} | {chance:.2} | {times:.2} |");
        for (queue, recovery) in columns {
            let run = |seed| ratio(queue, recovery, weight, seed, Span::from_secs(300));
            let (mean, error) = mean_and_half_width(&(1..=10).map(run).collect::<Vec<_>>());
            print!(" {mean:.2} ± {error:.2} |");
        }
        println!();
    }
}
