//! Alpha-fair RCP's shares: those of RCP on one link, those of the chosen fairness on a parking lot
//! (one long flow over k links and a short one on each).

use crate::shown::{config, group, link, pipe, results};
use sluice_laws::alpha_fair::{AlphaFairParams, PriceControl};
use sluice_laws::protocol::Protocol;
use sluice_laws::rcp;
use sluice_sim::traffic::{Long, Traffic};
use sluice_sim::{Config, GroupConfig, LinkConfig};
use sluice_units::{Ratio, Span, Time};

const BPS: u64 = 100_000_000;
const GAMMA: f64 = 0.9;

fn long(name: &str, count: u64, from: usize, to: usize) -> GroupConfig {
    let spacing = Span::from_micros(7_300);
    let long = Long { count, start: Time::ZERO, spacing, stop: Time::NEVER, ..Long::default() };
    GroupConfig { name: name.into(), from, to, ..group(Traffic::Long(long)) }
}

/// k links in a row; the first group crosses all of them.
fn parking_lot(k: usize) -> Config {
    let delay = Span::from_millis(10);
    let there = (0..k).map(|i| link(i, i + 1, BPS, delay));
    let back = (0..k).map(|i| link(i + 1, i, BPS, delay));
    let links: Vec<LinkConfig> = there.chain(back).collect();
    let shorts = (0..k).map(|i| long(&format!("short {i}"), 1, i, i + 1));
    let groups = std::iter::once(long("long", 1, 0, k)).chain(shorts).collect();
    measured(config(links, groups, Span::from_secs(40)))
}

/// After 20 s of 40.
fn measured(mut config: Config) -> Config {
    config.warm_up = Time::ZERO + Span::from_secs(20);
    config
}

fn fair(alpha: f64) -> AlphaFairParams {
    AlphaFairParams { fairness: Ratio::new(alpha), ..AlphaFairParams::default() }
}

/// Rate of each flow as a fraction of the link's capacity, in the order of the groups.
fn shares(config: &Config, protocol: &dyn Protocol) -> Vec<f64> {
    let whole = BPS as f64 / 8.0 * 20.0;
    let (flows, _) = results(config, protocol);
    flows.iter().map(|flow| flow.delivered.as_f64() / whole).collect()
}

#[track_caller]
fn assert_close(found: f64, expected: f64) {
    assert!((found / expected - 1.0).abs() < 0.01, "{found} is not {expected}");
}

/// The same shares of a link that XCP's efficiency controller fills.
#[test]
fn behind_xcps_efficiency_controller_shares_are_the_same_of_all_of_the_link() {
    for k in [1, 2, 5] {
        let params = AlphaFairParams { efficiency: PriceControl::Xcp, ..fair(1.0) };
        let shares = shares(&parking_lot(k), &params);
        let part = 1.0 / (k + 1) as f64;
        assert_close(shares[0], part);
        assert!(
            shares[1..].iter().all(|share| (share / (1.0 - part) - 1.0).abs() < 0.01),
            "{shares:?}"
        );
    }
}

/// The sum of log x is maximal where the long flow has 1 / (k + 1) and the short ones the rest.
#[test]
fn proportional_fairness_gives_the_long_flow_one_part_in_k_plus_1() {
    for k in [1, 2, 3, 5] {
        let shares = shares(&parking_lot(k), &fair(1.0));
        let part = GAMMA / (k + 1) as f64;
        assert_close(shares[0], part);
        shares[1..].iter().for_each(|&short| assert_close(short, part * k as f64));
    }
}

/// A short flow has R, the long one k^(-1/alpha) R, and both together fill gamma of a link; the
/// larger alpha is, the nearer to half each, max-min fairness.
#[test]
fn a_larger_alpha_comes_nearer_to_max_min_fairness() {
    const K: usize = 3;
    let parts = [0.25, 0.5, 1.0, 2.0, 6.0].map(|alpha| {
        let shares = shares(&parking_lot(K), &fair(alpha));
        let times = (K as f64).powf(-1.0 / alpha);
        assert_close(shares[0], GAMMA * times / (1.0 + times));
        shares[1..].iter().for_each(|&short| assert_close(short, GAMMA / (1.0 + times)));
        shares[0]
    });
    assert!(parts.is_sorted() && parts[4] > 0.45 * GAMMA, "{parts:?}");
}

/// RCP is the limit: half each, wherever the links.
#[test]
fn rcp_itself_is_max_min_fair() {
    let params = fair(1.0);
    let rcp = rcp::RcpParams {
        alpha: params.gain,
        beta: Ratio::new(0.0),
        gamma: params.gamma,
        ..rcp::RcpParams::default()
    };
    shares(&parking_lot(3), &rcp).iter().for_each(|&share| assert_close(share, GAMMA / 2.0));
}

/// On one link every alpha is processor sharing.
#[test]
fn one_link_is_shared_as_rcp_shares_it() {
    for alpha in [0.25, 1.0, 6.0] {
        let links = pipe(BPS, Span::from_millis(25));
        let config = measured(config(links, vec![long("flows", 10, 0, 1)], Span::from_secs(40)));
        let shares = shares(&config, &fair(alpha));
        shares.iter().for_each(|&share| assert_close(share, GAMMA / 10.0));
    }
}

/// A flow alone on links in series fills them, since R may exceed a link's capacity.
#[test]
fn a_flow_alone_fills_links_in_a_row() {
    let mut lot = parking_lot(3);
    lot.groups.truncate(1);
    assert_close(shares(&lot, &fair(1.0))[0], GAMMA);
}
