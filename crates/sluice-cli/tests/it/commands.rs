//! The commands: what they print to which stream, and what they leave.

use sluice_laws::registry::ProtocolName;

use crate::common::{assert_refused, folder, run_folder, scenario, sluice, text};

#[test]
fn a_scenario_runs_and_leaves_its_results() {
    let folder = folder("good");
    scenario(&folder, "2 s");
    let output = sluice(&folder).args(["run", "small.toml"]).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let table = text(&output.stdout);
    for word in ["rcp", "xcp", "tcp", "completion time, mean", "10-100 kB"] {
        assert!(table.contains(word), "{table}");
    }
    assert!(table.lines().all(|line| line.chars().count() <= 100), "{table}");
    assert!(!table.contains('\x1b'), "colours outside a terminal");
    assert!(text(&output.stderr).contains("mean flow size 20000 B"), "{}", text(&output.stderr));
    let results = folder.join("results/small");
    for file in ["summary.json", "scenario.toml", "scenario.json"] {
        assert!(results.join(file).is_file(), "{file}");
    }
    for run in ["max_min", "srpt", "rcp", "tcp"] {
        let folder = run_folder(&results, run).unwrap();
        for file in ["run.json", "flows.parquet", "links.parquet", "series.parquet"] {
            assert!(folder.join(file).is_file(), "{run}: {file}");
        }
    }
}

#[test]
fn a_second_run_finds_the_first() {
    let folder = folder("twice");
    scenario(&folder, "1 s");
    let run = |more: &[&str]| {
        let output = sluice(&folder).args(["run", "small.toml"]).args(more).output().unwrap();
        (text(&output.stdout).to_owned(), text(&output.stderr).to_owned())
    };
    let (first, stderr) = run(&[]);
    assert!(!stderr.contains("Reused"), "{stderr}");
    let (second, stderr) = run(&[]);
    let runs = ProtocolName::without_profile().count() + 2; // and two ideals
    assert!(stderr.contains(&format!("Reused {runs} of {runs} runs")), "{stderr}");
    assert_eq!(first, second);
    let (third, stderr) = run(&["--again"]);
    assert!(!stderr.contains("Reused"), "{stderr}");
    assert_eq!(first, third);
}

#[test]
fn the_long_version_names_the_build() {
    let output = sluice(&folder("version")).arg("--version").output().unwrap();
    let version = text(&output.stdout).trim();
    let digest = version.rsplit_once('+').map(|(_, digest)| digest).unwrap_or_default();
    assert!(digest.len() == 12 && digest.chars().all(|c| c.is_ascii_hexdigit()), "{version}");
}

#[test]
fn json_equals_the_summary_file() {
    let folder = folder("json");
    scenario(&folder, "1 s");
    let args = ["run", "small.toml", "--json", "--protocols", "tcp", "--seed", "7", "--out", "out"];
    let output = sluice(&folder).args(args).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let file = std::fs::read_to_string(folder.join("out/summary.json")).unwrap();
    assert!(text(&output.stdout).contains(r#""seed": 7"#) && file.contains(r#""seed": 7"#));
    assert!(run_folder(&folder.join("out"), "tcp-7").is_some());
    assert!(run_folder(&folder.join("out"), "rcp").is_none());
}

#[test]
fn quiet_is_quiet() {
    let folder = folder("quiet");
    scenario(&folder, "1 s");
    let output = sluice(&folder).args(["run", "small.toml", "--quiet"]).output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert!(output.stdout.is_empty() && output.stderr.is_empty(), "{}", text(&output.stderr));
}

#[test]
fn wrong_files_are_refused() {
    let folder = folder("wrong");
    let run = |file: &str| sluice(&folder).args(["run", file]).output().unwrap();
    for (name, bytes, says) in [
        ("empty.toml", &b""[..], "empty file"),
        ("latin.toml", b"# caf\xe9", "not UTF-8"),
        ("new.toml", b"schema = 2", "reads `schema = 1`"),
        ("odd.toml", b"schema = 1\nstop = \"1 s\"\nprotcols = []", "did you mean `protocols`?"),
    ] {
        std::fs::write(folder.join(name), bytes).unwrap();
        assert_refused(&run(name), says);
    }
}

#[test]
fn wrong_words_are_refused() {
    let folder = folder("words");
    scenario(&folder, "1 s");
    let output =
        sluice(&folder).args(["run", "small.toml", "--protocols", "rpc"]).output().unwrap();
    assert_refused(&output, "did you mean `rcp`?");
}

#[test]
fn numbers_out_of_range_are_refused_with_the_range() {
    let folder = folder("numbers");
    scenario(&folder, "2 s");
    for (option, value, range) in [
        ("--seed", "-1", "0 to 9223372036854775807"),
        ("--seed", "9223372036854775808", "0 to 9223372036854775807"),
        ("--seed", "1.5", "0 to 9223372036854775807"),
        ("--threads", "-1", "0 to 65535"),
        ("--threads", "65536", "0 to 65535"),
    ] {
        let output = sluice(&folder).args(["run", "small.toml", option, value]).output().unwrap();
        let says = format!("'{value}' for '{option} <N>': expected a whole number, {range}");
        assert_refused(&output, &says);
    }
}

#[test]
fn list_names_every_protocol_with_its_source() {
    let output = sluice(&folder("list")).arg("list").output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    for word in ["rcp", "xcp", "tcp", "RFC 5681", "websearch"] {
        assert!(text(&output.stdout).contains(word), "{word}");
    }
}

#[test]
fn a_new_scenario_runs_as_it_is_and_is_never_written_over() {
    let folder = folder("new");
    let output = sluice(&folder).args(["new", "mine.toml"]).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let short = ["run", "mine.toml", "--set", "stop=3s", "--set", "replications=1"];
    let output = sluice(&folder).args(short).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let again = sluice(&folder).args(["new", "mine.toml"]).output().unwrap();
    assert_refused(&again, "mine.toml already exists");
    let from = sluice(&folder).args(["new", "--from", "webserch"]).output().unwrap();
    assert_refused(&from, "did you mean `websearch`?");
}

#[test]
fn a_value_is_tried_without_editing() {
    let folder = folder("set");
    scenario(&folder, "2 s");
    let run = |set: &str| {
        let args = ["run", "small.toml", "--protocols", "tcp", "--set", set];
        sluice(&folder).args(args).output().unwrap()
    };
    let output = run("topology.dumbbell.rtt=40ms");
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let stated = std::fs::read_to_string(folder.join("results/small/scenario.toml")).unwrap();
    assert!(stated.contains("rtt = \"40 ms\""), "{stated}");
    assert_refused(&run("topology.dumbbell.capacity=40"), "a bare 40 needs a unit");
    assert_refused(&run("topology.dumbbell.rrt=40ms"), "did you mean `rtt`?");
    assert_refused(&run("load"), "FIELD=VALUE");
}

#[test]
fn a_ready_scenario_runs_by_its_name() {
    let folder = folder("ready");
    let args = ["run", "xcp-5.9", "--set", "stop=1s", "--set", "warm_up=0s", "--quiet"];
    let output = sluice(&folder).args(args).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert!(folder.join("results/xcp-5.9/summary.json").exists());
    let output = sluice(&folder).args(["run", "xpc-5.9"]).output().unwrap();
    assert_refused(&output, "did you mean `xcp-5.9`?");
}

#[test]
fn what_there_is_can_be_asked_for() {
    let folder = folder("asked");
    let ask = |args: &[&str]| {
        let output = sluice(&folder).args(args).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{args:?}: {}", text(&output.stderr));
        text(&output.stdout).to_owned()
    };
    let list = ask(&["list"]);
    for name in ["rcp", "dumbbell", "poisson", "pareto", "websearch", "xcp-5.9"] {
        assert!(list.contains(&format!("\n  {name} ")), "{name}: {list}");
    }
    assert!(!ask(&["list", "workload"]).contains("rcp"));
    let nothing = sluice(&folder).args(["list", "foo"]).output().unwrap();
    assert_refused(&nothing, "nothing to list: no name or kind contains `foo`");
    assert_refused(&nothing, "kinds: protocols, ");
    let rcp = ask(&["explain", "rcp"]);
    assert!(rcp.contains("equation (2)") && rcp.contains("default 0.1"), "{rcp}");
    for json in [ask(&["list", "--json"]), ask(&["explain", "rcp", "--json"]), ask(&["schema"])] {
        serde_json::from_str::<serde_json::Value>(&json).unwrap();
    }
    assert!(ask(&["completions", "bash"]).contains("complete"));
    let output = sluice(&folder).args(["explain", "rpc"]).output().unwrap();
    assert_refused(&output, "did you mean `rcp`?");
}

#[test]
fn protocols_are_compared_with_the_first() {
    let folder = folder("compare");
    scenario(&folder, "5 s");
    let output = sluice(&folder).args(["compare", "small.toml", "tcp", "rcp"]).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let table = text(&output.stdout);
    assert!(table.contains("flows that finish sooner than under tcp"), "{table}");
    let at = table.find("completion time relative to tcp").unwrap();
    let shown: Vec<&str> = table[at..].lines().nth(1).unwrap().split_whitespace().collect();
    let json = sluice(&folder).args(["compare", "small.toml", "tcp", "rcp", "--json"]).output();
    let json: serde_json::Value = serde_json::from_slice(&json.unwrap().stdout).unwrap();
    let ratio = json["pairs"][0]["all"]["ratio"].as_f64().unwrap();
    assert_eq!(shown[..2], ["rcp", &format!("{ratio:.2}")], "{table}");
    let alone = sluice(&folder).args(["compare", "small.toml", "tcp"]).output().unwrap();
    assert_refused(&alone, "nothing to compare: `tcp` is the only protocol");
    assert_refused(&alone, "accepted: `rcp`, ");
}

#[test]
fn protocols_are_compared_with_an_ideal_or_a_protocol_by_class_of_sizes() {
    let folder = folder("against");
    scenario(&folder, "5 s");
    let compare = |more: &[&str]| {
        sluice(&folder).args(["compare", "small.toml"]).args(more).output().unwrap()
    };
    let output = compare(&["rcp", "--against", "srpt", "--set", "ideals=[\"max_min\"]"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let table = text(&output.stdout);
    assert!(table.contains("relative to srpt: mean completion time"), "{table}");
    let row = table.lines().find(|line| line.starts_with("  rcp")).unwrap();
    let output = compare(&["rcp", "--against", "srpt", "--set", "ideals=[\"max_min\"]", "--json"]);
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let ratios = json["ratios"].as_array().unwrap();
    let found = ratios.iter().find(|one| one["reference"] == "srpt").unwrap();
    // All flows have 20 packets.
    assert_eq!(found["by_class"].as_array().unwrap().len(), 1, "{found}");
    assert_eq!(found["by_class"][0]["to"], 30, "{found}");
    let ratio = found["all"]["ratio"].as_f64().unwrap();
    assert!(ratio > 1.0 && row.contains(&format!(" {ratio:.2}")), "{ratio}: {row}");
    let drops = json["protocols"][0]["bottleneck"]["drops"].as_f64().unwrap();
    assert!(row.contains(&format!(" {drops} ")), "{drops}: {row}");

    let output = compare(&["xcp", "rcp", "--against", "rcp", "--json"]);
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let pair = &json["pairs"][0];
    assert_eq!((&pair["first"], &pair["second"]), (&"rcp".into(), &"xcp".into()));
    let ratios = json["ratios"].as_array().unwrap();
    assert!(ratios.iter().any(|one| one["reference"] == "rcp" && one["protocol"] == "xcp"));

    let wrong = compare(&["rcp", "--against", "max-min"]);
    assert_refused(&wrong, "did you mean `max_min`? expected one of `max_min`, `srpt`, `fcfs`,");
    let alone = compare(&["rcp", "--against", "rcp"]);
    assert_refused(&alone, "nothing to compare: `rcp` is the only protocol");
}

#[test]
fn a_sweep_has_a_row_and_a_folder_for_each_point() {
    let folder = folder("sweep");
    scenario(&folder, "2 s");
    let field = "group.web.poisson.load";
    let args =
        ["sweep", "small.toml", "--protocols", "rcp", "--vary", "topology.dumbbell.rtt=10ms,40ms"];
    let output = sluice(&folder).args(args).args(["--vary", &format!("{field}=0.2,0.5")]).output();
    let output = output.unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let table = text(&output.stdout);
    assert!(table.contains(&format!("topology.dumbbell.rtt=40ms, {field}=0.5")), "{table}");
    for point in ["001", "002", "003", "004"] {
        assert!(folder.join("results/small-sweep").join(point).join("summary.json").exists());
    }
    let again = sluice(&folder).args(args).args(["--vary", &format!("{field}=0.2,0.5")]).output();
    let again = again.unwrap();
    assert_eq!(again.stdout, output.stdout);
    assert!(text(&again.stderr).contains("Reused"), "{}", text(&again.stderr));
    let nothing = sluice(&folder).args(["sweep", "small.toml"]).output().unwrap();
    assert_refused(&nothing, "nothing is swept");
    let wrong = sluice(&folder).args(["sweep", "small.toml", "--vary", "stop=1s,many"]).output();
    assert_refused(&wrong.unwrap(), "--vary:1:");
}

#[test]
fn parquet_is_printed_as_csv() {
    let folder = folder("export");
    scenario(&folder, "1 s");
    sluice(&folder).args(["run", "small.toml", "--quiet"]).output().unwrap();
    let run = run_folder(&folder.join("results/small"), "tcp").unwrap();
    let export = |file: &str| sluice(&run).args(["export", file]).output().unwrap();
    let output = export("links.parquet");
    let csv = text(&output.stdout);
    assert!(
        csv.starts_with("protocol,seed,from,to,capacity_bps,delay_ns,router,utilization,"),
        "{csv}"
    );
    assert!(
        csv.lines().any(|line| line.starts_with("tcp,1,left,right,10000000,5000000,true,0.")),
        "{csv}"
    );
    let flows = export("flows.parquet").stdout;
    let first = text(&flows).lines().nth(1).unwrap();
    assert!(
        first.starts_with("tcp,1,web,0,s0>left>right>d0,") && first.contains(",true,sized,,,,,,"),
        "{first}"
    );
    let wrong = export("run.json");
    assert_eq!(wrong.status.code(), Some(1));
    assert!(text(&wrong.stderr).starts_with("error: run.json: "), "{}", text(&wrong.stderr));
}

#[test]
fn a_cluster_needs_the_python_package() {
    let folder = folder("cluster");
    scenario(&folder, "1 s");
    let sweep = ["sweep", "small.toml", "--vary", "stop=1s,2s", "--cluster", "tcp://nowhere:8786"];
    let output = sluice(&folder).args(sweep).output().unwrap();
    assert_refused(&output, "the Python package");
    assert!(!folder.join("results").exists());
}

#[test]
fn overload_is_reported_before_the_run() {
    let folder = folder("overload");
    scenario(&folder, "1 s");
    let load = "group.web.poisson.load";
    let run = |args: &[&str]| {
        let output = sluice(&folder).args(args).args(["--protocols", "tcp"]).output().unwrap();
        text(&output.stderr).to_owned()
    };
    let error = run(&["run", "small.toml", "--set", &format!("{load}=5")]);
    let warning = "warning: the requested load of link left->right is 500 % of its capacity";
    assert!(error.find(warning) < error.find("Results are in"), "{error}");
    assert!(error.contains(warning), "{error}");
    assert!(!run(&["run", "small.toml", "--set", &format!("{load}=1")]).contains("warning"));
    let error = run(&["sweep", "small.toml", "--vary", &format!("{load}=0.5,5")]);
    assert!(error.contains(&format!("at {load}=5: the requested load")), "{error}");
}

#[test]
fn runs_are_lines_where_no_terminal_watches() {
    let folder = folder("watch");
    scenario(&folder, "1 s");
    let args = ["run", "small.toml", "--protocols", "rcp,tcp", "--watch"];
    let output = sluice(&folder).args(args).output().unwrap();
    let error = text(&output.stderr);
    for run in ["max_min", "srpt", "rcp", "tcp"] {
        let lines = error.lines().filter(|line| line.starts_with(&format!("{run}, seed 1: ")));
        assert_eq!(lines.count(), 1, "{error}");
    }
    assert!(error.contains("flows, mean completion time ") && !error.contains('\x1b'), "{error}");
    let plain = sluice(&folder).args(&args[..4]).output().unwrap();
    assert_eq!(output.stdout, plain.stdout);
    assert!(!text(&plain.stderr).contains("seed 1"), "{}", text(&plain.stderr));
    let quiet = sluice(&folder).args(args).arg("--quiet").output().unwrap();
    assert_refused(&quiet, "cannot be used with");
}
