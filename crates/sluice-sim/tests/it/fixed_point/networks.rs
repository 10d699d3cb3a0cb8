//! What holds in any network, and what a large one costs.

use std::cell::Cell;

use proptest::prelude::*;
use proptest::test_runner::{TestRng, TestRunner};
use sluice_sim::fixed_point::{FixedPoint, Law, SteadyState};
use sluice_sim::traffic::sizes::{Exponential, Fixed, Pareto};
use sluice_sim::traffic::{Amount, Long, Poisson, Sizes, Traffic, Udp};
use sluice_sim::{Config, GroupConfig, LinkConfig};
use sluice_units::{BufferSize, Bytes, Rate, Ratio, Span};

use crate::common::runner;
use crate::shown::{config, link};

/// A ring both ways, with links of any capacity, delay and buffer.
fn ring() -> impl Strategy<Value = Vec<LinkConfig>> {
    let buffer = prop_oneof![
        Just(BufferSize::Unlimited),
        (1..2000_u64).prop_map(BufferSize::Packets),
        (0.01..4.0).prop_map(|bdp| BufferSize::Bdp(Ratio::new(bdp))),
    ];
    let one = (5.0..10.0_f64, 10..200_000_u64, buffer);
    prop::collection::vec(one, 4..16).prop_map(|links| {
        let nodes = links.len() / 2;
        let ends = |i: usize| (i / 2, (i / 2 + 1) % nodes);
        let with = |(i, (exponent, micros, buffer)): (usize, (f64, u64, BufferSize))| {
            let (from, to) = if i % 2 == 0 { ends(i) } else { (ends(i).1, ends(i).0) };
            let bps = libm::pow(10.0, exponent) as u64;
            LinkConfig { buffer, ..link(from, to, bps, Span::from_micros(micros)) }
        };
        links.into_iter().take(2 * nodes).enumerate().map(with).collect()
    })
}

fn traffic() -> impl Strategy<Value = Traffic> {
    let sizes = (1.0..3.5_f64, 0..3).prop_map(|(exponent, kind)| {
        let mean = Amount::Packets(Ratio::new(libm::pow(10.0, exponent)));
        match kind {
            0 => Sizes::Fixed(Fixed(mean)),
            1 => Sizes::Exponential(Exponential(mean)),
            _ => Sizes::Pareto(Pareto { mean, shape: Ratio::new(1.2) }),
        }
    });
    prop_oneof![
        4 => (sizes, 0.001..0.4_f64).prop_map(|(sizes, load)| {
            Poisson { rate: None, load: Some(Ratio::new(load)), ..Poisson::new(Ratio::new(1.0), sizes) }
                .into()
        }),
        1 => (1..40_u64).prop_map(|count| Long { count, ..Long::default() }.into()),
        1 => (4.0..9.0_f64).prop_map(|exponent| {
            let rate = Rate::from_bps(libm::pow(10.0, exponent) as u64);
            Udp::constant(rate, Bytes::new(1000)).into()
        }),
    ]
}

fn case() -> impl Strategy<Value = (Config, Law)> {
    let groups = prop::collection::vec((any::<prop::sample::Index>(), 1..8_usize, traffic()), 0..8);
    (ring(), groups, prop::sample::select(Law::ALL)).prop_map(|(links, groups, law)| {
        let nodes = links.len() / 2;
        let group =
            |(number, (from, ahead, traffic)): (usize, (prop::sample::Index, usize, Traffic))| {
                let from = from.index(nodes);
                let to = (from + 1 + ahead % (nodes - 1)) % nodes;
                GroupConfig::new(format!("group {number}"), from, to, traffic)
            };
        let groups = groups.into_iter().enumerate().map(group).collect();
        (config(links, groups, Span::from_secs(10)), law)
    })
}

/// Finite, in range, and no link carries more than it can: neither by its own count, nor by what groups deliver over
/// it, once sources and links agree.
#[track_caller]
fn makes_sense(config: &Config, law: Law, found: &SteadyState) {
    assert!(found.residual.is_finite(), "{found:?}");
    for link in &found.links {
        assert!((0.0..=1.0).contains(&link.utilization), "{link:?}");
        assert!((0.0..=1.0).contains(&link.loss), "{link:?}");
    }
    let paths = sluice_sim::Paths::of(config).expect("there are paths");
    let mut carried = vec![0.0; config.links.len()];
    for ((class, paths), group) in found.classes.iter().zip(&paths).zip(&config.groups) {
        assert!((0.0..=1.0).contains(&class.loss), "{class:?}");
        assert!(class.flows.is_none_or(|flows| flows.is_finite() && flows >= 0.0), "{class:?}");
        let is_sized = matches!(group.traffic, Traffic::Poisson(_));
        let mut links = paths.out.links().to_vec();
        if law != Law::MaxMin {
            links.extend(&*paths.back.links());
        }
        let is_over = links.iter().any(|link| found.overloaded.contains(link));
        assert_eq!(class.afct.is_some(), is_sized && !is_over, "{class:?}");
        let delay = paths.out.delay(&config.links);
        assert!(class.afct.is_none_or(|afct| afct >= delay), "{class:?}: {delay:?}");
        for &link in paths.out.links().iter() {
            carried[link] += class.rate.as_bps_f64();
        }
    }
    if !found.converged {
        return;
    }
    for (link, carried) in config.links.iter().zip(carried) {
        let most = link.capacity.as_bps_f64() * (1.0 + 1e-3) + 10.0;
        assert!(carried <= most, "{carried} of {most}: {found:?}");
    }
}

/// Of all networks, more than half have a model (several equal ways round a ring do not, nor long flows of TCP without a
/// limit of the buffer), and nine tenths of these converge. The networks are the same in each run.
#[test]
fn any_network_makes_sense() {
    let [cases, modelled, converged] = [const { Cell::new(0_u32) }; 3];
    let exchange = FixedPoint { max_iterations: 2000, ..FixedPoint::default() };
    let check = |(config, law): (Config, Law)| {
        cases.set(cases.get() + 1);
        if let Ok(found) = exchange.solve(&config, law) {
            makes_sense(&config, law, &found);
            modelled.set(modelled.get() + 1);
            converged.set(converged.get() + u32::from(found.converged));
        }
        Ok(())
    };
    let config = runner(256);
    let rng = TestRng::deterministic_rng(config.rng_algorithm);
    let mut runner = TestRunner::new_with_rng(config, rng);
    runner.run(&case(), check).unwrap_or_else(|error| panic!("{error}"));
    let [cases, modelled, converged] = [cases, modelled, converged].map(Cell::into_inner);
    println!("{converged} of {modelled} converge");
    assert!(modelled > cases / 2, "{modelled} of {cases} are modelled");
    assert!(f64::from(converged) > 0.9 * f64::from(modelled), "{converged} of {modelled}");
}

proptest! {
    #![proptest_config(runner(128))]

    /// Nothing random, and no state from one to the next.
    #[test]
    fn the_same_network_gives_the_same_numbers((config, law) in case()) {
        prop_assert_eq!(FixedPoint::of(&config, law), FixedPoint::of(&config, law));
    }

    /// More load never makes flows of the ideal faster.
    #[test]
    fn more_load_takes_longer(load in 0.05..0.9_f64, more in 0.01..0.09_f64, mean in 1.0..1000.0_f64) {
        let afct = |load: f64| {
            let sizes = Sizes::Fixed(Fixed(Amount::Packets(Ratio::new(mean))));
            let traffic =
                Poisson { rate: None, load: Some(Ratio::new(load)), ..Poisson::new(Ratio::new(1.0), sizes) };
            let groups = vec![crate::shown::group(traffic.into())];
            let links = crate::shown::pipe(100_000_000, Span::from_millis(5));
            let config = config(links, groups, Span::from_secs(1));
            let found = FixedPoint::of(&config, Law::MaxMin).expect("it is modelled");
            found.classes[0].afct.expect("there is a steady state")
        };
        prop_assert!(afct(load) < afct(load + more));
    }
}

/// A chain of 5000 hops both ways, and 2498 groups that cross four each and bring 750 flows a second, 1.8 million
/// together, a load of 0.6.
fn large() -> Config {
    const HOPS: usize = 5000;
    let hops = (0..HOPS).flat_map(|at| [(at, at + 1), (at + 1, at)]);
    let links = hops.map(|(from, to)| LinkConfig {
        buffer: BufferSize::Bdp(Ratio::new(1.0)),
        ..link(from, to, 20_000_000_000, Span::from_millis(25))
    });
    let groups = (0..(HOPS - 4) / 2).map(|number| {
        let from = number * 2;
        let sizes = Sizes::Exponential(Exponential(Amount::Packets(Ratio::new(1000.0))));
        let traffic = Poisson::new(Ratio::new(750.0), sizes);
        let mut group = GroupConfig::new(format!("group {number}"), from, from + 4, traffic);
        group.path = Some((from..from + 4).map(|hop| 2 * hop).collect());
        group.back = Some((from..from + 4).rev().map(|hop| 2 * hop + 1).collect());
        group
    });
    config(links.collect(), groups.collect(), Span::from_secs(10))
}

/// 10,000 links and classes that stand for millions of flows, of which none is enumerated: the exchanges are few.
#[test]
fn a_large_network_takes_few_exchanges() {
    let config = large();
    for law in Law::ALL {
        let found = FixedPoint::of(&config, *law).expect("it is modelled");
        println!("{law:?}: {} iterations", found.iterations);
        assert!(found.converged && found.overloaded.is_empty(), "{law:?}: {}", found.residual);
        assert!(found.iterations <= 100, "{law:?}: {}", found.iterations);
    }
}
