//! Traffic models in scenarios: how pairs of hosts share one model, and that a scenario with all
//! models can be written and read again.

use std::path::{Path, PathBuf};

use crate::common::{Quiet, files, path_of, rows};
use parquet::record::RowAccessor;
use sluice_lab::scenario::Source;
use sluice_lab::traffic::{Sizes, Traffic};
use sluice_lab::{Options, Plan, PlanOverrides, run};

/// An empty folder for this test, with a distribution of sizes.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    if folder.exists() {
        std::fs::remove_dir_all(&folder).unwrap();
    }
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("sizes.csv"), "size,cumulative\n1000,0\n3000,1\n").unwrap();
    folder
}

/// Four pairs on 10 Mb/s, with these groups.
fn plan(folder: &Path, groups: &[(&str, String)]) -> Plan {
    let mut text = String::from(
        "schema = 1\nprotocols = [\"tcp\"]\nstop = \"1 s\"\n\
         topology.dumbbell = { pairs = 4, capacity = \"10 Mbps\", rtt = \"20 ms\" }\n",
    );
    for (name, model) in groups {
        text += &format!("[[group]]\nname = \"{name}\"\npairs = \"each\"\n{model}\n");
    }
    let source = Source::parse("test.toml", &text, "test").unwrap_or_else(|e| panic!("{e}"));
    let plan = Plan::of(&source, folder.to_owned(), &PlanOverrides::default());
    plan.unwrap_or_else(|error| panic!("{error}"))
}

/// The model of that name at a load of 0.05.
fn loaded(name: &str) -> Option<String> {
    let fields = match name {
        "long" => return None,
        "udp" => "size = \"500 B\", on = \"10 ms\", off = \"30 ms\", shape = 1.5, count = 3",
        "poisson" | "periodic" => "sizes.fixed = \"1 packet\"",
        "cbr" => "size = \"1 packet\"",
        "on_off" => "on = \"10 ms\", off = \"30 ms\", shape = 1.5, sources = 3",
        "web" => {
            "pages = 2.5, think = \"50 ms\", objects = 3, sizes.pareto = { mean = \"2 kB\", shape = 1.2 }"
        }
        "incast" => "senders = 3, sizes.file = \"sizes.csv\"",
        "flash_crowd" => {
            "profile = [[\"0.2 s\", 4], [\"0.4 s\", 1]], sizes.workload = \"googlerpc\""
        }
        other => panic!("no scenario has the traffic model `{other}`"),
    };
    Some(format!("{name} = {{ load = 0.05, {fields} }}"))
}

fn all_models() -> Vec<(&'static str, String)> {
    let models = Traffic::MODELS.iter();
    models.filter_map(|model| Some((model.name, loaded(model.name)?))).collect()
}

#[test]
fn pairs_together_bring_the_load_of_any_model() {
    let plan = plan(&folder("loads"), &all_models());
    for (of, group) in plan.scenario.group.iter().enumerate() {
        let pairs = plan.groups.iter().filter(|pair| pair.of == of);
        let rates: Vec<u64> = pairs.map(|pair| pair.mean_rate.unwrap().as_bps()).collect();
        assert_eq!(rates.len(), 4);
        let total: u64 = rates.iter().sum();
        assert!(total.abs_diff(500_000) <= 4, "{}: {total}", group.name);
    }
}

#[test]
fn a_scenario_with_every_model_can_be_written_and_run_again() {
    let folder = folder("written");
    let first = plan(&folder, &all_models());
    let out = folder.join("out");
    let report = run(&first, &out, &Options::default(), &Quiet).unwrap();
    let again = Plan::read(&out.join("scenario.toml"), &PlanOverrides::default());
    let again = again.unwrap_or_else(|error| panic!("{error}"));
    run(&again, &folder.join("again"), &Options::default(), &Quiet).unwrap();
    assert!(files(&out) == files(&folder.join("again")), "files differ");
    let flows = rows(&path_of(&report, "tcp-1", "flows.parquet"));
    for (name, _) in all_models() {
        let last = format!("{name}.3");
        let is_its = |flow: &parquet::record::Row| flow.get_string(0).unwrap() == &last;
        assert!(flows.iter().any(is_its), "no flow of {name}'s last pair");
    }
}

/// Start times of flows, in nanoseconds, by pair.
fn starts(name: &str, model: &str) -> Vec<Vec<i64>> {
    let folder = folder(name);
    let plan = plan(&folder, &[(name, model.into())]);
    let report = run(&plan, &folder.join("out"), &Options::default(), &Quiet).unwrap();
    let mut pairs = vec![Vec::new(); 4];
    for flow in rows(&path_of(&report, "tcp-1", "flows.parquet")) {
        let pair: usize = flow.get_string(0).unwrap().rsplit('.').next().unwrap().parse().unwrap();
        pairs[pair].push(flow.get_long(3).unwrap());
    }
    for starts in &mut pairs {
        starts.sort_unstable();
    }
    pairs
}

#[test]
fn pairs_take_turns_at_periodic_flows() {
    let model = "periodic = { every = \"100 ms\", sizes.fixed = \"1 packet\", stop = \"0.9 s\" }";
    let tenths = |all: &[i64]| all.iter().map(|tenth| tenth * 100_000_000).collect::<Vec<i64>>();
    let wanted = [tenths(&[0, 4, 8]), tenths(&[1, 5, 9]), tenths(&[2, 6]), tenths(&[3, 7])];
    assert_eq!(starts("turns", model), wanted);
}

#[test]
fn pairs_answer_an_incast_at_the_same_instants() {
    let model = "incast = { every = \"250 ms\", sizes.fixed = \"1 packet\", stop = \"0.5 s\" }";
    assert_eq!(starts("together", model), vec![vec![0, 250_000_000, 500_000_000]; 4]);
}

/// Every model has a name, a title and a source for listings.
#[test]
fn every_model_has_a_line_and_a_source() {
    for model in Traffic::MODELS.iter().chain(Sizes::MODELS) {
        assert!(model.title.ends_with('.') && model.title.len() > 20, "{model:?}");
        assert!(!model.source.is_empty() && model.source.trim() == model.source, "{model:?}");
    }
}
