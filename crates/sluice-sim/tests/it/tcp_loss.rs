//! Long TCP flows under random loss: the square-root law where it holds, and PFTK where it does not.

use crate::loss::{by_rounds, goodput, pftk, square_root};
use sluice_laws::tcp::LossRecovery::{self, NewReno, Rack, Reno, Sack};

/// Goodput is 1.31 / (RTT sqrt p) within 10%, the 95% interval included.
#[track_caller]
fn follows_the_square_root_law(recovery: LossRecovery, loss: f64, flows: u64, losses: f64) {
    let measured = goodput(recovery, loss, flows, losses);
    let law = square_root(loss);
    let off = (measured.mean - law).abs() + measured.half_width;
    assert!(off < 0.1 * law, "{recovery:?} at {loss}: {measured:?} against {law}");
}

#[test]
#[ignore = "long: make test-long"]
fn reno_at_one_loss_in_a_hundred_thousand() {
    follows_the_square_root_law(Reno, 1e-5, 20, 50.0);
}

#[test]
#[ignore = "long: make test-long"]
fn new_reno_at_one_loss_in_a_hundred_thousand() {
    follows_the_square_root_law(NewReno, 1e-5, 20, 50.0);
}

#[test]
fn one_loss_in_ten_thousand() {
    for recovery in [Reno, NewReno, Sack, Rack] {
        follows_the_square_root_law(recovery, 1e-4, 20, 50.0);
    }
}

#[test]
fn one_loss_in_a_thousand() {
    for recovery in [Reno, NewReno, Sack, Rack] {
        follows_the_square_root_law(recovery, 1e-3, 20, 200.0);
    }
}

/// At one loss in a hundred goodput is 10 to 15% below the law, with any recovery and also with a
/// minimum RTO of 200 ms: the window is 13 packets on average, so the round that repairs a loss
/// without growth is one of eight. AIMD simulated in rounds includes that, and predicts the
/// goodput within 5% for the recoveries that seldom time out. RACK's goodput is 4% above: a repair
/// takes less than a round.
#[test]
fn one_loss_in_a_hundred_leaves_the_law_for_the_rounds() {
    let (law, rounds) = (square_root(1e-2), by_rounds(1e-2));
    assert!((0.85..0.9).contains(&(rounds / law)), "{rounds} against the law's {law}");
    for recovery in [NewReno, Sack] {
        let measured = goodput(recovery, 1e-2, 20, 400.0);
        let off = (measured.mean - rounds).abs() + measured.half_width;
        assert!(off < 0.05 * rounds, "{recovery:?}: {measured:?} against {rounds}");
    }
}

/// At higher loss rates, some losses end in a time-out of ten round trips. Neither the law nor the
/// rounds include time-outs; PFTK does, but assumes that after a loss the rest of the round is lost
/// too (losses here are independent), and no limited transmit. So goodput is between the two, and
/// closer to the law the more losses a recovery can repair.
#[test]
fn time_outs_matter_from_one_loss_in_a_hundred() {
    for loss in [1e-2, 2e-2, 5e-2, 0.1] {
        let [reno, new_reno, sack, rack] =
            [Reno, NewReno, Sack, Rack].map(|recovery| goodput(recovery, loss, 20, 400.0).mean);
        let (low, high) = (pftk(loss) * (1.0 - loss), square_root(loss));
        assert!(
            low < reno && reno < new_reno && new_reno < sack && sack < rack && rack < high,
            "{loss}: {low} < {reno} < {new_reno} < {sack} < {rack} < {high}"
        );
        // PFTK models Reno. For rare losses it tends to sqrt(3/2) / (RTT sqrt p), 7% below the law
        // for random loss; the rest is due to its assumption about losses of one round.
        assert!(reno < 1.35 * low, "{loss}: Reno {reno} against PFTK's {low}");
    }
}
