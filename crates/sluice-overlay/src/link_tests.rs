//! Sources, a link and their acknowledgements in virtual time, where the router wakes up late.

use sluice_laws::WireHeader;
use sluice_laws::ncp::FlowCount;
use sluice_units::Span;

use super::*;
use crate::plan::RateStep;
use crate::source::OverlaySource;

const CAPACITY: f64 = 4e6;
const PACKET: Bytes = Bytes::new(1_000);
/// Steps of 0.1 ms.
const STEP: Span = Span::from_micros(100);
const SECONDS: u64 = 16;
/// Before that, rates settle.
const SETTLED: u64 = 4;

/// Means over time, once settled.
#[derive(Debug)]
struct Means {
    /// The estimate of the capacity over the capacity.
    estimate: f64,
    /// Half of the largest difference between two estimates, over the capacity.
    spread: f64,
    /// What is acknowledged over the capacity.
    load: f64,
    /// Packets that wait.
    queue: f64,
}

/// Sources over a link of 4 Mb/s and 20 ms, whose router counts flows by `counted`, wakes up to `late` after what it
/// waits for, and assumes `fixed` if there is one in place of its estimate.
fn means(counted: FlowCount, sources: u32, late: Span, fixed: Option<Rate>) -> Means {
    let params = NcpParams { counted, ..NcpParams::default() };
    let rates = vec![RateStep { from: Time::ZERO, rate: Rate::from_bps_f64(CAPACITY) }];
    let delay = Span::from_millis(20);
    let plan = LinkPlan { to: 2, rates, delay, room: Bytes::new(200_000) };
    let mut link = OverlayLink::new(plan, &params, PACKET).expect("NCP has a router law");
    let source = |flow| OverlaySource::new(&params, flow, vec![0, 1, 2, 3], PACKET, Time::ZERO);
    let mut sources: Vec<OverlaySource> = (0..sources).map(source).collect();
    let (mut inbox, mut answers) = (VecDeque::new(), VecDeque::new());
    let (mut estimates, mut queue, mut acked, mut wakes) = (Vec::new(), 0.0, 0, 0_u64);
    let acknowledged =
        |sources: &[OverlaySource]| -> u64 { sources.iter().map(|source| source.counts().1).sum() };
    for step in 0..SECONDS * 10_000 {
        let now = Time::ZERO + STEP * step;
        for source in &mut sources {
            while let Some(datagram) = source.send(now) {
                inbox.push_back((now, datagram));
            }
        }
        while answers.front().is_some_and(|&(at, _)| at <= now) {
            let (_, answer): (Time, OverlayDatagram) = answers.pop_front().expect("it is there");
            sources[answer.flow as usize].on_answer(&answer, now);
        }
        let due = inbox.front().map_or(Time::NEVER, |&(at, _)| at).min(link.due());
        // Uniform enough, and the same in each run.
        let part = wakes.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 48;
        if due + Span::from_nanos((late.as_nanos() * part) >> 16) <= now {
            wakes += 1;
            for (at, datagram) in inbox.drain(..) {
                link.arrive(at, now, PACKET, datagram);
            }
            if let Some(rate) = fixed {
                link.estimate = CapacityEstimate::new(rate);
            }
            link.advance(now, |datagram| {
                let header = params.echo().echo(&mut WireHeader::default(), datagram.header);
                answers.push_back((now + delay, datagram.answer(header)));
            });
        }
        if step == SETTLED * 10_000 {
            acked = acknowledged(&sources);
        }
        if step >= SETTLED * 10_000 && step % 50 == 0 {
            estimates.push(link.estimate.rate().as_bps_f64() / CAPACITY);
            queue += link.waiting.as_f64() / PACKET.as_f64();
        }
    }
    let steps = estimates.len() as f64;
    let [least, most] = [f64::min, f64::max].map(|of| estimates.iter().copied().fold(1.0, of));
    let sent = (acknowledged(&sources) - acked) as f64 * PACKET.as_f64() * 8.0;
    Means {
        estimate: estimates.iter().sum::<f64>() / steps,
        spread: (most - least) / 2.0,
        load: sent / (SECONDS - SETTLED) as f64 / CAPACITY,
        queue: queue / steps,
    }
}

/// Prints the table of `docs/how-to/overlay.md` with `--nocapture`.
#[test]
fn late_wake_ups_leave_the_estimate_and_the_load_near_what_they_are() {
    // Bounds on the spread: 1.5 times the largest measured.
    let bounds = [(0, 0.02), (100, 0.076), (1_000, 0.256), (5_000, 0.14)];
    for (sources, (us, spread)) in
        [1, 2, 5].into_iter().flat_map(|sources| bounds.map(|bound| (sources, bound)))
    {
        let means = means(FlowCount::Eq8, sources, Span::from_micros(us), None);
        println!("{sources} sources, up to {us} us late: {means:.4?}");
        assert!((0.93..1.05).contains(&means.estimate), "{sources}, {us}: {means:?}");
        assert!((0.88..1.0).contains(&means.load), "{sources}, {us}: {means:?}");
        assert!(means.spread < spread, "{sources}, {us}: {means:?}");
    }
}

/// Where no flow is bottlenecked elsewhere, (12) counts as (8) does.
#[test]
fn late_wake_ups_do_as_much_to_the_estimate_by_eq_12() {
    for us in [0, 5_000] {
        let means = means(FlowCount::Eq12, 2, Span::from_micros(us), None);
        println!("by (12), 2 sources, up to {us} us late: {means:.4?}");
        assert!((0.93..1.05).contains(&means.estimate), "{us}: {means:?}");
    }
}

/// Equation (10) in equilibrium: N R = C where alpha C' is above C, so q = d0 (alpha C' - C) / beta, with the d0 that
/// includes that queue: d0 = RTT + q / C.
#[test]
fn a_router_whose_estimate_is_high_keeps_a_queue() {
    for high in [1.1, 1.2, 1.3] {
        let means = means(FlowCount::Eq8, 2, Span::ZERO, Some(Rate::from_bps_f64(high * CAPACITY)));
        println!("estimate {high} of the capacity: {means:.4?}");
        let (rtt, excess) = (0.042, (0.95 * high - 1.0) / 0.6);
        let queue = rtt * CAPACITY / 8_000.0 * excess / (1.0 - excess);
        assert!(
            (0.9 * queue - 0.2..1.1 * queue + 0.2).contains(&means.queue),
            "{queue}: {means:?}"
        );
        assert!(means.load > 0.97, "{means:?}");
    }
}

#[test]
fn a_link_without_room_drops_and_the_law_sees_it_arrive() {
    let params = NcpParams::default();
    let rates = vec![RateStep { from: Time::ZERO, rate: Rate::from_bps_f64(CAPACITY) }];
    let plan = LinkPlan { to: 2, rates, delay: Span::ZERO, room: Bytes::new(2_500) };
    let mut link = OverlayLink::new(plan, &params, PACKET).expect("NCP has a router law");
    let mut source = OverlaySource::new(&params, 1, vec![0, 1, 2, 3], PACKET, Time::ZERO);
    let datagram = source.send(Time::ZERO).expect("its SYN");
    for _ in 0..5 {
        link.arrive(Time::ZERO, Time::ZERO, PACKET, datagram.clone());
    }
    // One is sent, two wait.
    let report = link.report();
    assert_eq!((report.drops, report.queue), (2, Bytes::new(2_000)));
    let mut delivered = Vec::new();
    link.advance(Time::ZERO + Span::from_millis(6), |datagram| delivered.push(datagram.is_behind));
    assert_eq!(delivered, [false, true, true]);
    assert_eq!(link.report().queue, Bytes::ZERO);
}
