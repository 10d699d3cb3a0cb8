//! Random events of laws. `PROPTEST_CASES` sets the number of cases of the first test; a failure prints
//! the shortest case that fails as well, and its seed is stored in `laws.regressions` and repeated.

use proptest::prelude::*;
use proptest::test_runner::FileFailurePersistence;
use sluice_fuzz::laws::{Case, run};

fn config() -> ProptestConfig {
    let seeds = FileFailurePersistence::WithSource("regressions");
    ProptestConfig { failure_persistence: Some(Box::new(seeds)), ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn any_order_of_events_keeps_the_promises(case in Case::any()) {
        case.run();
    }
}

#[test]
fn the_first_numbers_keep_the_promises() {
    let steps: u64 = (0..2_000).map(run).sum();
    assert!(steps > 50_000, "{steps} steps");
}
