//! The per-packet half of the router, in integers: what packets state about reservations, and the
//! admission of requests (thesis section 6.4.4).
//!
//! What may still be reserved is a budget that admissions use up: a request that it covers is admitted,
//! and the next estimate of R_g, which counts the admissions (R_r), brings a new budget. So "R_g +=
//! H_profile" and the test against G are a subtraction and a comparison, and nothing is kept by flow.

use super::header::GuaranteedHeader;
use crate::router::{self, Plain, Train};

/// Sums over packets with a profile.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GuaranteedSums {
    /// Bytes, of which R_u is the rate.
    pub bytes: u64,
    /// Sum of H_profile x s / H_throughput, in units of 100 b/s x 2^-28 s. A flow that states the truth
    /// adds its profile times the time that passes; a few packets could overflow 64 bits.
    pub profile_x: u128,
}

impl GuaranteedSums {
    /// "On packet arrival" (section 6.4.4): "if (H_profile > 0)".
    pub(super) fn add(&mut self, header: &GuaranteedHeader, train: Train) {
        if header.profile == 0 {
            return;
        }
        self.bytes = self.bytes.wrapping_add(u64::from(train.bytes()));
        let x = u128::from(header.x) * u128::from(train.packets());
        self.profile_x = self.profile_x.wrapping_add(u128::from(header.profile) * x);
    }
}

impl Plain for GuaranteedSums {
    type Plain = [u64; 3];

    fn to_plain(self) -> [u64; 3] {
        [self.bytes, self.profile_x as u64, (self.profile_x >> 64) as u64]
    }

    fn from_plain([bytes, low, high]: [u64; 3]) -> Self {
        Self { bytes, profile_x: u128::from(high) << 64 | u128::from(low) }
    }
}

impl router::Sums for GuaranteedSums {
    fn plus(&self, other: &Self) -> Self {
        Self {
            bytes: self.bytes.wrapping_add(other.bytes),
            profile_x: self.profile_x.wrapping_add(other.profile_x),
        }
    }

    fn since(&self, earlier: &Self) -> Self {
        Self {
            bytes: self.bytes.wrapping_sub(earlier.bytes),
            profile_x: self.profile_x.wrapping_sub(earlier.profile_x),
        }
    }
}

/// Bandwidth that may be reserved, in units of 100 b/s: as a grant G - R_g, as a budget what admissions
/// left of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reservable(pub u64);

impl Plain for Reservable {
    type Plain = [u64; 1];

    fn to_plain(self) -> [u64; 1] {
        [self.0]
    }

    fn from_plain([units]: [u64; 1]) -> Self {
        Self(units)
    }
}

impl Reservable {
    /// "On request arrival": "the router admits the new flow if the sum of R_g and the flow's profile does
    /// not exceed the capacity allocated to guaranteed traffic. Otherwise the router denies admission to
    /// the flow by resetting the AC bit." The pseudo-code has the branches the other way round.
    ///
    /// "Once the AC bit is reset [...] downstream routers do not consider it for admission control."
    pub(super) fn admit(&mut self, header: &mut GuaranteedHeader) {
        if !header.request {
            return;
        }
        match self.0.checked_sub(u64::from(header.profile)) {
            Some(left) => self.0 = left,
            None => header.request = false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::router::Sums as _;

    fn request(profile: u32) -> GuaranteedHeader {
        GuaranteedHeader { profile, request: true, ..GuaranteedHeader::default() }
    }

    /// Whether a request is admitted.
    fn admits(budget: &mut Reservable, profile: u32) -> bool {
        let mut header = request(profile);
        budget.admit(&mut header);
        assert_eq!(header.profile, profile, "only the bit changes");
        header.request
    }

    #[test]
    fn requests_are_admitted_up_to_g_and_not_beyond() {
        let mut left = Reservable(80_000);
        let admitted: Vec<bool> = (0..7).map(|_| admits(&mut left, 15_000)).collect();
        assert_eq!(admitted, [true, true, true, true, true, false, false]);
        // A smaller one still fits, to the last unit.
        assert!(admits(&mut left, 5_000));
        assert_eq!(left, Reservable(0));
        assert!(!admits(&mut left, 1));
    }

    #[test]
    fn what_was_denied_before_or_asks_for_nothing_reserves_nothing() {
        let mut left = Reservable(10);
        let mut data = GuaranteedHeader { profile: 9, x: 5, ..GuaranteedHeader::default() };
        left.admit(&mut data);
        assert!(!data.request);
        assert_eq!(left, Reservable(10));
    }

    #[test]
    fn a_flow_adds_its_profile_times_the_time_that_passes() {
        // 1.5 Mb/s as packets of 1000 B 1/187.5 s apart, and as 40 B an RTT of 80 ms apart.
        for (packets, bytes, seconds) in [(1500_u64, 1000, 1.0 / 187.5), (100, 40, 0.08)] {
            let x = (seconds * f64::from(1 << 28) + 0.5) as u32;
            let header = GuaranteedHeader { profile: 15_000, x, ..GuaranteedHeader::default() };
            let mut sums = GuaranteedSums::default();
            (0..packets).for_each(|_| sums.add(&header, Train::packet(bytes)));
            let reserved = sums.profile_x as f64 / f64::from(1 << 28) / 8.0;
            assert!((reserved - 15_000.0).abs() < 0.1, "{reserved}");
            assert_eq!(sums.bytes, packets * u64::from(bytes));
        }
    }

    #[test]
    fn a_train_counts_as_its_packets_and_packets_without_a_profile_as_nothing() {
        let header = GuaranteedHeader { profile: 7, x: 3, ..GuaranteedHeader::default() };
        let mut sums = GuaranteedSums::default();
        sums.add(&header, Train::new(3000, 3));
        assert_eq!(sums, GuaranteedSums { bytes: 3000, profile_x: 63 });
        sums.add(&GuaranteedHeader { profile: 0, ..header }, Train::packet(1000));
        assert_eq!(sums, GuaranteedSums { bytes: 3000, profile_x: 63 });
    }

    #[test]
    fn sums_wrap_and_cross_a_map_unchanged() {
        let near = GuaranteedSums { bytes: u64::MAX, profile_x: u128::MAX - 1 };
        let mut after = near;
        let header = GuaranteedHeader { profile: 2, x: 4, ..GuaranteedHeader::default() };
        after.add(&header, Train::packet(1));
        assert_eq!(after.since(&near), GuaranteedSums { bytes: 1, profile_x: 8 });
        assert_eq!(near.plus(&after.since(&near)), after);
        assert_eq!(GuaranteedSums::from_plain(near.to_plain()), near);
        assert_eq!(Reservable::from_plain(Reservable(9).to_plain()), Reservable(9));
    }
}
