//! Policing agents from a scenario to its results.

use std::path::PathBuf;

use crate::common::{Quiet, path_of, rows};
use parquet::record::RowAccessor;
use sluice_lab::scenario::Source;
use sluice_lab::{Options, Plan, PlanOverrides, run};

const SCENARIO: &str = r#"
schema = 1
protocols = ["xcp"]
ideals = ["max_min"]
stop = "20 s"
topology.dumbbell = { pairs = 2, capacity = "4 Mbps", rtt = "80 ms", buffer = "40 packets" }

[[link]]
from = "left"
to = "right"
both_ways = false
police = { every = "1 s" }

[[group]]
name = "abuser"
from = "s0"
to = "d0"
long = {}
conduct = { fixed_rate = "3 Mbps" }

[[group]]
name = "honest"
from = "s1"
to = "d1"
long = {}
"#;

#[test]
fn convictions_are_rows_and_counts_of_links() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("policed");
    _ = std::fs::remove_dir_all(&folder);
    let source = Source::parse("test.toml", SCENARIO, "test").unwrap_or_else(|e| panic!("{e}"));
    let plan = Plan::of(&source, folder.clone(), &PlanOverrides::default()).unwrap();
    let report = run(&plan, &folder.join("out"), &Options::default(), &Quiet).unwrap();
    let verdicts = rows(&path_of(&report, "xcp-1", "verdicts.parquet"));
    let [verdict] = &verdicts[..] else { panic!("{verdicts:?}") };
    let text = |column: usize| verdict.get_string(column).unwrap().as_str();
    assert_eq!([text(0), text(1), text(5)], ["left>right", "abuser", "unresponsive"]);
    let number = |column: usize| verdict.get_long(column).unwrap();
    let [since, at, measured, required] = [3, 4, 6, 7].map(number);
    assert!(since < at && at < 20_000_000_000, "{since} {at}");
    assert!((2_800_000..3_200_000).contains(&measured), "{measured}");
    assert!((1_300_000..1_700_000).contains(&required), "{required}");
    let convicted = report.summary.protocols[0].groups.iter().map(|group| group.statuses);
    let convicted = convicted.map(|found| found.map(|found| found.convictions));
    assert_eq!(convicted.collect::<Vec<_>>(), [Some(1), None]);
    let links = rows(&path_of(&report, "xcp-1", "links.parquet"));
    let policed: Vec<_> = links.iter().filter(|link| link.get_long(14).is_ok()).collect();
    let [link] = policed[..] else { panic!("one link has an agent") };
    assert_eq!(link.get_long(16).unwrap(), 1, "convicted flows");
    assert!(link.get_long(17).unwrap() > 10, "dropped packets");
    assert!(!path_of(&report, "max_min-1", "verdicts.parquet").exists(), "an ideal has no packets");
}
