//! Random flows have the arrival rate and the sizes that their group asks for, and each group has
//! draws of its own.

mod shown;

use shown::{config, group, pipe, results};
use sluice_laws::tcp::Params;
use sluice_sim::traffic::{Empirical, Point, Poisson, Sizes, Traffic};
use sluice_sim::{FlowRecord, Group};
use sluice_units::{Bytes, Ratio, Span, Time};

const PER_SECOND: f64 = 1000.0;
const SECONDS: u64 = 20;
/// 20,000 flows tell a mean within 1% where the spread is about the mean.
const CLOSE: f64 = 0.02;

fn poisson(name: &str, sizes: Sizes) -> Group {
    let per_second = Ratio::new(PER_SECOND);
    let model = Poisson { per_second, start: Time::ZERO, stop: Time::NEVER, sizes };
    Group { name: name.into(), ..group(Traffic::Poisson(model)) }
}

fn flows(groups: Vec<Group>) -> Vec<FlowRecord> {
    let links = pipe(10_000_000_000, Span::from_micros(1));
    let mut config = config(links, groups, Span::from_secs(SECONDS));
    config.limit = config.stop + Span::from_secs(1);
    let (mut flows, _) = results(&config, &Params::default());
    flows.retain(|flow| flow.measured);
    flows
}

/// The sizes of so many flows as the rate makes likely.
fn sizes(model: Sizes) -> Vec<f64> {
    let sizes: Vec<f64> = flows(vec![poisson("flows", model)])
        .iter()
        .filter_map(|f| f.size)
        .map(Bytes::as_f64)
        .collect();
    let expected = PER_SECOND * SECONDS as f64;
    assert!((sizes.len() as f64 / expected - 1.0).abs() < CLOSE, "{} flows", sizes.len());
    sizes
}

fn mean(sizes: &[f64]) -> f64 {
    sizes.iter().sum::<f64>() / sizes.len() as f64
}

fn below(sizes: &[f64], size: f64) -> f64 {
    sizes.iter().filter(|&&drawn| drawn < size).count() as f64 / sizes.len() as f64
}

#[test]
fn pareto_sizes_have_their_mean_and_their_least() {
    let drawn = sizes(Sizes::Pareto { mean: Bytes::new(3000), shape: Ratio::new(3.0) });
    assert!((mean(&drawn) / 3000.0 - 1.0).abs() < CLOSE, "{}", mean(&drawn));
    // The least is the mean x (shape - 1) / shape; half are above it by less than 2^(1/3).
    assert!(drawn.iter().all(|&size| size >= 2000.0));
    assert!((below(&drawn, 2000.0 * libm::cbrt(2.0)) - 0.5).abs() < CLOSE);
}

#[test]
fn exponential_sizes_have_their_mean() {
    let drawn = sizes(Sizes::Exponential(Bytes::new(3000)));
    assert!((mean(&drawn) / 3000.0 - 1.0).abs() < CLOSE, "{}", mean(&drawn));
    assert!((below(&drawn, 3000.0 * libm::log(2.0)) - 0.5).abs() < CLOSE);
}

#[test]
fn measured_sizes_lie_evenly_between_the_points() {
    let point =
        |size, cumulative| Point { size: Bytes::new(size), cumulative: Ratio::new(cumulative) };
    let points = vec![point(1000, 0.0), point(2000, 0.5), point(10_000, 1.0)];
    let drawn = sizes(Sizes::Empirical(Empirical::new(points).expect("points that rise")));
    for (size, fraction) in [(1500.0, 0.25), (2000.0, 0.5), (6000.0, 0.75)] {
        let found = below(&drawn, size);
        assert!((found - fraction).abs() < CLOSE, "{found} below {size}");
    }
    assert!((mean(&drawn) / 3750.0 - 1.0).abs() < CLOSE, "{}", mean(&drawn));
}

/// Streams are named by the group too: groups alike but for the name share no draw.
#[test]
fn groups_that_are_alike_draw_apart() {
    let alike = |name| poisson(name, Sizes::Exponential(Bytes::new(3000)));
    let flows = flows(vec![alike("one"), alike("other")]);
    let drawn = |group| flows.iter().filter(move |flow| flow.group == group).take(1000);
    let same_start = drawn(0).zip(drawn(1)).filter(|(a, b)| a.start == b.start).count();
    let same_size = drawn(0).zip(drawn(1)).filter(|(a, b)| a.size == b.size).count();
    assert!(same_start < 5 && same_size < 50, "{same_start} starts, {same_size} sizes of 1000");
}
