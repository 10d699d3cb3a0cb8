//! Laws that are not in the registry, beside the protocols of a scenario.

use std::path::Path;
use std::sync::Arc;

use crate::common::{Quiet, SCENARIO, files, folder, path_of, plan, rows};
use sluice_lab::{LawError, Options, Plan, PlanOverrides, Report, System, report, run, table};
use sluice_laws::protocol::Protocol;
use sluice_laws::{cubic, rcp};
use sluice_units::Ratio;

/// Under RCP and TCP, with packets traced at the bottleneck.
fn scenario() -> String {
    let trace = "[trace]\nflows = [\"list\"]\npackets = [[\"left\", \"right\"]]";
    format!("protocols = [\"rcp\", \"tcp\"]\n{SCENARIO}\n{trace}")
}

fn plan_of(input: &Path) -> Plan {
    plan(input, &scenario(), &PlanOverrides::default())
}

/// RCP's law with another gain.
fn law(alpha: f64) -> Arc<dyn Protocol> {
    Arc::new(rcp::RcpParams { alpha: Ratio::new(alpha), ..rcp::RcpParams::default() })
}

fn results(input: &Path, name: &str, law: Arc<dyn Protocol>) -> Report {
    let plan = plan_of(input).with_law(name, law).unwrap();
    run(&plan, &input.join("out"), &Options::default(), &Quiet).unwrap()
}

fn names(systems: impl Iterator<Item = System>) -> Vec<String> {
    systems.map(|system| system.to_string()).collect()
}

#[test]
fn rcp_by_another_name_has_the_same_results() {
    let report = results(&folder("own-twin"), "my-law", law(0.1));
    for file in ["flows", "links", "series", "trace-packets", "trace-flows"] {
        let of = |run| rows(&path_of(&report, run, &format!("{file}.parquet")));
        assert!(of("rcp-2").len() > 1 && of("rcp-2") == of("my-law-2"), "{file}");
    }
    let capture = |run| std::fs::read(path_of(&report, run, "packets.pcapng")).unwrap();
    assert!(capture("rcp-1") == capture("my-law-1"), "other headers");
    let pair = report.summary.pairs.last().unwrap();
    assert_eq!(names([pair.first, pair.second].into_iter()), ["rcp", "my-law"]);
    assert!(pair.all.flows > 30);
    assert_eq!((pair.all.ratio, pair.all.difference, pair.all.faster), (1.0, 0.0, 0.0));
}

#[test]
fn a_law_of_ones_own_is_in_every_result_by_its_name() {
    let report = results(&folder("own-shown"), "a-law-with-a-long-name", law(0.4));
    let names = names(report.summary.protocols.iter().map(|one| one.protocol));
    assert_eq!(names, ["rcp", "tcp", "a-law-with-a-long-name"]);
    let page = report::page(&report.folder).unwrap();
    let shown: Vec<(&str, Option<usize>)> =
        page.systems.iter().map(|one| (&*one.title, one.look.colour)).collect();
    assert_eq!(shown[..3].iter().map(|one| one.0).collect::<Vec<_>>(), ["RCP", "TCP", &names[2]]);
    assert!(shown[..2].iter().all(|one| one.1 != shown[2].1), "the same colour: {shown:?}");
    let text = table::render(&report.summary, table::Style::Plain);
    let text = text + &table::comparison(&report.summary);
    // Columns are aligned, however long the name.
    for (block, indent) in
        [("flow size ", "  "), ("bottleneck links", "    "), ("packets on", "  ")]
    {
        let lines = text.lines().skip_while(|line| !line.starts_with(block)).skip(1);
        let table: Vec<&str> = lines.take_while(|line| !line.is_empty()).collect();
        // The ends of an interval have indented headings.
        let is_row = |line: &&&str| line.starts_with(indent) && line.len() > 40;
        let ends: Vec<usize> = table.iter().filter(is_row).map(|line| line.len()).collect();
        assert!(ends.len() > 2 && ends.iter().all(|end| *end == ends[0]), "{text}");
    }
}

#[test]
fn a_run_of_ones_own_law_is_never_taken_for_another() {
    let input = folder("own-again");
    let first = results(&input, "mine", law(0.1));
    let before = files(&first.folder);
    let again = results(&input, "mine", law(0.1));
    // RCP, TCP and two ideals were stored, with two seeds each.
    assert_eq!((first.reused, again.reused, again.others), (0, 8, 0));
    assert!(before == files(&again.folder), "the same law again differs");
    let changed = results(&input, "mine", law(2.0));
    let mean = |report: &Report| report.summary.protocols[2].all.completion.mean;
    assert_ne!(mean(&changed), mean(&first));
    let ratio = |report: &Report| report.summary.pairs[1].all.ratio;
    assert!(ratio(&first) == 1.0 && ratio(&changed) != 1.0);
}

#[test]
fn a_run_that_cannot_start_is_rejected() {
    let input = folder("own-wrong");
    let with = |name: &str, law: Arc<dyn Protocol>| plan_of(&input).with_law(name, law);
    let refused = |plan: Result<Plan, LawError>| plan.unwrap_err().to_string();
    assert_eq!(
        refused(with("RCP", law(0.1))),
        "law name `RCP` is reserved; the reserved names are `rcp`, `xcp`, `ncp`, `tcp`, `cubic`, \
         `alpha_fair`, `bbr1`, `bbr3`, `dctcp`, `prague`, `swift`, `hpcc`, `tfrc`, `xcp_guaranteed`, \
         `ncp_increments`, `ledger`, `max_min`, `srpt`, `fcfs`, `theory`"
    );
    let twice = with("mine", law(0.1)).unwrap().with_law("mine", law(0.2));
    assert_eq!(refused(twice), "duplicate law name `mine`");
    let wrong = refused(with("mine", law(11.0)));
    assert_eq!(wrong, "law `mine`: alpha: must be above 0 and at most 10, not 11");
    let heavy = scenario().replace("name = \"list\"", "name = \"list\"\nweight = 2.0");
    let heavy = plan(&input, &heavy, &PlanOverrides::default());
    let cubic = Arc::new(cubic::CubicParams::default());
    let wrong = refused(heavy.with_law("mine", cubic));
    assert_eq!(wrong, "law `mine`, group `list`: weight: `cubic` has no weights");
}
