//! What is printed of services: golden files, written anew with `UPDATE_GOLDEN=1`.

use std::fs;

use sluice_linux::{HostCounts, TickCounts, TrafficCounts};
use sluice_live::{DaemonReport, HostReport, RouterReport, metrics_text, status_table};

fn router(device: &str, capacity_bps: u64) -> DaemonReport {
    DaemonReport::Router(RouterReport {
        device: device.into(),
        namespace: 4_026_531_840,
        process: 4_711,
        up_s: 3_600.5,
        capacity_bps,
        gamma: 0.95,
        rate_bps: 237_500_000.0,
        rtt_s: 0.0123,
        flows: capacity_bps as f64 / 237_500_000.0,
        queue_bytes: 15_140,
        load: 0.9512,
        traffic: TrafficCounts {
            packets: 1_000_000,
            bytes: 1_514_000_000,
            stamped: 960_000,
            cut: 3,
            ungranted: 1,
        },
        updates: TickCounts { ticks: 360_000, late_ticks: 360, expired_grants: 2, put_off: 1 },
        grant_age_s: 0.004,
    })
}

fn host() -> DaemonReport {
    DaemonReport::Host(HostReport {
        // As nobody should call it.
        cgroup: "/sys/fs/cgroup/a \"b\"\\c".into(),
        devices: vec!["eth0".into()],
        namespace: 4_026_531_840,
        process: 4_712,
        up_s: 60,
        listeners_watched: 11,
        listeners_left: 2,
        warnings: vec!["2 are left".into()],
        counts: HostCounts {
            agreed: 10,
            ordinary: 20,
            followed: 30,
            fell_back: 4,
            lossy: 1,
            grants: 5_000,
            full: 6_000,
            short: 70,
            no_room: 8,
            made_room: 9,
        },
    })
}

fn services() -> [DaemonReport; 3] {
    [host(), router("eth1", 1_000_000_000), router("eth2.10", 10_000_000_000)]
}

#[track_caller]
fn assert_golden(file: &str, text: &str) {
    let path = format!("{}/tests/{file}", env!("CARGO_MANIFEST_DIR"));
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        fs::write(&path, text).unwrap();
    }
    assert_eq!(text, fs::read_to_string(&path).unwrap(), "{path}");
}

#[test]
fn metrics_have_types_units_and_escaped_labels() {
    assert_golden("metrics.txt", &metrics_text(&services()));
    assert_eq!(metrics_text(&[]), "");
}

#[test]
fn tables_show_namespaces_where_there_are_others() {
    let here = 4_026_531_840;
    let tables = [status_table(&services(), here), status_table(&services()[..2], here + 1)];
    assert_golden("status.txt", &tables.join("\n"));
    assert_eq!(status_table(&[], here), "");
}

#[test]
fn reports_are_read_as_they_are_written() {
    for report in services() {
        let text = serde_json::to_string(&report).unwrap();
        assert_eq!(serde_json::from_str::<DaemonReport>(&text).unwrap(), report);
    }
}
