//! Hosts: packets that reach them, and their timers.

use sluice_laws::WireHeader;
use sluice_units::Time;

use super::state::Engine;
use crate::host::{Owner, Role};
use crate::packet::Packet;
use crate::wheel::Actor;

impl Engine<'_> {
    /// A packet reaches its host.
    #[inline(always)]
    pub(super) fn reach_host(
        &mut self,
        host: usize,
        packet: &Packet,
        header: WireHeader,
        now: Time,
    ) {
        if self.net.wheel.due(self.host_actor(host)) <= now {
            self.wake_host(host, now);
        }
        self.net.totals.delivered += 1;
        let set = if packet.is_forward() {
            self.reach_receiver(packet, header, now)
        } else {
            self.reach_sender(packet, header, now)
        };
        if set {
            self.rearm(host);
        }
    }

    /// A host's first timer is due.
    #[inline(never)]
    pub(super) fn wake_host(&mut self, host: usize, now: Time) {
        self.fire_timers(host, now);
        self.rearm(host);
    }

    fn rearm(&mut self, host: usize) {
        self.net.wheel.reschedule(self.host_actor(host), self.hosts[host].due());
    }

    #[inline]
    fn host_actor(&self, host: usize) -> Actor {
        (self.net.wires.meetings.len() + host) as Actor
    }

    /// Fires a host's timers up to `now`, each at its own time, unless the run is interrupted.
    fn fire_timers(&mut self, host: usize, now: Time) {
        while let Some((time, owner)) = self.hosts[host].pop(now) {
            match owner {
                Owner::Group(group) => self.start_flows(group as usize, time),
                Owner::Sampler(number) => self.sample(number as usize, time),
                Owner::Flow(key, Role::Sender) => self.sender_timer(key, time),
                Owner::Flow(key, Role::Receiver) => self.receiver_timer(key, time),
                Owner::Agent(number) => self.agent_timer(number, time),
                Owner::Stream(number) => self.send_datagrams(number, time),
            }
            if !self.goes_on() {
                return;
            }
        }
    }
}
