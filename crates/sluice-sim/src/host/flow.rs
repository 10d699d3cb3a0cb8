//! Flows that live: a slab whose slots are used again, named by slot and generation.

use super::{Receiver, Sender, TimerId};
use crate::packet::FlowKey;

/// In this order in memory, because each end is used while the other is not.
#[repr(C)]
pub(crate) struct Flow {
    pub(crate) receiver: Receiver,
    /// Where its paths begin among the plan's steps.
    pub(crate) out: u32,
    pub(crate) back: u32,
    /// Its hosts.
    pub(crate) from: u32,
    pub(crate) to: u32,
    /// The timers of its ends, and when they are set to fire: an end that comes to wait longer
    /// leaves its timer, which then finds nothing to do and is set anew.
    pub(crate) receiver_timer: Timer,
    /// Whether its sender has finished or stopped.
    pub(crate) closed: bool,
    /// When something last happened to it that its record must wait for.
    pub(crate) last: u64,
    pub(crate) sender_timer: Timer,
    pub(crate) sender: Sender,
    pub(crate) group: u32,
    pub(crate) index: u64,
    pub(crate) start: u64,
    /// Bytes of data; `None` if it sends until stopped.
    pub(crate) size: Option<u64>,
    /// Packets towards the receiver that the network lost.
    pub(crate) lost: u64,
    /// Which flow probe looks at it.
    pub(crate) probe: Option<FlowProbeState>,
}

/// A timer of one end.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Timer {
    pub(crate) id: TimerId,
    /// [`u64::MAX`] if it is not set.
    pub(crate) due: u64,
}

impl Timer {
    pub(crate) fn idle(id: TimerId) -> Self {
        Self { id, due: u64::MAX }
    }
}

impl Flow {
    /// Whether nothing of it is left anywhere: its slot may be used again. Acknowledgements may
    /// still travel; they will not find their generation. Waiting for what the receiver has yet to
    /// say keeps this the same whichever end ran ahead.
    #[inline]
    pub(crate) fn is_over(&self) -> bool {
        self.closed
            && self.sender.sent() == self.receiver.arrived() + self.lost
            && self.receiver.wake() == u64::MAX
    }
}

/// A probe that looks at a flow.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FlowProbeState {
    /// Its place in the configuration.
    pub(crate) place: usize,
    pub(crate) timer: TimerId,
}

#[derive(Default)]
pub(crate) struct Flows {
    slots: Vec<Slot>,
    free: Vec<u32>,
}

struct Slot {
    generation: u32,
    flow: Option<Flow>,
}

impl Flows {
    /// Takes a slot for the flow that `make` makes of its name.
    pub(crate) fn insert(&mut self, make: impl FnOnce(FlowKey) -> Flow) -> FlowKey {
        let slot = self.free.pop().unwrap_or_else(|| {
            self.slots.push(Slot { generation: 0, flow: None });
            (self.slots.len() - 1) as u32
        });
        let place = &mut self.slots[slot as usize];
        let key = FlowKey { slot, generation: place.generation };
        place.flow = Some(make(key));
        key
    }

    /// The flow of that name, if it still lives.
    #[inline]
    pub(crate) fn get(&mut self, key: FlowKey) -> Option<&mut Flow> {
        let slot = &mut self.slots[key.slot as usize];
        if slot.generation == key.generation { slot.flow.as_mut() } else { None }
    }

    /// Frees a flow's slot.
    pub(crate) fn remove(&mut self, key: FlowKey) {
        let slot = &mut self.slots[key.slot as usize];
        slot.generation = slot.generation.wrapping_add(1);
        slot.flow = None;
        self.free.push(key.slot);
    }

    /// Flows that live, in no order that means anything.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Flow> {
        self.slots.iter().filter_map(|slot| slot.flow.as_ref())
    }
}
