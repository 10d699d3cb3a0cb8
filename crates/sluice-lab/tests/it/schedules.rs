//! Schedules of capacity in scenarios.

use std::path::Path;

use sluice_lab::scenario::Source;
use sluice_lab::{Plan, PlanOverrides};
use sluice_sim::schedule::{CapacityCourse, OnDown};
use sluice_units::{Rate, Span, Time};

/// A scenario over a dumbbell of 10 Mb/s with this schedule and a link with another.
fn try_plan(folder: &Path, topology: &str) -> Result<Plan, String> {
    let text = format!(
        "schema = 1\nstop = \"1 s\"\nprotocols = [\"tcp\"]\nideals = []\n{topology}\n\
         [[group]]\nname = \"g\"\npairs = \"each\"\n\
         periodic = {{ every = \"10 ms\", sizes = {{ fixed = \"10 kB\" }} }}\n"
    );
    let source = Source::parse("t.toml", &text, "t").map_err(|error| error.to_string())?;
    Plan::of(&source, folder.into(), &PlanOverrides::default()).map_err(|error| error.to_string())
}

fn dumbbell(schedule: &str) -> String {
    format!("[topology.dumbbell]\ncapacity = \"10 Mbps\"\nrtt = \"40 ms\"\nschedule = {schedule}\n")
}

fn courses(folder: &Path, topology: &str) -> Vec<(String, CapacityCourse)> {
    let plan = try_plan(folder, topology).unwrap_or_else(|error| panic!("{error}"));
    let links = plan.config.links.iter().enumerate();
    let varying = links
        .filter_map(|(id, link)| Some((plan.network.link_name(id), link.schedule.clone()?.course)));
    varying.collect()
}

#[test]
fn a_bottleneck_varies_in_both_directions() {
    let text = dumbbell("{ steps = [[\"5 s\", \"1 Mbps\"]], down = [[\"3 s\", \"4 s\"]] }");
    let step = (Time::ZERO + Span::from_secs(5), Rate::from_bps(1_000_000));
    let course = CapacityCourse::Steps(vec![step]);
    let both = ["left->right", "right->left"].map(|name| (name.to_owned(), course.clone()));
    assert_eq!(courses(Path::new(""), &text), both);
}

#[test]
fn outages_wait_or_drop() {
    for (schedule, wanted) in [
        ("{ down = [[\"3 s\", \"4 s\"]] }", OnDown::Wait),
        ("{ down = [[\"3 s\", \"4 s\"]], on_down = \"wait\" }", OnDown::Wait),
        ("{ down = [[\"3 s\", \"4 s\"]], on_down = \"drop\" }", OnDown::Drop),
    ] {
        let plan = try_plan(Path::new(""), &dumbbell(schedule)).unwrap();
        let found = plan.config.links.iter().filter_map(|link| link.schedule.as_ref());
        assert!(found.clone().count() == 2 && found.clone().all(|one| one.on_down == wanted));
    }
}

#[test]
fn a_trace_is_read_beside_the_scenario() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("lte.up"), "0\n3\n3\n10\n").unwrap();
    let found = courses(folder.path(), &dumbbell("{ mahimahi = \"lte.up\" }"));
    let times = [0, 3, 3, 10].map(|ms| Time::ZERO + Span::from_millis(ms));
    assert_eq!(found[0].1, CapacityCourse::Opportunities(times.to_vec().into()));
}

#[test]
fn a_wrong_trace_is_an_error_with_its_lines() {
    let folder = tempfile::tempdir().unwrap();
    for (content, expected) in [
        ("", "no opportunities"),
        ("0\n0\n", "must end after 0 ms"),
        ("5\n\n7\n", "lte.up:2: ``: must be a time in whole milliseconds"),
        ("5\n4\n", "lte.up:2: `4`: times must not fall"),
        ("5.5\n", "lte.up:1: `5.5`: must be"),
    ] {
        std::fs::write(folder.path().join("lte.up"), content).unwrap();
        let error = try_plan(folder.path(), &dumbbell("{ mahimahi = \"lte.up\" }")).unwrap_err();
        assert!(error.contains(expected), "{content:?}: {error}");
    }
    std::fs::write(folder.path().join("lte.up"), [b'5', 0xff]).unwrap();
    let error = try_plan(folder.path(), &dumbbell("{ mahimahi = \"lte.up\" }")).unwrap_err();
    assert!(error.contains("lte.up: not UTF-8 text"), "{error}");
    let error = try_plan(folder.path(), &dumbbell("{ mahimahi = \"none.up\" }")).unwrap_err();
    assert!(error.contains("none.up"), "{error}");
}

#[test]
fn a_wrong_schedule_is_an_error_at_its_field() {
    let steps = "steps = [[\"5 s\", \"1 Mbps\"]]";
    for (schedule, expected) in [
        ("{}".to_owned(), "an empty schedule"),
        (format!("{{ {steps}, ramps = [[\"1 s\", \"1 Mbps\"]] }}"), "steps"),
        (format!("{{ {steps}, every = \"5 s\" }}"), "must be after the last change"),
        (format!("{{ {steps}, down = [[\"2 s\", \"1 s\"]] }}"), "must end after it begins"),
        ("{ steps = [[\"5 s\", \"1 bps\"]] }".to_owned(), "capacities must be 0 or"),
        ("{ steps = [[\"5 s\"]] }".to_owned(), "steps"),
    ] {
        let error = try_plan(Path::new(""), &dumbbell(&schedule)).unwrap_err();
        assert!(error.contains(expected), "{schedule}: {error}");
    }
}
