//! Mutated scenarios.

use sluice_fuzz::scenarios::{FuzzTally, run};

#[test]
fn mutated_scenarios_run_and_make_sense() {
    let mut tally = FuzzTally::default();
    for number in 0..3_000 {
        let one = std::panic::catch_unwind(|| run(number));
        tally.add(&one.unwrap_or_else(|_| panic!("number {number}")));
    }
    // Inputs that are all rejected at once would test little.
    assert!(tally.scenarios > 300 && tally.planned > 200, "{tally:?}");
    assert!(tally.finished > 800 && tally.repeated > 5 && tally.outputs > 0, "{tally:?}");
    assert!(tally.flows > 10_000 && tally.packets > 100_000, "{tally:?}");
}
