//! Classes of flows by the ticks for which they will go on to send: octaves.
//!
//! A class keeps two numbers of the distribution, and these suffice: with half octaves, 20 classes instead of
//! [`CLASSES`], completion times differ by no more than those of two seeds (decision 30).

/// Number of classes: below 1 tick, 1 to 2, 2 to 4, ..., 128 and more. The farthest a router looks ahead is 32 ticks at the
/// rate of now; a flow's class stays right if R rises fourfold meanwhile.
pub(super) const CLASSES: usize = 9;

/// A tick, in the unit of [`class_of`].
pub(super) const TICK: u64 = 256;

/// The class of a flow that sends for that many 1/256 of a tick. Fast path.
#[inline]
pub(super) const fn class_of(ticks: u64) -> usize {
    let octave = (u64::BITS - (ticks >> 8).leading_zeros()) as usize;
    if octave < CLASSES { octave } else { CLASSES - 1 }
}

/// The first tick of a class above the lowest.
fn first_tick(class: usize) -> f64 {
    f64::from(1_u32 << (class - 1))
}

/// Of `flows` by class, the number that sends for more than `ticks`. Those below a tick count as gone, those of the
/// highest class as going on.
///
/// (4) Within an octave from a to 2a, the part of flows above g is (2a/g - 1): their density is as g^-2, as of sizes
/// with the tail index 1, near which measured ones are. A uniform density overrates who goes on: at a load of 0.95,
/// long flows took 1.30 instead of 1.10 of max-min's time.
pub(super) fn going_on(flows: &[f64; CLASSES], ticks: f64) -> f64 {
    let mut sum = flows[CLASSES - 1];
    for class in (1..CLASSES - 1).rev() {
        let from = first_tick(class);
        if ticks >= 2.0 * from {
            break;
        }
        let part = if ticks <= from { 1.0 } else { 2.0 * from / ticks - 1.0 };
        sum += flows[class] * part;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn classes_are_octaves_of_ticks() {
        let by_hand =
            [(0, 0), (255, 0), (256, 1), (511, 1), (512, 2), (16 * 256, 5), (128 * 256, 8)];
        for (ticks, class) in by_hand {
            assert_eq!(class_of(ticks), class, "{ticks}");
        }
        assert_eq!(class_of(u64::MAX), CLASSES - 1);
    }

    #[test]
    fn an_octave_thins_out_as_its_sizes_do() {
        let mut flows = [0.0; CLASSES];
        flows[4] = 10.0;
        let by_hand = [(0.0, 10.0), (8.0, 10.0), (12.0, 10.0 / 3.0), (16.0, 0.0), (40.0, 0.0)];
        for (ticks, left) in by_hand {
            assert!((going_on(&flows, ticks) - left).abs() < 1e-12, "{ticks}");
        }
    }

    #[test]
    fn the_shortest_are_gone_and_the_longest_go_on() {
        let mut flows = [0.0; CLASSES];
        (flows[0], flows[CLASSES - 1]) = (5.0, 3.0);
        assert_eq!([0.0, 1e9].map(|ticks| going_on(&flows, ticks)), [3.0; 2]);
    }

    proptest! {
        #[test]
        fn the_longer_the_fewer(counts in prop::collection::vec(0.0..1e6, CLASSES), a in 0.0..300.0, b in 0.0..300.0) {
            let flows: [f64; CLASSES] = counts.try_into().expect("as many");
            let (less, more) = (f64::min(a, b), f64::max(a, b));
            prop_assert!(going_on(&flows, more) <= going_on(&flows, less));
            prop_assert!(going_on(&flows, less) <= flows.iter().sum());
        }
    }
}
