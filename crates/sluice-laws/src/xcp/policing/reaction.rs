//! The test of a flow's reaction: "The router can send the flow a test feedback requiring it to decrease
//! its congestion window to a particular value. If the flow does not react in a single RTT, then it is
//! unresponsive" (section 7.1).
//!
//! A window often leaves in a few bursts, so that the packets of a single RTT are more or fewer than a
//! window. The demand therefore counts packets and not time, and the window afterwards is taken from
//! what packets state; that this is true is for [`super::statement`] to show.

use sluice_units::{Span, Time};

use super::failure::{Charge, Failure};
use super::packet::StatedPacket;
use super::rules::TestRules;

/// Part of the decrease demanded that may be missing: some feedback is lost with packets and
/// acknowledgements.
const MISSING: f64 = 0.5;
/// Time in which feedback takes effect, in stated RTTs: the one RTT, and a margin for an RTT above its
/// smoothed estimate.
const REACTION: f64 = 1.25;
/// Fewest packets over which the rate is measured afterwards, and the factor by which it may exceed the window
/// that the flow may have, in stated RTTs.
const PACKETS: f64 = 8.0;
const BUNCHED: f64 = 1.25;
/// Part of a packet by which stated windows may exceed the one required: times are whole ticks, and the RTT
/// is smoothed.
const ROUNDING: f64 = 0.25;
/// RTTs in which a measurement ends, with however few packets.
const PATIENCE: u64 = 8;

/// A test under way. Its parts begin and end with packets, and none of these grants an increase, so that
/// the flow's window can only fall.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reaction {
    began: Time,
    phase: Phase,
}

#[derive(Clone, Copy, Debug)]
enum Phase {
    /// Feedback that was granted before arrives.
    Hold { sent: f64 },
    /// Packets demand the decrease.
    Demand(Demand),
    /// It takes effect.
    Wait { until: Time, demand: Demand },
    /// The rate is measured.
    Measure { since: Time, sent: f64, demand: Demand },
}

/// A decrease, in bytes.
#[derive(Clone, Copy, Debug)]
struct Demand {
    /// The window stated before.
    from: f64,
    /// The number of flows that it counts as, 1 but for weights: its window is as many times as large.
    flows: f64,
    /// The window that it keeps in any case, as stated: a packet, the largest seen.
    least: f64,
    /// By how much the window is to fall, and how much of that packets have demanded.
    by: f64,
    demanded: f64,
}

impl Reaction {
    pub(super) fn new(now: Time) -> Self {
        Self { began: now, phase: Phase::Hold { sent: 0.0 } }
    }

    /// Another test right after one that was failed: nothing has been granted since.
    pub(super) fn again(packet: &StatedPacket, failure: &Failure, rules: &TestRules) -> Self {
        let demand = Demand::new(packet, failure.measured, rules);
        Self { began: packet.now, phase: Phase::Demand(demand) }
    }

    /// A packet passes, and its feedback is lowered. Returns the result once there is one.
    pub(super) fn on_data(
        &mut self,
        packet: &StatedPacket,
        delta: &mut i32,
        rules: &TestRules,
    ) -> Option<Result<(), Failure>> {
        *delta = (*delta).min(0);
        let now = packet.now;
        match &mut self.phase {
            Phase::Hold { sent } => {
                *sent += packet.bytes;
                let passed = now.since(self.began);
                if passed >= scaled(packet.rtt, REACTION) {
                    let rate = *sent / passed.as_secs_f64();
                    self.phase = Phase::Demand(Demand::new(packet, rate, rules));
                }
            }
            Phase::Demand(demand) => {
                demand.make(packet, delta, rules);
                if demand.demanded >= demand.by {
                    let until = now + scaled(packet.rtt, REACTION);
                    self.phase = Phase::Wait { until, demand: *demand };
                }
            }
            Phase::Wait { until, demand } => {
                if now >= *until {
                    self.phase = Phase::Measure { since: now, sent: 0.0, demand: *demand };
                }
            }
            Phase::Measure { since, sent, demand } => {
                *sent += packet.bytes;
                let took = now.since(*since);
                let enough = *sent >= PACKETS * packet.bytes || took > packet.rtt * PATIENCE;
                if took >= packet.rtt && enough {
                    let rate = *sent / took.as_secs_f64();
                    return Some(demand.judge(self.began, packet, rate, took));
                }
            }
        }
        None
    }
}

impl Demand {
    /// Of a flow that sent at this rate, in bytes a second.
    fn new(packet: &StatedPacket, rate: f64, rules: &TestRules) -> Self {
        let (from, ratio) = (packet.window(), rate / packet.stated());
        let ratio = ratio.min(rules.weight.get());
        // A flow of a weight below 1 states more than it sends: a packet is more in what it states.
        let least = packet.bytes / ratio.min(1.0);
        Self { from, flows: ratio.max(1.0), least, by: lost(rules) * from * ratio, demanded: 0.0 }
    }

    /// A packet demands its part: in an RTT, all of a window do.
    fn make(&mut self, packet: &StatedPacket, delta: &mut i32, rules: &TestRules) {
        let rtt = packet.rtt.as_secs_f64();
        *delta = (*delta).min((-lost(rules) * packet.bytes / rtt) as i32).min(-1);
        self.least = self.least.max(packet.bytes);
        // (4.1): a window changes by H_feedback x rtt.
        self.demanded -= f64::from(*delta) * rtt;
    }

    /// The result of a test that began at `began` and ends with this packet, after `rate` was measured for `took`.
    fn judge(
        &self,
        began: Time,
        packet: &StatedPacket,
        rate: f64,
        took: Span,
    ) -> Result<(), Failure> {
        let (rtt, one) = (packet.rtt.as_secs_f64(), packet.bytes);
        // "cwnd = max(cwnd + H_feedback x rtt, s)" (4.1).
        let to = (self.from - self.demanded / self.flows).max(self.least.min(self.from));
        let limit = to + MISSING * (self.from - to);
        let most = BUNCHED * limit * self.flows + one * rtt / took.as_secs_f64();
        if packet.window() <= limit + ROUNDING * self.least && rate * rtt <= most {
            return Ok(());
        }
        let (charge, required) = (Charge::Unresponsive, to * self.flows / rtt);
        Err(Failure { charge, since: began, measured: rate, required })
    }
}

/// The part of its window that a flow is to lose.
fn lost(rules: &TestRules) -> f64 {
    1.0 - rules.keep.get()
}

fn scaled(span: Span, factor: f64) -> Span {
    Span::from_secs_f64(span.as_secs_f64() * factor)
}
