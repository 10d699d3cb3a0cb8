//! Variables, overrides on the command line, and sweeps.

use sluice_lab::scenario::{Document, FileError, Point, Scenario};
use sluice_lab::{Plan, PlanOverrides};
use sluice_laws::registry::ProtocolName;
use sluice_units::{BufferSize, Rate, Ratio, Span};

const SCENARIO: &str = r#"
schema = 1
stop = "5 s"

[variables]
load = 0.5
rtt = "100 ms"

[topology.dumbbell]
capacity = "10 Mbps"
rtt = "$rtt"

[[group]]
name = "web"
from = "s0"
to = "d0"
poisson = { load = "$load", sizes = { fixed = "10 kB" } }
"#;

fn document(sweep: &str) -> Document {
    Document::new("file.toml", format!("{SCENARIO}{sweep}"), "file")
}

fn load(scenario: &Scenario) -> f64 {
    scenario.group[0].poisson.as_ref().and_then(|poisson| poisson.load).map_or(0.0, Ratio::get)
}

fn dumbbell(scenario: &Scenario) -> (Rate, Span, BufferSize) {
    let toml = scenario.to_toml().unwrap();
    let table: toml::Table = toml::from_str(&toml).unwrap();
    let field = |name: &str| table["topology"]["dumbbell"][name].as_str().unwrap().to_owned();
    (
        field("capacity").parse().unwrap(),
        field("rtt").parse().unwrap(),
        field("buffer").parse().unwrap(),
    )
}

fn shown(points: &[(Point, sluice_lab::scenario::Source)]) -> Vec<String> {
    points.iter().map(|(point, _)| point.to_string()).collect()
}

#[test]
fn variables_replace_values() {
    let scenario = document("").source().unwrap().scenario;
    assert_eq!(load(&scenario), 0.5);
    assert_eq!(dumbbell(&scenario).1, Span::from_millis(100));
}

#[test]
fn overrides_reach_variables_fields_and_fields_not_in_the_file() {
    let mut document = document("");
    document.set("--set", "load", "0.9");
    document.set("--set", "topology.dumbbell.capacity", "2.4 Gbps");
    document.set("--set", "topology.dumbbell.buffer", "0.1 bdp");
    document.set("--set", "group.web.name", "renamed");
    document.set("--set", "rcp.alpha", "0.4");
    document.set("--set", "protocols", r#"["rcp"]"#);
    let scenario = document.source().unwrap().scenario;
    assert_eq!(load(&scenario), 0.9);
    let (capacity, _, buffer) = dumbbell(&scenario);
    assert_eq!(capacity, Rate::from_bps(2_400_000_000));
    assert_eq!(buffer, BufferSize::Bdp(Ratio::new(0.1)));
    assert_eq!(scenario.group[0].name, "renamed");
    assert_eq!(scenario.parameters.rcp.alpha, Ratio::new(0.4));
    assert_eq!(scenario.protocols.len(), 1);
}

#[test]
fn a_grid_has_every_combination_and_its_last_field_changes_fastest() {
    let document = document(
        "[sweep.over]\nload = [0.5, 0.9]\n\"topology.dumbbell.buffer\" = [\"0.1 bdp\", \"1 bdp\"]\n",
    );
    let points = document.points().unwrap();
    let labels = [
        "load=0.5, topology.dumbbell.buffer=0.1 bdp",
        "load=0.5, topology.dumbbell.buffer=1 bdp",
        "load=0.9, topology.dumbbell.buffer=0.1 bdp",
        "load=0.9, topology.dumbbell.buffer=1 bdp",
    ];
    assert_eq!(shown(&points), labels);
    let loads: Vec<f64> = points.iter().map(|(_, source)| load(&source.scenario)).collect();
    assert_eq!(loads, [0.5, 0.5, 0.9, 0.9]);
    assert_eq!(dumbbell(&points[2].1.scenario).2, BufferSize::Bdp(Ratio::new(0.1)));
}

#[test]
fn a_list_goes_side_by_side() {
    let document = document(
        "[sweep]\nhow = \"list\"\nover = { load = [0.5, 0.9], rtt = [\"1 ms\", \"2 ms\"] }\n",
    );
    assert_eq!(shown(&document.points().unwrap()), ["load=0.5, rtt=1 ms", "load=0.9, rtt=2 ms"]);
}

#[test]
fn ranges_reach_both_ends_by_step_or_by_ratio() {
    let mut document = document("");
    document.vary("--vary", "load", "{ from = 0.1, to = 0.9, steps = 3 }");
    let points = document.points().unwrap();
    assert_eq!(shown(&points), ["load=0.1", "load=0.5", "load=0.9"]);
    document.vary("--vary", "load", "[0.5]");
    document.vary("--vary", "rtt", r#"{ from = "1 ms", to = "1000 ms", steps = 4, log = true }"#);
    let labels = ["rtt=1 ms", "rtt=10 ms", "rtt=100 ms", "rtt=1000 ms"];
    assert_eq!(
        shown(&document.points().unwrap()),
        labels.map(|label| format!("load=0.5, {label}"))
    );
    document.set("--set", "load", "0.3");
    assert_eq!(shown(&document.points().unwrap()), labels, "what is set is no longer swept");
}

#[test]
fn whole_numbers_stay_whole() {
    let mut document = document("");
    document.vary("--vary", "topology.dumbbell.pairs", "{ from = 1, to = 5, steps = 3 }");
    let pairs = ["1", "3", "5"].map(|n| format!("topology.dumbbell.pairs={n}"));
    assert_eq!(shown(&document.points().unwrap()), pairs);
}

#[test]
fn random_points_are_inside_and_the_same_every_time() {
    let sweep = "[sweep]\nhow = \"random\"\npoints = 50\nseed = 7\n[sweep.over]\n\
                 load = { from = 0.1, to = 0.9 }\nrtt = [\"1 ms\", \"2 ms\"]\n";
    let points = document(sweep).points().unwrap();
    assert_eq!(points.len(), 50);
    assert!(points.iter().all(|(_, source)| (0.1..=0.9).contains(&load(&source.scenario))));
    let short = points.iter().filter(|(point, _)| point.0[1].1 == "1 ms").count();
    assert!((10..=40).contains(&short), "{short}");
    assert_eq!(shown(&points), shown(&document(sweep).points().unwrap()));
    let other = document(&sweep.replace("seed = 7", "seed = 8")).points().unwrap();
    assert_ne!(shown(&points), shown(&other));
}

#[test]
fn settings_from_lists_need_no_brackets() {
    let mut document = document("");
    document.vary("--vary", "topology.dumbbell.buffer", "0.1 bdp, 25 packets");
    let labels = ["0.1 bdp", "25 packets"].map(|v| format!("topology.dumbbell.buffer={v}"));
    assert_eq!(shown(&document.points().unwrap()), labels);
    document.vary("--vary", "load", "0.7");
    assert_eq!(document.points().unwrap().len(), 2);
}

#[test]
fn what_is_wrong_outside_the_file_is_shown_where_it_stands() {
    let error = |set: fn(&mut Document)| -> String {
        let mut document = document("");
        set(&mut document);
        let error = |error: FileError| error.to_string();
        match document.source() {
            Err(wrong) => error(wrong),
            Ok(_) => document.points().map_err(error).unwrap_err(),
        }
    };
    let shown = error(|document| document.set("--set", "topology.dumbbell.buffer", "0.1 bpd"));
    let expected = "error: --set:1:28: `0.1 bpd` is not a buffer size: unknown unit `bpd`";
    assert!(shown.starts_with(expected), "{shown}");
    let shown = error(|document| document.set("--set", "group.wbe.name", "x"));
    assert!(shown.contains("no item `wbe` in `group`"), "{shown}");
    assert!(shown.contains("did you mean `web`?"), "{shown}");
    let shown = error(|document| document.set("--set", "topology.dumbell.rtt", "1 ms"));
    assert!(shown.contains("--set:1:1") && shown.contains("dumbbell"), "{shown}");
    let shown = error(|document| document.set("--set", "stop.now", "1 s"));
    assert!(shown.contains("`stop` is a value"), "{shown}");
    let shown = error(|document| document.vary("--vary", "load", "0.5, many"));
    assert!(shown.contains("--vary:1:") && shown.contains("many"), "{shown}");
    let shown = error(|document| {
        document.vary("--vary", "load", "{ from = 0.1, to = \"1 ms\", steps = 3 }")
    });
    assert!(shown.contains("the same unit"), "{shown}");
    let shown = error(|document| document.vary("--vary", "load", "{ from = 0.1 }"));
    assert!(shown.starts_with("error: --vary:1:8: missing field `to`"), "{shown}");
}

#[test]
fn what_a_setting_adds_to_a_choice_is_shown_at_the_setting() {
    let error = |path: &str, value: &str| -> String {
        let mut document = document("");
        document.set("Scenario.set({...})", path, value);
        let plan = document
            .source()
            .and_then(|source| Plan::of(&source, "".into(), &PlanOverrides::default()).map(drop));
        plan.unwrap_err().to_string()
    };
    let sizes = error("group.web.poisson.sizes.exponential", "1 kB");
    let begin = "error: Scenario.set({...}):1:1: `fixed` and `exponential` are both set\n";
    assert!(sizes.starts_with(begin), "{sizes}");
    assert!(sizes.contains("\n   = set exactly one of `fixed`, `exponential`, "), "{sizes}");
    let traffic = error("group.web.long", "{}");
    let begin = "error: Scenario.set({...}):1:18: `long` and `poisson` are both set\n";
    assert!(traffic.starts_with(begin), "{traffic}");
    let ends = error("group.web.pairs", "each");
    let begin = "error: Scenario.set({...}):1:19: `from`, `to` and `pairs` are all set\n";
    assert!(ends.starts_with(begin), "{ends}");
    let unknown = error("a.b", "1");
    assert_eq!(unknown.matches("unknown field `a`").count(), 1, "{unknown}");
}

#[test]
fn problems_of_overrides_are_not_shown_in_the_file() {
    let source = document("").source().unwrap();
    let twice = vec![ProtocolName::Rcp; 2];
    let overrides = PlanOverrides { protocols: Some(twice), ..PlanOverrides::default() };
    let error = Plan::of(&source, "".into(), &overrides).unwrap_err().to_string();
    assert_eq!(error, "error: file.toml: `protocols` lists `rcp` twice");
}

#[test]
fn no_setting_changes_the_schema() {
    let mut set = document("");
    set.set("--set", "schema", "2");
    assert!(set.source().unwrap_err().to_string().contains("unknown version of the format"));
    let mut varied = document("");
    varied.vary("--vary", "schema", "1, 2");
    assert!(varied.points().unwrap_err().to_string().contains("unknown version of the format"));
}

#[test]
fn an_unknown_unit_of_a_range_is_quoted_as_written() {
    let mut document = document("");
    let range = r#"{ from = '1 "ms', to = '2 "ms', steps = 2 }"#;
    document.vary("--vary", "rtt", range);
    let error = document.points().unwrap_err().to_string();
    assert!(error.contains(r#"unknown unit `"ms`"#), "{error}");
}

#[test]
fn how_fields_are_combined_can_be_set_on_the_command_line() {
    let mut document = document("");
    document.vary("--vary", "load", "0.5, 0.7");
    document.vary("--vary", "rtt", "10 ms, 20 ms");
    assert_eq!(document.points().unwrap().len(), 4);
    document.set_sweep_options("sweep(how=...)", "{ how = \"list\" }");
    assert_eq!(document.points().unwrap().len(), 2);
    document.set_sweep_options("sweep(how=...)", "{ how = \"random\", points = 7 }");
    assert_eq!(document.points().unwrap().len(), 7);
    document.set_sweep_options("sweep(how=...)", "{ how = \"gird\" }");
    let error = document.points().unwrap_err().to_string();
    assert!(error.contains("sweep(how=...)") && error.contains("did you mean `grid`?"), "{error}");
    assert!(!error.contains("random draws"), "{error}");
}

#[test]
fn options_of_random_draws_need_random_draws() {
    let error = |options: &str| {
        let mut document = document("");
        document.vary("--vary", "load", "0.5, 0.7");
        document.set_sweep_options("sweep(...)", options);
        document.points().map_err(|error| error.to_string()).map(|points| points.len())
    };
    assert_eq!(error("{ how = \"random\", points = 3, seed = 2 }"), Ok(3));
    let grid = error("{ points = 3 }").unwrap_err();
    let what = "`points` is for random draws, but `how` is \"grid\" by default";
    assert!(grid.starts_with(&format!("error: sweep(...):1:11: {what}\n")), "{grid}");
    assert!(grid.contains("set `how = \"random\"`, or remove `points`"), "{grid}");
    let list = error("{ how = \"list\", seed = 3, points = 2 }").unwrap_err();
    assert!(list.contains("`seed` is for random draws, but `how` is \"list\"\n"), "{list}");
    assert!(list.contains("`points` is for random draws"), "{list}");
    for points in [0, 10_001] {
        let wrong = error(&format!("{{ how = \"random\", points = {points} }}")).unwrap_err();
        assert!(wrong.contains(&format!("must be 1 to 10000, not {points}")), "{wrong}");
    }
}

#[test]
fn a_wrong_option_of_a_range_is_an_error() {
    let error = |range: &str| {
        let mut document = document("");
        document.vary("--vary", "load", range);
        document.points().unwrap_err().to_string()
    };
    let log = error("{ from = 0.1, to = 0.9, steps = 3, log = 1 }");
    assert!(log.contains("invalid type: integer `1`"), "{log}");
    let steps = error("{ from = 0.1, to = 0.9, steps = -3 }");
    assert!(steps.contains("invalid value: integer `-3`"), "{steps}");
}

#[test]
fn a_field_may_be_set_in_the_stead_of_a_variable() {
    let mut document = document("");
    document.set("--set", "group.web.poisson.load", "0.9");
    assert_eq!(load(&document.source().unwrap().scenario), 0.9);
    document.vary("--vary", "topology.dumbbell.rtt", "10 ms, 20 ms");
    assert_eq!(document.points().unwrap().len(), 2);
}

#[test]
fn steps_are_not_for_random_draws() {
    let over = "[sweep]\nhow = \"random\"\n[sweep.over]\nload = { from = 0.1, to = 0.9";
    assert_eq!(document(&format!("{over} }}\n")).points().unwrap().len(), 10);
    let error = document(&format!("{over}, steps = 3 }}\n")).points().unwrap_err().to_string();
    assert!(error.contains("`steps` is for even spacing, but `how` is \"random\""), "{error}");
    assert!(error.contains("^^^^^\n"), "{error}");
    assert!(error.contains("remove `steps`, and set the number of draws"), "{error}");
}
