//! Live flows: a slab with generations.

use sluice_units::Time;

use super::receiver::Receiver;
use super::sender::Sender;
use super::spray::Spray;
use super::timers::TimerId;
use crate::packet::FlowKey;

/// A flow. Its ends are used at different times, so the order in memory gives each cache lines of its
/// own.
#[repr(C, align(64))]
pub(crate) struct Flow {
    pub(crate) receiver: Receiver,
    /// When its receiver last took or sent a packet.
    pub(crate) heard: Time,
    /// Number of flows that had the slot before.
    pub(crate) generation: u32,
    /// First steps of its data path, of the last packet if they differ, and of its path back.
    pub(crate) out: u32,
    pub(crate) back: u32,
    /// The timer of its sender. A timer is not reset to a later time: it fires, finds nothing to do,
    /// and is set again.
    pub(crate) sender_timer: Timer,
    /// Its hosts.
    pub(crate) from: u32,
    /// Whether its sender has finished or stopped, at `closed_at`.
    pub(crate) closed: bool,
    /// Whether a reply needs more than to be sent: the flow may be over with it, or its path may change.
    pub(crate) replies_apart: bool,
    /// See [`crate::packet::Packet::hash`].
    pub(crate) hash: u16,
    pub(crate) sender: Sender,
    pub(crate) to: u32,
    pub(crate) group: u32,
    pub(crate) receiver_timer: Timer,
    /// Packets towards the receiver that were lost.
    pub(crate) lost: u64,
    pub(crate) index: u64,
    pub(crate) start: Time,
    /// The last event besides `heard` that its record must wait for.
    pub(crate) last: Time,
    /// See `closed`, which the receiver reads.
    pub(crate) closed_at: Time,
    /// Bytes of data; `None` if it sends until stopped.
    pub(crate) size: Option<u64>,
    /// Its sampler, if it has one.
    pub(crate) sampler: Option<FlowSampler>,
    /// Where the paths of its packets begin, if not all begin at one step.
    pub(crate) spray: Option<Box<Spray>>,
    /// When data, and acknowledgements, leave by other paths than now; [`Time::NEVER`] for never.
    pub(crate) out_until: Time,
    pub(crate) back_until: Time,
}

/// A timer of one end.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Timer {
    pub(crate) id: TimerId,
    /// [`Time::NEVER`] if it is not set.
    pub(crate) due: Time,
}

impl Timer {
    pub(crate) fn idle(id: TimerId) -> Self {
        Self { id, due: Time::NEVER }
    }
}

impl Flow {
    /// Turns to the path of the packet that leaves now, where not all take the same steps.
    #[cold]
    #[inline(never)]
    pub(crate) fn turn(&mut self) {
        if let Some(spray) = &mut self.spray {
            self.out = spray.next(self.sender.service());
        }
    }

    /// Whether its slot may be reused: the sender is closed, all packets have arrived or were lost, and
    /// the receiver owes no acknowledgement. Acknowledgements may still be in flight; their generation
    /// will not match. Waiting for the receiver makes this independent of which end ran ahead.
    #[inline]
    pub(crate) fn is_over(&self) -> bool {
        self.closed
            && self.sender.sent() == self.receiver.arrived() + self.lost
            && self.receiver.wake() == Time::NEVER
    }
}

/// A flow's sampler.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FlowSampler {
    /// Its place in [`crate::Config::flow_metrics`].
    pub(crate) place: usize,
    pub(crate) timer: TimerId,
}

// The sender begins a cache line.
#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::offset_of!(Flow, sender) == 256);

#[derive(Default)]
pub(crate) struct Flows {
    /// A removed flow stays until its slot is reused.
    flows: Vec<Flow>,
    free: Vec<u32>,
}

impl Flows {
    /// Inserts the flow that `make` returns for its key, with the key's generation.
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

    /// The flow of a key, if it is still alive.
    #[inline]
    pub(crate) fn get(&mut self, key: FlowKey) -> Option<&mut Flow> {
        let slot = key.slot as usize;
        self.flows.get_mut(slot).filter(|flow| flow.generation == key.generation)
    }

    /// Bytes taken by all slots.
    pub(crate) fn memory(&self) -> u64 {
        (self.flows.len() * size_of::<Flow>()) as u64
    }

    /// Frees a flow's slot.
    pub(crate) fn remove(&mut self, key: FlowKey) {
        let generation = &mut self.flows[key.slot as usize].generation;
        *generation = generation.wrapping_add(1);
        self.free.push(key.slot);
    }

    /// The flow of each slot: a live one, or one that is over until another takes the slot.
    pub(crate) fn slots(&self) -> &[Flow] {
        &self.flows
    }

    /// The slot that the next flow takes: of a flow that is over, or a new one.
    pub(crate) fn next_slot(&self) -> usize {
        self.free.last().map_or(self.flows.len(), |&slot| slot as usize)
    }

    /// Live flows, in arbitrary order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Flow> {
        let mut live = vec![true; self.flows.len()];
        for &slot in &self.free {
            live[slot as usize] = false;
        }
        self.flows.iter().zip(live).filter(|(_, live)| *live).map(|(flow, _)| flow)
    }
}
