//! Properties of clouds over random loads.

use proptest::prelude::*;

use proptest::strategy::ValueTree as _;
use proptest::test_runner::TestRunner;

use super::*;
use crate::common::case::any_case;
use crate::common::runner;

/// Random networks have clouds often enough that their tests are tests of clouds.
#[test]
fn a_quarter_of_all_random_networks_have_a_cloud_with_traffic() {
    let mut random = TestRunner::deterministic();
    let cases = (0..200).map(|_| any_case().new_tree(&mut random).unwrap().current());
    let crossed = |case: &crate::common::case::Case| !case.config.core_links().is_empty();
    let clouds = cases.filter(crossed).count();
    assert!(clouds >= 50, "{clouds}");
}

proptest! {
    #![proptest_config(runner(24))]

    /// Two macro-flows that always have packets share in proportion to their numbers of micro-flows, fill the link,
    /// and leave a core with room for a BDP of the longest round trip without drops, whether one of them is farther off.
    #[test]
    fn macro_flows_share_by_their_micro_flows(
        (one, other) in (1_u64..12, 1_u64..12), millis in 5_u64..120, megabits in 4_u64..40,
        farther in 1_u64..8,
    ) {
        let network = Network {
            capacity: megabits * 1_000_000,
            rtt: Span::from_millis(millis),
            buffer: BufferSize::Packets(4_000),
            stop: 160,
            ..Network::default()
        };
        // Beyond half a second, macro-flows take longer than the run to converge.
        let farther = farther.min((500 / millis).max(1));
        let rate = network.capacity as f64;
        let mut config = apart(&network, [("one", one), ("other", other)].map(|(name, count)| {
            streams(name, count, 1.5 * rate)
        }));
        far(&mut config, farther);
        let (found, run) = rates(&config);
        prop_assert_eq!(run.outcome.links[BOTTLENECK].drops, 0);
        prop_assert_eq!(run.outcome.links.iter().filter(|link| link.ingress.is_some()).count(), 2);
        let (part, ratio) = (found.iter().sum::<f64>() / rate, found[1] / found[0]);
        // A macro-flow keeps a packet a round trip, of which a BDP has few here; and control packets are not counted.
        let bdp = rate / 8_000.0 * network.rtt.as_secs_f64();
        prop_assert!(part > if bdp < 8.0 { 0.88 } else { 0.95 }, "{}", part);
        let off = ratio / (other as f64 / one as f64);
        // Macro-flows converge in tens of the longest round trip, of which these are 320 and more. The farther one has from 0.85 of
        // its share on at rest; after 160 round trips, a few have less than 0.8.
        let close = if farther == 1 { 0.1 } else { 0.2 };
        prop_assert!((off - 1.0).abs() < close, "{} of {}", off, ratio);
    }
}

/// Streams of datagrams, at this rate together.
fn streams(name: &str, count: u64, bps: f64) -> GroupConfig {
    let udp = Udp::constant(Rate::from_bps_f64(bps / count as f64), Bytes::new(1000));
    let udp = Udp { count, phase: Phase::Random, ..udp };
    GroupConfig { name: name.into(), ..group(udp.into()) }
}
