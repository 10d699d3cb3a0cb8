//! The earliest of many times, each of which may change.

use sluice_units::Time;

/// Times by place, as a tree of which each inner node has the earlier of two: a change costs their logarithm.
#[derive(Clone, Debug)]
pub(super) struct Earliest {
    /// The places are the leaves: the second half of the nodes. Node n is above nodes 2 n and 2 n + 1; the root is node 1.
    times: Vec<Time>,
}

impl Earliest {
    /// `places` places without times.
    pub(super) fn new(places: usize) -> Self {
        Self { times: vec![Time::NEVER; 2 * places.max(1).next_power_of_two()] }
    }

    /// Sets the time of a place; [`Time::NEVER`] for none.
    pub(super) fn set(&mut self, place: usize, time: Time) {
        let mut node = self.times.len() / 2 + place;
        self.times[node] = time;
        while node > 1 {
            node /= 2;
            let earlier = self.times[2 * node].min(self.times[2 * node + 1]);
            if self.times[node] == earlier {
                return;
            }
            self.times[node] = earlier;
        }
    }

    /// The earliest time; [`Time::NEVER`] if there is none.
    pub(super) fn time(&self) -> Time {
        self.times[1]
    }

    /// The first place of those with the earliest time.
    pub(super) fn place(&self) -> usize {
        let (leaves, mut node) = (self.times.len() / 2, 1);
        while node < leaves {
            node *= 2;
            node += usize::from(self.times[node] != self.time());
        }
        node - leaves
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn without_times_none_is_due() {
        for places in [0, 1, 5] {
            assert_eq!(Earliest::new(places).time(), Time::NEVER);
        }
    }

    proptest! {
        /// The same as a search through all, with few times, so that many are equal.
        #[test]
        fn the_first_of_the_earliest_is_found(
            places in 1_usize..20, changes in prop::collection::vec((0_usize..20, 0_u64..6), 1..60),
        ) {
            let (mut tree, mut all) = (Earliest::new(places), vec![Time::NEVER; places]);
            for (place, nanos) in changes {
                let place = place % places;
                let time = if nanos == 0 { Time::NEVER } else { Time::from_nanos(nanos) };
                tree.set(place, time);
                all[place] = time;
                let earliest = *all.iter().min().unwrap();
                prop_assert_eq!(tree.time(), earliest);
                let first = all.iter().position(|&time| time == earliest).unwrap();
                prop_assert_eq!(tree.place(), first);
            }
        }
    }
}
