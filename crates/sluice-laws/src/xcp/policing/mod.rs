//! Tests of a flow by the packets that pass, as policing agents and routers make them (thesis section
//! 7.1): whether its sender reacts to feedback (`reaction`), and whether it states the throughput that
//! it has (`statement`).
//!
//! Everything follows from the packets, so that a test has no timers. Its arithmetic is in floating point:
//! an agent keeps the state of flows, which a fast path does not.

mod failure;
mod packet;
mod reaction;
mod rules;
mod statement;

#[cfg(test)]
mod tests;

use sluice_units::Time;

use super::header::XcpHeader;
use crate::WireHeader;
use crate::router::LawHeader as _;
use crate::wire::ticks::span;
use packet::{StatedPacket, TICKS};
use reaction::Reaction;
use statement::Statement;

pub use failure::{Charge, Failure};
pub use rules::TestRules;

/// What became known with a packet.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tested {
    /// Whether the flow passed a test of its reaction, if one ended. If it failed, another begins.
    pub passed: Option<bool>,
    /// The last of the failures that convict it, if it has now failed as often.
    pub convicted: Option<Failure>,
}

/// The tests of one flow.
#[derive(Clone, Copy, Debug)]
pub struct FlowTest {
    reaction: Option<Reaction>,
    statement: Statement,
    /// Failures in a row of either test, and when the first of them began.
    unresponsive: Row,
    understates: Row,
}

/// Failures in a row.
#[derive(Clone, Copy, Debug, Default)]
struct Row {
    count: u32,
    since: Option<Time>,
}

impl Row {
    /// Adds the result of a test. Returns the failure that convicts.
    fn add(&mut self, result: Result<(), Failure>, rules: &TestRules) -> Option<Failure> {
        let Err(failure) = result else {
            *self = Self::default();
            return None;
        };
        self.count += 1;
        let since = *self.since.get_or_insert(failure.since);
        (self.count >= rules.failures).then(|| {
            *self = Self::default();
            Failure { since, ..failure }
        })
    }
}

impl FlowTest {
    /// Of a flow whose first packet arrives at `now`. No test of its reaction has begun.
    pub fn new(now: Time) -> Self {
        Self {
            reaction: None,
            statement: Statement::new(now),
            unresponsive: Row::default(),
            understates: Row::default(),
        }
    }

    /// Whether a test of its reaction is under way.
    pub fn is_testing(&self) -> bool {
        self.reaction.is_some()
    }

    /// Begins a test of its reaction with the packet that arrives at `now`.
    pub fn begin(&mut self, now: Time) {
        self.reaction = Some(Reaction::new(now));
    }

    /// Whether it is to be remembered: a test is under way, or the last one was failed.
    pub fn is_suspect(&self) -> bool {
        self.is_testing() || self.unresponsive.count > 0 || self.understates.count > 0
    }

    /// A data packet arrives at `now`. A test lowers the feedback in its header.
    pub fn on_data(
        &mut self,
        now: Time,
        wire: &mut WireHeader,
        bytes: u32,
        rules: &TestRules,
    ) -> Tested {
        let mut header = XcpHeader::from_wire(*wire);
        // A sender that does not know its RTT could not turn feedback into a window.
        if !header.states_throughput() {
            return Tested::default();
        }
        let rtt = span(header.rtt).max(rules.shortest_rtt).min(rules.longest_rtt);
        let packet =
            StatedPacket { now, bytes: f64::from(bytes), x: f64::from(header.x) / TICKS, rtt };
        let compared = self.statement.on_data(&packet, rules);
        let understates = compared.and_then(|result| self.understates.add(result, rules));
        let found = self.react(&packet, &mut header.delta, rules);
        *wire = header.to_wire();
        Tested { convicted: understates.or(found.convicted), ..found }
    }

    fn react(&mut self, packet: &StatedPacket, delta: &mut i32, rules: &TestRules) -> Tested {
        let ended = self.reaction.as_mut().and_then(|test| test.on_data(packet, delta, rules));
        let Some(result) = ended else { return Tested::default() };
        self.reaction = result.err().map(|failure| Reaction::again(packet, &failure, rules));
        let convicted = self.unresponsive.add(result, rules);
        Tested { passed: Some(result.is_ok()), convicted }
    }
}
