//! Flows that live: a slab whose slots are used again, named by slot and generation.

use super::receiver::Receiver;
use super::sender::Sender;
use super::timers::TimerId;
use crate::packet::FlowKey;

/// In this order in memory, because each end is used while the other is not, and in lines of the
/// cache.
#[repr(C, align(64))]
pub(crate) struct Flow {
    pub(crate) receiver: Receiver,
    /// When its receiver last took or sent a packet.
    pub(crate) heard: u64,
    /// How many flows had the slot before.
    pub(crate) generation: u32,
    /// Where its paths begin among the plan's steps.
    pub(crate) out: u32,
    pub(crate) back: u32,
    /// The timers of its ends, and when they are set to fire: an end that comes to wait longer
    /// leaves its timer, which then finds nothing to do and is set anew.
    pub(crate) sender_timer: Timer,
    /// Its hosts.
    pub(crate) from: u32,
    /// Whether its sender has finished or stopped.
    pub(crate) closed: bool,
    pub(crate) sender: Sender,
    pub(crate) to: u32,
    pub(crate) group: u32,
    pub(crate) receiver_timer: Timer,
    /// Packets towards the receiver that the network lost.
    pub(crate) lost: u64,
    pub(crate) index: u64,
    pub(crate) start: u64,
    /// When something else last happened to it that its record must wait for.
    pub(crate) last: u64,
    /// Bytes of data; `None` if it sends until stopped.
    pub(crate) size: Option<u64>,
    /// Which flow probe looks at it.
    pub(crate) sampler: Option<FlowSampler>,
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
pub(crate) struct FlowSampler {
    /// Its place in the configuration.
    pub(crate) place: usize,
    pub(crate) timer: TimerId,
}

// The sender begins a line.
#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::offset_of!(Flow, sender) == 256);

#[derive(Default)]
pub(crate) struct Flows {
    /// A flow that is removed stays until its slot is used again.
    flows: Vec<Flow>,
    free: Vec<u32>,
}

impl Flows {
    /// Takes a slot for the flow that `make` makes of its name, whose generation it has.
    pub(crate) fn insert(&mut self, make: impl FnOnce(FlowKey) -> Flow) -> FlowKey {
        if let Some(slot) = self.free.pop() {
            let key = FlowKey { slot, generation: self.flows[slot as usize].generation };
            self.flows[slot as usize] = make(key);
            debug_assert_eq!(self.flows[slot as usize].generation, key.generation);
            return key;
        }
        let key = FlowKey { slot: self.flows.len() as u32, generation: 0 };
        self.flows.push(make(key));
        key
    }

    /// The flow of that name, if it still lives.
    #[inline]
    pub(crate) fn get(&mut self, key: FlowKey) -> Option<&mut Flow> {
        let slot = key.slot as usize;
        self.flows.get_mut(slot).filter(|flow| flow.generation == key.generation)
    }

    /// Frees a flow's slot.
    pub(crate) fn remove(&mut self, key: FlowKey) {
        let generation = &mut self.flows[key.slot as usize].generation;
        *generation = generation.wrapping_add(1);
        self.free.push(key.slot);
    }

    /// Flows that live, in no order that means anything.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Flow> {
        let mut live = vec![true; self.flows.len()];
        for &slot in &self.free {
            live[slot as usize] = false;
        }
        self.flows.iter().zip(live).filter(|(_, live)| *live).map(|(flow, _)| flow)
    }
}
