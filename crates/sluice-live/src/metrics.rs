//! Metrics in Prometheus's text format, version 0.0.4.

use std::fmt::Write as _;

use crate::report::{DaemonReport, HostReport, RouterReport};

/// A metric: its name without `sluice_router_` or `sluice_host_`, its type, its help and its value.
type Metric<R> = (&'static str, Kind, &'static str, fn(&R) -> f64);

enum Kind {
    Gauge,
    Counter,
}

use Kind::{Counter, Gauge};

const OF_ROUTERS: &[Metric<RouterReport>] = &[
    ("up_seconds", Gauge, "Time since the start of the router.", |r| r.up_s),
    ("capacity_bits_per_second", Gauge, "Capacity of the link.", |r| r.capacity_bps as f64),
    ("target_utilization_ratio", Gauge, "The part of the capacity that flows get (gamma).", |r| {
        r.gamma
    }),
    ("granted_rate_bits_per_second", Gauge, "The rate granted to each flow (R).", |r| r.rate_bps),
    ("round_trip_time_seconds", Gauge, "Mean round-trip time of the flows (d0).", |r| r.rtt_s),
    ("flows", Gauge, "Number of flows by estimate: the capacity over R.", |r| r.flows),
    ("virtual_queue_bytes", Gauge, "Bytes in the virtual queue.", |r| r.queue_bytes as f64),
    (
        "load_ratio",
        Gauge,
        "What arrived in the last second, over what the link could have sent.",
        |r| r.load,
    ),
    ("packets_total", Counter, "Packets that passed.", |r| r.traffic.packets as f64),
    ("bytes_total", Counter, "Bytes that passed, from the Ethernet header on.", |r| {
        r.traffic.bytes as f64
    }),
    ("stamped_packets_total", Counter, "Packets that were granted a rate.", |r| {
        r.traffic.stamped as f64
    }),
    (
        "cut_packets_total",
        Counter,
        "Packets whose request was removed, since the grant had expired.",
        |r| r.traffic.cut as f64,
    ),
    ("ungranted_packets_total", Counter, "Packets with a request of another law.", |r| {
        r.traffic.ungranted as f64
    }),
    ("updates_total", Counter, "Updates of R.", |r| r.updates.ticks as f64),
    (
        "late_updates_total",
        Counter,
        "Updates of R that were late by more than a millisecond.",
        |r| r.updates.late_ticks as f64,
    ),
    ("expired_grants_total", Counter, "Updates of R after the grant had expired.", |r| {
        r.updates.expired_grants as f64
    }),
    ("postponed_updates_total", Counter, "Updates of R that waited for a CPU.", |r| {
        r.updates.put_off as f64
    }),
    ("grant_age_seconds", Gauge, "Time since the last grant.", |r| r.grant_age_s),
];

const OF_HOSTS: &[Metric<HostReport>] = &[
    ("up_seconds", Gauge, "Time since the start of the host.", |h| h.up_s as f64),
    (
        "watched_listeners",
        Gauge,
        "Sockets that listened when the host came up, and take part since.",
        |h| h.listeners_watched as f64,
    ),
    (
        "left_listeners",
        Gauge,
        "Sockets that listened when the host came up, and took no part then.",
        |h| h.listeners_left as f64,
    ),
    ("agreed_connections_total", Counter, "Connections whose peer takes part.", |h| {
        h.counts.agreed as f64
    }),
    ("ordinary_connections_total", Counter, "Connections whose peer does not.", |h| {
        h.counts.ordinary as f64
    }),
    ("followed_total", Counter, "Times that a connection began to follow grants.", |h| {
        h.counts.followed as f64
    }),
    (
        "fell_back_total",
        Counter,
        "Times that a connection returned to its own congestion control.",
        |h| h.counts.fell_back as f64,
    ),
    ("lossy_total", Counter, "Of those, times for losses that grants did not stop.", |h| {
        h.counts.lossy as f64
    }),
    ("grants_total", Counter, "Packets received with a grant.", |h| h.counts.grants as f64),
    ("requests_total", Counter, "Packets sent with a request.", |h| h.counts.full as f64),
    ("echoes_total", Counter, "Packets sent with an echo alone.", |h| h.counts.short as f64),
    ("no_room_total", Counter, "Packets sent without an option, for want of room.", |h| {
        h.counts.no_room as f64
    }),
    ("made_room_total", Counter, "Packets full of SACK that got an echo for a block.", |h| {
        h.counts.made_room as f64
    }),
];

/// The metrics of these services.
pub fn metrics_text(reports: &[DaemonReport]) -> String {
    let (mut routers, mut hosts) = (Vec::new(), Vec::new());
    for report in reports {
        match report {
            DaemonReport::Router(router) => {
                let labels =
                    [("device", &*router.device), ("netns", &*router.namespace.to_string())]
                        .map(label);
                routers.push((labels.join(","), router));
            }
            DaemonReport::Host(host) => {
                let labels =
                    [("cgroup", &*host.cgroup), ("netns", &*host.namespace.to_string())].map(label);
                hosts.push((labels.join(","), host));
            }
        }
    }
    let mut text = String::new();
    write(&mut text, "sluice_router_", OF_ROUTERS, &routers);
    write(&mut text, "sluice_host_", OF_HOSTS, &hosts);
    text
}

fn write<R>(text: &mut String, prefix: &str, metrics: &[Metric<R>], of: &[(String, &R)]) {
    for (name, kind, help, value) in metrics.iter().filter(|_| !of.is_empty()) {
        let kind = match kind {
            Gauge => "gauge",
            Counter => "counter",
        };
        _ = writeln!(text, "# HELP {prefix}{name} {help}\n# TYPE {prefix}{name} {kind}");
        for (labels, report) in of {
            _ = writeln!(text, "{prefix}{name}{{{labels}}} {}", value(report));
        }
    }
}

/// `name="value"`, with what the format demands escaped.
fn label((name, value): (&str, &str)) -> String {
    let value = value.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
    format!("{name}=\"{value}\"")
}
