//! Some flows of every size, the same under every system.

use std::collections::{BTreeMap, BTreeSet, BinaryHeap};

use super::data::Sample;
use super::digits::digits;
use super::flow::Flow;
use super::sizes::{self, SIZES};

/// Most flows of a size that are kept while flows are read.
const KEPT: usize = 250;
/// Most flows in a page.
const SHOWN: usize = 2_000;

/// The flows of each size with the smallest hashes: a choice that does not depend on the order of
/// flows, nor on what became of them, so that it is the same under every system.
#[derive(Debug)]
pub struct FlowSample {
    bins: Vec<BinaryHeap<(u64, Flow)>>,
}

impl Default for FlowSample {
    fn default() -> Self {
        Self { bins: vec![BinaryHeap::new(); SIZES] }
    }
}

impl FlowSample {
    /// Considers a flow; `group` is its group's hash.
    pub fn add(&mut self, flow: Flow, group: u64) {
        let hash = hash(group, flow.seed, flow.index);
        let bin = &mut self.bins[sizes::bin(flow.size)];
        if bin.len() == KEPT {
            if bin.peek().is_some_and(|(greatest, _)| hash >= *greatest) {
                return;
            }
            bin.pop();
        }
        bin.push((hash, flow));
    }
}

/// The hash of a name: FNV-1a.
pub fn name_hash(name: &str) -> u64 {
    name.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

/// Mixes as SplitMix64 does (Steele, Lea and Flood 2014), so that neighbours are far apart.
fn hash(group: u64, seed: u64, index: u64) -> u64 {
    let mix = |value: u64| {
        let value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        value ^ (value >> 31)
    };
    mix(mix(mix(group.wrapping_add(0x9e37_79b9_7f4a_7c15)) ^ seed) ^ index)
}

/// What identifies a flow, in the order of a sample.
type Key = (u64, u32, u64, u64);

/// Puts systems' samples side by side. A system without flows has an empty column.
pub fn side_by_side(systems: &[FlowSample], groups: Vec<String>) -> Sample {
    let mut sizes: Vec<BTreeSet<(u64, Key)>> = vec![BTreeSet::new(); SIZES];
    for (bin, found) in systems.iter().flat_map(|sample| sample.bins.iter().enumerate()) {
        sizes[bin].extend(found.iter().map(|(hash, flow)| (*hash, flow.key())));
    }
    let quota = quota(&sizes);
    let mut keys: Vec<Key> =
        sizes.iter().flat_map(|flows| flows.iter().take(quota).map(|(_, key)| *key)).collect();
    keys.sort_unstable();
    let mut sample = Sample { quota, groups, ..Sample::default() };
    let columns: Vec<BTreeMap<Key, Flow>> = systems.iter().map(by_key).collect();
    for key in &keys {
        let (size, group, index, seed) = *key;
        sample.group.push(group);
        sample.index.push(index);
        sample.seed.push(seed);
        sample.size.push(size);
        let alone = columns.iter().find_map(|flows| flows.get(key)).map_or(0, |flow| flow.alone);
        sample.alone.push(digits(alone as f64 / 1e9, 5));
    }
    let slowdowns = |flows: &BTreeMap<Key, Flow>| {
        let of = |key| flows.get(key).and_then(Flow::slowdown).map(|value| digits(value, 4));
        if flows.is_empty() { Vec::new() } else { keys.iter().map(of).collect() }
    };
    sample.slowdown = columns.iter().map(slowdowns).collect();
    sample
}

fn by_key(sample: &FlowSample) -> BTreeMap<Key, Flow> {
    sample.bins.iter().flatten().map(|(_, flow)| (flow.key(), *flow)).collect()
}

/// The greatest number of flows a size that keeps the whole within bounds.
fn quota(sizes: &[BTreeSet<(u64, Key)>]) -> usize {
    let total = |quota: usize| sizes.iter().map(|flows| flows.len().min(quota)).sum::<usize>();
    (1..=KEPT).rev().find(|&quota| total(quota) <= SHOWN).unwrap_or(1)
}

impl Flow {
    fn key(&self) -> Key {
        (self.size, self.group, self.index, self.seed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flow(index: u64, completion: Option<u64>) -> Flow {
        Flow {
            group: 0,
            index,
            seed: 1,
            size: 10_u64.pow(index as u32 % 7 + 2),
            alone: 10,
            completion,
        }
    }

    fn sample(flows: impl Iterator<Item = Flow>) -> FlowSample {
        let mut sample = FlowSample::default();
        flows.for_each(|flow| sample.add(flow, name_hash("web")));
        sample
    }

    #[test]
    fn systems_have_the_same_flows_whatever_became_of_them_and_in_any_order() {
        let some = sample((0..50_000).map(|i| flow(i, Some(10 + i % 90))));
        let other = sample((0..50_000).rev().map(|i| flow(i, (i % 2 == 0).then_some(30))));
        let sample = side_by_side(&[some, FlowSample::default(), other], vec!["web".into()]);
        assert_eq!(sample.size.len(), 7 * 250);
        assert_eq!(sample.slowdown[1], []);
        for (i, &index) in sample.index.iter().enumerate() {
            assert_eq!(sample.slowdown[0][i], Some((10 + index % 90) as f64 / 10.0));
            assert_eq!(sample.slowdown[2][i], (index % 2 == 0).then_some(3.0));
        }
    }

    #[test]
    fn a_few_flows_are_all_shown() {
        let sample = side_by_side(&[sample((0..40).map(|i| flow(i, Some(20))))], Vec::new());
        assert_eq!(sample.size.len(), 40);
        assert!(sample.size.is_sorted());
    }

    #[test]
    fn the_choice_is_even() {
        let chosen = sample((0..100_000).map(|i| Flow { size: 5_000, ..flow(i, None) }));
        let chosen: Vec<u64> = chosen.bins.iter().flatten().map(|(_, flow)| flow.index).collect();
        let mean = chosen.iter().sum::<u64>() as f64 / chosen.len() as f64;
        // Uniform on [0, 100000): the mean of 250 has a standard deviation of 1826.
        assert!((mean - 50_000.0).abs() < 6_000.0, "{mean}");
    }
}
