//! Randomly mutated scenarios are accepted or rejected, without panics.
//! `examples/fuzz_scenarios.rs` does the same with millions of them.

mod input;
mod large;
mod mutate;
mod stock;

use input::{Input, Reached};

#[test]
fn no_scenario_makes_the_parser_panic() {
    let mut reached = Vec::new();
    for number in 0..20_000 {
        let input = Input::new(1, number);
        let result = std::panic::catch_unwind(|| input.read());
        reached.push(result.unwrap_or_else(|_| panic!("number {number}: {input:#?}")));
    }
    // Inputs that are all rejected at once would test little.
    let at_least = |wanted| reached.iter().filter(|&&reached| reached >= wanted).count();
    assert!(at_least(Reached::Scenario) > 2_000, "{} scenarios", at_least(Reached::Scenario));
    assert!(at_least(Reached::Planned) > 400, "{} planned", at_least(Reached::Planned));
}
