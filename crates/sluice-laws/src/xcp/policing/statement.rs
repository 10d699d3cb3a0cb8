//! The comparison of what a flow sends with what it states. A T-liar "would be simulating multiple
//! flows" (section 7.3.1); the state of the flow shows that it is one. A sender that divides its data among
//! several flows is no liar, and nothing here would tell them from several senders.

use sluice_units::{Span, Time};

use super::failure::{Charge, Failure};
use super::packet::StatedPacket;
use super::rules::TestRules;

/// Length of a comparison, in stated RTTs.
const RTTS: u64 = 16;
/// Fewest packets that prove anything.
const PACKETS: u32 = 8;
/// The ratio of sent to stated that is no lie yet: packets state smoothed RTTs, and queues on the way here
/// bunch them.
const MARGIN: f64 = 1.25;
/// Packets after a failure that are not compared where the RTT has fallen by [`MARGIN`] or more: smoothed
/// with a weight of 1/8, it is too long by e^-4 of its fall then.
const SETTLES: u32 = 32;

/// A comparison under way. The sum of the times that an honest flow states between its packets is the time
/// that passes ([`XcpSums::x`](super::super::feedback::XcpSums::x)). That of a T-liar is longer by its gain.
#[derive(Clone, Copy, Debug)]
pub(super) struct Statement {
    since: Time,
    /// Packets to come that are not compared.
    skipped: u32,
    packets: u32,
    bytes: f64,
    /// Sum of the stated times between packets, the longest and the shortest of them, in seconds.
    x: f64,
    most: f64,
    least: f64,
    /// The longest RTT stated.
    longest: Span,
}

impl Statement {
    pub(super) fn new(since: Time) -> Self {
        Self {
            since,
            skipped: 0,
            packets: 0,
            bytes: 0.0,
            x: 0.0,
            most: 0.0,
            least: f64::INFINITY,
            longest: Span::ZERO,
        }
    }

    /// A packet passes. Returns the result of a comparison once there is one.
    pub(super) fn on_data(
        &mut self,
        packet: &StatedPacket,
        rules: &TestRules,
    ) -> Option<Result<(), Failure>> {
        if packet.now < self.since || self.skipped > 0 {
            self.skipped = self.skipped.saturating_sub(1);
            self.since = self.since.max(packet.now);
            return None;
        }
        self.packets = self.packets.saturating_add(1);
        self.bytes += packet.bytes;
        self.x += packet.x;
        (self.most, self.least) = (self.most.max(packet.x), self.least.min(packet.x));
        self.longest = self.longest.max(packet.rtt);
        let passed = packet.now.since(self.since);
        if self.packets >= PACKETS && self.exceeds(passed, packet.rtt, rules) {
            let failure = self.failure(packet, rules);
            *self = self.after(packet);
            return Some(Err(failure));
        }
        (passed >= packet.rtt * RTTS).then(|| {
            *self = Self::new(packet.now);
            Ok(())
        })
    }

    fn exceeds(&self, passed: Span, rtt: Span, rules: &TestRules) -> bool {
        let (passed, rtt) = (passed.as_secs_f64(), rtt.as_secs_f64());
        let allowed = |slack: f64| MARGIN * rules.weight.get() * (passed + slack * rtt);
        // A window may leave at once. While it grows from w to v within an RTT, as feedback has it, the
        // packets that leave state v / (v - w) ln(v / w) RTTs, at most 1 + ln(v / w). They are v or more,
        // and w is one or more.
        let growth = || {
            let packets = f64::from(self.packets);
            (rtt / self.least).min(packets) / (rtt / self.most).max(1.0)
        };
        self.x > allowed(1.0) && self.x > allowed(1.0 + libm::log(growth().max(1.0)))
    }

    fn failure(&self, packet: &StatedPacket, rules: &TestRules) -> Failure {
        let stated = self.bytes / self.x * rules.weight.get();
        // Not below an RTT, in which a window may leave at once.
        let took = packet.now.since(self.since).max(packet.rtt).as_secs_f64();
        Failure {
            charge: Charge::Understates,
            since: self.since,
            measured: self.bytes / took,
            required: stated,
        }
    }

    /// The comparison after one that failed. What may have made an honest flow fail is over when it
    /// begins: the repair of a loss and a queue that drains after an RTT, a fall of its RTT after more packets.
    fn after(&self, packet: &StatedPacket) -> Self {
        let fell = self.longest.as_secs_f64() >= MARGIN * packet.rtt.as_secs_f64();
        let skipped = if fell { SETTLES } else { 0 };
        Self { skipped, ..Self::new(packet.now + packet.rtt) }
    }
}
