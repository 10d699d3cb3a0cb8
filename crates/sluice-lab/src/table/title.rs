//! The first line of tables.

use std::fmt::Write;

use super::text::rate;
use crate::Summary;

/// The scenario, its bottleneck and its load.
pub(super) fn title(out: &mut String, summary: &Summary) {
    let Some(first) = summary.protocols.first() else {
        _ = writeln!(out, "{}: no run finished", summary.name);
        return;
    };
    let capacity = rate(summary.bottleneck_capacity as f64);
    let link = &first.bottleneck;
    let runs = if first.runs == 1 { String::new() } else { format!(", {} runs each", first.runs) };
    _ = write!(out, "{}: {capacity} from {} to {}{runs}", summary.name, link.from, link.to);
    if link.offered > 0.0 {
        let load = 100.0 * link.offered / summary.bottleneck_capacity as f64;
        _ = write!(out, ", offered load {} ({load:.1} %)", rate(link.offered));
    }
    if link.unresponsive > 0.0 {
        let load = 100.0 * link.unresponsive / summary.bottleneck_capacity as f64;
        _ = write!(out, ", datagram streams {} ({load:.1} %)", rate(link.unresponsive));
    }
    out.push('\n');
}
