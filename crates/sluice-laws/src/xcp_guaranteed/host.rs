//! The sender of a flow with a profile (thesis sections 6.4.1 and 6.4.3): it asks for admission, sends at
//! its profile "without being controlled by the network", and refreshes its reservation.

use sluice_units::{Bytes, Rate, Span, Time};

use super::choices::{DeniedFlow, ProfileSender};
use super::header::{ADMITTED, FORWARD, GuaranteedHeader, units};
use super::out_of_profile::{InProfile, OutOfProfile};
use super::params::{PROFILES, XcpGuaranteedParams};
use crate::WireHeader;
use crate::draw::draw;
use crate::host::{
    AckEvent, CongestionEvent, FlowStatus, HostLaw, PacketKind, RtoEvent, SendEvent, SenderContext,
    Service,
};
use crate::router::LawHeader as _;
use crate::wire::Spacing;

/// How long a sender is silent, at the longest, until it knows its RTT.
const WITHOUT_RTT: Span = Span::from_secs(1);

/// One flow's sender.
#[derive(Debug)]
pub struct GuaranteedSender {
    profile: Rate,
    sender: ProfileSender,
    denied: DeniedFlow,
    retry: Option<Span>,
    exceeds: bool,
    /// Size of a full packet on the wire.
    packet: u32,
    /// Capacity of its host's link.
    line_rate: Rate,
    /// Size of one without data.
    control: Bytes,
    /// How long each takes at the profile.
    packet_time: Span,
    control_time: Span,
    seed: u64,
    /// Requests so far.
    asked: u64,
    state: Admission,
    srtt: Option<Span>,
    /// When the last packet that stated a throughput left.
    last: Option<Time>,
    /// H_throughput, of which each packet states whole ticks.
    apart: Spacing,
    in_profile: InProfile,
    out_of_profile: OutOfProfile,
    /// Of the packet that left last.
    service: Service,
}

/// The network's answer to the sender.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Admission {
    Asked,
    Admitted,
    Denied,
    /// Denied, and a best-effort flow since.
    Reverted,
}

impl GuaranteedSender {
    /// The sender of a new flow. `best_effort` is one of XCP, for packets without a guarantee.
    pub fn new(
        params: &XcpGuaranteedParams,
        context: &SenderContext,
        best_effort: Box<dyn HostLaw>,
    ) -> Self {
        // A flow without a profile is refused before it begins.
        let profile = context.profile.or(params.profile).unwrap_or(*PROFILES.start());
        let profile = profile.clamp(*PROFILES.start(), *PROFILES.end());
        let packet = u32::try_from(context.packet.as_u64()).unwrap_or(u32::MAX).max(1);
        Self {
            profile,
            sender: params.sender,
            denied: params.denied,
            retry: params.retry,
            exceeds: params.exceeds,
            packet,
            line_rate: context.line_rate,
            control: context.control,
            packet_time: profile.time_for(Bytes::new(u64::from(packet))),
            control_time: profile.time_for(context.control),
            seed: context.seed,
            asked: 0,
            state: Admission::Asked,
            srtt: None,
            last: None,
            apart: Spacing::default(),
            in_profile: InProfile::new(packet),
            out_of_profile: OutOfProfile::new(best_effort, context.packet),
            service: Service::Own,
        }
    }

    /// "The source should send every RTT at least one packet, declaring the profile" (section 6.4.1). Over a
    /// short RTT that would take more than the profile. Here refreshments take a tenth of it at most, and a
    /// profile of some kb/s is refreshed less often.
    fn refresh(&self) -> Span {
        let least = (self.control_time * 10).max(Span::from_micros(1));
        self.srtt.unwrap_or(WITHOUT_RTT).max(least)
    }

    /// What data packets may take of the profile: all of it, unless refreshments leave between them, which are
    /// part of what the flow reserved.
    fn data_rate(&self) -> Rate {
        let refresh = self.refresh();
        if self.packet_time <= refresh {
            return self.profile;
        }
        // The least n with packet_time + n x control_time <= (n + 1) x refresh.
        let more = self.packet_time.saturating_sub(refresh).as_nanos();
        let n = more.div_ceil(refresh.saturating_sub(self.control_time).as_nanos().max(1)) as f64;
        let packet = f64::from(self.packet);
        let part = packet / (packet + n * self.control.as_f64());
        Rate::from_bps_f64(self.profile.as_bps_f64() * part)
    }

    /// How long a sender that gave up waits until it asks again: a hash of its seed, so that flows that were
    /// denied together ask at different times.
    fn wait(&self, mean: Span) -> Span {
        let part = 0.5 + draw(self.seed, self.asked);
        Span::from_secs_f64(mean.as_secs_f64() * part).max(self.refresh())
    }

    /// H_throughput: the time since the flow's last packet, so that the sum over its packets is the time
    /// that passed. That is s / r of the profile where packets leave at the profile, and "one packet per
    /// RTT" where they refresh a reservation. A flow states no silence longer than refreshments allow; the
    /// first packet states the profile.
    fn stated(&mut self, now: Time, bytes: u32) -> u32 {
        let at_profile = self.profile.time_for(Bytes::new(u64::from(bytes)));
        let longest = at_profile.max(self.refresh());
        let since = self.last.map_or(at_profile, |last| now.since(last).min(longest));
        self.last = Some(now);
        self.apart.set(since.as_secs_f64());
        self.apart.say(bytes, bytes)
    }

    /// "cwnd always to the reservations times the RTT" (section 6.4.6).
    fn profile_window(&self) -> u32 {
        let Some(srtt) = self.srtt else { return 1 };
        let bytes = self.profile.as_bytes_per_sec_f64() * srtt.as_secs_f64();
        // Casts from floating point saturate.
        ((bytes / f64::from(self.packet) + 0.5) as u32).max(1)
    }

    /// The answer to a request.
    fn learn(&mut self, event: &AckEvent) {
        if GuaranteedHeader::from_wire(event.header).echo == ADMITTED {
            self.state = Admission::Admitted;
        } else {
            self.state = match self.denied {
                DeniedFlow::GivesUp => Admission::Denied,
                DeniedFlow::BestEffort => Admission::Reverted,
            };
        }
        self.out_of_profile.on_answer(event);
    }

    /// Whether it sends beside its profile.
    fn is_above(&self) -> bool {
        self.exceeds && self.state == Admission::Admitted
    }

    fn service_of(&mut self, out: &SendEvent) -> Service {
        let is_data = out.kind == PacketKind::Data;
        match self.state {
            Admission::Reverted if is_data => Service::BestEffort,
            Admission::Admitted if is_data && self.exceeds => {
                if self.in_profile.takes(out.now, out.bytes, self.data_rate()) {
                    Service::Own
                } else {
                    Service::BestEffort
                }
            }
            _ => Service::Own,
        }
    }
}

impl HostLaw for GuaranteedSender {
    /// "When the sender receives the Ack for its first packet, it knows whether the network can support the
    /// flow" (section 6.4.3).
    fn on_ack(&mut self, event: &AckEvent) {
        self.srtt = event.srtt.or(self.srtt);
        let answers = matches!(event.kind, PacketKind::SynAck | PacketKind::ProbeAck);
        match self.state {
            Admission::Asked | Admission::Denied if answers => self.learn(event),
            Admission::Reverted => self.out_of_profile.on_ack(event, 0),
            Admission::Admitted if self.exceeds => {
                self.out_of_profile.on_ack(event, self.profile_window());
            }
            _ => {}
        }
    }

    /// "Guaranteed flows receive no congestion feedback" (footnote 4), and a loss is not one either: it is
    /// one to out-of-profile packets.
    fn on_congestion(&mut self, event: &CongestionEvent) {
        if self.state == Admission::Reverted || self.is_above() {
            self.out_of_profile.law().on_congestion(event);
        }
    }

    fn on_rto(&mut self, event: &RtoEvent) {
        if self.state == Admission::Reverted || self.is_above() {
            self.out_of_profile.law().on_rto(event);
        }
    }

    fn window(&self) -> u32 {
        match (self.state, self.sender) {
            (Admission::Denied, _) => 0,
            (Admission::Asked, _) => 1,
            (Admission::Reverted, _) => self.out_of_profile.state().window(),
            (Admission::Admitted, ProfileSender::Paced) => u32::MAX,
            (Admission::Admitted, ProfileSender::Window) => self.profile_window(),
        }
    }

    /// A sender that was denied has a rate, by which it may ask again. One with a window has that of its
    /// host's link, so that an idle one refreshes its reservation as others do.
    fn rate(&self) -> Option<Rate> {
        match (self.state, self.sender) {
            (Admission::Asked, _) => None,
            (Admission::Reverted, _) => self.out_of_profile.state().rate(),
            (Admission::Admitted, ProfileSender::Window) => Some(self.line_rate),
            (Admission::Admitted, ProfileSender::Paced) if self.exceeds => {
                let above = self.srtt.map_or(Rate::ZERO, |srtt| self.out_of_profile.rate(srtt));
                Some(Rate::from_bps(self.data_rate().as_bps().saturating_add(above.as_bps())))
            }
            (Admission::Denied, _) | (Admission::Admitted, ProfileSender::Paced) => {
                Some(self.data_rate())
            }
        }
    }

    fn probe_after(&self) -> Option<Span> {
        match self.state {
            Admission::Asked => None,
            Admission::Reverted => self.out_of_profile.state().probe_after(),
            Admission::Admitted => Some(self.refresh()),
            Admission::Denied => self.retry.map(|mean| self.wait(mean)),
        }
    }

    /// "The sender declares its profile in the H_profile field in the congestion header and sets the
    /// admission control bit in its first packet" (section 6.4.3); so does one that asks again.
    fn header(&mut self, out: &SendEvent) -> WireHeader {
        self.service = self.service_of(out);
        if self.service == Service::BestEffort {
            let in_profile = if self.is_above() { self.profile_window() } else { 0 };
            return self.out_of_profile.header(out, in_profile);
        }
        let request = matches!(self.state, Admission::Asked | Admission::Denied);
        self.asked += u64::from(request);
        let is_admitted = self.state == Admission::Admitted;
        let x = if is_admitted { self.stated(out.now, out.bytes) } else { 0 };
        GuaranteedHeader { profile: units(self.profile), x, request, echo: FORWARD }.to_wire()
    }

    fn service(&self) -> Service {
        self.service
    }

    fn status(&self) -> Option<FlowStatus> {
        Some(match self.state {
            Admission::Asked => FlowStatus::Asking,
            Admission::Admitted => FlowStatus::Admitted,
            Admission::Denied => FlowStatus::Denied,
            Admission::Reverted => FlowStatus::BestEffort,
        })
    }

    /// In bits a second: `rate` of all packets, 0 before an answer, and `profile`, what is guaranteed of it.
    fn metrics(&self, out: &mut dyn FnMut(&'static str, f64)) {
        let admitted = self.state == Admission::Admitted;
        let reserved = if admitted { self.profile.as_bps_f64() } else { 0.0 };
        let above = (self.state == Admission::Reverted || self.is_above())
            .then(|| self.srtt.map(|srtt| self.out_of_profile.rate(srtt).as_bps_f64()));
        let above = above.flatten().unwrap_or(0.0);
        out("rate", reserved + above);
        out("profile", reserved);
    }
}

#[cfg(test)]
#[path = "host_tests.rs"]
mod tests;
