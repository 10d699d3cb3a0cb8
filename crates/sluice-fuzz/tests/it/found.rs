//! Scenarios that once failed: each is accepted or refused, and runs without failure.

use std::path::Path;

use sluice_fuzz::scenarios::{FuzzTally, Input, check};

/// Random choices of protocol, seed and duration for each.
const SEEDS: u64 = 10;

#[test]
fn inputs_that_failed_no_longer_do() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("found");
    let mut count = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let input = Input::of_text(std::fs::read_to_string(&path).unwrap());
        let mut tally = FuzzTally::default();
        (0..SEEDS).for_each(|seed| tally.add(&check(&input, seed)));
        // A comment says which of both is right.
        let is_refused = input.text.contains("# Refused:");
        assert_eq!(tally.planned == 0, is_refused, "{}", path.display());
        count += 1;
    }
    assert!(count > 0);
}
