//! A law's controller against the program, in real time.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use sluice_laws::ledger::LedgerParams;
use sluice_laws::ledger::router::LedgerRouter;
use sluice_laws::ncp::compensated::CompensatedRouter;
use sluice_laws::ncp::counted::CountedRouter;
use sluice_laws::ncp::router::NcpRouter;
use sluice_laws::ncp::{FlowCount, NcpParams};
use sluice_laws::protocol::LinkContext;
use sluice_laws::rcp::RcpParams;
use sluice_laws::rcp::router::RcpRouter;
use sluice_laws::router::{QueueCounts, RouterLaw};
use sluice_laws::wire::{Offer, WireRtt};
use sluice_linux::{
    ControllerSettings, Error, KernelRouter, LinkController, LinkStatus, Ncp, monotonic_now,
};
use sluice_units::{Bytes, Rate, Ratio, Span, Time};

use crate::bed::{self, Fate, datagram, fate, packet, pass};

const CAPACITY: Rate = Rate::from_bps(100_000_000);
const LINK: LinkContext = LinkContext { capacity: CAPACITY, packet: Bytes::new(1_514) };
const RTT: Span = Span::from_millis(40);

fn rcp(params: &RcpParams) -> RcpRouter {
    RcpRouter::new(params, &LINK)
}

/// A packet that asks for all there is, and states this RTT.
fn asks(rtt: Span) -> Vec<u8> {
    packet(1, [u32::MAX, WireRtt::new(rtt).units(), 0])
}

fn controller<'router, 'place>(
    router: &'router KernelRouter<'place>,
    settings: ControllerSettings,
) -> LinkController<'router, 'place, RcpRouter> {
    by(router, settings, &RcpParams::default())
}

fn by<'router, 'place>(
    router: &'router KernelRouter<'place>,
    settings: ControllerSettings,
    params: &RcpParams,
) -> LinkController<'router, 'place, RcpRouter> {
    LinkController::new(router, rcp(params), CAPACITY, settings).unwrap()
}

/// For queues of 2 MB.
fn with_room() -> ControllerSettings {
    ControllerSettings { queue_limit: Span::from_secs(1), ..ControllerSettings::default() }
}

fn sleep_until(time: Time) {
    thread::sleep(Duration::from_nanos(time.since(monotonic_now()).as_nanos()));
}

fn rate(status: &LinkStatus) -> f64 {
    status.metric("R").unwrap()
}

fn status<L: RouterLaw>(controller: &mut LinkController<'_, '_, L>) -> LinkStatus {
    controller.status(monotonic_now()).unwrap()
}

/// Waits for the next tick; returns the status after it, and its time.
fn next_tick<L: RouterLaw>(controller: &mut LinkController<'_, '_, L>) -> (LinkStatus, Time) {
    sleep_until(controller.due());
    controller.tick(monotonic_now()).unwrap();
    let now = monotonic_now();
    let status = controller.status(now).unwrap();
    let ticked = now - status.grant_age;
    (status, ticked)
}

/// R(t) = R(t-T) [1 + (T/d0) (alpha (C - y(t)) - beta q(t)/d0) / C], with the times of the ticks as they were, and the least
/// queue of the interval as q, less a packet, whether the law counts what waits or the least. Below the capacity, in overload of 2 MB, and
/// while its queue drains.
#[test]
fn r_follows_equation_2() {
    for queue_counts in [QueueCounts::Waiting, QueueCounts::Least] {
        r_follows(&RcpParams { queue_counts, ..RcpParams::default() });
    }
}

fn r_follows(params: &RcpParams) {
    bed::with(Ncp::Plain, |router| {
        let settings = with_room();
        let mut controller = by(router, settings, params);
        let asks = asks(RTT);
        let (c, d0) = (CAPACITY.as_bps_f64(), RTT.as_secs_f64());
        pass(router, &asks, 1_514, 1);
        let (mut before, mut since) = next_tick(&mut controller);
        let (mut queue, mut probe) = (0.0, 0.0);
        let bursts = [0, 40, 80, 20, 0, 60, 1_300, 0, 10, 0, 0, 0, 0, 0, 0, 0, 0];
        for packets in bursts {
            // Ordinary packets take their part of the link, too.
            pass(router, &asks, 1_514, packets / 2);
            pass(router, &datagram(), 1_514, packets / 2);
            // One with what was granted after the last tick.
            let bits = (f64::from(packets) * 1_514.0 + probe) * 8.0;
            let (after, now) = next_tick(&mut controller);
            let elapsed = now.since(since).as_secs_f64();
            // Of the burst, which came just after the last tick, the first packet found what was left then.
            let found = if packets > 0 { queue } else { f64::INFINITY };
            queue = f64::max(0.0, queue + bits - c * elapsed);
            let waiting = f64::max(0.0, found.min(queue) - 8.0 * settings.packet.as_f64());
            let change = 0.1 * (c - bits / elapsed) - waiting / d0;
            let expected = rate(&before) * (1.0 + elapsed.min(d0) / d0 * change / c);
            let expected = expected.clamp(0.01 * 8.0 * 1_514.0 / d0, c);
            let is = rate(&after);
            assert!((is / expected - 1.0).abs() < 0.01, "{packets}: {is}, not {expected}");
            let queued = after.queue.as_f64() * 8.0;
            assert!((queued - queue).abs() < 1e-3 * c, "{packets}: {queued} waits, not {queue}");
            // What packets are granted is R, as a header can hold it.
            let granted = Offer::granting(Rate::from_bps_f64(is)).units();
            assert_eq!(fate(&pass(router, &asks, 0, 1)), Fate::Granted(granted));
            probe = asks.len() as f64;
            (before, since) = (after, now);
        }
        assert!((before.metric("d0").unwrap() / d0 - 1.0).abs() < 1e-6, "{before:?}");
    });
}

#[test]
fn without_ticks_packets_are_cut_after_four_intervals() {
    bed::with(Ncp::Plain, |router| {
        let interval = Span::from_millis(250);
        let settings = ControllerSettings { interval, ..ControllerSettings::default() };
        let start = monotonic_now();
        let mut controller = controller(router, settings);
        let asks = asks(RTT);
        sleep_until(start + Span::from_millis(750));
        assert!(matches!(fate(&pass(router, &asks, 0, 1)), Fate::Granted(_)));
        // The program's clock is that of the scheduler, of 10 ms at most.
        sleep_until(monotonic_now() + Span::from_millis(375));
        assert_eq!(fate(&pass(router, &asks, 0, 1)), Fate::Cut);
        controller.tick(monotonic_now()).unwrap();
        assert!(matches!(fate(&pass(router, &asks, 0, 1)), Fate::Granted(_)));
        let status = status(&mut controller);
        assert_eq!((status.ticks.expired_grants, status.ticks.late_ticks), (1, 1));
        assert_eq!((status.traffic.stamped, status.traffic.cut), (2, 1));
    });
}

#[test]
fn a_late_tick_is_one_long_interval() {
    bed::with(Ncp::Plain, |router| {
        let mut controller = controller(router, ControllerSettings::default());
        pass(router, &asks(RTT), 1_514, 1);
        let (before, _) = next_tick(&mut controller);
        thread::sleep(Duration::from_millis(300));
        controller.tick(monotonic_now()).unwrap();
        let after = status(&mut controller);
        assert_eq!(after.ticks.ticks, before.ticks.ticks + 1);
        assert_eq!(after.ticks.late_ticks, before.ticks.late_ticks + 1);
        // T counts as d0 at most.
        assert!((rate(&after) / rate(&before) - 1.1).abs() < 0.001, "{before:?}\n{after:?}");
        let due = controller.due();
        assert!(due > monotonic_now() && due <= monotonic_now() + Span::from_millis(10));
        // And it is not made up for.
        controller.tick(monotonic_now()).unwrap();
        assert_eq!(status(&mut controller).ticks.ticks, after.ticks.ticks);
    });
}

#[test]
fn ticks_are_no_more_frequent_than_allowed() {
    bed::with(Ncp::Plain, |router| {
        let settings = ControllerSettings::default();
        let mut controller = controller(router, settings);
        pass(router, &asks(Span::from_micros(100)), 1_514, 1);
        for _ in 0..20 {
            let (status, ticked) = next_tick(&mut controller);
            assert!(controller.due() == ticked + settings.min_interval, "{status:?}");
        }
        let r = rate(&status(&mut controller));
        assert!(r > 0.25 * CAPACITY.as_bps_f64(), "R has risen to {r} on an empty link");
    });
}

#[test]
fn what_passed_before_the_start_does_not_count() {
    bed::with(Ncp::Plain, |router| {
        pass(router, &asks(RTT), 1_514, 10_000);
        let mut controller = controller(router, ControllerSettings::default());
        let before = status(&mut controller);
        let (after, _) = next_tick(&mut controller);
        assert!(rate(&after) > rate(&before), "{before:?}\n{after:?}");
        assert_eq!((after.queue, after.load), (Bytes::ZERO, 0.0));
        assert_eq!(after.metric("d0"), Some(0.2), "that of no packet");
    });
}

#[test]
fn a_change_of_capacity_takes_the_rate_along_and_leaves_the_queue() {
    bed::with(Ncp::Plain, |router| {
        let params = RcpParams { initial_rate: Ratio::new(1.0), ..RcpParams::default() };
        let settings = with_room();
        let mut controller = LinkController::new(router, rcp(&params), CAPACITY, settings).unwrap();
        // 24 ms of transmission, and 240 ms later.
        pass(router, &datagram(), 1_514, 200);
        let queue = status(&mut controller).queue;
        let slow = Rate::from_bps(10_000_000);
        controller.set_capacity(slow).unwrap();
        let after = status(&mut controller);
        assert_eq!(after.capacity, slow);
        let lost = queue.as_u64().saturating_sub(after.queue.as_u64());
        assert!(lost < 100_000, "of {queue} {} are left", after.queue);
        // The first tick has the mean of both capacities.
        next_tick(&mut controller);
        let (after, _) = next_tick(&mut controller);
        assert!(rate(&after) <= slow.as_bps_f64(), "{after:?}");
        let refused = controller.set_capacity(Rate::ZERO).unwrap_err();
        assert!(matches!(refused, Error::Capacity(Rate::ZERO)), "{refused}");
        assert_eq!(status(&mut controller).capacity, slow);
    });
}

#[test]
fn it_runs_in_a_thread_until_it_is_stopped() {
    bed::with(Ncp::Plain, |router| {
        let start = Instant::now();
        let mut controller = controller(router, ControllerSettings::default());
        let stop = AtomicBool::new(false);
        let asks = asks(RTT);
        let last = thread::scope(|threads| {
            let controller = &mut controller;
            let ran = threads.spawn(|| {
                let mut last = None;
                controller
                    .run(&stop, |controller| {
                        last = Some(controller.status(monotonic_now())?);
                        Ok(())
                    })
                    .unwrap();
                last
            });
            for _ in 0..50 {
                // 12 kB in 10 ms and more, of 125 kB.
                pass(router, &asks, 1_514, 8);
                thread::sleep(Duration::from_millis(10));
            }
            stop.store(true, Ordering::Relaxed);
            ran.join().unwrap()
        });
        let status = last.expect("it ticked");
        // One in 10 ms, but for late ones.
        let most = start.elapsed().as_millis() as u64 / 10 + 1;
        assert!((most / 3..=most).contains(&status.ticks.ticks), "{most}: {status:?}");
        assert!((0.02..0.11).contains(&status.load), "{status:?}");
        assert!(rate(&status) > 0.1 * CAPACITY.as_bps_f64(), "{status:?}");
        let json = serde_json::to_value(&status).unwrap();
        assert_eq!((&json["law"], &json["capacity"]), (&1.into(), &"100 Mbps".into()));
        assert_eq!(json["metrics"]["R"], rate(&status));
        assert_eq!(json["ticks"], status.ticks.ticks);
    });
}

/// NCP ticks once a d0 of its own, four of which its grants hold.
#[test]
fn ncp_runs_with_its_own_interval() {
    bed::with(Ncp::Plain, |router| {
        let law = NcpRouter::new(&NcpParams::default(), &LINK);
        let settings = ControllerSettings::default();
        let mut controller = LinkController::new(router, law, CAPACITY, settings).unwrap();
        let start = monotonic_now();
        // Ten flows, as each of these packets comes once in 10 ms, and states that its flow sends one in 100 ms.
        let x = WireRtt::new(Span::from_millis(100)).units();
        let asks = packet(3, [u32::MAX, x, WireRtt::new(RTT).units()]);
        while monotonic_now() < start + Span::from_millis(500) {
            pass(router, &asks, 1_514, 1);
            thread::sleep(Duration::from_millis(10));
            if controller.due() <= monotonic_now() {
                next_tick(&mut controller);
            }
            assert!(matches!(fate(&pass(router, &packet(3, [7, 0, 0]), 0, 1)), Fate::Granted(7)));
        }
        let status = status(&mut controller);
        let flows = status.metric("N").unwrap();
        assert!((5.0..10.5).contains(&flows), "{status:?}");
        assert!((3..=13).contains(&status.ticks.ticks), "{status:?}");
    });
    bed::with(Ncp::Compensated, |router| {
        let law = CompensatedRouter::new(&NcpParams::default(), &LINK);
        let settings = ControllerSettings::default();
        let mut controller = LinkController::new(router, law, CAPACITY, settings).unwrap();
        next_tick(&mut controller);
        assert!(matches!(fate(&pass(router, &packet(3, [7, 0, 0]), 0, 1)), Fate::Granted(7)));
    });
}

#[test]
fn laws_with_budgets_and_those_that_count_flows_are_refused() {
    let settings = ControllerSettings::default();
    bed::with(Ncp::Plain, |router| {
        let ledger = LedgerRouter::new(&LedgerParams::default(), &LINK);
        let refused = LinkController::new(router, ledger, CAPACITY, settings).err();
        assert!(matches!(refused, Some(Error::Uncontrolled(7))), "{refused:?}");
        let slow = LinkController::new(router, rcp(&RcpParams::default()), Rate::ZERO, settings);
        assert!(matches!(slow.err(), Some(Error::Capacity(_))));
    });
    bed::with(Ncp::Counted(Bytes::new(1_000)), |router| {
        let params = NcpParams { counted: FlowCount::Eq12, ..NcpParams::default() };
        let counted = CountedRouter::new(&params, &LINK);
        let refused = LinkController::new(router, counted, CAPACITY, settings).err();
        assert!(matches!(refused, Some(Error::Uncontrolled(3))), "{refused:?}");
    });
}
