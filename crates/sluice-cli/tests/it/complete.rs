//! Shell completion, as shells ask for it.

use std::path::Path;

use sluice_laws::registry::ProtocolName;

use crate::common::{folder, scenario, sluice, text};

/// The candidates for the last of the words.
fn candidates(folder: &Path, words: &[&str]) -> Vec<String> {
    let mut command = sluice(folder);
    command.env("SLUICE_COMPLETE", "fish").args(["--", "sluice"]).args(words);
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
    let lines = text(&output.stdout).lines();
    lines.map(|line| line.split('\t').next().unwrap().to_owned()).collect()
}

#[test]
fn every_shell_has_a_script_that_asks_the_command() {
    let folder = folder("complete-scripts");
    for shell in ["bash", "zsh", "fish"] {
        let output = sluice(&folder).args(["completions", shell]).output().unwrap();
        let script = text(&output.stdout);
        assert!(script.contains("SLUICE_COMPLETE") && script.contains("sluice"), "{script}");
        let mut ask = sluice(&folder);
        // How bash and zsh say which word is completed, and which character separates candidates.
        ask.env("SLUICE_COMPLETE", shell).env("_CLAP_COMPLETE_INDEX", "2").env("_CLAP_IFS", "\n");
        let answer = ask.args(["--", "sluice", "run", "websea"]).output().unwrap();
        assert!(text(&answer.stdout).starts_with("websearch"), "{shell}: {answer:?}");
    }
}

#[test]
fn scenarios_are_ready_ones_and_files() {
    let folder = folder("complete-scenarios");
    scenario(&folder, "1 s");
    std::fs::write(folder.join("notes.txt"), "").unwrap();
    let all = candidates(&folder, &["run", ""]);
    for name in ["websearch", "incast", "small.toml"] {
        assert!(all.contains(&name.into()), "{all:?}");
    }
    assert!(!all.contains(&"notes.txt".into()), "{all:?}");
}

#[test]
fn protocols_are_completed_after_a_comma_too() {
    let folder = folder("complete-protocols");
    let names: Vec<&str> = ProtocolName::ALL.iter().map(|name| name.as_str()).collect();
    let mut all = candidates(&folder, &["compare", "websearch", ""]);
    all.retain(|candidate| !candidate.starts_with('-'));
    let mut sorted = names.clone();
    sorted.sort_unstable();
    assert_eq!(all, sorted);
    assert_eq!(candidates(&folder, &["run", "websearch", "--protocols", "rcp,cu"]), ["rcp,cubic"]);
}

#[cfg(target_os = "linux")]
#[test]
fn devices_are_those_of_the_machine() {
    let folder = folder("complete-devices");
    for words in [&["router", "up", "--dev", "l"][..], &["host", "up", "--dev", "l"]] {
        let found = candidates(&folder, words);
        assert!(found.contains(&"lo".into()), "{words:?}: {found:?}");
    }
}

#[test]
fn fields_are_those_of_the_scenario_on_the_line() {
    let folder = folder("complete-fields");
    scenario(&folder, "1 s");
    let set = |typed: &str| candidates(&folder, &["run", "small.toml", "--set", typed]);
    assert_eq!(set("topology.dumbbell.buf"), ["topology.dumbbell.buffer="]);
    assert_eq!(set("group.web.poisson.l"), ["group.web.poisson.load="]);
    assert!(set("group.other").is_empty());
    assert!(set("link.").is_empty());
    assert_eq!(set("tcp.recovery=ra"), ["tcp.recovery=rack"]);
    assert_eq!(set("group.web.direction=r"), ["group.web.direction=reverse"]);
    let link = "\n[[link]]\nfrom = \"left\"\nto = \"right\"\ncapacity = \"5 Mbps\"\n";
    let text = std::fs::read_to_string(folder.join("small.toml")).unwrap();
    std::fs::write(folder.join("small.toml"), text + link).unwrap();
    assert_eq!(set("link.0.schedule.do"), ["link.0.schedule.down="]);
    assert_eq!(set("link.0.queue=drop"), ["link.0.queue=drop_tail"]);
    // A variable of the ready scenario.
    assert_eq!(candidates(&folder, &["sweep", "websearch", "--vary", "loa"]), ["load="]);
}

#[test]
fn words_are_completed_for_the_manual() {
    let folder = folder("complete-words");
    assert_eq!(candidates(&folder, &["explain", "repla"]), ["replay"]);
    assert_eq!(candidates(&folder, &["new", "--from", "websea"]), ["websearch"]);
    assert_eq!(candidates(&folder, &["list", "pois"]), ["poisson"]);
}
