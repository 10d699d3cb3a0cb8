//! What senders know to be left to send as each packet leaves, by hand.

use std::sync::{Arc, Mutex};

use sluice_laws::WireHeader;
use sluice_laws::host::{
    AckEvent, CongestionEvent, Echo, HostLaw, NoHeader, PacketKind, RtoEvent, SendEvent,
    SenderContext,
};
use sluice_laws::protocol::{LinkContext, Protocol, ProtocolInfo};
use sluice_laws::router::RouterPort;
use sluice_laws::transport::LossRecovery;
use sluice_sim::Config;
use sluice_sim::traffic::{Long, Pauses, Traffic};
use sluice_units::{Faults, Rate, Span, Time};

use crate::shown::{PACKET, config, flow, group, pipe, results};

/// Data packets in the order in which they left: number, what was left, and whether it was sent before.
type Data = Vec<(u64, u64, bool)>;

const NEW: bool = false;
const AGAIN: bool = true;

/// Ten packets leave at once, and the fourth and the seventh are lost. Each of the others is acknowledged a
/// millisecond after the one before.
#[test]
fn a_flow_of_a_window_loses_two_packets() {
    let first: Data = (0..10).map(|seq| (seq, 9 - seq, NEW)).collect();
    let then = |recovery| data(&log_of(10, recovery, &[3, 6])).split_off(10);
    // The third SACK above the fourth packet, that of the eighth, shows both to be overtaken.
    assert_eq!(then(LossRecovery::Rack), [(3, 1, AGAIN), (6, 0, AGAIN)]);
    // The seventh packet has three SACKs above it only after the tenth. Before that it is sent again by rule (3) of RFC
    // 6675 and, when the fourth has arrived, by rule (4), both times without being known to be lost.
    assert_eq!(then(LossRecovery::Sack), [(3, 0, AGAIN), (6, 0, AGAIN), (6, 0, AGAIN)]);
    assert_eq!(then(LossRecovery::NewReno), [(3, 0, AGAIN), (6, 0, AGAIN)]);
    // The first new acknowledgement ends the recovery. The time-out then sends all from the seventh on again.
    let goes_back = [(3, 0, AGAIN), (6, 3, AGAIN), (7, 2, AGAIN), (8, 1, AGAIN), (9, 0, AGAIN)];
    assert_eq!(then(LossRecovery::Reno), goes_back);
    for recovery in [LossRecovery::Rack, LossRecovery::Reno] {
        assert_eq!(data(&log_of(10, recovery, &[3, 6]))[..10], first);
    }
}

/// Three acknowledgements and two SACKs release 10 to 14. The third SACK shows that 3 and 6 are lost, which leaves 7 of
/// 15 in flight: both are sent again, and one more packet of the five that were never sent.
#[test]
fn what_was_never_sent_and_what_is_lost_add_up() {
    let log = data(&log_of(20, LossRecovery::Rack, &[3, 6]));
    let mut expected: Data = (0..15).map(|seq| (seq, 19 - seq, NEW)).collect();
    expected.extend([(3, 6, AGAIN), (6, 5, AGAIN)]);
    expected.extend((15..20).map(|seq| (seq, 19 - seq, NEW)));
    assert_eq!(log, expected);
}

/// The last packet, and with a time-out (Reno has no tail loss probe) its copy.
#[test]
fn the_last_packet_may_be_lost() {
    for recovery in
        [LossRecovery::Reno, LossRecovery::NewReno, LossRecovery::Sack, LossRecovery::Rack]
    {
        let log = log_of(3, recovery, &[2]);
        assert_eq!(
            data(&log),
            [(0, 2, NEW), (1, 1, NEW), (2, 0, NEW), (2, 0, AGAIN)],
            "{recovery}"
        );
        let last: Vec<bool> = log.iter().map(SendEvent::is_last).collect();
        assert_eq!(last, [false, false, false, true, true]);
    }
}

#[test]
fn a_syn_has_all_of_the_flow_after_it() {
    let log = log_of(3, LossRecovery::Rack, &[]);
    assert_eq!((log[0].kind, log[0].left, log[0].again), (PacketKind::Syn, 3, false));
    assert_eq!(log[0].left_bytes(1500), 4500);
    assert!(log[1..].iter().all(|event| event.kind == PacketKind::Data));
    let one = log_of(1, LossRecovery::Rack, &[]);
    assert_eq!(one.iter().map(|event| event.left).collect::<Vec<_>>(), [1, 0]);
}

/// A packet every 100 ms, and a probe every 30 ms between them.
#[test]
fn a_probe_has_what_remains_after_it() {
    let paced = Some((Rate::from_bps(80_000), Span::from_millis(30)));
    let traffic = Traffic::List(vec![flow(Time::ZERO, 3)]);
    let log = logged(&network(traffic, &[]), paced);
    let kinds: Vec<PacketKind> = log.iter().map(|event| event.kind).collect();
    let [syn, first, probe, ..] = kinds[..] else { panic!("{kinds:?}") };
    assert_eq!([syn, first, probe], [PacketKind::Syn, PacketKind::Data, PacketKind::Probe]);
    let mut left = 3;
    for event in &log {
        if event.kind == PacketKind::Data {
            left -= 1;
        }
        assert_eq!((event.left, event.again), (left, false));
    }
}

#[test]
fn without_an_end_all_ones_are_left() {
    let long = Long { count: 1, ..Long::default() };
    let mean = Span::from_millis(50);
    let pauses = Some(Pauses { on: mean, off: mean, shape: None });
    for long in [long.clone(), Long { pauses, ..long }] {
        let log = logged(&network(Traffic::Long(long), &[30, 31, 400]), None);
        assert!(log.iter().any(|event| event.again), "losses are repaired");
        assert!(log.iter().all(|event| event.left == u64::MAX));
        assert_eq!(log[0].left_bytes(1500), u64::MAX);
    }
}

fn data(log: &[SendEvent]) -> Data {
    let data = log.iter().filter(|event| event.kind == PacketKind::Data);
    data.map(|event| (event.seq, event.left, event.again)).collect()
}

/// What one flow of `packets` sends, of whose data packets those in these places are lost.
fn log_of(packets: u64, recovery: LossRecovery, lost: &[u64]) -> Vec<SendEvent> {
    let mut config = network(Traffic::List(vec![flow(Time::ZERO, packets)]), lost);
    config.parameters.transport.recovery = recovery;
    logged(&config, None)
}

/// A millisecond a packet, and an RTT of 40 ms. A SYN is in place 0 on the wire.
fn network(traffic: Traffic, lost: &[u64]) -> Config {
    let mut links = pipe(8 * PACKET * 1000, Span::from_millis(20));
    links[0].losses.extend(lost.iter().map(|place| place + 1));
    config(links, vec![group(traffic)], Span::from_secs(10))
}

fn logged(config: &Config, paced: Option<(Rate, Span)>) -> Vec<SendEvent> {
    let log = Arc::default();
    results(config, &Logged { log: Arc::clone(&log), paced });
    let log: &Mutex<Vec<SendEvent>> = &log;
    std::mem::take(&mut *log.lock().unwrap())
}

/// Windows of ten packets, which leave at a rate with probes between them if there is one; records what leaves.
#[derive(Clone)]
struct Logged {
    log: Arc<Mutex<Vec<SendEvent>>>,
    paced: Option<(Rate, Span)>,
}

impl Protocol for Logged {
    fn about(&self) -> ProtocolInfo {
        ProtocolInfo { name: "logged", title: "", source: "", equations: &[] }
    }

    fn check(&self, _: &mut Faults) {}

    fn host(&self, _: &SenderContext) -> Box<dyn HostLaw> {
        Box::new(self.clone())
    }

    fn echo(&self) -> &'static dyn Echo {
        &NoHeader
    }

    fn router(&self, _: &LinkContext) -> Option<Box<dyn RouterPort>> {
        None
    }
}

impl HostLaw for Logged {
    fn on_ack(&mut self, _: &AckEvent) {}

    fn on_congestion(&mut self, _: &CongestionEvent) {}

    fn on_rto(&mut self, _: &RtoEvent) {}

    fn window(&self) -> u32 {
        10
    }

    fn rate(&self) -> Option<Rate> {
        self.paced.map(|(rate, _)| rate)
    }

    fn probe_after(&self) -> Option<Span> {
        self.paced.map(|(_, silence)| silence)
    }

    fn header(&mut self, event: &SendEvent) -> WireHeader {
        self.log.lock().unwrap().push(*event);
        WireHeader::default()
    }

    fn metrics(&self, _: &mut dyn FnMut(&'static str, f64)) {}
}
