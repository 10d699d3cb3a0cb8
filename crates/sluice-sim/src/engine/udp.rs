//! Datagrams of streams. At hosts, and where they are lost, they part from the path of other packets
//! where those with selective acknowledgements do ([`crate::packet::DATAGRAM`]).

use sluice_units::Time;

use super::state::Engine;
use crate::packet::Packet;

impl Engine<'_> {
    /// The timer of a stream fires: it sends its datagrams of this instant.
    #[inline(never)]
    pub(super) fn send_datagrams(&mut self, number: u32, now: Time) {
        let measured = self.measures(now);
        let stream = self.udp.stream(number);
        if stream.until <= now {
            let routes = &mut self.groups[stream.group].routes;
            routes.reroute_stream(self.config, stream, now, &mut self.net.plan);
        }
        while let Some(packet) = self.udp.stream(number).send(now, measured) {
            if let Some((packet, at)) = self.net.launch(packet, now) {
                self.carry(&packet, packet.header, at);
            }
            if !self.goes_on() {
                return;
            }
        }
        let stream = self.udp.stream(number);
        self.hosts[stream.from].set(stream.timer, stream.due());
    }

    /// A datagram reaches its receiver.
    pub(super) fn reach_stream(&mut self, packet: &Packet, now: Time) {
        let measured = self.measures(now);
        self.udp.deliver(packet, now, measured);
    }

    /// A datagram is lost.
    pub(super) fn lose_datagram(&mut self, packet: &Packet, now: Time) {
        if self.measures(now) {
            self.udp.lose(packet);
        }
    }
}
