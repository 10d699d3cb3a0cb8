//! Errors that the check of a configuration reports.

use sluice_sim::traffic::sizes::Fixed;
use sluice_sim::traffic::{Poisson, Sizes, Traffic};
use sluice_sim::{
    Config, ConfigError, FlowMetrics, LinkMetrics, Paths, Reroute, RouteEpochs, limits,
};
use sluice_units::{Bytes, Ratio, Span, Time};

use crate::shown::{config, flow, group, link, pipe};

/// A configuration without faults.
fn valid() -> Config {
    let traffic = Traffic::List(vec![flow(Time::ZERO, 1)]);
    config(pipe(1_000_000, Span::ZERO), vec![group(traffic)], Span::from_secs(1))
}

fn fields(result: Result<impl Sized, ConfigError>) -> Vec<String> {
    let faults = result.err().map(|error| error.faults().to_vec());
    faults.into_iter().flatten().map(|fault| fault.field).collect()
}

#[test]
fn every_fault_is_reported_with_its_path() {
    let mut config = valid();
    assert_eq!(config.check(), Ok(()));
    config.links[1].delay = *limits::DELAY.end() + Span::from_nanos(1);
    config.links[1].error = Ratio::new(1.0);
    config.links.push(link(0, 2, 1, Span::ZERO));
    let unsent = Sizes::Fixed(Fixed(Bytes::ZERO.into()));
    config.groups.push(group(Poisson::new(Ratio::new(1.0), unsent).into()));
    config.packet = Bytes::ZERO;
    config.parameters.transport.initial_window = 0;
    config.stop = config.limit + Span::from_nanos(1);
    config.link_metrics.push(LinkMetrics { link: 3, every: Span::ZERO });
    config.flow_metrics.push(FlowMetrics { group: 2, index: 0, every: Span::from_secs(1) });
    assert_eq!(
        fields(config.check()),
        [
            "links[1].delay",
            "links[1].error",
            "links[2].to",
            "links[2].capacity",
            "groups[1].name",
            "groups[1].traffic.sizes.fixed",
            "packet",
            "header",
            "control",
            "transport.initial_window",
            "limit",
            "link_metrics[0].link",
            "link_metrics[0].every",
            "flow_metrics[0].group",
        ]
    );
}

#[test]
fn bounds_themselves_are_valid() {
    let mut config = valid();
    (config.packet, config.control) = (*limits::PACKET.end(), *limits::PACKET.start());
    config.limit = *limits::LIMIT.end();
    for (link, capacity) in
        config.links.iter_mut().zip([limits::CAPACITY.start(), limits::CAPACITY.end()])
    {
        (link.capacity, link.delay) = (*capacity, *limits::DELAY.end());
    }
    assert_eq!(config.check(), Ok(()));
    config.limit += Span::from_nanos(1);
    let error = config.check().unwrap_err();
    let expected = "limit: must be at most 320255 h (36 years), not 1152921504.606846976 s";
    assert_eq!(error.to_string(), expected);
}

#[test]
fn every_path_that_is_wrong_is_reported() {
    let mut config = valid();
    config.groups[0].path = Some(vec![1]);
    config.groups.push(group(Traffic::List(Vec::new())));
    config.groups[1].back = Some(vec![7]);
    let error = Paths::of(&config).unwrap_err();
    let whats: Vec<&str> = error.faults().iter().map(|fault| fault.what.as_str()).collect();
    assert_eq!(fields(Err::<(), _>(error.clone())), ["groups[0].path", "groups[1].back"]);
    assert_eq!(whats[1], "there is no link 7");
}

#[test]
fn every_change_of_paths_that_is_wrong_is_reported() {
    let at = |seconds| Time::ZERO + Span::from_secs(seconds);
    let reroute = |at, path, back| Reroute { at, path, back };
    let there = || Some(vec![0]);
    for (changes, field) in [
        (vec![reroute(at(0), there(), None)], "at"),
        (vec![reroute(at(1), there(), None), reroute(at(1), there(), None)], "at"),
        (vec![reroute(at(1), None, None)], "path"),
        (vec![reroute(at(1), Some(vec![1]), None)], "path"),
        (vec![reroute(at(1), there(), Some(vec![0]))], "back"),
    ] {
        let mut config = valid();
        let place = changes.len() - 1;
        config.groups[0].reroute = changes;
        let expected = [format!("groups[0].reroute[{place}].{field}")];
        assert_eq!(fields(Paths::of(&config)), expected);
        assert_eq!(fields(RouteEpochs::of(&config)), expected);
    }
    let mut config = valid();
    config.reconvergence = Some(*limits::RECONVERGENCE.end() + Span::NANO);
    assert_eq!(fields(config.check()), ["reconvergence"]);
}
