//! Windows below a packet (section 3.4).

use super::*;
use crate::common::run_to_end;

/// A thousand flows at a buffer of 500 packets. Of a packet of each, nearly half do not fit: the others have the
/// link, and these back off. With windows below a packet nothing is lost, and all have a share.
#[test]
fn a_thousand_flows_share_a_buffer_of_half_as_many_packets() {
    let [below, whole] = [0.001, 1.0].map(|min_cwnd| {
        let mut config = path(BPS, RTT, vec![long(1000)], Span::from_millis(200));
        config.links[0].buffer = BufferSize::Packets(500);
        config.parameters.transport.min_rto = Span::from_millis(5);
        let params = SwiftParams { min_cwnd: Ratio::new(min_cwnd), ..SwiftParams::default() };
        run_to_end(&config, &params)
    });
    let link = &below.outcome.links[0];
    assert!(link.drops == 0 && link.utilization > 0.9999, "{link:?}");
    assert!(jain(&shares(&below)) > 0.9, "{}", jain(&shares(&below)));
    let longest = queue(&below, BPS) * 1e6;
    assert!((100.0..150.0).contains(&longest), "{longest} us, 130 by the highest target");
    assert!(whole.outcome.links[0].drops > 500, "{:?}", whole.outcome.links[0]);
    assert!(jain(&shares(&whole)) < 0.6, "{}", jain(&shares(&whole)));
}

/// An RTT of 200.832 us, above the highest target of 151 us: the window stays at its minimum of 0.1 packets, and a
/// packet leaves each 10 RTTs, exactly.
#[test]
fn a_window_of_a_tenth_is_a_packet_each_ten_rtts() {
    let params = SwiftParams { min_cwnd: Ratio::new(0.1), ..SwiftParams::default() };
    let rtt = micros(200);
    let mut config = path(BPS, rtt, vec![long(1)], Span::from_secs(4));
    config.parameters.transport.min_rto = Span::from_millis(1);
    let packets = |config: &Config| {
        let result = run_to_end(config, &params);
        result.outcome.links[0].sent.as_f64() / PACKET as f64
    };
    let expected = 2.0 / (10.0 * base_rtt(BPS, rtt));
    let found = packets(&config);
    assert!((found - expected).abs() <= 1.0, "{found} packets for {expected}");
    // After time-outs too, of which some come while a retransmission waits for its pace.
    let lost = 200 + found as u64;
    config.links[0].losses = vec![lost, lost + 1, lost + 2, lost + 100];
    let found = packets(&config);
    assert!(found <= expected + 1.0 && found > 0.98 * expected, "{found} packets for {expected}");
}
