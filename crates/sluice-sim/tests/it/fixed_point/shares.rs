//! What is left for flows beside traffic that follows no grant, by hand.

use sluice_sim::GroupConfig;
use sluice_sim::fixed_point::Law;
use sluice_sim::traffic::sizes::Fixed;
use sluice_sim::traffic::{Poisson, Sizes, Udp};
use sluice_units::{BufferSize, Bytes, Rate, Ratio, Span};

use super::by_hand::{
    MBPS, assert_near, assert_settled, bps, found, load, long, named, one_link, packets,
};
use crate::shown::{config, group, pipe};

/// PS of what a stream leaves of C, and of NCP's alpha C: x / (room - rho C), with alpha = 0.5 for flows of 1.25 GB on
/// 1 Gb/s, so that packets and what leaves before routers know of a flow count little.
#[test]
fn flows_share_the_room_that_is_left() {
    for (stream, rho) in [(0.3, 0.35), (0.4, 0.4), (0.5, 0.25)] {
        let rate = Rate::from_bps((10e6 * stream) as u64);
        let stream_of = Udp::constant(rate, Bytes::new(1000)).into();
        let both = vec![named("sized", load(rho)), named("stream", stream_of)];
        let found = found(&one_link(both), Law::MaxMin);
        assert_settled(&found);
        let afct = found.classes[0].afct.expect("there is a steady state").as_secs_f64();
        assert_near(afct, 0.060_064 + 0.08 / (1.0 - stream - rho), 0.005);
    }
    let sized = Poisson::new(Ratio::new(0.025), Sizes::Fixed(Fixed(packets(1_250_000.0)))).into();
    let links = pipe(1000 * MBPS, Span::from_millis(20));
    let mut config = config(links, vec![group(sized)], Span::from_secs(100));
    config.parameters.ncp.alpha = Ratio::new(0.5);
    let found = found(&config, Law::Ncp);
    assert_settled(&found);
    let afct = found.classes[0].afct.expect("there is a steady state").as_secs_f64();
    assert_near(afct, 40.0, 0.005);
}

/// Flows that fill the link to the right send back 40 bytes for 1000: 4 % of the other link, so that 0.97 C there is
/// overload and 0.9 C is not; and flows of one packet add a SYN as large.
#[test]
fn acknowledgements_of_long_flows_load_the_way_back() {
    let mut links = pipe(10 * MBPS, Span::from_millis(20));
    links[0].buffer = BufferSize::Bdp(Ratio::new(1.0));
    let flows = GroupConfig::new("long", 0, 1, long(4));
    for law in [Law::Xcp, Law::Tcp] {
        let alone = found(&config(links.clone(), vec![flows.clone()], Span::from_secs(9)), law);
        assert_settled(&alone);
        assert_near(alone.links[1].load, 0.04, 0.01);
        let with = |rho: f64| {
            let groups = vec![flows.clone(), GroupConfig::new("sized", 1, 0, load(rho))];
            found(&config(links.clone(), groups, Span::from_secs(9)), law)
        };
        assert_eq!(with(0.97).overloaded, [1], "{law:?}");
        let sound = with(0.9);
        assert!(sound.overloaded.is_empty(), "{law:?}");
        // 100 packets and a SYN.
        let acks = 0.04 * bps(sound.classes[0].rate) / 10e6;
        assert_near(sound.links[1].load, 0.9 * 1.0004 + acks, 0.002);
    }
    let single = Poisson::new(Ratio::new(500.0), Sizes::Fixed(Fixed(packets(1.0)))).into();
    let found = found(&one_link(vec![group(single)]), Law::Xcp);
    assert_near(found.links[0].load, 0.4 * 1.04, 1e-3);
}
