//! The kernel's TCP.

use sluice_units::Bytes;

use super::check::{Check, Prospect};
use crate::sysctl;

const CONTROL: &str = "net.ipv4.tcp_congestion_control";
const TRAINS: [&str; 2] = ["net.ipv4.tcp_tso_rtt_log", "net.ipv4.tcp_min_tso_segs"];
const TIMESTAMPS: &str = "net.ipv4.tcp_timestamps";

pub fn checks(prospect: Option<Prospect>) -> Vec<Check> {
    let read = |name| sysctl::read(name).unwrap_or_else(|| "unknown".into());
    let has_host = sysctl::has_host();
    let mut checks = vec![
        Check::info(
            "host",
            if has_host { "one is up on this machine" } else { "none is up on this machine" },
        ),
        Check::info(
            "congestion control",
            format!("{CONTROL}={}, for connections without grants", read(CONTROL)),
        ),
        Check::info(
            "trains of segments",
            format!(
                "{}={}, {}={}; `host up` sets 0 and 1",
                TRAINS[0],
                read(TRAINS[0]),
                TRAINS[1],
                read(TRAINS[1])
            ),
        ),
        Check::info("timestamps", format!("{TIMESTAMPS}={}", read(TIMESTAMPS))),
    ];
    if let Some(prospect) = prospect {
        let bdp = prospect.rate.bytes_in(prospect.rtt);
        checks.push(buffer("receive buffers", "net.ipv4.tcp_rmem", bdp));
        checks.push(buffer("send buffers", "net.ipv4.tcp_wmem", bdp));
    }
    checks
}

/// A buffer holds twice what it has room for in payload, in the kernel's accounts.
fn buffer(title: &str, name: &str, bdp: Bytes) -> Check {
    let values = sysctl::read(name).unwrap_or_default();
    let most = values.split(' ').next_back().and_then(|most| most.parse::<u64>().ok());
    let needed = bdp.as_u64().saturating_mul(2);
    match most {
        Some(most) if most < needed => Check::warning(
            title,
            format!("{name}: at most {most} B, and so {} B in flight, of a BDP of {bdp}", most / 2),
            format!("sysctl -w {name}=\"4096 131072 {needed}\""),
        ),
        Some(most) => Check::ok(title, format!("{name}: at most {most} B, for a BDP of {bdp}")),
        None => Check::info(title, format!("{name} is unknown")),
    }
}
