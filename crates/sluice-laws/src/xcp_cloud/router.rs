//! The law of a core link: XCP's controllers over control packets.

use sluice_units::Rate;

use super::header::{CloudHeader, X_FRACTION_BITS};
use crate::WireHeader;
use crate::protocol::LinkContext;
use crate::router::{
    LawHeader, LinkSample, MAX_TIMERS, QueueCounts, RouterLaw, Sampled, Tick, Train,
};
use crate::wire::{Form, ticks};
use crate::xcp::XcpParams;
use crate::xcp::feedback::{Residue, XcpGrant, XcpSums};
use crate::xcp::header::XcpHeader;
use crate::xcp::router::XcpRouter;

/// The timer of control decisions, [`XcpRouter`]'s.
const CONTROL: usize = 0;

/// The intervals over which sums are averaged.
const INTERVALS: f64 = 4.0;

impl LawHeader for CloudHeader {
    const FORM: Form = XcpHeader::FORM;

    fn from_wire(wire: WireHeader) -> Self {
        Self::from_wire(wire)
    }

    fn to_wire(self) -> WireHeader {
        self.to_wire()
    }
}

/// XCP's law over control packets.
///
/// With a control packet a round trip, and an interval of about as long, none, one or two of those of a macro-flow fall
/// into an interval, where XCP sees all packets of a window. So that the parts of (4.8) and (4.11) are those of all
/// macro-flows, they are taken from sums that are averaged over intervals; the targets, and what stops at them
/// (section 4.7.2), are those of each interval. From the sums of single intervals, the first statement after an interval
/// without any finds nothing to share by.
#[derive(Clone, Debug)]
pub struct CloudRouter {
    xcp: XcpRouter,
    /// The average sums of an interval.
    average: AverageSums,
}

impl CloudRouter {
    /// The law at that link, before any traffic.
    pub fn new(params: XcpParams, link: &LinkContext) -> Self {
        Self { xcp: XcpRouter::new(params, link), average: AverageSums::default() }
    }
}

/// Averages of sums over intervals.
///
/// They keep fractions of the units of [`XcpSums`]: a macro-flow of a small weight states a unit of X in some intervals and
/// none in others.
#[derive(Clone, Copy, Debug, Default)]
struct AverageSums {
    bytes: f64,
    x: f64,
    x_rtt: f64,
}

impl AverageSums {
    /// Takes the sums of the interval that ended. The first are the average; so are those after a pause in which it
    /// became less than a byte and less than a unit of X. Of slow macro-flows, intervals have less than a byte.
    fn add(&mut self, sums: &XcpSums) {
        let part = if self.bytes < 1.0 && self.x < 1.0 { 1.0 } else { 1.0 / INTERVALS };
        let mean = |old: f64, new: f64| old + part * (new - old);
        *self = Self {
            bytes: mean(self.bytes, sums.bytes as f64),
            x: mean(self.x, sums.x as f64),
            x_rtt: mean(self.x_rtt, sums.x_rtt as f64),
        };
    }

    /// The sums of an interval that are nearest to the averages, with the average RTT of these: of X, a unit at least,
    /// since without any there is nothing to share by.
    fn sums(&self) -> XcpSums {
        if self.x <= 0.0 {
            return XcpSums::default();
        }
        let x = libm::round(self.x).max(1.0);
        XcpSums {
            bytes: libm::round(self.bytes) as u64,
            x: x as u64,
            x_rtt: (self.x_rtt / self.x * x) as u128,
        }
    }
}

/// The packets that a statement stands for.
fn train(header: &CloudHeader) -> Train {
    Train::packet(header.last)
}

impl RouterLaw for CloudRouter {
    type Header = CloudHeader;
    type Sums = XcpSums;
    type Grant = XcpGrant;
    type Budget = Residue;

    fn arrive(sums: &mut XcpSums, grant: &XcpGrant, header: &CloudHeader, _: Train) {
        XcpRouter::arrive(sums, grant, &header.as_xcp(), train(header));
    }

    fn stamp(grant: &XcpGrant, residue: &mut Residue, header: &mut CloudHeader, _: Train) {
        let mut granted = header.as_xcp();
        XcpRouter::<XcpSums>::stamp(grant, residue, &mut granted, train(header));
        header.delta = granted.delta;
    }

    fn fresh(grant: &XcpGrant) -> Residue {
        XcpRouter::<XcpSums>::fresh(grant)
    }

    fn share(grant: &XcpGrant, part: &XcpSums, whole: &XcpSums) -> XcpGrant {
        XcpRouter::<XcpSums>::share(grant, part, whole)
    }

    fn start(&mut self, capacity: Rate) -> (XcpGrant, [sluice_units::Time; MAX_TIMERS]) {
        self.xcp.start(capacity)
    }

    fn tick(&mut self, timer: usize, sums: &XcpSums, sample: &LinkSample) -> Tick<XcpGrant> {
        if timer != CONTROL {
            return self.xcp.tick(timer, sums, sample);
        }
        self.average.add(sums);
        self.xcp.tick(timer, &self.average.sums(), sample)
    }

    fn grants(timer: usize) -> bool {
        XcpRouter::<XcpSums>::grants(timer)
    }

    fn stamped(&self) -> Sampled {
        self.xcp.stamped()
    }

    fn queue_sampled(&self) -> Sampled {
        self.xcp.queue_sampled()
    }

    fn min_queue_counts(&self) -> QueueCounts {
        self.xcp.min_queue_counts()
    }

    /// Those of XCP; `N` is the weight of all macro-flows.
    fn metrics(&self, out: &mut dyn FnMut(&'static str, f64)) {
        let unit = f64::from(1_u32 << (ticks::FRACTION_BITS - X_FRACTION_BITS));
        self.xcp
            .metrics(&mut |name, value| out(name, if name == "N" { value * unit } else { value }));
    }
}

#[cfg(test)]
mod tests {
    use sluice_units::{Bytes, Span, Time};

    use super::super::macro_flow::{Forwarded, MacroFlow};
    use super::*;

    const CAPACITY: Rate = Rate::from_bytes_per_sec(1_000_000);

    /// Two macro-flows that each forwarded 5 kB in 100 ms, of one micro-flow and of three.
    fn statements() -> [CloudHeader; 2] {
        [1, 3].map(|flows| CloudHeader {
            x: (flows << X_FRACTION_BITS) / 10,
            rtt: ticks::ticks(0.125),
            delta: i32::MAX,
            last: 5000,
        })
    }

    /// What they are granted after an interval of 100 ms in which they stated that and `arrived` bytes came, and N.
    fn granted(arrived: u64) -> ([i32; 2], f64) {
        granted_after(arrived, 0)
    }

    /// The same after that many further intervals without statements.
    fn granted_after(arrived: u64, silent: usize) -> ([i32; 2], f64) {
        let context = LinkContext { capacity: CAPACITY, packet: Bytes::new(1000) };
        let mut router = CloudRouter::new(XcpParams::default(), &context);
        let mut sums = XcpSums::default();
        let control = Train::packet(40);
        let grant = XcpGrant::default();
        statements()
            .iter()
            .for_each(|header| CloudRouter::arrive(&mut sums, &grant, header, control));
        let sample = LinkSample {
            now: Time::ZERO + Span::from_millis(200),
            since: Time::ZERO + Span::from_millis(100),
            capacity: CAPACITY,
            queue: Bytes::ZERO,
            waiting: Bytes::ZERO,
            min_queue: Bytes::ZERO,
            arrived: Bytes::new(arrived),
            dropped: Bytes::ZERO,
            drained: None,
        };
        let mut grant = router.tick(CONTROL, &sums, &sample).grant.unwrap();
        for _ in 0..silent {
            grant = router.tick(CONTROL, &XcpSums::default(), &sample).grant.unwrap();
        }
        let mut residue = CloudRouter::fresh(&grant);
        let granted = statements().map(|mut header| {
            CloudRouter::stamp(&grant, &mut residue, &mut header, control);
            header.delta
        });
        let mut flows = 0.0;
        router.metrics(&mut |name, value| flows = if name == "N" { value } else { flows });
        (granted, flows)
    }

    fn near(found: [i32; 2], expected: [i32; 2]) {
        let close = |(found, expected): (i32, i32)| found.abs_diff(expected) < 30;
        assert!(found.into_iter().zip(expected).all(close), "{found:?}, not {expected:?}");
    }

    /// y = 0.1 MB/s of 1, so phi = 0.36 MB/s, more than y / 10: nothing is shuffled. Each micro-flow gets a quarter.
    #[test]
    fn increase_is_by_micro_flows() {
        let (granted, flows) = granted(10_000);
        near(granted, [90_000, 270_000]);
        assert!((flows - 4.0).abs() < 1e-3, "{flows}");
    }

    /// y = 1.5 MB/s, so phi = -0.2 MB/s: each forwarded half of what was stated.
    #[test]
    fn decrease_is_by_bytes() {
        near(granted(150_000).0, [-100_000, -100_000]);
    }

    /// y = C: h = 0.1 MB/s is given by micro-flows and taken by bytes.
    #[test]
    fn shuffling_takes_by_bytes_and_gives_by_micro_flows() {
        near(granted(100_000).0, [25_000 - 50_000, 75_000 - 50_000]);
    }

    /// A macro-flow of a small weight states a unit of X in one interval of four: the average is a part of one, and
    /// there is always something to share by, at the RTT stated.
    #[test]
    fn a_unit_of_x_now_and_then_is_shared_by() {
        let mut average = AverageSums::default();
        let stated = XcpSums { bytes: 400, x: 1, x_rtt: u128::from(ticks::ticks(0.004)) };
        for interval in 0..400 {
            average.add(&if interval % 4 == 0 { stated } else { XcpSums::default() });
            let sums = average.sums();
            assert_eq!(sums.x, 1, "{interval}");
            let rtt = sums.average_rtt().unwrap();
            assert!(rtt.as_nanos().abs_diff(4_000_000) < 10, "{interval}: {rtt}");
        }
        // A pause of three intervals leaves 0.75^3 of b = 0.75^4 b + 100.
        assert!((average.bytes - 61.714).abs() < 0.001, "{average:?}");
    }

    /// A macro-flow at the least rate, a packet of a byte a second, is alone at a link of 1 MB/s, and its packets wait. A
    /// control packet comes each 40 ms, and intervals are of 5 ms.
    #[test]
    fn a_macro_flow_of_less_than_a_byte_an_interval_takes_an_idle_link() {
        let context = LinkContext { capacity: CAPACITY, packet: Bytes::new(1) };
        let mut router = CloudRouter::new(XcpParams::default(), &context);
        let mut flow = MacroFlow::new(context.packet, Span::from_secs(1));
        let (mut grant, timers) = router.start(CAPACITY);
        let (mut residue, mut sums) = (CloudRouter::fresh(&grant), XcpSums::default());
        let (mut since, mut due) = (Time::ZERO, timers[CONTROL]);
        let (mut arrived, mut stated, mut feedback) = (0.0, 0.0, 0);
        for ms in 1..=2_000 {
            let now = Time::ZERO + Span::from_millis(ms);
            arrived += flow.rate().as_bps_f64() / 8.0 / 1000.0;
            if ms % 40 == 0 {
                let report = CloudHeader::report(Some(Span::from_millis(4)), feedback, false);
                let bytes = arrived - stated;
                let seen = Forwarded { now, bytes, backlogged: true, weight: 1.0 };
                let mut header = flow.control(report, &seen);
                let control = Train::packet(40);
                CloudRouter::arrive(&mut sums, &grant, &header, control);
                CloudRouter::stamp(&grant, &mut residue, &mut header, control);
                (stated, feedback) = (arrived, header.delta);
            }
            if now >= due {
                let sample = LinkSample {
                    now,
                    since,
                    capacity: CAPACITY,
                    queue: Bytes::ZERO,
                    waiting: Bytes::ZERO,
                    min_queue: Bytes::ZERO,
                    arrived: flow.rate().bytes_in(now.since(since)),
                    dropped: Bytes::ZERO,
                    drained: None,
                };
                let tick = router.tick(CONTROL, &std::mem::take(&mut sums), &sample);
                grant = tick.grant.unwrap();
                (residue, since, due) = (CloudRouter::fresh(&grant), now, tick.next);
            }
        }
        let part = flow.rate().as_bps_f64() / CAPACITY.as_bps_f64();
        assert!((0.95..1.05).contains(&part), "{part}");
    }

    /// In the interval after one without statements, the sums are three quarters: statements are granted four thirds each,
    /// until the target stops them.
    #[test]
    fn an_interval_without_statements_leaves_something_to_share_by() {
        let (granted, flows) = granted_after(10_000, 1);
        near(granted, [120_000, 240_000]);
        assert!((flows - 3.0).abs() < 0.01, "{flows}");
    }
}
