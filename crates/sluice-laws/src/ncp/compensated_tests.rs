use super::*;

const PACKET: u32 = 1_000;
const D: Span = Span::from_millis(40);

fn offer(bps: f64) -> Offer {
    Offer::granting(Rate::from_bps_f64(bps))
}

/// What a flow that sends at `now` is granted by a link of 95 Mb/s whose R is `rate` and d 40 ms.
fn granted(rate: f64, now: f64, rtt: Span) -> f64 {
    let grant = CompensatedGrant { rate: offer(rate), most: offer(95e6), d0: WireRtt::new(D) };
    let ticks = f64::from(PACKET) * 8.0 / now * f64::from(WireRtt::PER_SECOND);
    let mut header = NcpHeader {
        rate: Offer::UNLIMITED,
        x: ticks as u32,
        rtt: WireRtt::new(rtt),
        ..NcpHeader::default()
    };
    let asked = header;
    CompensatedRouter::stamp(&grant, &mut (), &mut header, Train::packet(PACKET));
    assert_eq!(header, NcpHeader { rate: header.rate, ..asked }, "it lowers the rate alone");
    header.rate.rate().expect("a grant is never nothing").as_bps_f64()
}

fn close(a: f64, b: f64) {
    assert!((a / b - 1.0).abs() < 1e-5, "{a} is not {b}");
}

#[test]
fn equations_14_and_15_by_hand() {
    // g = 3/4 for an RTT of 4 d: 10 + 3/4 (10 - 6), and 10 - 3/4 (12 - 10).
    close(granted(10e6, 6e6, D * 4), 13e6);
    close(granted(10e6, 12e6, D * 4), 8.5e6);
    close(granted(10e6, 10e6, D * 4), 10e6);
}

#[test]
fn no_compensation_up_to_an_rtt_of_d_nor_for_a_flow_that_states_no_rate() {
    for rtt in [Span::from_micros(10), D / 2, D] {
        close(granted(10e6, 1e6, rtt), 10e6);
        close(granted(10e6, 30e6, rtt), 10e6);
    }
    let grant = CompensatedGrant { rate: offer(10e6), most: offer(95e6), d0: WireRtt::new(D) };
    for (x, rtt) in [(0, WireRtt::new(D * 4)), (7, WireRtt::NONE)] {
        let mut header = NcpHeader { rate: Offer::UNLIMITED, x, rtt, ..NcpHeader::default() };
        CompensatedRouter::stamp(&grant, &mut (), &mut header, Train::packet(40));
        assert_eq!(header.rate, grant.rate);
    }
}

/// (15) is below zero from R_k = R (1 + 1 / g) on: 2.11 R for an RTT of 10 d.
#[test]
fn a_penalty_beyond_r_is_the_least_grant() {
    close(granted(10e6, 21e6, D * 10), 0.1e6);
    for now in [21.2e6, 100e6, 40e9] {
        assert_eq!(granted(10e6, now, D * 10), 100.0);
    }
    assert!(granted(10e6, 1e12, Span::from_secs(3)) == 100.0);
}

#[test]
fn no_flow_is_granted_more_than_the_link_has_to_give() {
    close(granted(60e6, 10e6, D * 10), 95e6);
    close(granted(95e6, 1e6, D * 10), 95e6);
}

#[test]
fn a_request_below_and_a_router_before_decide_as_they_do_without() {
    let grant = CompensatedGrant { rate: offer(10e6), most: offer(95e6), d0: WireRtt::new(D) };
    for asked in [Offer::NONE, offer(3e6)] {
        let rtt = WireRtt::new(D * 4);
        let mut header = NcpHeader { rate: asked, x: 1_000_000, rtt, ..NcpHeader::default() };
        CompensatedRouter::stamp(&grant, &mut (), &mut header, Train::packet(PACKET));
        assert_eq!(header.rate, asked);
    }
}

/// After a step of R, the service beyond that of a flow which follows at once, in d x Mb/s, of a flow of that many
/// d. Its first acknowledgement of the new R comes after a round trip.
fn volume_behind(rtts_of_d: usize, compensated: bool) -> f64 {
    let (before, after) = (8e6, 10e6);
    let mut rates = vec![before; rtts_of_d];
    // Acknowledgement by acknowledgement: each d of sending is answered a round trip later.
    for d in 0..4_000 {
        let stated = rates[d];
        let rtt = D * rtts_of_d as u64;
        rates.push(if compensated { granted(after, stated, rtt) } else { after });
    }
    rates.iter().map(|rate| (after - rate) / 1e6).sum()
}

/// Section 7's case 1: a flow of RTT_k gets the step D of R for RTT_k - d less than a flow of RTT d. (14) alone
/// gives that back within the next round trip, and g / (1 + g) of an RTT in all.
#[test]
fn compensation_gives_back_a_part_of_what_a_longer_rtt_missed() {
    for rtts in [2_usize, 4, 10] {
        let (step, n) = (2.0, rtts as f64);
        let g = 1.0 - 1.0 / n;
        close(volume_behind(rtts, false) - volume_behind(1, false), (n - 1.0) * step);
        let given_back = volume_behind(rtts, false) - volume_behind(rtts, true);
        let by_hand = n * step * g / (1.0 + g);
        assert!((given_back / by_hand - 1.0).abs() < 1e-3, "{given_back} is not {by_hand}");
    }
    assert_eq!(volume_behind(1, false), volume_behind(1, true));
}

#[test]
fn grants_survive_a_kernels_map() {
    let grant = CompensatedGrant { rate: offer(1e6), most: offer(2e6), d0: WireRtt::new(D) };
    assert_eq!(CompensatedGrant::from_plain(grant.to_plain()), grant);
}
