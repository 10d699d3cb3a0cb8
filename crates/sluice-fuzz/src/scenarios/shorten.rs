//! Makes runs short: the fuzzer learns more from many short ones.

use sluice_sim::{Config, Paths, RouteEpochs};
use sluice_units::{Span, Time};

/// Shortens the run, if need be, so that links carry about this many packets.
pub fn shorten(config: &mut Config, packets: f64) {
    let seconds = config.limit.as_secs_f64();
    let part = packets / (per_second(config) * seconds);
    if part < 1.0 {
        let shorter = |time: Time| Time::ZERO + Span::from_secs_f64(time.as_secs_f64() * part);
        config.warm_up = shorter(config.warm_up);
        config.stop = shorter(config.stop).max(config.warm_up + Span::NANO);
        config.limit = shorter(config.limit).max(config.stop);
    }
}

/// Packets that links carry in a second if every group fills its path, and samples taken.
fn per_second(config: &Config) -> f64 {
    let Ok(routes) = RouteEpochs::of(config) else { return 1.0 };
    let of_paths = |paths: &Paths| {
        let bits = config.packet.as_f64() * 8.0;
        let crossed: f64 = paths.out.shares().iter().map(|(_, share)| share).sum();
        paths.capacity(config).as_bps_f64() / bits * crossed
    };
    let most = |routes: &RouteEpochs| routes.all().map(of_paths).fold(0.0, f64::max);
    let packets = routes.iter().map(most);
    let every = config.link_metrics.iter().map(|metrics| metrics.every);
    let every = every.chain(config.flow_metrics.iter().map(|metrics| metrics.every));
    let every = every.chain(config.group_metrics.iter().map(|metrics| metrics.every));
    packets.sum::<f64>() + every.map(|every| 1.0 / every.as_secs_f64()).sum::<f64>()
}
