//! Ledger's router: foresees who will send when its grants take effect, and divides what is free then.

use sluice_units::{Bytes, Rate, Span, Time};

use super::audit::Audit;
use super::grant::{LedgerBudget, LedgerGrant, MAX_SLOW, ONE};
use super::header::{BYTES, EVEN, LedgerHeader};
use super::history::{History, Outlook};
use super::interval::{BookedInterval, seconds};
use super::params::LedgerParams;
use super::sums::LedgerSums;
use crate::protocol::LinkContext;
use crate::rcp::rtt::{RttAverage, RttFilter};
use crate::router::{LinkSample, MAX_TIMERS, RouterLaw, Sampled, Tick, Train};
use crate::wire::{Offer, WireRtt};

/// Decisions a d0, at most. With half as many, completion times grow by a hundredth.
pub const TICKS: u32 = 16;
/// The shortest tick, as RCP's shortest d0. It bounds how often the router decides.
const MIN_TICK: Span = Span::from_micros(1);
/// The shortest tick, in packets that the link transmits: between two of them there would be nothing to decide about.
const LEAST_PACKETS: f64 = 2.0;
/// Decisions a d0 at least, of however few packets.
const LEAST_TICKS: f64 = 8.0;
/// A flow whose pace is below this part of the least rate granted in the last two d0 is held by another link.
const ELSEWHERE: f64 = 0.9;
/// R in multiples of S / N. Flows that send make room for promises to newcomers, but not all that they have.
const R_OF_SHARE: core::ops::RangeInclusive<f64> = 0.25..=2.0;
/// What flows that do not follow R leave to the others at least, of C.
const MIN_SHARED: f64 = 0.05;
/// The most that is shared while the queue is below its target, of C.
const MAX_SHARED: f64 = 2.0;
/// The least that a tick's worth of bytes counts as.
const LEAST_TICK_BYTES: f64 = 2.0;
/// What a newcomer is granted where no room is left, in packets a d0: its first packet leaves at once anyway, and the
/// second after the answer to it, even if a queue delays that by a quarter of d0. For the d0 between, the first counts as
/// the flow: as 1.25 flows.
const NEWCOMER_WITHOUT_ROOM: f64 = 0.8;
/// The part of d0 over which the growth of the queue is measured. In less, flows of which many send at the same time pass for
/// a queue that grows; what changes in more is seen too late.
const STRETCH_D0: f64 = 0.5;
/// Bounds of the factor by which a queue stretches x. What is measured is of the past: packets that come when a burst is over would count
/// as several times as many.
const STRETCH: core::ops::RangeInclusive<f64> = 0.7..=1.4;

/// Ledger's law at one link. Rates are in bits a second, times in seconds.
#[derive(Debug)]
pub struct LedgerRouter {
    params: LedgerParams,
    /// Size of a full data packet on the wire.
    packet: Bytes,
    /// The link's capacity as of the last tick.
    capacity: Rate,
    rtt: RttAverage,
    /// T, the length of a tick.
    tick: f64,
    history: History,
    /// R.
    rate: f64,
    /// S.
    shared: f64,
    /// What was foreseen at the last tick, corrected.
    outlook: Outlook,
    /// The flows foreseen then, uncorrected.
    foreseen: f64,
    audit: Audit,
    /// The queue expected in a d0, in bytes.
    expected_queue: f64,
    /// (9) Factor by which the queue stretches x, as a number of a header.
    stretch: u32,
    /// What the last one is below the exact one.
    rest: f64,
    /// What newcomers used of the grant in force.
    used: LedgerBudget,
}

impl LedgerRouter {
    /// The law with these parameters at that link.
    pub fn new(params: &LedgerParams, link: &LinkContext) -> Self {
        let initial_rtt = params.initial_rtt.as_secs_f64();
        let mut rtt = RttAverage::new(RttFilter::PerPacket, params.rtt_gain.get(), initial_rtt);
        rtt.bound(link.capacity, link.packet);
        Self {
            params: *params,
            packet: link.packet,
            capacity: link.capacity,
            rtt,
            tick: tick_length(rtt.get(), link.capacity, link.packet),
            history: History::new(link.packet.as_f64()),
            rate: link.capacity.as_bps_f64(),
            shared: link.capacity.as_bps_f64(),
            outlook: Outlook::default(),
            foreseen: 0.0,
            audit: Audit::default(),
            expected_queue: 0.0,
            stretch: EVEN,
            rest: 0.0,
            used: LedgerBudget::default(),
        }
    }

    /// Takes in the interval that ends now.
    fn record(&mut self, sums: &LedgerSums, sample: &LinkSample, now: f64, length: f64) {
        self.history.add(&BookedInterval {
            end: now,
            length,
            rate: self.rate,
            budget: self.used,
            tick: self.tick,
            sums: *sums,
            tick_bytes: self.tick_bytes(),
            foreign: (sample.arrived.as_f64() - sums.bytes as f64).max(0.0),
            wait: sample.waiting.as_f64() / sample.capacity.as_bytes_per_sec_f64(),
        });
    }

    /// Compares the flows seen in the interval that ends now with those that were foreseen for it a d0 ago.
    fn reconcile(&mut self, sums: &LedgerSums, now: f64, length: f64) {
        let d0 = self.rtt.get();
        let Some([flows, short]) = self.history.foreseen(now, length, d0) else { return };
        let seen = sums.x.iter().map(|&x| seconds(x)).sum::<f64>() - short;
        self.audit.enter(length, d0, [flows, seen, seconds(sums.elsewhere_x)]);
    }

    /// Enters what the grants of the interval that ended bring: R to the flows that follow it, to newcomers what
    /// they were promised, and what the shortest have. `foreseen` flows are those of now, uncorrected.
    fn book(&mut self, outlook: &Outlook, foreseen: f64, length: f64) {
        let before = &self.outlook;
        let followed = self.rate * (before.adjustable() + outlook.adjustable()) / 2.0;
        let promised = (before.promised + outlook.promised) / 2.0;
        let rate = followed + promised + outlook.elsewhere + outlook.foreign;
        let first_packets = self.used.waiting as f64 * self.packet.as_f64();
        let load = rate / 8.0 * length + self.used.short as f64 + first_packets;
        let foreseen = (self.foreseen + foreseen) / 2.0 * length;
        self.history.book(load, foreseen, self.rtt.get());
    }

    /// (9) 1 + (dq/dt) / C, as a number of a header. What rounding leaves is added to the next one.
    fn stretch(&mut self) -> u32 {
        // To the nearest tick.
        let span = STRETCH_D0 * self.rtt.get() - 0.5 * self.tick;
        let factor = 1.0 + self.history.wait_grows(span);
        let exact = factor.clamp(*STRETCH.start(), *STRETCH.end()) * f64::from(EVEN) + self.rest;
        let stretch = (exact + 0.5) as u32;
        self.rest = exact - f64::from(stretch);
        stretch
    }

    /// (6) S = max(A - y, A N / (N + n)), where n flows held elsewhere send y, and A = C - foreign - short - (q - q*) / tau.
    fn share(&self, outlook: &Outlook) -> f64 {
        let (capacity, d0) = (self.capacity.as_bps_f64(), self.rtt.get());
        let target = self.params.target_queue.get() * capacity * d0 / 8.0;
        let drain = (self.expected_queue - target) * 8.0 / (self.params.drain_time.get() * d0);
        let free = capacity - outlook.foreign - outlook.short - drain;
        let free = free.clamp(MIN_SHARED * capacity, MAX_SHARED * capacity);
        let flows = outlook.flows().max(1.0);
        (free - outlook.elsewhere).max(free * flows / (flows + outlook.elsewhere_flows))
    }

    /// (1) R divides among the flows that follow it what is not promised to newcomers.
    fn divide(&self, outlook: &Outlook) -> f64 {
        let share = self.shared / outlook.flows().max(1.0);
        let rate = (self.shared - outlook.promised) / outlook.adjustable().max(1.0);
        let rate = rate.clamp(R_OF_SHARE.start() * share, R_OF_SHARE.end() * share);
        let least = self.params.min_rate.get() * self.packet_a_d0();
        Offer::bounded(rate, least, self.capacity.as_bps_f64())
    }

    fn packet_a_d0(&self) -> f64 {
        self.packet.as_f64() * 8.0 / self.rtt.get()
    }

    /// Bytes of a flow in a tick at S / N.
    fn tick_bytes(&self) -> f64 {
        (self.shared / self.outlook.flows().max(1.0) / 8.0 * self.tick).max(LEAST_TICK_BYTES)
    }

    /// Half of it as a header states what is left, to the fraction of a byte.
    fn below_a_tick(&self) -> u64 {
        // The fraction, and what is taken off: a tick has LEAST_TICK_BYTES, so that no octave is below the first.
        let octaves = 10;
        let code = BYTES.code((self.tick_bytes() * f64::from(1 << octaves)) as u64);
        u64::from(code - (octaves + 1) * BYTES.octave())
    }

    fn interval(&self) -> Span {
        Span::from_secs_f64(self.tick).max(Span::NANO)
    }

    /// The decision, as of `now`. Casts from floating point saturate.
    fn grant(&self, now: f64) -> LedgerGrant {
        let units = |rate: f64| (rate / 100.0) as u64;
        let byte = |seconds: f64| (8.0 / seconds / 100.0 * (1_u64 << 32) as f64) as u64;
        let least = self.history.least_rate(now, 2.0 * self.rtt.get()).min(self.rate);
        let slow = 8.0 / (ELSEWHERE * least) * f64::from(WireRtt::PER_SECOND);
        LedgerGrant {
            rate: u64::from(Offer::granting(Rate::from_bps_f64(self.rate)).units()),
            shared: units(self.shared),
            flows: (self.outlook.flows() * ONE as f64) as u64,
            room: units(self.shared),
            least: units(NEWCOMER_WITHOUT_ROOM * self.packet_a_d0()),
            below_a_tick: self.below_a_tick(),
            ticks_per_byte: ((1_u64 << 40) as f64 / self.tick_bytes()) as u64,
            byte_a_d0: byte(self.rtt.get()),
            byte_a_tick: byte(self.tick),
            slow: ((slow * 65_536.0) as u64).min(MAX_SLOW),
            stretch: u64::from(self.stretch),
        }
    }
}

/// The length of a tick in seconds.
fn tick_length(d0: f64, capacity: Rate, packet: Bytes) -> f64 {
    let packets = LEAST_PACKETS * capacity.time_for(packet).as_secs_f64();
    (d0 / f64::from(TICKS)).max(packets.min(d0 / LEAST_TICKS)).max(MIN_TICK.as_secs_f64())
}

impl RouterLaw for LedgerRouter {
    type Header = LedgerHeader;
    type Sums = LedgerSums;
    type Grant = LedgerGrant;
    type Budget = LedgerBudget;

    fn arrive(sums: &mut LedgerSums, grant: &LedgerGrant, header: &LedgerHeader, train: Train) {
        sums.add(grant, header, train);
    }

    fn stamp(grant: &LedgerGrant, used: &mut LedgerBudget, header: &mut LedgerHeader, _: Train) {
        grant.stamp(used, header);
    }

    /// SYNs alone spend, and a link that was idle does not show which CPU they reach.
    const ONE_BUDGET: bool = true;

    fn fresh(_: &LedgerGrant) -> LedgerBudget {
        LedgerBudget::default()
    }

    fn start(&mut self, capacity: Rate) -> (LedgerGrant, [Time; MAX_TIMERS]) {
        self.capacity = capacity;
        self.tick = tick_length(self.rtt.get(), capacity, self.packet);
        (self.grant(0.0), [Time::ZERO + self.interval(), Time::NEVER])
    }

    fn on_budget(&mut self, used: &LedgerBudget) {
        self.used = *used;
    }

    fn tick(&mut self, _timer: usize, sums: &LedgerSums, sample: &LinkSample) -> Tick<LedgerGrant> {
        let length = sample.now.since(sample.since).as_secs_f64();
        let now = sample.now.since(Time::ZERO).as_secs_f64();
        if length > 0.0 {
            // By ticks as they were, of the capacity until now. What waits does so by the capacity of now.
            self.record(sums, sample, now, length);
        }
        self.capacity = sample.capacity;
        if length > 0.0 {
            self.rtt.per_packet(&sums.rtt);
            self.rtt.bound(self.capacity, self.packet);
            self.tick = tick_length(self.rtt.get(), self.capacity, self.packet);
            self.reconcile(sums, now, length);
            let uncorrected = self.history.outlook(now, self.rtt.get());
            let outlook = uncorrected.times(self.audit.factor(self.rtt.get()));
            self.book(&outlook, uncorrected.foreseen(), length);
            self.foreseen = uncorrected.foreseen();
            let bytes_per_second = self.capacity.as_bytes_per_sec_f64();
            let waiting = sample.waiting.as_f64();
            self.expected_queue =
                self.history.expected_queue(waiting, now, self.rtt.get(), bytes_per_second);
            self.shared = self.share(&outlook);
            self.outlook = outlook;
            self.stretch = self.stretch();
        }
        // In an interval of no length too: the capacity may have fallen.
        self.shared = self.shared.min(MAX_SHARED * self.capacity.as_bps_f64());
        self.rate = self.divide(&self.outlook);
        Tick { grant: Some(self.grant(now)), next: sample.now + self.interval() }
    }

    fn stamped(&self) -> Sampled {
        Sampled::Arrival
    }

    fn metrics(&self, out: &mut dyn FnMut(&'static str, f64)) {
        out("R", self.rate);
        out("d0", self.rtt.get());
        out("N", self.outlook.flows());
        out("promised", self.outlook.promised);
        out("expected_queue", self.expected_queue);
        out("correction", self.audit.factor(self.rtt.get()));
    }
}

#[cfg(test)]
#[path = "router_tests.rs"]
mod tests;
