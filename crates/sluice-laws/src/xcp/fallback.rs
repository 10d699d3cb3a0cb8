//! A sender that checks its path, and reverts to TCP where that does not support XCP (thesis section 8.2): "If they
//! are not, the sender reverts to TCP or another conventional protocol."
//!
//! It knows when the answer to its SYN arrives, before any data leave, and does not ask again: a path that
//! changes later is not noticed. A SYN that is sent again asks over the path of that moment.

use sluice_units::{Rate, Span};

use super::path_check::{is_supported, question};
use crate::WireHeader;
use crate::host::{
    AckEvent, CongestionEvent, FlowStatus, HostLaw, PacketKind, RateSample, RtoEvent, SendEvent,
    Service,
};

/// The sender of one flow.
pub(super) struct FallbackSender {
    xcp: Box<dyn HostLaw>,
    tcp: Box<dyn HostLaw>,
    /// Number of links of the path that the next packet takes.
    hops: u32,
    path: PathState,
}

/// What the sender knows of its path.
#[derive(Clone, Copy, PartialEq, Eq)]
enum PathState {
    /// Nothing: it waits for the answer to its SYN.
    Unknown,
    /// All of it supports XCP.
    Xcp,
    /// Some of it does not.
    Conventional,
}

impl FallbackSender {
    /// A flow over a path of `hops` links, with both of its senders.
    pub(super) fn new(xcp: Box<dyn HostLaw>, tcp: Box<dyn HostLaw>, hops: u32) -> Self {
        Self { xcp, tcp, hops, path: PathState::Unknown }
    }

    fn law(&self) -> &dyn HostLaw {
        match self.path {
            PathState::Conventional => &*self.tcp,
            PathState::Unknown | PathState::Xcp => &*self.xcp,
        }
    }

    fn law_mut(&mut self) -> &mut dyn HostLaw {
        match self.path {
            PathState::Conventional => &mut *self.tcp,
            PathState::Unknown | PathState::Xcp => &mut *self.xcp,
        }
    }

    /// Both senders, as long as either may become that of the flow; else that one.
    fn each(&mut self, mut event: impl FnMut(&mut dyn HostLaw)) {
        if self.path == PathState::Unknown {
            event(&mut *self.xcp);
            event(&mut *self.tcp);
        } else {
            event(self.law_mut());
        }
    }
}

impl HostLaw for FallbackSender {
    fn on_ack(&mut self, event: &AckEvent) {
        if self.path != PathState::Unknown {
            return self.law_mut().on_ack(event);
        }
        self.path = if is_supported(event) { PathState::Xcp } else { PathState::Conventional };
        // The sum in the answer is no feedback.
        self.law_mut().on_ack(&AckEvent { header: WireHeader::default(), ..*event });
    }

    fn needs_rate_samples(&self) -> bool {
        self.xcp.needs_rate_samples() || self.tcp.needs_rate_samples()
    }

    fn on_rate_sample(&mut self, sample: &RateSample) {
        self.law_mut().on_rate_sample(sample);
    }

    fn on_packets_lost(&mut self, lost: u64) {
        self.law_mut().on_packets_lost(lost);
    }

    fn on_congestion(&mut self, event: &CongestionEvent) {
        self.law_mut().on_congestion(event);
    }

    fn on_recovered(&mut self) {
        self.law_mut().on_recovered();
    }

    fn on_new_path(&mut self, hops: u32) {
        self.hops = hops;
        self.each(|law| law.on_new_path(hops));
    }

    /// A SYN may time out, too.
    fn on_rto(&mut self, event: &RtoEvent) {
        self.each(|law| law.on_rto(event));
    }

    fn window(&self) -> u32 {
        self.law().window()
    }

    fn mean_window(&self) -> f64 {
        self.law().mean_window()
    }

    fn rate(&self) -> Option<Rate> {
        self.law().rate()
    }

    fn probe_after(&self) -> Option<Span> {
        self.law().probe_after()
    }

    fn header(&mut self, out: &SendEvent) -> WireHeader {
        if out.kind == PacketKind::Syn {
            // Neither sender has a header for it, but TCP's may note when it left.
            self.each(|law| {
                law.header(out);
            });
            return question(self.hops);
        }
        self.law_mut().header(out)
    }

    fn service(&self) -> Service {
        match self.path {
            PathState::Conventional => Service::BestEffort,
            PathState::Unknown | PathState::Xcp => Service::Own,
        }
    }

    fn status(&self) -> Option<FlowStatus> {
        match self.path {
            PathState::Conventional => Some(FlowStatus::Reverted),
            PathState::Unknown | PathState::Xcp => self.xcp.status(),
        }
    }

    /// Those of XCP's sender, with the window of the one that the flow follows, and `reverted`: 1 if that is TCP's.
    fn metrics(&self, out: &mut dyn FnMut(&'static str, f64)) {
        let window = self.mean_window();
        self.xcp.metrics(&mut |name, value| out(name, if name == "cwnd" { window } else { value }));
        out("reverted", f64::from(u8::from(self.path == PathState::Conventional)));
    }
}

#[cfg(test)]
#[path = "fallback_tests.rs"]
mod tests;
