//! Random flows have the arrival rate, load and sizes that their group specifies, and each group
//! has its own random stream.

use crate::shown::{config, group, mean_and_half_width, pipe, results};
use sluice_laws::tcp::TcpParams;
use sluice_sim::traffic::sizes::{
    Exponential, Fixed, HyperExponential, Pareto, Points, Sizes, Uniform,
};
use sluice_sim::traffic::{
    Amount, Cbr, FlashCrowd, Incast, Long, OnOff, PerSecond, Periodic, Poisson, Traffic, Web,
};
use sluice_sim::{Config, FlowRecord, GroupConfig};
use sluice_units::{Bytes, Rate, Ratio, Span, Time};

const PER_SECOND: f64 = 1000.0;
const SECONDS: u64 = 20;
/// 20,000 flows estimate a mean within 1% where the standard deviation is about the mean.
const CLOSE: f64 = 0.02;
const CAPACITY: Rate = Rate::from_bps(10_000_000_000);
/// Link capacity where loads are tested.
const SLOWER: Rate = Rate::from_bps(1_000_000_000);

fn bytes(size: u64) -> Amount {
    Bytes::new(size).into()
}

fn fixed(size: u64) -> Sizes {
    Sizes::Fixed(Fixed(bytes(size)))
}

fn ratio(value: f64) -> Ratio {
    Ratio::new(value)
}

fn at(seconds: f64) -> Time {
    Time::ZERO + Span::from_secs_f64(seconds)
}

fn poisson(name: &str, sizes: Sizes) -> GroupConfig {
    GroupConfig { name: name.into(), ..group(Poisson::new(ratio(PER_SECOND), sizes).into()) }
}

fn run(groups: Vec<GroupConfig>) -> Config {
    let links = pipe(CAPACITY.as_bps(), Span::from_micros(1));
    let mut config = config(links, groups, Span::from_secs(SECONDS));
    config.limit = config.stop + Span::from_secs(1);
    config
}

fn flows(groups: Vec<GroupConfig>) -> Vec<FlowRecord> {
    let (mut flows, _) = results(&run(groups), &TcpParams::default());
    flows.retain(|flow| flow.measured);
    flows
}

/// When each flow starts, in seconds; they start in order.
fn starts(traffic: Traffic) -> Vec<f64> {
    let flows = flows(vec![group(traffic)]);
    assert!(flows.is_sorted_by_key(|flow| flow.start), "arrivals go back in time");
    flows.iter().map(|flow| flow.start.as_secs_f64()).collect()
}

/// Sizes of Poisson flows at the rate above.
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

fn variance(sizes: &[f64]) -> f64 {
    let mean = mean(sizes);
    sizes.iter().map(|size| (size - mean).powi(2)).sum::<f64>() / (sizes.len() - 1) as f64
}

fn below(sizes: &[f64], size: f64) -> f64 {
    sizes.iter().filter(|&&drawn| drawn < size).count() as f64 / sizes.len() as f64
}

/// The mean is within three standard errors, and so is the variance, whose standard error is
/// estimated from tenths of the sample.
fn has_moments(drawn: &[f64], wanted_mean: f64, wanted_variance: f64) {
    let error = (wanted_variance / drawn.len() as f64).sqrt();
    let found = mean(drawn);
    assert!((found - wanted_mean).abs() < 3.0 * error, "mean {found}, not {wanted_mean}");
    let parts: Vec<f64> = drawn.chunks_exact(drawn.len() / 10).map(variance).collect();
    let (found, half) = mean_and_half_width(&parts);
    assert!((found - wanted_variance).abs() < 1.5 * half, "variance {found} +- {half}");
    assert!(half < 0.2 * wanted_variance, "variance {found} +- {half} says nothing");
}

#[test]
fn pareto_sizes_have_their_mean_and_minimum() {
    let drawn = sizes(Sizes::Pareto(Pareto { mean: bytes(3000), shape: ratio(3.0) }));
    assert!((mean(&drawn) / 3000.0 - 1.0).abs() < CLOSE, "{}", mean(&drawn));
    // The minimum is the mean x (shape - 1) / shape; half are above it by less than 2^(1/3).
    assert!(drawn.iter().all(|&size| size >= 2000.0));
    assert!((below(&drawn, 2000.0 * libm::cbrt(2.0)) - 0.5).abs() < CLOSE);
}

#[test]
fn exponential_sizes_have_their_mean() {
    let drawn = sizes(Sizes::Exponential(Exponential(bytes(3000))));
    has_moments(&drawn, 3000.0, 3000.0_f64.powi(2));
    assert!((below(&drawn, 3000.0 * libm::log(2.0)) - 0.5).abs() < CLOSE);
}

#[test]
fn uniform_sizes_have_their_ends_mean_and_variance() {
    let drawn = sizes(Sizes::Uniform(Uniform { min: bytes(1000), max: bytes(4000) }));
    assert!(drawn.iter().all(|size| (1000.0..=4000.0).contains(size)));
    has_moments(&drawn, 2500.0, 3000.0_f64.powi(2) / 12.0);
    let two = sizes(Sizes::Uniform(Uniform { min: bytes(1), max: bytes(2) }));
    assert!((mean(&two) - 1.5).abs() < CLOSE, "either end is drawn");
}

#[test]
fn hyper_exponential_sizes_have_the_mean_and_variance_asked_for() {
    let (mean, scv) = (Some(bytes(3000)), Some(ratio(4.0)));
    let balanced = HyperExponential { probabilities: None, means: None, mean, scv };
    has_moments(&sizes(Sizes::HyperExponential(balanced)), 3000.0, 4.0 * 3000.0_f64.powi(2));
    let phases = HyperExponential {
        probabilities: Some(vec![ratio(0.25), ratio(0.75)]),
        means: Some(vec![bytes(6000), bytes(2000)]),
        mean: None,
        scv: None,
    };
    // 0.25 x 6000 + 0.75 x 2000; 2 (0.25 x 6000^2 + 0.75 x 2000^2) - 3000^2.
    has_moments(&sizes(Sizes::HyperExponential(phases)), 3000.0, 15e6);
}

#[test]
fn measured_sizes_lie_evenly_between_the_points() {
    let point = |size, cumulative| (bytes(size), ratio(cumulative));
    let points = vec![point(1000, 0.0), point(2000, 0.5), point(10_000, 1.0)];
    let drawn = sizes(Sizes::Points(Points(points)));
    for (size, fraction) in [(1500.0, 0.25), (2000.0, 0.5), (6000.0, 0.75)] {
        let found = below(&drawn, size);
        assert!((found - fraction).abs() < CLOSE, "{found} below {size}");
    }
    assert!((mean(&drawn) / 3750.0 - 1.0).abs() < CLOSE, "{}", mean(&drawn));
}

#[test]
fn poisson_gaps_are_exponential() {
    let starts = starts(Poisson::new(ratio(PER_SECOND), fixed(1000)).into());
    let gaps: Vec<f64> = starts.windows(2).map(|pair| pair[1] - pair[0]).collect();
    has_moments(&gaps, 1e-3, 1e-6);
}

#[test]
fn periodic_flows_do_not_drift() {
    // 7/3 ns for each of 1000 bytes is 2333.3 ns a flow.
    let load = Some(ratio(0.8 / (7.0 / 3.0)));
    let (start, stop) = (at(0.5), at(0.6));
    let model = Periodic { every: None, load, sizes: fixed(1000), start, stop };
    let starts = starts(model.into());
    assert_eq!(starts.len(), 42_858, "0.1 s / 2333.3 ns, and the first");
    assert!((starts[30_000] - 0.57).abs() < 1e-9, "{}", starts[30_000]);
}

#[test]
fn a_constant_bit_rate_comes_in_even_pieces() {
    let rate = Some(Rate::from_bps(1_000_000));
    let model = Cbr { rate, load: None, size: bytes(1250), start: at(1.0), stop: at(2.0) };
    let starts = starts(model.into());
    let even: Vec<f64> = (0..=100).map(|i| at(1.0 + f64::from(i) * 0.01).as_secs_f64()).collect();
    assert_eq!(starts, even);
}

#[test]
fn all_senders_of_an_incast_answer_at_once() {
    let every = Some(Span::from_millis(100));
    let (start, stop) = (at(0.25), at(1.0));
    let model = Incast { every, load: None, senders: 7, sizes: fixed(1000), start, stop };
    let starts = starts(model.into());
    let wanted = (0..8).flat_map(|i| [at(0.25 + f64::from(i) * 0.1).as_secs_f64(); 7]);
    assert_eq!(starts, wanted.collect::<Vec<_>>());
}

/// While a source is on, its flows arrive at the application's rate; on and off times have their
/// means.
#[test]
fn an_on_off_source_is_paced_while_on() {
    let model = OnOff {
        rate: Some(Rate::from_bps(8_000_000)),
        load: None,
        on: Span::from_millis(20),
        off: Span::from_millis(60),
        shape: None,
        size: Some(bytes(1000)),
        sources: 1,
        start: Time::ZERO,
        stop: Time::NEVER,
    };
    let starts = starts(model.into());
    let gaps = || starts.windows(2).map(|pair| pair[1] - pair[0]);
    let paced = gaps().filter(|gap| (gap - 1e-3).abs() < 1e-8).count() as f64;
    let longer: Vec<f64> = gaps().filter(|gap| *gap > 1e-3 + 1e-8).map(|gap| gap - 1e-3).collect();
    // A time on has 20 pieces, and ends in one gap of a millisecond more than the time off, unless
    // it is so short that it brings none and two times off are one gap: the chance of a gap
    // without an end in it is e^-(1/20).
    assert_eq!(paced as usize + longer.len(), starts.len() - 1, "no gap is shorter");
    let uncut = paced / gaps().count() as f64;
    assert!((uncut - libm::exp(-1.0 / 20.0)).abs() < 0.01, "{uncut}");
    let off = 0.06 * (1.0 / 20.0) / (1.0 - libm::exp(-1.0 / 20.0));
    assert!((mean(&longer) / off - 1.0).abs() < 0.2, "{} {off}", mean(&longer));
}

/// Without `size`, each on time is one flow with all its data.
#[test]
fn an_on_off_source_may_hand_over_all_at_once() {
    let model = OnOff {
        rate: Some(Rate::from_bps(8_000_000)),
        load: None,
        on: Span::from_millis(2),
        off: Span::from_millis(1),
        shape: None,
        size: None,
        sources: 3,
        start: Time::ZERO,
        stop: Time::NEVER,
    };
    let flows = flows(vec![group(model.into())]);
    let expected = 3.0 * SECONDS as f64 / 3e-3;
    assert!((flows.len() as f64 / expected - 1.0).abs() < CLOSE, "{} flows", flows.len());
    let sizes: Vec<f64> = flows.iter().filter_map(|flow| flow.size).map(Bytes::as_f64).collect();
    has_moments(&sizes, 2000.0, 2000.0_f64.powi(2));
}

/// From the start, the expected number of sources is on, whatever the length of on times.
#[test]
fn on_off_sources_begin_as_if_they_had_always_run() {
    let model = OnOff {
        rate: Some(Rate::from_bps(800_000)),
        load: None,
        on: Span::from_secs(20),
        off: Span::from_secs(30),
        shape: Some(ratio(1.3)),
        size: Some(bytes(1000)),
        sources: 2000,
        start: Time::ZERO,
        stop: at(0.1),
    };
    // 800 of 2000 are on, give or take 22, and send 100 flows a second each.
    let flows = starts(model.into()).len() as f64;
    assert!((flows / 8000.0 - 1.0).abs() < 0.08, "{flows}");
    // 2000 sources of which each begins a time on every 50 s.
    let bursts = starts(OnOff { size: None, stop: at(10.0), ..model }.into()).len() as f64;
    assert!((bursts - 400.0).abs() < 60.0, "{bursts}");
}

#[test]
fn web_sessions_have_their_pages_and_objects() {
    let model = Web {
        rate: Some(PerSecond(ratio(50.0))),
        load: None,
        pages: ratio(5.0),
        think: Span::from_millis(100),
        objects: ratio(4.0),
        gap: Span::ZERO,
        sizes: fixed(1000),
        start: Time::ZERO,
        stop: Time::NEVER,
    };
    let starts = starts(model.into());
    // 50 x 5 x 4 flows a second, but for what the last sessions have yet to ask for.
    let flows = starts.len() as f64 / SECONDS as f64;
    assert!((flows / 1000.0 - 1.0).abs() < 0.1, "{flows} a second");
    // All objects of a page at once: a geometric number, mean 4 and variance 4 x 3.
    let pages: Vec<f64> = starts.chunk_by(|a, b| a == b).map(|page| page.len() as f64).collect();
    has_moments(&pages, 4.0, 12.0);
}

#[test]
fn a_flash_crowd_follows_its_profile() {
    let point = |seconds, factor| (at(seconds), ratio(factor));
    // A step up at 4 s, a slope down from 8 s to 12 s, nothing from 16 s on.
    let profile = vec![
        point(4.0, 1.0),
        point(4.0, 5.0),
        point(8.0, 5.0),
        point(12.0, 1.0),
        point(16.0, 1.0),
        point(16.0, 0.0),
    ];
    let rate = Some(PerSecond(ratio(PER_SECOND)));
    let (sizes, start, stop) = (fixed(1000), Time::ZERO, Time::NEVER);
    let starts = starts(FlashCrowd { rate, load: None, profile, sizes, start, stop }.into());
    let wanted = [
        (0.0, 4.0, 4.0),
        (4.0, 8.0, 20.0),
        (8.0, 10.0, 8.0),
        (10.0, 12.0, 4.0),
        (12.0, 16.0, 4.0),
        (16.0, 20.0, 0.0),
    ];
    for (from, to, thousands) in wanted {
        let count = starts.iter().filter(|&&start| from <= start && start < to).count() as f64;
        let expected = thousands * 1000.0;
        let off = (count - expected).abs();
        assert!(off <= 3.0 * expected.sqrt(), "{count} from {from} s to {to} s, not {expected}");
    }
}

/// One of each model with a `load`, with enough flows to measure it.
fn loaded(name: &str) -> Option<Vec<Traffic>> {
    let (load, sizes) = (Some(ratio(0.4)), fixed(25_000));
    let (start, stop) = (Time::ZERO, Time::NEVER);
    let ms = Span::from_millis;
    let on_off = OnOff {
        rate: None,
        load,
        on: ms(20),
        off: ms(30),
        shape: None,
        size: None,
        sources: 20,
        start,
        stop,
    };
    let profile = vec![(at(0.0), ratio(2.0)), (at(1.5), ratio(2.0)), (at(1.5), ratio(0.0))];
    Some(match name {
        // Streams of datagrams are no flows: `udp.rs` counts them.
        "long" | "udp" => return None,
        "poisson" => vec![Poisson { rate: None, load, sizes, start, stop }.into()],
        "periodic" => vec![Periodic { every: None, load, sizes, start, stop }.into()],
        "cbr" => vec![Cbr { rate: None, load, size: bytes(25_000), start, stop }.into()],
        "on_off" => vec![
            on_off.into(),
            OnOff { size: Some(bytes(10_000)), ..on_off }.into(),
            OnOff { shape: Some(ratio(1.5)), size: Some(bytes(10_000)), ..on_off }.into(),
        ],
        "web" => {
            let (pages, think, objects) = (ratio(3.0), ms(50), ratio(2.0));
            let gap = ms(5);
            vec![Web { rate: None, load, pages, think, objects, gap, sizes, start, stop }.into()]
        }
        "incast" => vec![Incast { every: None, load, senders: 9, sizes, start, stop }.into()],
        // Twice as many for half of the time measured.
        "flash_crowd" => vec![FlashCrowd { rate: None, load, profile, sizes, start, stop }.into()],
        other => panic!("no load is asked of the traffic model `{other}`"),
    })
}

/// On average over seeds, flows offer the requested load.
#[test]
fn every_model_has_its_load() {
    for traffic in Traffic::MODELS.iter().filter_map(|model| loaded(model.name)).flatten() {
        let mut config = run(vec![group(traffic.clone())]);
        config.links = pipe(SLOWER.as_bps(), Span::from_micros(1));
        (config.warm_up, config.stop, config.limit) = (at(0.5), at(2.5), at(2.5));
        let loads: Vec<f64> = (0..12)
            .map(|seed| {
                config.seed = seed;
                let (_, outcome) = results(&config, &TcpParams::default());
                outcome.offered.as_bps_f64() / SLOWER.as_bps_f64()
            })
            .collect();
        let (found, half) = mean_and_half_width(&loads);
        let off = (found - 0.4).abs();
        // A flow more or less is 0.0001.
        assert!(off < 1.5 * half + 0.002 && half < 0.06, "{found} +- {half} by {traffic:?}");
    }
}

/// Streams depend on the group's name: groups that differ only in the name share no draws.
#[test]
fn groups_that_are_alike_draw_apart() {
    let alike = |name| poisson(name, Sizes::Exponential(Exponential(bytes(3000))));
    let flows = flows(vec![alike("one"), alike("other")]);
    let drawn = |group| flows.iter().filter(move |flow| flow.group == group).take(1000);
    let same_start = drawn(0).zip(drawn(1)).filter(|(a, b)| a.start == b.start).count();
    let same_size = drawn(0).zip(drawn(1)).filter(|(a, b)| a.size == b.size).count();
    assert!(same_start < 5 && same_size < 50, "{same_start} starts, {same_size} sizes of 1000");
}

/// When the long flows of a group start, in seconds.
fn long_starts(long: Long) -> Vec<f64> {
    let (flows, _) = results(
        &config(
            pipe(CAPACITY.as_bps(), Span::from_micros(1)),
            vec![group(long.into())],
            Span::from_millis(50),
        ),
        &TcpParams::default(),
    );
    assert!(flows.is_sorted_by_key(|flow| flow.start), "arrivals go back in time");
    flows.iter().map(|flow| flow.start.as_secs_f64()).collect()
}

/// Uniform over the span: the mean is its middle, and the variance that of a uniform number, within
/// three standard errors.
#[test]
fn long_flows_start_at_random_within_a_span() {
    let within = Some(Span::from_millis(10));
    let starts = long_starts(Long { count: 2_000, start: at(0.02), within, ..Long::default() });
    assert_eq!(starts.len(), 2_000);
    assert!(starts.iter().all(|start| (0.02..=0.03).contains(start)));
    let variance_of_all = 0.01_f64.powi(2) / 12.0;
    assert!((mean(&starts) - 0.025).abs() < 3.0 * (variance_of_all / 2_000.0).sqrt());
    assert!((variance(&starts) / variance_of_all - 1.0).abs() < 0.1, "{}", variance(&starts));
}

#[test]
fn long_flows_start_at_the_times_of_a_list() {
    let starts = Some([0.03, 0.001, 0.03].map(at).to_vec());
    assert_eq!(long_starts(Long { starts, ..Long::default() }), [0.001, 0.03, 0.03]);
}
