//! A build without the data plane on Linux: its commands say how to get one that has it.

use crate::common::{assert_refused, folder, sluice, text};

#[test]
fn commands_of_the_data_plane_say_what_build_has_them() {
    let folder = folder("without-linux");
    for command in [
        &["router", "up", "--dev", "eth1", "--rate", "1gbit"][..],
        &["router", "down"],
        &["host", "up"],
        &["host", "down"],
        &["status", "--watch"],
        &["down"],
        &["metrics"],
        &["doctor"],
    ] {
        let output = sluice(&folder).args(command).output().unwrap();
        assert_refused(&output, "this build has no Linux data plane\n   = on Linux, `make live`");
    }
}

#[test]
fn their_help_is_complete() {
    let folder = folder("without-linux-help");
    for (command, option) in [("router", "--rate <RATE>"), ("host", "--cgroup <PATH>")] {
        let output = sluice(&folder).args([command, "up", "--help"]).output().unwrap();
        let help = text(&output.stdout);
        assert!(help.contains(option) && help.contains("--dry-run"), "{help}");
        assert!(!help.contains("--session"), "{help}");
    }
}
