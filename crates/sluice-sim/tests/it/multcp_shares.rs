//! A MulTCP flow of weight N beside a TCP flow: what its equations give, and what the thesis found.

use crate::multcp::{Bottleneck, by_equal_probability, by_equal_times, ratio};
use sluice_laws::tcp::LossRecovery;
use sluice_units::Span;

/// The mean over three seeds.
fn mean(queue: Bottleneck, recovery: LossRecovery, weight: u64) -> f64 {
    let ratios = (1..=3).map(|seed| ratio(queue, recovery, weight, seed, Span::from_secs(200)));
    ratios.sum::<f64>() / 3.0
}

#[test]
fn the_equations_by_hand() {
    for (weight, probability, times) in
        [(1.0, 1.0, 1.0), (2.0, 2.160, 4.667), (10.0, 11.402, 130.0)]
    {
        assert!((by_equal_probability(weight) - probability).abs() < 1e-3, "{weight}");
        assert!((by_equal_times(weight) - times).abs() < 1e-3, "{weight}");
    }
}

/// Thesis, section 6.3.1: with RED, weights up to 10 share about in proportion; beyond, MulTCP fails,
/// with SACK as with Reno.
#[test]
fn weights_up_to_ten_share_about_in_proportion_at_the_thesis_red() {
    let red = Bottleneck::Red { wait: true };
    for weight in [2, 5, 10] {
        let found = mean(red, LossRecovery::Sack, weight) / weight as f64;
        assert!((0.9..1.5).contains(&found), "{weight}: {found}");
    }
    let found = mean(red, LossRecovery::Sack, 30);
    assert!(found < 15.0, "{found}");
}

/// "Much worse because of drop synchronization": with drop-tail, losses come to both flows when the
/// buffer is full, and the ratio is near that of equal times.
#[test]
fn drop_tail_gives_a_weight_far_more_than_its_share() {
    for weight in [2, 5] {
        let found = mean(Bottleneck::DropTail, LossRecovery::Rack, weight);
        let expected = by_equal_times(weight as f64);
        assert!((0.6..1.2).contains(&(found / expected)), "{weight}: {found} for {expected}");
    }
}
