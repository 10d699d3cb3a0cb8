use super::*;
use crate::protocol::Protocol as _;
use crate::xcp::XcpParams;
use crate::xcp::header::XcpHeader;

const PROFILE: Rate = Rate::from_bps(1_500_000);
const RTT: Span = Span::from_millis(80);
/// Ticks of 2^-28 s in a second.
const TICKS: f64 = (1_u64 << 28) as f64;

fn sender(params: XcpGuaranteedParams) -> GuaranteedSender {
    with_xcp(&params, &context())
}

fn context() -> SenderContext {
    let context = SenderContext::new(Bytes::new(1_000), Bytes::new(40));
    SenderContext { profile: Some(PROFILE), initial_window: 1, ..context }
}

/// A sender with XCP's defaults for best-effort packets.
fn with_xcp(params: &XcpGuaranteedParams, context: &SenderContext) -> GuaranteedSender {
    GuaranteedSender::new(params, context, XcpParams::default().host(context))
}

fn answer(kind: PacketKind, admitted: bool) -> AckEvent {
    let header = GuaranteedHeader { echo: i32::from(admitted), ..GuaranteedHeader::default() };
    AckEvent {
        kind,
        rtt: Some(RTT),
        srtt: Some(RTT),
        min_rtt: Some(RTT),
        ..AckEvent::new(Time::ZERO + RTT, header.to_wire())
    }
}

/// A sender whose SYN was answered.
fn answered(params: XcpGuaranteedParams, admitted: bool) -> GuaranteedSender {
    let mut sender = sender(params);
    sender.on_ack(&answer(PacketKind::SynAck, admitted));
    sender
}

fn sent(sender: &mut GuaranteedSender, ms: u64, kind: PacketKind, bytes: u32) -> GuaranteedHeader {
    let now = Time::ZERO + Span::from_millis(ms);
    let out = SendEvent { srtt: Some(RTT), ..SendEvent::new(now, kind, bytes) };
    GuaranteedHeader::from_wire(sender.header(&out))
}

fn near(x: u32, seconds: f64) {
    let found = f64::from(x) / TICKS;
    assert!((found - seconds).abs() < 1e-6, "{found}, not {seconds}");
}

#[test]
fn the_first_packet_asks_with_its_profile_and_states_no_throughput() {
    let header = sent(&mut sender(XcpGuaranteedParams::default()), 0, PacketKind::Syn, 40);
    let expected = GuaranteedHeader { profile: 15_000, x: 0, request: true, echo: FORWARD };
    assert_eq!(header, expected);
}

#[test]
fn an_admitted_sender_paces_at_its_profile_and_refreshes_each_rtt() {
    let sender = answered(XcpGuaranteedParams::default(), true);
    assert_eq!((sender.window(), sender.rate()), (u32::MAX, Some(PROFILE)));
    assert_eq!(sender.probe_after(), Some(RTT));
}

#[test]
fn the_window_is_the_profile_times_the_rtt() {
    let params =
        XcpGuaranteedParams { sender: ProfileSender::Window, ..XcpGuaranteedParams::default() };
    let mut sender = answered(params, true);
    // 1.5 Mb/s x 80 ms = 15 packets, which leave at the rate of the host's link.
    let line_rate = Rate::from_bps(10_000_000_000);
    assert_eq!((sender.window(), sender.rate()), (15, Some(line_rate)));
    assert_eq!(sender.probe_after(), Some(RTT), "an idle one refreshes its reservation");
    sender.on_ack(&AckEvent { srtt: Some(RTT * 2), ..answer(PacketKind::Ack, false) });
    assert_eq!(sender.window(), 30);
    sender.on_ack(&AckEvent { srtt: Some(Span::NANO), ..answer(PacketKind::Ack, false) });
    assert_eq!(sender.window(), 1);
}

#[test]
fn a_denied_sender_gives_up() {
    let mut sender = answered(XcpGuaranteedParams::default(), false);
    assert_eq!((sender.window(), sender.probe_after()), (0, None));
    // Neither an acknowledgement nor a time-out changes that.
    sender.on_rto(&RtoEvent::new(Time::ZERO + RTT * 9, 0));
    sender.on_ack(&answer(PacketKind::Ack, true));
    assert_eq!(sender.window(), 0);
}

#[test]
fn a_denied_sender_may_ask_again_later() {
    let later = Span::from_secs(2);
    let params = XcpGuaranteedParams { retry: Some(later), ..XcpGuaranteedParams::default() };
    let mut sender = answered(params, false);
    assert_eq!(sender.window(), 0);
    let wait = sender.probe_after().expect("it asks again");
    assert!(wait >= later / 2 && wait <= later + later / 2, "{wait}");
    assert!(sender.rate().is_some(), "probes are those of a sender that paces");
    assert!(sent(&mut sender, 2080, PacketKind::Probe, 40).request);
    sender.on_ack(&answer(PacketKind::ProbeAck, true));
    assert_eq!((sender.window(), sender.probe_after()), (u32::MAX, Some(RTT)));
    assert!(!sent(&mut sender, 2160, PacketKind::Data, 1000).request);
}

#[test]
fn an_admission_is_not_withdrawn() {
    let mut sender = answered(XcpGuaranteedParams::default(), true);
    sender.on_ack(&answer(PacketKind::Ack, false));
    sender.on_ack(&answer(PacketKind::ProbeAck, false));
    sender.on_congestion(&CongestionEvent::new(Time::ZERO, 3));
    assert_eq!(sender.rate(), Some(PROFILE));
}

#[test]
fn packets_at_the_profile_state_it_and_refreshments_a_packet_per_rtt() {
    let mut sender = answered(XcpGuaranteedParams::default(), true);
    near(sent(&mut sender, 80, PacketKind::Data, 1000).x, 8000.0 / 1.5e6);
    near(sent(&mut sender, 85, PacketKind::Data, 1000).x, 0.005);
    near(sent(&mut sender, 165, PacketKind::Probe, 40).x, 0.08);
    near(sent(&mut sender, 200, PacketKind::Data, 1000).x, 0.035);
}

#[test]
fn a_sender_states_no_silence_that_it_should_have_broken() {
    let mut sender = answered(XcpGuaranteedParams::default(), true);
    sent(&mut sender, 80, PacketKind::Data, 1000);
    near(sent(&mut sender, 10_080, PacketKind::Data, 1000).x, 0.08);
}

#[test]
fn refreshments_take_a_tenth_of_the_profile_at_most() {
    let mut sender = answered(XcpGuaranteedParams::default(), true);
    sender.on_ack(&AckEvent { srtt: Some(Span::NANO), ..answer(PacketKind::Ack, false) });
    // 40 B at 1.5 Mb/s take 213 us.
    let interval = sender.probe_after().expect("it refreshes");
    assert!(interval > Span::from_micros(2133) && interval < Span::from_micros(2134));
}

/// Bytes and x of what a flow sends in this many seconds that has data all the time.
fn of_seconds(profile: Rate, rtt: Span, seconds: u64) -> (f64, f64) {
    let context = SenderContext { profile: Some(profile), ..context() };
    let mut sender = with_xcp(&XcpGuaranteedParams::default(), &context);
    sender.on_ack(&AckEvent { srtt: Some(rtt), ..answer(PacketKind::SynAck, true) });
    let (end, mut due) = (Time::ZERO + Span::from_secs(seconds), Time::ZERO);
    let (mut now, mut bytes, mut stated) = (Time::ZERO, 0.0, 0.0);
    while now < end {
        let (kind, size) =
            if now == due { (PacketKind::Data, 1000) } else { (PacketKind::Probe, 40) };
        let event = SendEvent { srtt: Some(rtt), ..SendEvent::new(now, kind, size) };
        stated += f64::from(GuaranteedHeader::from_wire(sender.header(&event)).x) / TICKS;
        bytes += f64::from(size);
        if kind == PacketKind::Data {
            let rate = sender.rate().expect("it paces");
            due = now + rate.time_for(Bytes::new(1000));
        }
        now = due.min(now + sender.probe_after().expect("it refreshes"));
    }
    (bytes, stated)
}

#[test]
fn data_and_refreshments_together_keep_to_the_profile_and_state_it() {
    for bps in [1_000, 8_000, 64_000, 99_000, 101_000, 1_500_000, 100_000_000] {
        for rtt in [Span::from_micros(10), Span::from_millis(80), Span::from_secs(3)] {
            let (profile, seconds) =
                (Rate::from_bps(bps), 10_000_000_000 / bps.max(100_000_000) + 50);
            let (bytes, stated) = of_seconds(profile, rtt, seconds);
            let (reserved, time) =
                (profile.as_bytes_per_sec_f64() * seconds as f64, seconds as f64);
            assert!(bytes <= reserved + 1000.0, "{bytes} of {reserved}: {profile}, {rtt}");
            assert!(bytes >= 0.99 * reserved - 1000.0, "{bytes} of {reserved}: {profile}, {rtt}");
            let first = 8000.0 / bps as f64;
            assert!((stated - time).abs() <= first + 0.01 * time, "{stated}: {profile}, {rtt}");
        }
    }
}

#[test]
fn the_sum_of_what_packets_state_is_the_time_that_passed_on_fast_paths_too() {
    let profile = Rate::from_bps(100_000_000_000);
    let context = SenderContext::new(Bytes::new(1_500), Bytes::new(40));
    let context = SenderContext { profile: Some(profile), ..context };
    let mut sender = with_xcp(&XcpGuaranteedParams::default(), &context);
    sender.on_ack(&answer(PacketKind::SynAck, true));
    // 120 ns apart, which is 32.2 ticks.
    let stated: u64 = (0..100_000_u64)
        .map(|n| {
            let now = Time::ZERO + Span::from_nanos(120 * n);
            let out = SendEvent { srtt: Some(RTT), ..SendEvent::new(now, PacketKind::Data, 1500) };
            u64::from(GuaranteedHeader::from_wire(sender.header(&out)).x)
        })
        .sum();
    let exact = 0.012 * TICKS;
    assert!((stated as f64 - exact).abs() <= 1.0, "{stated}, not {exact}");
}

#[test]
fn the_flow_s_own_profile_comes_before_the_table_s() {
    let params =
        XcpGuaranteedParams { profile: Some(Rate::from_bps(1_000_000)), ..Default::default() };
    assert_eq!(answered(params, true).rate(), Some(PROFILE));
    let context = SenderContext::new(Bytes::new(1_000), Bytes::new(40));
    let mut other = with_xcp(&params, &context);
    other.on_ack(&answer(PacketKind::SynAck, true));
    assert_eq!(other.rate(), Some(Rate::from_bps(1_000_000)));
}

/// Senders that were denied together: when each asks for the second and third time.
#[test]
fn senders_that_were_denied_together_ask_at_different_times() {
    let params =
        XcpGuaranteedParams { retry: Some(Span::from_secs(1)), ..XcpGuaranteedParams::default() };
    let waits = |seed| {
        let mut sender = with_xcp(&params, &SenderContext { seed, ..context() });
        [PacketKind::SynAck, PacketKind::ProbeAck].map(|kind| {
            sent(&mut sender, 0, PacketKind::Probe, 40);
            sender.on_ack(&answer(kind, false));
            sender.probe_after().expect("it asks again")
        })
    };
    let mut all: Vec<Span> = (0..1000).flat_map(waits).collect();
    assert_eq!(waits(7), waits(7), "of one seed they are the same");
    let mean = all.iter().map(|wait| wait.as_secs_f64()).sum::<f64>() / 2000.0;
    assert!((mean - 1.0).abs() < 0.03, "{mean}");
    all.sort_unstable();
    let least = all.windows(2).filter(|pair| pair[1] == pair[0]).count();
    assert!(least < 3, "{least} of 2000 are the same");
    assert!(all[0] >= Span::from_millis(500) && all[1999] <= Span::from_millis(1500));
}

#[test]
fn no_request_leaves_before_the_last_one_could_be_answered() {
    let params =
        XcpGuaranteedParams { retry: Some(Span::from_millis(1)), ..XcpGuaranteedParams::default() };
    assert_eq!(answered(params, false).probe_after(), Some(RTT));
}

/// An acknowledgement that returns feedback, of a packet that left an RTT ago.
fn feedback(sender: &mut GuaranteedSender, ms: u64, echo: i32) {
    let header = GuaranteedHeader { echo, ..GuaranteedHeader::default() };
    let now = Time::ZERO + Span::from_millis(ms);
    sender.on_ack(&AckEvent {
        srtt: Some(RTT),
        acked: 1,
        used: 15 + 100,
        in_flight: 15 + 100,
        ..AckEvent::new(now, header.to_wire())
    });
}

#[test]
fn a_denied_sender_may_become_one_of_xcp() {
    let params =
        XcpGuaranteedParams { denied: DeniedFlow::BestEffort, ..XcpGuaranteedParams::default() };
    let mut sender = answered(params, false);
    let mut xcp = XcpParams::default().host(&context());
    xcp.on_ack(&AckEvent { header: WireHeader::default(), ..answer(PacketKind::SynAck, false) });
    for ms in 0..20 {
        assert_eq!(sender.control(), xcp.control());
        let now = Time::ZERO + Span::from_millis(80 + ms);
        let out = SendEvent { srtt: Some(RTT), ..SendEvent::new(now, PacketKind::Data, 1000) };
        assert_eq!(sender.header(&out), xcp.header(&out));
        assert_eq!(sender.service(), Service::BestEffort);
        let header = XcpHeader { reverse: 5_000, ..XcpHeader::default() }.to_wire();
        let ack = AckEvent { srtt: Some(RTT), acked: 1, ..AckEvent::new(now, header) };
        sender.on_ack(&ack);
        xcp.on_ack(&ack);
    }
    assert!(sender.window() > 5, "feedback opens its window");
    let loss = CongestionEvent::new(Time::ZERO, 3);
    sender.on_congestion(&loss);
    xcp.on_congestion(&loss);
    assert_eq!(sender.window(), xcp.window());
}

/// At twice the profile, half of the packets are in it, with its header, and the rest have XCP's, which
/// states the rest of the rate.
#[test]
fn a_sender_above_its_profile_is_two_flows() {
    let params = XcpGuaranteedParams { exceeds: true, ..XcpGuaranteedParams::default() };
    let mut sender = answered(params, true);
    // 1.5 Mb/s are 15 packets an RTT of 1000 bytes, or 187,500 bytes a second.
    feedback(&mut sender, 80, 187_500 - 12_500);
    assert_eq!(sender.rate(), Some(Rate::from_bps(3_000_000)));
    let (mut own, mut above, mut stated) = (0, 0, 0.0);
    for packet in 0..3750_u64 {
        let now = Time::ZERO + Span::from_nanos(80_000_000 + packet * 8_000_000 / 3);
        let event = SendEvent::new(now, PacketKind::Data, 1000);
        let event = SendEvent { srtt: Some(RTT), in_flight: 30, ..event };
        let header = sender.header(&event);
        match sender.service() {
            Service::Own => {
                let header = GuaranteedHeader::from_wire(header);
                assert_eq!((header.profile, header.echo), (15_000, FORWARD));
                stated += f64::from(header.x) / TICKS;
                own += 1;
            }
            Service::BestEffort => {
                let header = XcpHeader::from_wire(header);
                near(header.x, 8000.0 / 1.5e6);
                assert_eq!(header.reverse, 0);
                above += 1;
            }
        }
    }
    // For 10 s at 1.5 Mb/s.
    assert!((1874..=1876).contains(&own), "{own} of {}", own + above);
    assert!((stated - 10.0).abs() < 0.02, "{stated}");
}

#[test]
fn losses_and_feedback_move_only_what_is_above_the_profile() {
    let params = XcpGuaranteedParams { exceeds: true, ..XcpGuaranteedParams::default() };
    let mut sender = answered(params, true);
    feedback(&mut sender, 80, 175_000);
    let above = |sender: &GuaranteedSender| sender.rate().expect("it paces").as_bps() - 1_500_000;
    assert_eq!(above(&sender), 1_500_000);
    sender.on_congestion(&CongestionEvent::new(Time::ZERO, 30));
    // 7.5 packets.
    assert_eq!(above(&sender), 750_000);
    sender.on_rto(&RtoEvent::new(Time::ZERO, 30));
    assert_eq!(above(&sender), 100_000);
    for ms in 0..10 {
        feedback(&mut sender, 90 + ms, -100_000);
    }
    assert_eq!(above(&sender), 100_000, "a packet an RTT is the least");
}
