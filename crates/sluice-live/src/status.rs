//! The state of services as a table.

use crate::format::{bytes, percent, rate, seconds};
use crate::report::{DaemonReport, HostReport, RouterReport};

/// The services as tables, one of routers and one of hosts. Network namespaces are shown if one is not `here`.
pub fn status_table(reports: &[DaemonReport], here: u64) -> String {
    let is_elsewhere = reports.iter().any(|report| report.namespace() != here);
    let mut routers = vec![
        [
            "ROUTER", "CAPACITY", "R", "D0", "FLOWS", "LOAD", "QUEUE", "PACKETS", "STAMPED", "CUT",
            "LATE", "NETNS",
        ]
        .map(str::to_owned)
        .to_vec(),
    ];
    let mut hosts = vec![
        [
            "HOST",
            "AGREED",
            "ORDINARY",
            "FOLLOWED",
            "FELL BACK",
            "LOSSY",
            "GRANTS",
            "NO ROOM",
            "MADE ROOM",
            "NETNS",
        ]
        .map(str::to_owned)
        .to_vec(),
    ];
    for report in reports {
        match report {
            DaemonReport::Router(router) => routers.push(router_row(router)),
            DaemonReport::Host(host) => hosts.push(host_row(host)),
        }
    }
    let tables: Vec<String> = [routers, hosts]
        .into_iter()
        .filter(|rows| rows.len() > 1)
        .map(|rows| aligned(rows, is_elsewhere))
        .collect();
    tables.join("\n")
}

fn router_row(router: &RouterReport) -> Vec<String> {
    vec![
        router.device.clone(),
        rate(router.capacity_bps as f64),
        rate(router.rate_bps),
        seconds(router.rtt_s),
        format!("{:.1}", router.flows),
        format!("{:.3}", router.load),
        bytes(router.queue_bytes),
        router.traffic.packets.to_string(),
        percent(router.traffic.stamped, router.traffic.packets),
        router.traffic.cut.to_string(),
        percent(router.updates.late_ticks, router.updates.ticks),
        router.namespace.to_string(),
    ]
}

fn host_row(host: &HostReport) -> Vec<String> {
    let mut row = vec![host.cgroup.clone()];
    let counts = [
        host.counts.agreed,
        host.counts.ordinary,
        host.counts.followed,
        host.counts.fell_back,
        host.counts.lossy,
        host.counts.grants,
        host.counts.no_room,
        host.counts.made_room,
    ];
    row.extend(counts.map(|count| count.to_string()));
    row.push(host.namespace.to_string());
    row
}

/// Columns aligned, the first to the left; the last, of namespaces, only where wanted.
fn aligned(mut rows: Vec<Vec<String>>, with_last: bool) -> String {
    if !with_last {
        rows.iter_mut().for_each(|row| drop(row.pop()));
    }
    let columns = rows.first().map_or(0, Vec::len);
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max();
    let widths: Vec<usize> = (0..columns).map(|column| width(column).unwrap_or(0)).collect();
    let mut text = String::new();
    for row in &rows {
        for (column, (cell, width)) in row.iter().zip(&widths).enumerate() {
            match column {
                0 => text.push_str(&format!("{cell:<width$}")),
                _ => text.push_str(&format!("  {cell:>width$}")),
            }
        }
        text.push('\n');
    }
    text
}
