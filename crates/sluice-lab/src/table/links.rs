//! Bottleneck links, and packets on all links.

use std::fmt::Write;

use super::label::{CELL, label, label_width, systems};
use super::text::{figures, rate, size, time};
use crate::{LinkSummary, Summary};

/// The bottleneck links under each protocol, the most limiting first.
pub(super) fn links(out: &mut String, summary: &Summary) {
    let Some(first) = summary.protocols.first() else { return };
    let wide = label_width(systems(summary));
    let heads = ["mean queue", "p99 queue"].map(|head| format!("{head:>12}")).concat();
    let counts = ["dropped", "marked", "lost"].map(|head| format!("{head:>CELL$}")).concat();
    let mean = if first.runs == 1 { "" } else { ", mean over runs" };
    _ = writeln!(out, "\nbottleneck links, {}{mean}", window(summary));
    _ = writeln!(out, "  {:wide$}{:>12}{heads}{counts}", "", "utilization");
    for (number, link) in first.links.iter().enumerate() {
        let LinkSummary { from, to, capacity, .. } = link;
        _ = writeln!(out, "  {from}->{to}, {}", rate(*capacity as f64));
        for protocol in &summary.protocols {
            let link = &protocol.links[number];
            let used = format!("{:>10.2} %", 100.0 * link.utilization);
            let queues =
                [link.mean_queue, link.p99_queue].map(|queue| format!("{:>12}", size(queue)));
            let counts =
                [link.drops, link.marks, link.errors].map(|n| format!("{:>CELL$}", count(n)));
            let (queues, counts) = (queues.concat(), counts.concat());
            _ = writeln!(out, "  {:<wide$}{used}{queues}{counts}", label(Some(protocol.protocol)));
        }
    }
    match summary.links_left_out {
        0 => {}
        more => _ = writeln!(out, "  and {more} more: see links.parquet of each run"),
    }
}

/// Packets dropped, at ingresses of clouds apart, lost and retransmitted on all links, and unfinished flows.
pub(super) fn packets(out: &mut String, summary: &Summary) {
    if summary.protocols.is_empty() {
        return;
    }
    let wide = label_width(systems(summary));
    let several = summary.protocols.iter().any(|protocol| protocol.runs > 1);
    let of = if several { ", sums over runs" } else { "" };
    _ = writeln!(out, "\npackets on all links, {}, and unfinished flows{of}", window(summary));
    let clouds = summary.protocols.iter().any(|protocol| protocol.ingress_drops.is_some());
    let columns = |cells: [String; 4]| {
        let shown = cells.iter().enumerate().filter(|&(place, _)| place != 1 || clouds);
        shown.map(|(_, cell)| format!("{cell:>15}")).collect::<String>()
    };
    let heads = columns(["dropped", "at ingresses", "lost", "retransmitted"].map(String::from));
    _ = writeln!(out, "{:wide$}{heads}{:>12}", "", "unfinished");
    for protocol in &summary.protocols {
        let entered = protocol.ingress_drops.unwrap_or(0);
        let counts = [protocol.drops, entered, protocol.errors, protocol.retransmissions];
        let counts = columns(counts.map(|n| n.to_string()));
        let name = label(Some(protocol.protocol));
        _ = writeln!(out, "{name:<wide$}{counts}{:>12}", protocol.unfinished);
    }
}

/// The measured time.
fn window(summary: &Summary) -> String {
    let instant = |seconds: f64| if seconds == 0.0 { "0 s".into() } else { time(seconds) };
    let [from, to] = summary.measured.map(instant);
    format!("{from} to {to}")
}

/// A mean of counts, with decimals only if it is small and has a fraction.
pub(super) fn count(mean: f64) -> String {
    if mean >= 99.95 || mean.fract() == 0.0 { format!("{mean:.0}") } else { figures(mean) }
}
