//! What the models make of the fields of a configuration: each is modelled, has no effect on the mean of a steady
//! state, or is refused. Structs are taken apart in full, so that a new field has to be decided on here.

use sluice_laws::conduct::Conduct;
use sluice_units::Ratio;

use super::law::Model;
use super::refused::Lacks;
use crate::config::{Config, GroupConfig, LinkConfig};
use crate::queue::Discipline;

/// Adds what the models lack for a configuration, apart from its parameters and its traffic, to `lacks`.
///
/// Without effect: what is measured and traced, the seed, when the run ends, lookahead; and `reconvergence`, since
/// links do not fail.
pub(super) fn check_config(config: &Config, model: &Model, lacks: &mut Lacks) {
    let Config {
        nodes: _,
        links,
        groups,
        clouds,
        packet: _,
        header: _,
        control: _,
        parameters: _,
        reconvergence: _,
        seed: _,
        warm_up: _,
        stop: _,
        limit: _,
        lookahead: _,
        link_metrics: _,
        flow_metrics: _,
        group_metrics: _,
        trace: _,
    } = config;
    lacks.need(clouds.is_empty(), "clouds", "not modelled");
    for (place, link) in links.iter().enumerate() {
        let mut own = Lacks::under(format!("links[{place}]."));
        check_link(link, model, &mut own);
        lacks.extend(own);
    }
    for (place, group) in groups.iter().enumerate() {
        let mut own = Lacks::under(format!("groups[{place}]."));
        check_group(group, &mut own);
        lacks.extend(own);
    }
}

fn check_link(link: &LinkConfig, model: &Model, lacks: &mut Lacks) {
    let LinkConfig {
        from: _,
        to: _,
        capacity: _,
        schedule,
        delay: _,
        buffer: _,
        queue,
        error,
        losses,
        router,
        police,
    } = link;
    lacks.need(schedule.is_none(), "schedule", "capacities that vary have no steady state");
    let drop_tail = matches!(queue, Discipline::DropTail(_)) || matches!(model, Model::Fluid);
    lacks.need(drop_tail, "queue", "only drop tail is modelled");
    let keeps = *error == Ratio::new(0.0) && losses.is_empty();
    lacks.need(keeps, "error", "losses on wires are not modelled");
    let of_run = router.all().iter().all(|law| law.own().is_none());
    lacks.need(of_run, "router", "only the law of the run is modelled");
    lacks.need(police.is_none(), "police", "agents are not modelled");
}

/// Without effect: the class of packets and their weight at queues, which drop tail does not distinguish. The network
/// model refuses several paths, and has the path and the traffic.
fn check_group(group: &GroupConfig, lacks: &mut Lacks) {
    let GroupConfig {
        name: _,
        from: _,
        to: _,
        path: _,
        paths: _,
        back: _,
        reroute,
        routing: _,
        traffic: _,
        protocol,
        weight,
        profile,
        conduct,
        class: _,
        queue_weight: _,
    } = group;
    lacks.need(reroute.is_empty(), "reroute", "paths that change have no steady state");
    lacks.need(protocol.is_none(), "protocol", "groups have the law of the run");
    lacks.need(*weight == Ratio::new(1.0), "weight", "weights are not modelled");
    lacks.need(profile.is_none(), "profile", "guarantees are not modelled");
    lacks.need(*conduct == Conduct::HONEST, "conduct", "hosts keep to their law");
}
