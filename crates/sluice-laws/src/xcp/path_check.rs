//! Whether a path supports XCP. "To start an XCP connection, the sender must check whether the receiver and the
//! routers along the path are XCP-enabled [...] using simple TCP or IP options" (thesis section 8.2).
//!
//! The thesis names no option; this one is that of Quick-Start (RFC 4782, sections 3.1 and 4.2), where each
//! router that approves a request decrements its TTL as it does IP's, so that the difference of both shows
//! whether one did not. The simulator gives the number of links in place of IP's TTL
//! ([`SenderContext::hops`](crate::host::SenderContext::hops)), and the SYN has it: it begins with an H_feedback of
//! -1 less that number, each link that runs XCP's law adds 1, and the receiver returns the sum as all feedback. The
//! path supports XCP if the answer is -1, whichever of several SYNs over different paths it is to. A receiver that
//! does not know the option returns nothing, which is 0.

use sluice_units::Ratio;

use super::delegate::delegate_to_law;
use super::header::XcpHeader;
use crate::router::{CompetingTraffic, LawHeader, LinkSample, RouterLaw, Tick, Train};
use crate::{WireHeader, host::AckEvent};

/// H_rtt of a SYN that asks. No other header has it without a throughput.
const ASKS: u32 = u32::MAX;

/// The header of a SYN that asks, over `hops` links.
pub(super) fn question(hops: u32) -> WireHeader {
    let delta = i32::try_from(hops).map_or(i32::MIN, |hops| -1 - hops);
    XcpHeader { rtt: ASKS, delta, ..XcpHeader::default() }.to_wire()
}

/// Whether a header is that of a SYN that asks.
pub fn asks(header: &XcpHeader) -> bool {
    header.x == 0 && header.rtt == ASKS
}

/// Whether this is the answer to a SYN that every link of its path counted.
pub(super) fn is_supported(answer: &AckEvent) -> bool {
    XcpHeader::from_wire(answer.header).reverse == -1
}

/// A law that counts its link in SYNs that ask. Links do so only where flows ask, so that others do not pay
/// for the test of each packet.
#[derive(Clone, Debug)]
pub struct Counting<L>(pub L);

impl<L: RouterLaw<Header = XcpHeader>> RouterLaw for Counting<L> {
    type Header = XcpHeader;
    type Sums = L::Sums;
    type Grant = L::Grant;
    type Budget = L::Budget;

    delegate_to_law!(L, 0);

    #[inline]
    fn stamp(grant: &L::Grant, budget: &mut L::Budget, header: &mut XcpHeader, train: Train) {
        if asks(header) {
            header.delta = header.delta.saturating_add(1);
        } else {
            L::stamp(grant, budget, header, train);
        }
    }

    fn on_competing(&mut self, traffic: &CompetingTraffic) {
        self.0.on_competing(traffic);
    }

    fn class_weight(&self) -> Option<Ratio> {
        self.0.class_weight()
    }

    fn tick(&mut self, timer: usize, sums: &L::Sums, sample: &LinkSample) -> Tick<L::Grant> {
        self.0.tick(timer, sums, sample)
    }

    fn metrics(&self, out: &mut dyn FnMut(&'static str, f64)) {
        self.0.metrics(out);
    }
}
