//! The sending ends of flows.

use sluice_laws::WireHeader;

use super::state::Engine;
use crate::packet::{FlowKey, Packet};

impl Engine<'_> {
    pub(super) fn sender_timer(&mut self, key: FlowKey, now: u64) {
        let Some(flow) = self.flows.get(key) else { return };
        flow.sender_timer.due = u64::MAX;
        flow.sender.timer(now);
        self.sender_goes_on(key, now);
    }

    /// An answer reaches a sender; whether it may have set a timer.
    #[inline(always)]
    pub(super) fn sender_hears(&mut self, packet: &Packet, words: WireHeader, now: u64) -> bool {
        let key = packet.flow;
        if packet.sacks != 0 {
            self.sender_hears_of_gaps(packet, words, now);
            return true;
        }
        let Some(mut flow) = self.flows.get(key) else { return false };
        if !flow.sender.hear(now, packet, words, &[]) {
            self.sender_goes_on(key, now);
            return true;
        }
        // What follows is what `sender_goes_on` would do, and all that most answers need.
        while let Some(out) = flow.sender.send_new(now) {
            let packet = out.packet(key, flow.out, now);
            if let Some((packet, at)) = self.net.launch(packet, now) {
                self.carry(&packet, packet.words, at);
                let Some(same) = self.flows.get(key) else { return true };
                flow = same;
            }
        }
        let wake = flow.sender.wake();
        let sooner = wake < flow.sender_timer.due;
        if sooner {
            self.await_sender(key, wake, now);
        }
        sooner
    }

    #[inline(never)]
    fn sender_hears_of_gaps(&mut self, packet: &Packet, words: WireHeader, now: u64) {
        let Some(blocks) = self.sacks.take(packet.sacks) else { return };
        let known = blocks.iter().position(|block| block.start == block.end).unwrap_or(3);
        let Some(flow) = self.flows.get(packet.flow) else { return };
        flow.sender.hear(now, packet, words, &blocks[..known]);
        self.sender_goes_on(packet.flow, now);
    }

    /// After something has happened to a sender it sends what it may, sets its timer, and is
    /// noticed if it has finished.
    #[inline(never)]
    pub(super) fn sender_goes_on(&mut self, key: FlowKey, now: u64) {
        let Some(mut flow) = self.flows.get(key) else { return };
        while let Some(out) = flow.sender.send(now) {
            let packet = out.packet(key, flow.out, now);
            if let Some((packet, at)) = self.net.launch(packet, now) {
                self.carry(&packet, packet.words, at);
                let Some(same) = self.flows.get(key) else { return };
                flow = same;
            }
        }
        if flow.sender.is_closed() {
            return self.close(key, now);
        }
        let wake = flow.sender.wake().min(flow.sender.wake_paced());
        if wake < flow.sender_timer.due {
            self.await_sender(key, wake, now);
        }
    }

    /// Sets a sender's timer.
    #[cold]
    fn await_sender(&mut self, key: FlowKey, wake: u64, now: u64) {
        let Some(flow) = self.flows.get(key) else { return };
        flow.sender_timer.due = wake;
        self.hosts[flow.from as usize].set(flow.sender_timer.id, wake.max(now));
    }
}
