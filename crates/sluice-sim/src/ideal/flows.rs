//! Live flows.

use sluice_units::Time;

use super::sharing::Slot;
use crate::config::Config;

/// A flow that has started and not ended.
#[derive(Clone, Copy, Debug)]
pub(super) struct Flow {
    pub(super) group: u32,
    /// The paths that it takes.
    pub(super) way: u32,
    pub(super) index: u64,
    pub(super) start: Time,
    /// Bytes of data; `None` if it sends until stopped.
    pub(super) size: Option<u64>,
    /// When its data enter the network.
    pub(super) enters: Time,
    /// Whether they have entered.
    pub(super) sends: bool,
    /// Bytes carried when its data began to arrive in the time measured, and when that ended.
    pub(super) seen: (f64, f64),
}

/// Whether a flow that starts at this time is measured.
pub(super) fn measures(config: &Config, start: Time) -> bool {
    config.warm_up <= start && start < config.stop
}

/// Bytes on the wire of `size` bytes of data.
pub(super) fn wire(config: &Config, size: u64) -> u64 {
    let payload = (config.packet - config.header).as_u64();
    let packets = size.div_ceil(payload).max(1);
    size.saturating_add(packets.saturating_mul(config.header.as_u64()))
}

/// Live flows; slots are reused.
#[derive(Default)]
pub(super) struct Flows {
    slots: Vec<Option<Flow>>,
    free: Vec<Slot>,
}

impl Flows {
    /// Bytes taken by all slots.
    pub(super) fn memory(&self) -> u64 {
        (self.slots.len() * size_of::<Option<Flow>>()) as u64
    }

    pub(super) fn insert(&mut self, flow: Flow) -> Slot {
        let slot = self.free.pop().unwrap_or_else(|| {
            self.slots.push(None);
            (self.slots.len() - 1) as Slot
        });
        self.slots[slot as usize] = Some(flow);
        slot
    }

    pub(super) fn get(&mut self, slot: Slot) -> Option<&mut Flow> {
        self.slots.get_mut(slot as usize)?.as_mut()
    }

    pub(super) fn remove(&mut self, slot: Slot) -> Option<Flow> {
        let flow = self.slots.get_mut(slot as usize)?.take()?;
        self.free.push(slot);
        Some(flow)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (Slot, &Flow)> {
        let slots = self.slots.iter().enumerate();
        slots.filter_map(|(slot, flow)| Some((slot as Slot, flow.as_ref()?)))
    }

    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = (Slot, &mut Flow)> {
        let slots = self.slots.iter_mut().enumerate();
        slots.filter_map(|(slot, flow)| Some((slot as Slot, flow.as_mut()?)))
    }
}
