//! `sluice demo`, which makes its own network.

use std::env;
use std::fs;
use std::path::PathBuf;

use sluice_testbed::{Program, Running};
use sluice_units::Span;

use crate::bed::{Bed, bed, until};

/// Downloads beside a long flow, under RCP over 20 Mb/s, for this time.
fn scenario(bed: &Bed, stop: &str) -> PathBuf {
    let text = format!(
        "schema = 1\nprotocols = [\"rcp\"]\npacket = \"1514 B\"\nstop = \"{stop}\"\nlimit = \"60 s\"\n\
         topology.dumbbell = {{ capacity = \"20 Mbps\", rtt = \"20 ms\", bottleneck_delay = \"10 ms\" }}\n\
         [[group]]\nname = \"web\"\nfrom = \"s0\"\nto = \"d0\"\n\
         periodic = {{ every = \"200 ms\", sizes = {{ fixed = \"100 kB\" }} }}\n\
         [[group]]\nname = \"backup\"\nfrom = \"s0\"\nto = \"d0\"\nlong = {{}}\n"
    );
    let path = bed.run.with_extension("toml");
    fs::write(&path, text).unwrap();
    path
}

/// The cgroups of a demonstration that runs or ran in this process.
fn cgroups(demo: u32) -> Vec<PathBuf> {
    let groups = fs::read_dir("/sys/fs/cgroup/sluice-testbed")
        .or_else(|_| fs::read_dir("/sys/fs/cgroup/unified/sluice-testbed"));
    let of_demo = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        name.starts_with(&format!("{demo}-")) && name.ends_with("-demo")
    };
    groups.into_iter().flatten().flatten().map(|group| group.path()).filter(of_demo).collect()
}

/// The names of the programs of a demonstration that runs or ran in this process.
fn programs(demo: u32) -> Vec<String> {
    let lists = cgroups(demo).into_iter().map(|group| group.join("cgroup.procs"));
    let processes: String =
        lists.map(|list| fs::read_to_string(list).unwrap_or_default()).collect();
    let name = |process| fs::read_to_string(format!("/proc/{process}/comm")).unwrap_or_default();
    processes.lines().map(|process| name(process).trim().to_owned()).collect()
}

/// Starts a demonstration, whose programs run when this returns: two servers and their clients.
fn started(bed: &Bed, out: &str) -> Running {
    let scenario = scenario(bed, "40 s").to_string_lossy().into_owned();
    let demo = bed.start(&bed.s, &[], &["demo", &scenario, "--out", out]);
    until("nginx, curl and two iperf3 run", || {
        let mut names = programs(demo.id());
        names.sort();
        names == ["curl", "iperf3", "iperf3", "nginx"]
    });
    demo
}

/// A copy of the command that every user can run.
struct PublicCopy(PathBuf);

impl PublicCopy {
    fn new() -> Self {
        let path = env::temp_dir().join(format!("sluice-{}", std::process::id()));
        fs::copy(env!("CARGO_BIN_EXE_sluice"), &path).unwrap();
        Self(path)
    }
}

impl Drop for PublicCopy {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
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
    let header =
        "warning: `header` is 0 B in simulated runs; in measured ones 66 B, under RCP 78 B\n";
    assert!(ended.err.contains(header), "{}", ended.err);
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
    assert_eq!(cgroups(demo.id()), [""; 0].map(PathBuf::from));
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
    // Whichever run directory it has.
    let elsewhere = ["env", "SLUICE_RUN=/nowhere"];
    let demo = bed.sluice_by(&bed.s, &elsewhere, &["demo", "--out", "/nowhere"]);
    assert_eq!(demo.code, 1, "{demo:?}");
    assert!(
        demo.err.starts_with("error: a host is up on this machine")
            && demo.err.contains("sluice down"),
        "{demo:?}"
    );
    bed.ok(&bed.s, &["down"]);
    let copy = PublicCopy::new();
    let nobody = ["--reuid", "65534", "--regid", "65534", "--clear-groups", "--"];
    let plain = Program::new("setpriv").args(nobody).arg(&copy.0);
    let mut plain = plain.args(["demo", "--out", "/nowhere"]).start(&bed.s).unwrap();
    assert_eq!(plain.wait(Span::from_secs(20)).unwrap().code(), Some(1), "{}", plain.stderr());
    assert!(plain.stderr().starts_with("error: this machine lacks root"), "{}", plain.stderr());
    let wrong = bed.sluice(&bed.s, &["demo", "wan", "--out", "/nowhere"]);
    assert!(wrong.code == 2 && wrong.err.contains("cannot be played"), "{wrong:?}");
}
