use sluice_units::{Bytes, Rate, Span, Time};

use super::*;
use crate::wire::ticks::ticks;
use crate::xcp::TcpWindow;
use crate::xcp::choices::Balance;

const PACKET: u32 = 1000;

fn router(balance: Balance) -> FriendlyRouter {
    let params = XcpParams { balance, tcp_window: TcpWindow::Rfc5348, ..XcpParams::default() };
    let link = LinkContext { capacity: Rate::from_bps(9_000_000), packet: Bytes::new(1000) };
    FriendlyRouter::new(params, &link, Ratio::new(0.4))
}

/// The tick of a timer at a link of 22.5 Mb/s, of which TCP has 45 kB waiting and XCP 22.5 kB, after 40 ms in which
/// 3200 packets of TCP arrived, 32 of which were lost, and one of XCP with this window in packets and an RTT of 40 ms,
/// over `arrived` bytes.
fn tick(router: &mut FriendlyRouter, timer: usize, window: f64, arrived: u64) -> f64 {
    let mut sums = WindowSums::default();
    let header = XcpHeader { x: ticks(0.04 / window), rtt: ticks(0.04), ..XcpHeader::default() };
    FriendlyRouter::arrive(&mut sums, &XcpGrant::default(), &header, Train::packet(PACKET));
    router.on_competing(&CompetingTraffic {
        packets: 3200,
        bytes: 3_200_000,
        squares: 3_200_000_000,
        lost: 32,
        waiting: Bytes::new(45_000),
        capacity: Rate::from_bps(22_500_000),
    });
    let now = Time::ZERO + Span::from_millis(40);
    router.tick(
        timer,
        &sums,
        &LinkSample {
            now,
            since: Time::ZERO,
            capacity: Rate::from_bps(9_000_000),
            queue: Bytes::new(22_500),
            waiting: Bytes::new(22_500),
            min_queue: Bytes::new(22_500),
            arrived: Bytes::new(arrived),
            dropped: Bytes::ZERO,
            drained: None,
        },
    );
    router.class_weight().expect("it moves weights").get()
}

/// By hand: TCP's window is 11.2332 packets at p = 0.01. Three times that of XCP takes a half of kappa.
#[test]
fn the_control_timer_moves_the_weight_by_both_windows() {
    for (window, weight) in [(11.2332, 0.4), (33.6996, 0.395), (3.7444, 0.405)] {
        let found = tick(&mut router(Balance::Windows), CONTROL, window, 45_000);
        assert!((found - weight).abs() < 1e-5, "{found} at {window}");
    }
}

#[test]
fn the_other_timer_moves_nothing() {
    let mut router = router(Balance::Windows);
    assert_eq!(tick(&mut router, 1 - CONTROL, 33.7, 45_000), 0.4);
    let later = tick(&mut router, CONTROL, 33.6996, 45_000);
    assert!((later - 0.395).abs() < 1e-5, "{later}");
}

/// By hand: XCP's input of 45 kB in 40 ms, 9 Mb/s, leaves 13.5 Mb/s, over which TCP's 45 kB take 26.667 ms. XCP's
/// 22.5 kB at 9 Mb/s take 20 ms of its RTT, so TCP's is 46.667 ms, and its window may be 1.16667 times XCP's.
#[test]
fn throughputs_count_the_queues_of_both_classes() {
    let found = tick(&mut router(Balance::Throughputs), CONTROL, 11.2332 / 1.166_667, 45_000);
    assert!((found - 0.4).abs() < 1e-5, "{found}");
    // An input of 18 Mb/s leaves less than TCP's weight, which is also 13.5 Mb/s.
    let found = tick(&mut router(Balance::Throughputs), CONTROL, 11.2332 / 1.166_667, 90_000);
    assert!((found - 0.4).abs() < 1e-5, "{found}");
}

#[test]
fn metrics_are_those_of_both() {
    let mut router = router(Balance::Windows);
    tick(&mut router, CONTROL, 33.6996, 45_000);
    let mut found = Vec::new();
    router.metrics(&mut |name, value| found.push((name, value)));
    let value = |wanted| found.iter().find(|(name, _)| *name == wanted).expect("a metric").1;
    assert!((value("w_X") - 0.395).abs() < 1e-5 && (value("p") - 0.01).abs() < 1e-9);
    assert!((value("cwnd_T") - 11_233.2).abs() < 1.0 && (value("cwnd_X") - 33_699.6).abs() < 1.0);
    assert!((value("d") - 0.04).abs() < 1e-6, "{found:?}");
}
