//! The page of a report: its figures equal those of the summary, and it is reproducible.

use std::path::{Path, PathBuf};

use crate::common::{Cancelled, Quiet, WEB, path_of, swept};
use sluice_lab::report::{self, data::Page, data::SystemKind, sweep::sweep_page};
use sluice_lab::scenario::Source;
use sluice_lab::{BinSummary, Monitor, Options, Plan, PlanOverrides, Report, Summary, run};

const LONG: &str = r#"
schema = 1
protocols = ["tcp"]
ideals = []
stop = "1 s"

[topology.dumbbell]
capacity = "10 Mbps"
rtt = "20 ms"

[[group]]
name = "long"
from = "s0"
to = "d0"
long = { count = 2 }
"#;

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("report").join(name);
    if folder.exists() {
        std::fs::remove_dir_all(&folder).unwrap();
    }
    folder
}

fn results(name: &str, text: &str, monitor: &dyn Monitor) -> Report {
    let source = Source::parse("test.toml", text, "test").unwrap();
    let plan = Plan::of(&source, PathBuf::new(), &PlanOverrides::default())
        .unwrap_or_else(|error| panic!("{error}"));
    run(&plan, &folder(name), &Options::default(), monitor).unwrap()
}

/// Pages round to five digits.
const ROUNDING: f64 = 6e-5;

fn near(shown: Option<f64>, exact: Option<f64>, within: f64) {
    match (shown, exact) {
        (Some(shown), Some(exact)) => {
            assert!((shown / exact - 1.0).abs() < within, "{shown} {exact}")
        }
        (shown, exact) => assert_eq!(shown, exact),
    }
}

/// Mean completion time on the page of the flows of a bin of the table: over the page's finer bins.
fn mean(page: &Page, system: usize, bin: &BinSummary) -> (u64, f64, f64) {
    let within = page
        .sizes
        .iter()
        .filter(|fine| fine.from >= bin.from && bin.to.is_none_or(|to| fine.from < to));
    let points = within.filter_map(|fine| fine.systems[system].map(|point| (fine, point)));
    points.fold((0, 0.0, 0.0), |(flows, time, theory), (fine, point)| {
        let n = point.flows as f64;
        let analytic = fine.systems.last().unwrap().unwrap().completion.mean[0].unwrap();
        (flows + point.flows, time + n * point.completion.mean[0].unwrap(), theory + n * analytic)
    })
}

#[test]
fn the_page_and_the_summary_agree() {
    let found = results("agree", WEB, &Quiet);
    let page = report::page(&found.folder).unwrap();
    let summaries: Vec<_> = found.summary.protocols.iter().chain(&found.summary.ideals).collect();
    assert_eq!(summaries.len(), 4);
    let theory = found.summary.analytic.as_ref().unwrap();
    for (number, summary) in summaries.iter().enumerate() {
        assert_eq!(page.systems[number].name, summary.protocol.to_string());
        for bin in &summary.by_size {
            let (flows, time, analytic) = mean(&page, number, bin);
            assert_eq!(flows, bin.flows);
            near(Some(time / flows as f64), bin.completion.mean, ROUNDING);
            let theory = theory.by_size.iter().find(|theory| theory.from == bin.from).unwrap();
            near(Some(analytic / flows as f64), Some(theory.completion), ROUNDING);
        }
        let totals = page.systems[number].totals.as_ref().unwrap();
        let ends = summary.all.slowdown.intervals;
        near(totals.slowdown.p99[0], summary.all.slowdown.p99, ROUNDING);
        near(totals.slowdown.p99[2], ends.p99.map(|[_, high]| high), ROUNDING);
        let all = &page.slowdowns.classes[0];
        assert_eq!((all.flows[number], all.label.as_str()), (summary.all.flows, "all sizes"));
        // The distribution crosses 99 % at the 99th percentile.
        let late = |above: &u64| *above as f64 <= 0.01 * summary.all.flows as f64;
        let at = page.slowdowns.at[all.above[number].iter().position(late).unwrap()];
        near(Some(at), summary.all.slowdown.p99, 0.05);
        let link = &page.links[0].systems[number].unwrap();
        near(Some(link.utilization), Some(summary.bottleneck.utilization), ROUNDING);
    }
    assert_eq!(page.systems[4].kind, SystemKind::Theory);
    // Finer bins have intervals over runs, too.
    let wide = page.sizes.iter().filter_map(|fine| fine.systems[0]?.completion.mean[1]);
    assert!(wide.count() > 5);
}

#[test]
fn the_same_results_give_the_same_bytes_whatever_the_order_of_runs() {
    let one = results("one", WEB, &Quiet);
    let two = results("two", WEB, &Quiet);
    let [one, two] = [one, two].map(|found| {
        let page = report::write(&found.folder, None).unwrap();
        assert_eq!(page, found.folder.join(report::FILE));
        std::fs::read(page).unwrap()
    });
    assert!(one == two, "pages differ");
    // 4500 samples of each of four systems are thinned out.
    assert!(one.len() < 700_000, "{}", one.len());
}

#[test]
fn a_sampled_flow_is_the_same_under_every_system() {
    let found = results("sample", WEB, &Quiet);
    let sample = report::page(&found.folder).unwrap().sample;
    assert!(sample.size.len() > 100);
    let is_whole = |column: &&Vec<Option<f64>>| column.iter().all(Option::is_some);
    assert_eq!(sample.slowdown.iter().filter(is_whole).count(), 4);
    // No flow is faster than alone on the empty path.
    assert!(sample.slowdown.iter().flatten().flatten().all(|&slowdown| slowdown >= 1.0));
}

#[test]
fn what_is_not_there_is_left_out() {
    let found = results("long", LONG, &Quiet);
    let page = report::page(&found.folder).unwrap();
    assert!(page.sizes.is_empty() && page.slowdowns.classes.is_empty() && page.metrics.is_empty());
    let totals = page.systems[0].totals.as_ref().unwrap();
    assert_eq!((totals.flows, totals.long_flows), (0, 2));
    assert!(totals.jain.unwrap() > 0.5);
    report::write(&found.folder, None).unwrap();
}

#[test]
fn what_was_watched_is_that_of_the_first_run() {
    let probes = |name: &str, text: &str| {
        let page = report::page(&results(name, text, &Quiet).folder).unwrap();
        serde_json::to_value(&page.metrics).unwrap()
    };
    let all = probes("all-runs", WEB);
    let first = probes("first-run", &WEB.replace("replications = 3", "replications = 1"));
    assert!(all == first, "what was watched differs");
    assert_eq!(all[0]["seed"], 1);
    assert_eq!(all[0]["name"], "left → right");
}

#[test]
fn a_page_of_interrupted_runs_has_a_warning() {
    let found = results("interrupted", WEB, &Cancelled);
    let page = report::page(&found.folder).unwrap();
    assert!(page.systems.iter().all(|system| system.totals.is_none()));
    let warning = page.warnings.iter().find(|warning| warning.code == "interrupted").unwrap();
    assert!(warning.text.contains("3 of tcp"), "{}", warning.text);
    report::write(&found.folder, None).unwrap();
}

#[test]
fn a_folder_without_results_is_an_error() {
    let empty = folder("empty");
    std::fs::create_dir_all(&empty).unwrap();
    let error = report::page(&empty).unwrap_err().to_string();
    assert!(error.contains("summary.json") && error.contains("sluice run"), "{error}");
    std::fs::write(empty.join("summary.json"), "{\"schema\": 1}").unwrap();
    let error = report::page(&empty).unwrap_err().to_string();
    assert!(error.contains("not a summary of this version"), "{error}");
}

#[test]
fn results_of_another_schema_are_an_error() {
    let found = results("another-schema", WEB, &Quiet);
    let summary = found.folder.join("summary.json");
    let text = std::fs::read_to_string(&summary).unwrap();
    std::fs::write(&summary, text.replacen("\"schema\": 1", "\"schema\": 2", 1)).unwrap();
    let error = report::page(&found.folder).unwrap_err().to_string();
    assert!(error.contains("its `schema` is 2, this version reads 1"), "{error}");
}

#[test]
fn the_page_of_a_sweep_has_the_values_of_its_summaries() {
    let folder =
        swept(Path::new("report/sweep"), "[sweep.over]\nload = [0.9, 0.3]\n\"stop\" = [\"5 s\"]\n");
    let page = sweep_page(&folder).unwrap();
    assert_eq!(
        (page.fields[0].path.as_str(), &page.fields[0].numbers),
        ("load", &Some(vec![0.3, 0.9]))
    );
    // The first point has the greater load.
    assert_eq!(page.points[0].values, [1, 0]);
    let measure = |name: &str| page.measures.iter().position(|one| one.name == name).unwrap();
    let summary = Summary::read(&folder.join("001")).unwrap();
    let tcp = &summary.protocols[1];
    let of_size = page.sizes.iter().position(|&label| label == "10-100 kB").unwrap();
    let found = page.points[0].found[measure("completion_p99")][of_size][1].clone().unwrap();
    let bin = tcp.by_size.iter().find(|bin| bin.from == 10_000).unwrap();
    let near = |a: f64, b: f64| (a / b - 1.0).abs() < 1e-4;
    assert!(near(found.0[0].unwrap(), bin.completion.p99.unwrap()));
    assert!(near(found.0[2].unwrap(), bin.completion.intervals.p99.unwrap()[1]));
    let throughput = page.points[0].found[measure("group.web.throughput")][0][1].clone().unwrap();
    assert!(near(throughput.0[0].unwrap(), tcp.groups[0].throughput));
}

#[test]
fn a_sweep_marks_the_points_to_doubt() {
    // Two flows a second of up to megabytes: few of a size, and some do not end.
    let folder = swept(
        Path::new("report/doubts"),
        "[sweep.over]\nload = [0.5]\nlimit = [\"5 s\", \"30 s\"]\n",
    );
    let page = sweep_page(&folder).unwrap();
    let reasons = |point: usize, name: &str, size: usize| -> Vec<&str> {
        let measure = page.measures.iter().position(|one| one.name == name).unwrap();
        let found = page.points[point].found[measure][size][1].as_ref().unwrap();
        found.1.iter().map(|&doubt| page.doubts[doubt].as_str()).collect()
    };
    let largest = page.sizes.len() - 1;
    let summary = Summary::read(&folder.join("001")).unwrap();
    let (left, ended) = (summary.protocols[1].unfinished, summary.protocols[1].all.flows);
    assert!(left > 0);
    let unfinished = format!("{left} of {} flows unfinished", left + ended);
    let at_limit = reasons(0, "completion_mean", largest);
    assert!(at_limit[0] == unfinished && at_limit.contains(&"fewer than 30 flows"), "{at_limit:?}");
    // Sizes of infinite variance: the mean of all has no interval, the median has.
    assert!(reasons(1, "completion_mean", 0).contains(&"no confidence interval"));
    let finished = reasons(1, "completion_p50", 0);
    assert!(finished.iter().all(|reason| reason.contains("requested load")), "{finished:?}");
    // Queues do not depend on flows that end later.
    assert!(!reasons(0, "mean_queue", 0).contains(&&*unfinished));
}

#[test]
fn a_page_is_never_made_of_a_damaged_file() {
    let found = results("damaged", LONG, &Quiet);
    let write = || report::write(&found.folder, None).map_err(|error| error.to_string());
    write().unwrap();
    let file = path_of(&found, "tcp-1", "flows.parquet");
    let whole = std::fs::read(&file).unwrap();
    let mut altered = whole.clone();
    altered[40] ^= 1;
    std::fs::write(&file, altered).unwrap();
    let says = "flows.parquet is not as it was written; run the scenario again to repair it";
    assert!(write().unwrap_err().ends_with(says));
    std::fs::write(&file, whole).unwrap();
    write().unwrap();
}
