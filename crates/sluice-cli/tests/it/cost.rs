//! Costs before runs: shown by `--dry-run`, and refused where the machine has too little.

use std::path::Path;
use std::process::Output;
use std::time::{Duration, Instant};

use crate::common::{folder, scenario, sluice, text};

fn sluice_in(folder: &Path, args: &[&str]) -> Output {
    sluice(folder).args(args).output().unwrap()
}

/// A scenario with more flows than any machine has memory for.
fn huge(folder: &Path) {
    let text = r#"
        schema = 1
        stop = "1 s"
        [topology.dumbbell]
        capacity = "10 Mbps"
        rtt = "20 ms"
        [[group]]
        name = "bulk"
        from = "s0"
        to = "d0"
        long = { count = 1000000000 }
        [[group]]
        name = "web"
        from = "s0"
        to = "d0"
        poisson = { load = 0.5, sizes = { fixed = "20 packets" } }
        "#;
    std::fs::write(folder.join("huge.toml"), text).unwrap();
}

/// The names of what is in a folder.
fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn a_dry_run_prints_the_cost_and_writes_nothing() {
    let folder = folder("dry");
    scenario(&folder, "1 s");
    huge(&folder);
    let commands: [&[&str]; 4] = [
        &["run", "small.toml", "--dry-run"],
        &["compare", "small.toml", "tcp", "rcp", "--dry-run"],
        &["sweep", "small.toml", "--vary", "stop=1s,2s", "--dry-run"],
        &["run", "huge.toml", "--dry-run"],
    ];
    for args in commands {
        let output = sluice_in(&folder, args);
        assert_eq!(output.status.code(), Some(0), "{args:?}: {}", text(&output.stderr));
        let line = text(&output.stdout);
        for word in ["Estimated cost", " runs, ", "flows", "packets", "core", "memory", "on disk"] {
            assert!(line.contains(word), "{args:?}: {word}: {line}");
        }
        let is_huge = args.contains(&"huge.toml");
        assert_eq!(line.contains("Warning: the runs need"), is_huge, "{line}");
    }
    assert_eq!(names(&folder), ["huge.toml", "small.toml"]);
}

#[test]
fn a_dry_run_as_json_has_the_numbers_of_a_run() {
    let folder = folder("dry-json");
    scenario(&folder, "20 s");
    let cost = |more: &[&str]| {
        let args = ["run", "small.toml", "--protocols", "tcp", "--dry-run", "--json"];
        let output = sluice(&folder).args(args).args(more).output().unwrap();
        serde_json::from_slice::<serde_json::Value>(&output.stdout).unwrap()
    };
    let before = cost(&["--threads", "3"]);
    assert_eq!(
        (&before["runs"], &before["stored"], &before["threads"]),
        (&3.into(), &0.into(), &3.into())
    );
    assert!(before["excess"].is_null(), "{before}");
    for field in ["flows", "packets", "memory_bytes", "disk_bytes", "available_memory_bytes"] {
        assert!(before[field].as_f64().unwrap() > 0.0, "{field}: {before}");
    }
    let run = ["run", "small.toml", "--protocols", "tcp", "--quiet"];
    assert!(sluice_in(&folder, &run).status.success());
    let after = cost(&[]);
    assert_eq!(
        (&after["runs"], &after["stored"], &after["seconds"]),
        (&0.into(), &3.into(), &0.0.into())
    );
    assert_eq!(cost(&["--again"])["runs"], 3);
}

/// The limit catches lists of a billion flows.
#[test]
fn runs_beyond_the_machine_are_refused_at_once_with_the_reason() {
    let folder = folder("beyond");
    huge(&folder);
    let commands: [&[&str]; 2] =
        [&["run", "huge.toml"], &["sweep", "huge.toml", "--vary", "stop=1s,2s", "--quiet"]];
    for args in commands {
        let begin = Instant::now();
        let output = sluice_in(&folder, args);
        assert!(begin.elapsed() < Duration::from_secs(20), "{:?}", begin.elapsed());
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{error}");
        let words = [
            "memory, but",
            "available",
            "1.0 billion flows",
            "group `bulk`",
            "--force",
            "use fewer",
        ];
        for word in words {
            assert!(error.contains(word), "{word}: {error}");
        }
    }
    assert_eq!(names(&folder), ["huge.toml"]);
}

#[cfg(unix)]
#[test]
fn force_goes_on() {
    let folder = folder("force");
    huge(&folder);
    // A limit, since such a run would take the memory of the machine.
    let run =
        format!("ulimit -v 1000000; exec {} run huge.toml --force", env!("CARGO_BIN_EXE_sluice"));
    let output = std::process::Command::new("sh").args(["-c", &run]).current_dir(&folder).output();
    let error = text(&output.unwrap().stderr).to_owned();
    assert!(error.contains("Estimated cost, within") && error.contains("billion flows"), "{error}");
    assert!(!error.contains("--force"), "{error}");
    assert!(folder.join("results/huge").is_dir(), "it began");
}

#[test]
fn a_long_run_shows_its_cost_and_a_short_one_does_not() {
    let folder = folder("shown");
    scenario(&folder, "1 s");
    let short = sluice_in(&folder, &["run", "small.toml"]);
    assert!(!text(&short.stderr).contains("Estimated cost"), "{}", text(&short.stderr));
    // Results cannot be where a file is, so that only the cost is estimated.
    std::fs::write(folder.join("file"), "").unwrap();
    let long = ["run", "small.toml", "--set", "stop=100000s", "--out", "file/results"];
    let long = sluice_in(&folder, &long);
    assert!(text(&long.stderr).contains("Estimated cost, within"), "{}", text(&long.stderr));
}

#[test]
fn options_that_exclude_each_other_are_refused() {
    let folder = folder("dry-options");
    scenario(&folder, "1 s");
    for option in ["--quiet", "--force"] {
        let output = sluice_in(&folder, &["run", "small.toml", "--dry-run", option]);
        assert_eq!(output.status.code(), Some(2), "{option}");
    }
}
