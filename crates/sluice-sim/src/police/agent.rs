//! An agent at work: the flows that it tracks, and its decision about each packet.

use rand_xoshiro::Xoshiro256PlusPlus;
use sluice_laws::WireHeader;
use sluice_laws::host::PacketKind;
use sluice_laws::xcp::policing::{Failure, FlowTest, TestRules, Tested};
use sluice_units::{Rate, Ratio, Span, Time};

use super::outcome::PoliceOutcome;
use super::parameters::{Isolation, Police};
use super::sample_and_hold::{Sampler, exponential};
use super::token_bucket::TokenBucket;
use crate::packet::Packet;
use crate::queue::{FlowTable, TrafficClass};

/// How long a flow must be silent to be forgotten, in longest RTTs.
const SILENT: u64 = 2;
/// A convicted one, of which no packet passes, sends after time-outs only: these are up to 60 s apart.
const CONVICTED: Span = Span::from_secs(120);

/// The agent of a link. Its state changes by packets only, so that its link may run ahead of the clock.
pub(crate) struct Agent {
    police: Police,
    rules: TestRules,
    /// Number of the protocol whose headers it reads.
    reads: u8,
    /// [warm-up, stop), in which it counts.
    measured: (Time, Time),
    flows: FlowTable<Tracked>,
    sampler: Option<Sampler>,
    /// When the next search for silent flows is.
    sweeps: Time,
    stream: Xoshiro256PlusPlus,
    outcome: PoliceOutcome,
}

/// A flow that is tracked.
#[derive(Clone, Copy)]
struct Tracked {
    test: FlowTest,
    /// When its next test begins.
    next: Time,
    /// When its last packet came.
    seen: Time,
    /// Bytes in this interval of samples.
    bytes: f64,
    /// Whether it may be tested: under samples, whether it has reached the threshold in this interval or the
    /// last.
    heavy: bool,
    /// Whether it was sampled in this interval.
    new: bool,
    /// If it is convicted.
    isolated: Option<TokenBucket>,
    /// Whether it is forgotten: a number that is free keeps the state of its last flow.
    gone: bool,
}

/// A decision about a packet.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Ruling {
    pub(crate) dropped: bool,
    /// Its flow has been convicted with it.
    pub(crate) convicted: Option<Failure>,
}

impl Agent {
    /// An agent at a link of this capacity and delay, among groups of at most this weight.
    pub(crate) fn new(
        police: Police,
        (capacity, delay): (Rate, Span),
        weight: Ratio,
        reads: u8,
        measured: (Time, Time),
        mut stream: Xoshiro256PlusPlus,
    ) -> Self {
        let sampler = police.sample.map(|sample| Sampler::new(&sample, capacity, &mut stream));
        Self {
            police,
            rules: police.rules(delay, weight),
            reads,
            measured,
            flows: FlowTable::default(),
            sampler,
            sweeps: Time::ZERO,
            stream,
            outcome: PoliceOutcome::default(),
        }
    }

    pub(crate) fn outcome(&self) -> PoliceOutcome {
        self.outcome
    }

    /// A packet arrives, whose header a test may change.
    pub(crate) fn arrives(
        &mut self,
        now: Time,
        packet: &Packet,
        header: &mut WireHeader,
        traffic: TrafficClass,
    ) -> Ruling {
        if traffic.header != self.reads || packet.kind != PacketKind::Data {
            return Ruling::default();
        }
        self.forget(now);
        let Some(number) = self.flows.find(packet).or_else(|| self.track(now, packet)) else {
            return Ruling::default();
        };
        let counts = (self.measured.0..self.measured.1).contains(&now);
        if counts {
            self.outcome.tracked = self.outcome.tracked.max(self.flows.len() as u64);
        }
        let dropped = self.isolates(now, number, packet.bytes);
        self.outcome.dropped += u64::from(dropped && counts);
        if dropped {
            return Ruling { dropped, convicted: None };
        }
        let finding = self.test(now, number, header, packet.bytes);
        self.judge(now, number, finding, counts)
    }

    /// Counts a packet of a tracked flow. Whether it is dropped.
    fn isolates(&mut self, now: Time, number: u32, bytes: u32) -> bool {
        let flow = self.flows.get_mut(number);
        flow.seen = now;
        flow.bytes += f64::from(bytes);
        flow.heavy |= self.sampler.as_ref().is_none_or(|sampler| flow.bytes >= sampler.threshold);
        let Some(bucket) = &mut flow.isolated else { return false };
        match self.police.isolate {
            Isolation::Report => false,
            Isolation::Limit => !bucket.takes(now, bytes),
            Isolation::Drop => true,
        }
    }

    fn test(&mut self, now: Time, number: u32, header: &mut WireHeader, bytes: u32) -> Tested {
        let flow = self.flows.get_mut(number);
        if flow.isolated.is_some() {
            return Tested::default();
        }
        if flow.heavy && now >= flow.next && !flow.test.is_testing() {
            flow.test.begin(now);
        }
        flow.test.on_data(now, header, bytes, &self.rules)
    }

    fn judge(&mut self, now: Time, number: u32, found: Tested, counts: bool) -> Ruling {
        let Tested { passed, convicted } = found;
        if counts {
            self.outcome.tests += u64::from(passed.is_some());
            self.outcome.failed += u64::from(passed == Some(false));
            self.outcome.convicted += u64::from(convicted.is_some());
        }
        if passed == Some(true) {
            let pause = self.pause();
            self.flows.get_mut(number).next = now + pause;
        }
        if let Some(Failure { required, .. }) = convicted {
            self.flows.get_mut(number).isolated = Some(TokenBucket::new(now, required));
        }
        Ruling { dropped: false, convicted }
    }

    /// Tracks a packet's flow, if it is sampled and there is room.
    fn track(&mut self, now: Time, packet: &Packet) -> Option<u32> {
        if let Some(sampler) = &mut self.sampler
            && !sampler.samples(packet.bytes, &mut self.stream)
        {
            return None;
        }
        if self.flows.len() >= self.police.entries as usize {
            return None;
        }
        // Exponential times have no memory: a flow that is forgotten and found again is not tested more often.
        let next = now + self.pause();
        let flow = Tracked {
            test: FlowTest::new(now),
            next,
            seen: now,
            bytes: 0.0,
            heavy: false,
            new: true,
            isolated: None,
            gone: false,
        };
        Some(self.flows.add(packet, flow))
    }

    /// A time until the next test of a flow.
    fn pause(&mut self) -> Span {
        let mean = self.police.every.as_secs_f64();
        Span::from_secs_f64(exponential(mean, &mut self.stream))
    }

    /// Forgets silent flows and, at the end of an interval of samples, slow ones.
    fn forget(&mut self, now: Time) {
        if now >= self.sweeps {
            self.sweeps = now + self.rules.longest_rtt;
            let silent = self.rules.longest_rtt * SILENT;
            self.retain(|flow| {
                let silent = if flow.isolated.is_some() { CONVICTED } else { silent };
                now.since(flow.seen) < silent
            });
        }
        let Some(sampler) = &mut self.sampler else { return };
        if sampler.turns(now) {
            let threshold = sampler.threshold;
            self.retain(|flow| {
                flow.heavy = flow.bytes >= threshold;
                let kept =
                    flow.heavy || flow.new || flow.test.is_suspect() || flow.isolated.is_some();
                (flow.bytes, flow.new) = (0.0, false);
                kept
            });
        }
    }

    /// Forgets the flows for which `keeps` is false.
    fn retain(&mut self, mut keeps: impl FnMut(&mut Tracked) -> bool) {
        for number in 0..self.flows.numbers() {
            let flow = self.flows.get_mut(number);
            if !flow.gone && !keeps(flow) {
                flow.gone = true;
                self.flows.remove(number);
            }
        }
    }
}
