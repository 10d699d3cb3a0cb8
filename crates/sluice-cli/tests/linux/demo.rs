//! `sluice demo`, which makes its own network.

use std::fs;
use std::path::{Path, PathBuf};

use sluice_testbed::Running;
use sluice_units::Span;

use crate::bed::{Bed, bed, until, wait};

/// RCP over 20 Mb/s, for this time.
fn scenario(bed: &Bed, stop: &str) -> PathBuf {
    let text = format!(
        "schema = 1\nprotocols = [\"rcp\"]\npacket = \"1514 B\"\nstop = \"{stop}\"\nlimit = \"60 s\"\n\
         topology.dumbbell = {{ capacity = \"20 Mbps\", rtt = \"20 ms\", bottleneck_delay = \"10 ms\" }}\n\
         [[group]]\nname = \"web\"\nfrom = \"s0\"\nto = \"d0\"\n\
         periodic = {{ every = \"200 ms\", sizes = {{ fixed = \"100 kB\" }} }}\n"
    );
    let path = bed.run.with_extension("toml");
    fs::write(&path, text).unwrap();
    path
}

/// The programs of a demonstration that runs or ran in this process: one a line.
fn programs(demo: u32) -> String {
    let groups = fs::read_dir("/sys/fs/cgroup/sluice-testbed")
        .or_else(|_| fs::read_dir("/sys/fs/cgroup/unified/sluice-testbed"));
    let of_demo = |path: &Path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        name.starts_with(&format!("{demo}-")) && name.ends_with("-demo")
    };
    let paths = groups.into_iter().flatten().flatten().map(|group| group.path());
    let lists = paths.filter(|path| of_demo(path)).map(|path| path.join("cgroup.procs"));
    lists.map(|list| fs::read_to_string(list).unwrap_or_default()).collect()
}

/// Starts a demonstration, whose programs run when this returns.
fn started(bed: &Bed, out: &str) -> Running {
    let scenario = scenario(bed, "40 s").to_string_lossy().into_owned();
    let demo = bed.start(&bed.s, &[], &["demo", &scenario, "--out", out]);
    until("nginx and curl run", || programs(demo.id()).lines().count() >= 2);
    demo
}

#[test]
fn a_demo_is_one_command() {
    let Some(bed) = bed() else { return };
    let folder = bed.run.with_extension("demo");
    let out = folder.to_string_lossy().into_owned();
    let scenario = scenario(&bed, "1 s").to_string_lossy().into_owned();
    let demo = ["demo", &scenario, "--out", &out];
    let planned = bed.sluice(&bed.s, &[&demo[..], &["--dry-run"]].concat());
    assert!(
        planned
            .err
            .contains("would run rcp in 4 network namespaces and a cgroup, once, for 1 s at least"),
        "{planned:?}"
    );
    assert!(planned.code == 0 && !folder.exists(), "{planned:?}");
    let ended = bed.sluice(&bed.s, &demo);
    assert_eq!(ended.code, 0, "{ended:?}");
    let mut lines = ended.out.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
    assert!(lines.any(|words| words == ["rcp@linux", "5", "5"]), "{}", ended.out);
    let page = fs::read_to_string(folder.join("report.html")).unwrap();
    assert!(page.contains("RCP on Linux"));
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_demo_leaves_nothing_when_it_is_interrupted_or_killed() {
    let Some(bed) = bed() else { return };
    let folder = bed.run.with_extension("demo");
    let out = folder.to_string_lossy().into_owned();
    let mut demo = started(&bed, &out);
    demo.interrupt().unwrap();
    let status = demo.wait(Span::from_secs(10)).unwrap();
    assert_eq!(status.code(), Some(130), "{}", demo.stderr());
    assert!(demo.stderr().contains("Interrupted: "), "{}", demo.stderr());
    assert_eq!(programs(demo.id()), "");
    let demo = started(&bed, &out);
    let id = demo.id();
    // Killed.
    drop(demo);
    until("no program of it is left", || programs(id).is_empty());
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_demo_beside_a_host_or_without_privileges_is_refused() {
    let Some(bed) = bed() else { return };
    bed.host_up();
    let demo = bed.sluice(&bed.s, &["demo", "--out", "/nowhere"]);
    assert_eq!(demo.code, 1, "{demo:?}");
    assert!(
        demo.err.starts_with("error: a host is up on this machine")
            && demo.err.contains("sluice down"),
        "{demo:?}"
    );
    bed.ok(&bed.s, &["down"]);
    wait(50);
    let nobody = ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups", "--"];
    let plain = bed.sluice_by(&bed.s, &nobody, &["demo", "--out", "/nowhere"]);
    // The command may be in a folder that nobody may read.
    assert!(plain.err.contains("this machine lacks root") || plain.code == 126, "{plain:?}");
    let wrong = bed.sluice(&bed.s, &["demo", "wan", "--out", "/nowhere"]);
    assert!(wrong.code == 2 && wrong.err.contains("cannot be played"), "{wrong:?}");
}
