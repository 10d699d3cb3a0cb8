//! Groups of flows by RTT (thesis section 9.3.2): a list of the RTTs that divide them.

use core::ops::RangeInclusive;

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use sluice_units::{Faults, Span};

use crate::wire::ticks::ticks;

/// The largest number of groups: "a small and finite number" (section 9.3.2).
pub const MAX_GROUPS: usize = 6;
/// The largest number of RTTs that divide them.
pub const MAX_BOUNDS: usize = MAX_GROUPS - 1;

/// RTTs at which the next group begins, rising: `["500 ms", "1 s"]` are three groups. None are one group.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RttGroups {
    bounds: [Span; MAX_BOUNDS],
    /// How many of them there are; more than [`MAX_BOUNDS`] if there are too many to be held.
    count: usize,
}

impl RttGroups {
    /// The groups between these RTTs.
    pub fn new(bounds: &[Span]) -> Self {
        let mut groups = Self { count: bounds.len(), ..Self::default() };
        groups.bounds.iter_mut().zip(bounds).for_each(|(to, from)| *to = *from);
        groups
    }

    /// Whether all flows are in one group.
    pub const fn is_one(&self) -> bool {
        self.count == 0
    }

    /// The RTTs at which the next group begins.
    pub fn bounds(&self) -> &[Span] {
        &self.bounds[..self.count.min(MAX_BOUNDS)]
    }

    /// Adds what is wrong with the list to `faults`; RTTs are in this range.
    pub(super) fn check(&self, field: &str, allowed: &RangeInclusive<Span>, faults: &mut Faults) {
        if self.count > MAX_BOUNDS {
            let what = format!("{} RTTs; at most {MAX_BOUNDS} divide groups", self.count);
            return faults.add(field, what);
        }
        for bound in self.bounds() {
            if !faults.sound(|faults| faults.within(field, bound, allowed)) {
                return;
            }
        }
        if self.bounds().windows(2).any(|pair| pair[0] >= pair[1]) {
            faults.add(field, "RTTs must rise: each begins the next group".to_owned());
        }
    }
}

impl Serialize for RttGroups {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        self.bounds().serialize(to)
    }
}

impl<'de> Deserialize<'de> for RttGroups {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        Vec::<Span>::deserialize(from).map(|bounds| Self::new(&bounds))
    }
}

impl JsonSchema for RttGroups {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "RttGroups".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        Vec::<Span>::json_schema(generator)
    }
}

/// The bounds in a header's ticks, for the fast path.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct TickBounds {
    ticks: [u32; MAX_BOUNDS],
    count: u32,
}

impl TickBounds {
    pub(super) fn new(groups: &RttGroups) -> Self {
        let mut bounds = Self { count: groups.bounds().len() as u32, ..Self::default() };
        let spans = groups.bounds().iter().map(|span| ticks(span.as_secs_f64()));
        bounds.ticks.iter_mut().zip(spans).for_each(|(to, from)| *to = from);
        bounds
    }

    /// The group of an RTT in ticks: "flows whose RTT < 500 ms in one group, flows with 500 ms <= RTT < 1000
    /// ms in a second" (section 9.3.2).
    #[inline]
    pub(super) fn of(&self, rtt: u32) -> usize {
        let bounds = self.ticks.iter().take(self.count as usize);
        bounds.filter(|&&bound| rtt >= bound).count()
    }

    pub(super) fn to_plain(self) -> [u64; 3] {
        let [a, b, c, d, e] = self.ticks.map(u64::from);
        [a | b << 32, c | d << 32, e | u64::from(self.count) << 32]
    }

    pub(super) fn from_plain(words: [u64; 3]) -> Self {
        let [[a, b], [c, d], [e, count]] = words.map(|word| [word as u32, (word >> 32) as u32]);
        // Values of 64 bits could be any.
        Self { ticks: [a, b, c, d, e], count: count.min(MAX_BOUNDS as u32) }
    }
}

#[cfg(test)]
mod tests {
    use super::super::params::GROUP_RTTS;
    use super::*;

    fn ms(times: &[u64]) -> RttGroups {
        RttGroups::new(&times.iter().map(|&ms| Span::from_millis(ms)).collect::<Vec<_>>())
    }

    /// The thesis' example.
    #[test]
    fn a_group_begins_with_its_bound() {
        let bounds = TickBounds::new(&ms(&[500, 1000, 1500]));
        let second = 1 << 28;
        let group = [1, second / 2 - 1, second / 2, second, second / 2 * 3 - 1, u32::MAX];
        assert_eq!(group.map(|rtt| bounds.of(rtt)), [0, 0, 1, 2, 2, 3]);
        assert_eq!(TickBounds::from_plain(bounds.to_plain()), bounds);
        assert_eq!(TickBounds::new(&RttGroups::default()).of(u32::MAX), 0);
    }

    #[test]
    fn bounds_rise_and_are_few() {
        let faults = |groups: &RttGroups| {
            let found = Faults::of(|faults| groups.check("rtt_groups", &GROUP_RTTS, faults));
            found.into_iter().map(|fault| fault.what.to_string()).collect::<Vec<_>>()
        };
        assert_eq!(faults(&RttGroups::default()), [""; 0]);
        assert_eq!(faults(&ms(&[10, 20, 40, 80, 160])), [""; 0]);
        assert_eq!(faults(&ms(&[10, 20, 20])), ["RTTs must rise: each begins the next group"]);
        assert_eq!(faults(&ms(&[1; 7])), ["7 RTTs; at most 5 divide groups"]);
        assert_eq!(faults(&ms(&[0, 5])).len(), 1);
    }
}
