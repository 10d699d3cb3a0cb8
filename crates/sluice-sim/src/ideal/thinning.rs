//! What links pass of streams of datagrams. A link that gets more than its capacity passes the same part
//! of every stream, so a stream arrives thinner at its next link.
//!
//! Where streams cut each other in a circle, the parts solve equations that are iterated to a fixed point.
//! Elsewhere the iteration is exact after as many rounds as links cut streams one behind the other.

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::config::LinkId;
use crate::route::Ways;

/// Rounds without damping, which alone are exact, and all rounds.
const UNDAMPED: usize = 64;
const ROUNDS: usize = 1000;

/// The change of a part, in a round, that is none.
const NONE: f64 = 1e-12;

/// Streams of a group over the same links.
pub(super) struct StreamWay {
    /// The links at each place of the paths, with the part of the bytes that crosses each, as in
    /// [`Ways::levels`].
    levels: Vec<Vec<(LinkId, f64)>>,
    /// Part of the group's streams.
    part: f64,
}

/// Rates at links, and the part of them that each link passes.
pub(super) struct Thinning {
    arriving: Vec<f64>,
    parts: Vec<f64>,
}

impl StreamWay {
    /// The ways of `count` streams.
    pub(super) fn all(ways: &Ways, count: u64) -> Vec<Self> {
        if ways.spray() > 1 {
            return vec![Self { levels: ways.levels(0), part: 1.0 }];
        }
        let mut streams = BTreeMap::new();
        for index in 0..count {
            *streams.entry(ways.of_flow(index)).or_insert(0.0) += 1.0;
        }
        let way =
            |(path, streams): (Cow<'_, [LinkId]>, f64)| Self::over(&path, streams / count as f64);
        streams.into_iter().map(way).collect()
    }

    /// This part of the streams over one path.
    fn over(path: &[LinkId], part: f64) -> Self {
        Self { levels: path.iter().map(|&link| vec![(link, 1.0)]).collect(), part }
    }

    /// All links.
    pub(super) fn links(&self) -> impl Iterator<Item = LinkId> {
        self.levels.iter().flatten().map(|&(link, _)| link)
    }

    /// Visits each link with the rate at which streams arrive there that set out at `rate`, all of the
    /// group together. Returns the rate behind the last.
    fn follow(&self, rate: f64, parts: &[f64], mut visit: impl FnMut(LinkId, f64)) -> f64 {
        let mut rate = rate * self.part;
        for level in &self.levels {
            let mut passed = 0.0;
            for &(link, share) in level {
                visit(link, rate * share);
                passed += share * parts[link];
            }
            rate *= passed;
        }
        rate
    }
}

impl Thinning {
    /// Of groups with these ways, each of which sends at this rate, over links of these capacities.
    pub(super) fn new(streams: &[(&[StreamWay], f64)], capacities: &[f64]) -> Self {
        let ways = streams.iter().flat_map(|(ways, _)| *ways);
        let longest = ways.map(|way| way.levels.len()).max().unwrap_or(1) as f64;
        let mut found = Self { arriving: Vec::new(), parts: vec![1.0; capacities.len()] };
        for round in 0..ROUNDS {
            found.arrive(streams);
            let weight = if round < UNDAMPED { 1.0 } else { 1.0 / longest };
            if found.cut(capacities, weight) < NONE {
                break;
            }
        }
        found
    }

    fn arrive(&mut self, streams: &[(&[StreamWay], f64)]) {
        self.arriving = vec![0.0; self.parts.len()];
        for &(ways, rate) in streams {
            for way in ways {
                way.follow(rate, &self.parts, |link, rate| self.arriving[link] += rate);
            }
        }
    }

    /// Moves each part towards what the capacity allows, by `weight`. Returns the largest change.
    fn cut(&mut self, capacities: &[f64], weight: f64) -> f64 {
        let mut largest: f64 = 0.0;
        for ((part, arriving), capacity) in
            self.parts.iter_mut().zip(&self.arriving).zip(capacities)
        {
            let allowed = if arriving > capacity { capacity / arriving } else { 1.0 };
            let change = weight * (allowed - *part);
            *part += change;
            largest = largest.max(change.abs());
        }
        largest
    }

    /// The rate that each link carries.
    pub(super) fn carried(&self) -> Vec<f64> {
        self.arriving.iter().zip(&self.parts).map(|(arriving, part)| arriving * part).collect()
    }

    /// The rate at which streams over these ways arrive that set out at `rate`.
    pub(super) fn delivered(&self, ways: &[StreamWay], rate: f64) -> f64 {
        ways.iter().map(|way| way.follow(rate, &self.parts, |_, _| ())).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Asserts what links of these capacities carry of streams over these paths, and what arrives of each.
    #[track_caller]
    fn assert_thinned(
        capacities: &[f64],
        streams: &[(f64, &[LinkId])],
        (carried, delivered): (&[f64], &[f64]),
    ) {
        let ways: Vec<_> = streams.iter().map(|(_, path)| [StreamWay::over(path, 1.0)]).collect();
        let groups: Vec<_> =
            ways.iter().zip(streams).map(|(way, &(rate, _))| (&way[..], rate)).collect();
        let found = Thinning::new(&groups, capacities);
        let arrived =
            groups.iter().map(|&(way, rate)| found.delivered(way, rate)).collect::<Vec<_>>();
        for (found, wanted) in [(found.carried(), carried), (arrived, delivered)] {
            let near =
                found.iter().zip(wanted).all(|(found, wanted)| (found - wanted).abs() < 1e-9);
            assert!(near && found.len() == wanted.len(), "{found:?}, not {wanted:?}");
        }
    }

    /// 20 over links of 40, 10 and 30, and 15 over the last: 10 of the first get there.
    #[test]
    fn a_stream_is_cut_once_and_thinner_from_there_on() {
        let streams: [(f64, &[LinkId]); 2] = [(20.0, &[0, 1, 2]), (15.0, &[2])];
        assert_thinned(&[40.0, 10.0, 30.0], &streams, (&[20.0, 10.0, 25.0], &[10.0, 15.0]));
    }

    /// Of 20 + 20 at a link of 20, 10 each pass; 10 + 30 at one of 20 are halved.
    #[test]
    fn each_link_passes_the_same_part_of_all_streams() {
        let streams: [(f64, &[LinkId]); 3] = [(20.0, &[0, 1]), (20.0, &[0]), (30.0, &[1])];
        assert_thinned(&[20.0, 20.0], &streams, (&[20.0, 20.0], &[5.0, 10.0, 15.0]));
    }

    /// Three streams of rate 1 over two links each of a ring: f + f^2 = 1 for the part f that a link passes.
    #[test]
    fn streams_in_a_circle_cut_each_other() {
        let golden = (5.0_f64.sqrt() - 1.0) / 2.0;
        let streams: [(f64, &[LinkId]); 3] = [(1.0, &[0, 1]), (1.0, &[1, 2]), (1.0, &[2, 0])];
        assert_thinned(&[1.0; 3], &streams, (&[1.0; 3], &[golden * golden; 3]));
    }

    /// Eight streams all around a ring of eight links, where undamped rounds oscillate.
    #[test]
    fn a_long_circle_settles_too() {
        let paths: Vec<Vec<LinkId>> =
            (0..8).map(|begin| (0..8).map(|place| (begin + place) % 8).collect()).collect();
        let part = {
            // 0.3 (f + ... + f^8) = 1, by bisection.
            let (mut low, mut high) = (0.0_f64, 1.0);
            for _ in 0..60 {
                let middle = (low + high) / 2.0;
                let sum: f64 = (1..=8).map(|power| 0.3 * middle.powi(power)).sum();
                if sum < 1.0 { low = middle } else { high = middle }
            }
            low
        };
        let streams: Vec<_> = paths.iter().map(|path| (0.3, &path[..])).collect();
        assert_thinned(&[1.0; 8], &streams, (&[1.0; 8], &[0.3 * part.powi(8); 8]));
    }
}
