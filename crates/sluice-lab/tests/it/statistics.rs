//! Confidence intervals and warnings in summaries and in the table of a sweep.

use std::path::Path;

use crate::common::{folder, plan, results};
use sluice_lab::scenario::{Document, Point};
use sluice_lab::{Method, Options, PlanOverrides, Quantiles, Summary, plan_sweep, table};

/// One link, with flows of these sizes at this load; `more` is placed at the top.
fn scenario(more: &str, sizes: &str) -> String {
    format!(
        r#"
        schema = 1
        protocols = ["tcp", "rcp"]
        warm_up = "1 s"
        stop = "4 s"
        {more}
        [topology.dumbbell]
        capacity = "100 Mbps"
        rtt = "20 ms"
        buffer = "unlimited"
        [[group]]
        name = "web"
        from = "s0"
        to = "d0"
        poisson = {{ load = 0.5, sizes = {{ {sizes} }} }}
        "#
    )
}

fn codes(report: &sluice_lab::Report) -> Vec<&str> {
    report.summary.warnings.iter().map(|warning| &warning.code[..]).collect()
}

const EXPONENTIAL: &str = "exponential = \"20 kB\"";
const FIXED: &str = "fixed = \"20 kB\"";
const HEAVY: &str = "pareto = { mean = \"20 kB\", shape = 1.2 }";

#[test]
fn runs_are_added_until_means_are_as_sure_as_asked() {
    let input = folder("precision");
    let asks = |relative: f64| {
        format!("seed = 5\nprecision = {{ relative = {relative}, max_runs = 30 }}\nideals = []")
    };
    let (report, _) = results(&input, &scenario(&asks(0.1), FIXED), 2, "out");
    let rcp = &report.summary.protocols[1];
    assert!((3..30).contains(&rcp.runs), "{} runs", rcp.runs);
    for bin in rcp.by_size.iter().filter(|bin| bin.flows >= 100) {
        let [low, high] = bin.completion.intervals.mean.unwrap();
        assert_eq!(bin.completion.intervals.method, Some(Method::Replications));
        assert!((high - low) / 2.0 <= 0.1 * bin.completion.mean.unwrap(), "{bin:?}");
    }
    assert!(!codes(&report).contains(&"precision_not_reached"));
    // The runs before the last batch were insufficient, or there would be no last batch.
    let coarse = report.summary.protocols[0].runs;
    let (finer, _) = results(&input, &scenario(&asks(0.03), FIXED), 2, "out");
    assert!(finer.summary.protocols[0].runs > coarse);
    assert_eq!(finer.reused, coarse * 2);
}

#[test]
fn max_runs_may_not_be_enough() {
    let input = folder("imprecise");
    let more = "precision = { relative = 0.001, max_runs = 4, on = \"p99\" }";
    let (report, _) = results(&input, &scenario(more, EXPONENTIAL), 2, "out");
    assert_eq!(report.summary.protocols[0].runs, 4);
    assert!(codes(&report).contains(&"precision_not_reached"));
}

#[test]
fn no_interval_is_claimed_for_a_mean_without_variance() {
    let input = folder("heavy");
    let (heavy, _) = results(&input, &scenario("replications = 3", HEAVY), 2, "heavy");
    let all = &heavy.summary.protocols[0].all.completion;
    assert!(all.mean.is_some() && all.intervals.mean.is_none() && all.intervals.p50.is_some());
    let small = &heavy.summary.protocols[0].by_size[0].completion;
    assert!(small.intervals.mean.is_some(), "of one size a mean has an interval");
    assert!(codes(&heavy).contains(&"infinite_variance"));
    let (light, _) = results(&input, &scenario("replications = 3", EXPONENTIAL), 2, "light");
    assert!(light.summary.protocols[0].all.completion.intervals.mean.is_some());
    assert!(!codes(&light).contains(&"infinite_variance"));
}

/// A flow every 20 ms, of one size: nothing is random.
fn without_randomness(more: &str) -> String {
    let text = scenario(more, FIXED);
    let text = text.replace("poisson = { load = 0.5,", "periodic = { every = \"20 ms\",");
    text + "\n[transport]\njitter = 0.0\n"
}

#[test]
fn runs_of_a_scenario_without_randomness_count_as_one() {
    let input = folder("no-randomness");
    let (five, _) = results(&input, &without_randomness("replications = 5"), 2, "five");
    let (one, _) = results(&input, &without_randomness(""), 2, "one");
    for (five, one) in five.summary.systems().zip(one.summary.systems()) {
        assert_eq!((five.runs, five.repeats, one.repeats), (1, 4, 0), "{}", five.protocol);
        assert_eq!((five.all.flows, five.all.completion), (one.all.flows, one.all.completion));
        assert_eq!(five.all.completion.intervals.mean, None);
    }
    let pair = &five.summary.pairs[0].all;
    assert_eq!((pair.flows, pair.ratio_interval), (one.summary.pairs[0].all.flows, None));
    let found = codes(&five);
    assert!(found.contains(&"no_randomness") && !found.contains(&"single_replication"));
    assert!(!codes(&one).contains(&"no_randomness"), "one run may be random");
    let text = table::render(&five.summary, table::Style::Plain);
    assert!(!text.contains("95 % interval"), "{text}");
    // More identical runs would never suffice.
    let asks = without_randomness("precision = { relative = 0.01, max_runs = 50 }");
    let (asked, _) = results(&input, &asks, 2, "asked");
    assert_eq!(asked.summary.protocols[0].repeats, 1);
    assert!(!codes(&asked).contains(&"precision_not_reached"));
}

/// Each figure of a distribution that has an interval, with that interval.
fn intervals(found: &Quantiles) -> Vec<(f64, [f64; 2])> {
    let Quantiles { mean, p50, p99, p999, intervals, .. } = found;
    let ends = [intervals.mean, intervals.p50, intervals.p99, intervals.p999];
    let figures = [mean, p50, p99, p999].into_iter().zip(ends);
    figures.filter_map(|(figure, ends)| Some(((*figure)?, ends?))).collect()
}

/// For two runs, Student's t is 12.7 standard errors wide on each side: most of these intervals
/// would reach below zero.
#[test]
fn no_interval_includes_impossible_values() {
    let (found, _) = results(&folder("possible"), &scenario("replications = 2", HEAVY), 2, "out");
    let (mut all, mut wide) = (0, 0);
    for bin in found.summary.systems().flat_map(|system| &system.by_size) {
        for (measure, min) in
            [(&bin.completion, 0.0), (&bin.slowdown, 1.0), (&bin.ideal_ratio, 0.0)]
        {
            for (figure, [low, high]) in intervals(measure) {
                assert!(low >= min && low <= high && high.is_finite(), "{figure}: {low} {high}");
                all += 1;
                // By more than e^2: the standard error is more than the distance to the minimum.
                wide += u32::from((high - min) > 7.4 * (low - min));
            }
        }
    }
    assert!(all > 100 && wide > 10, "{wide} of {all}");
}

/// The table of a sweep over values of one field, and the summaries of its points.
fn swept(name: &str, text: String, field: &str, values: &str) -> (String, Vec<Summary>) {
    let mut document = Document::new("sweep.toml", text, "sweep");
    document.vary("--vary", field, values);
    let points = plan_sweep(&document, Path::new(""), &PlanOverrides::default()).unwrap();
    let out = folder(name).join("out");
    let reports = sluice_lab::sweep(&points, &out, &Options::default(), &()).unwrap();
    let summaries: Vec<Summary> = reports.into_iter().map(|report| report.summary).collect();
    let rows: Vec<(Point, &Summary)> =
        points.iter().zip(&summaries).map(|((at, _), found)| (at.clone(), found)).collect();
    (table::sweep(&rows), summaries)
}

#[test]
fn a_sweep_names_the_link_that_limits_flows_where_it_differs() {
    let text = scenario("ideals = []", FIXED).replace("load = 0.5", "load = 0.03");
    let used = |name, values| -> Vec<String> {
        let (table, _) = swept(name, text.clone(), "topology.dumbbell.access", values);
        let lines = table.lines().skip_while(|line| *line != "bottleneck utilization").skip(1);
        let lines: Vec<String> = lines.take(3).map(str::to_owned).collect();
        assert!(lines.len() == 3, "{table}");
        lines
    };
    let [_, slow, fast] = &used("differ", "5 Mbps, 1 Gbps")[..] else { unreachable!() };
    assert!(slow.ends_with("  s0->left") && fast.ends_with("  left->right"), "{slow}, {fast}");
    assert!(used("same", "1 Gbps, 2 Gbps").iter().all(|line| !line.contains("->")));
}

#[test]
fn a_sweep_shows_the_intervals_and_doubts_of_its_points_and_sizes() {
    let text = scenario("replications = 2", HEAVY).replace("load = 0.5", "load = \"$load\"")
        + "[variables]\nload = 0.5\n";
    let (text, summaries) = swept("sweep", text, "load", "0.3, 0.6");
    // There is no interval over all sizes, but one for each size: two columns, at both points.
    let block = |name: &str| {
        let lines = text.lines().skip_while(|line| *line != name).skip(1);
        lines.take_while(|line| line.starts_with(' ') && !line.starts_with("  95 %")).count()
    };
    let rows_of_point = 1 + summaries[0].systems().count();
    assert_eq!(block("  95 % interval, lower end"), 2 * rows_of_point, "{text}");
    assert!(text.contains("\nwarning: at every point: Pareto flow sizes"), "{text}");
    let few = summaries.iter().flat_map(|found| &found.warnings);
    for warning in few {
        let begin: String = warning.text.chars().take(40).collect();
        assert!(text.contains(&begin), "{begin}");
    }
    assert!(text.lines().all(|line| line.chars().count() <= 100), "{text}");
}

#[test]
fn doubtful_results_have_warnings() {
    let input = folder("doubts");
    // The flows that arrive in the last 10 ms cannot all finish by the limit.
    let more = "limit = \"4 s\"";
    let (report, _) = results(&input, &scenario(more, "fixed = \"300 kB\""), 2, "out");
    let found = codes(&report);
    for code in ["single_replication", "unfinished"] {
        assert!(found.contains(&code), "{found:?}");
    }
    // Biased completion times come before missing intervals.
    assert_eq!(found[0], "unfinished");
    assert!(report.summary.warnings.is_sorted_by_key(|warning| warning.severity));
    // 62 flows of 300 kB are the average load of 3 s.
    let offered = report.summary.protocols[0].offered;
    assert_eq!(found.contains(&"load_differs"), (offered / 50e6 - 1.0).abs() > 0.05, "{offered}");
}

#[test]
fn overload_counts_every_group_that_crosses_a_link() {
    let group = |name: &str, load: f64| {
        format!(
            "[[group]]\nname = \"{name}\"\nfrom = \"s0\"\nto = \"d0\"\n\
             poisson = {{ load = {load}, sizes = {{ fixed = \"10 kB\" }} }}\n"
        )
    };
    let warnings = |loads: &[f64], schedule: &str| -> Vec<String> {
        let groups = loads.iter().enumerate().map(|(i, &load)| group(&format!("g{i}"), load));
        let text = format!(
            "schema = 1\nprotocols = [\"rcp\"]\nwarm_up = \"1 s\"\nstop = \"2 s\"\nheader = \"200 B\"\n\
             [topology.dumbbell]\ncapacity = \"10 Mbps\"\nrtt = \"20 ms\"\n{schedule}\n{}",
            groups.collect::<String>()
        );
        let plan = plan(&folder("overloaded-link"), &text, &PlanOverrides::default());
        plan.warnings().into_iter().map(|warning| warning.text).collect()
    };
    // Data at 0.8 of the capacity fill it: a fifth of each packet is headers.
    assert_eq!(warnings(&[0.8], ""), [""; 0]);
    let over = warnings(&[0.6, 0.3], "");
    // The hosts' links are ten times as fast.
    assert!(over[0].contains("link left->right is 112 % of its capacity: queues grow"), "{over:?}");
    // While flows are measured, the mean is half of the nominal capacity.
    let falls = "schedule = { steps = [[\"1 s\", \"8 Mbps\"], [\"1.5 s\", \"2 Mbps\"]] }";
    let over = warnings(&[0.6], falls);
    let expected = "link left->right is 150 % of its mean capacity while flows are measured";
    assert!(over[0].contains(expected), "{over:?}");
    let rises = "schedule = { steps = [[\"1 s\", \"20 Mbps\"]] }";
    assert_eq!(warnings(&[0.6, 0.6], rises), [""; 0]);
}

/// The analytic result assumes fluid flows at one link.
#[test]
fn theory_and_the_fluid_agree() {
    let input = folder("theory");
    let text = scenario("replications = 20", EXPONENTIAL).replace("\"tcp\", ", "");
    let (report, _) = results(&input, &text, 2, "out");
    let theory = report.summary.analytic.as_ref().unwrap();
    assert!((theory.load - 0.5).abs() < 1e-9);
    let fluid = &report.summary.ideals[0];
    assert_eq!(theory.all.flows, fluid.all.flows);
    for (theory, fluid) in theory.by_size.iter().zip(&fluid.by_size).filter(|(t, _)| t.flows > 100)
    {
        let [low, high] = fluid.completion.intervals.mean.unwrap();
        let half = (high - low) / 2.0;
        // One interval in twenty misses by chance; none by this much.
        assert!((low - half..high + half).contains(&theory.completion), "{theory:?} {fluid:?}");
    }
    // A second link that is as slow and carries other flows violates the assumptions.
    let two = "schema = 1\nstop = \"2 s\"\nprotocols = [\"rcp\"]\n\
        topology.dumbbell = { capacity = \"20 Mbps\", rtt = \"10 ms\" }\n\
        [[group]]\nname = \"a\"\nfrom = \"s0\"\nto = \"d0\"\n\
        poisson = { load = 0.4, sizes.fixed = \"10 kB\" }\n\
        [[group]]\nname = \"b\"\nfrom = \"d0\"\nto = \"s0\"\n\
        poisson = { load = 0.4, sizes.fixed = \"10 kB\" }\n";
    assert!(results(&input, two, 2, "two").0.summary.analytic.is_none());
    let varies = &text.replace("rtt =", "schedule.steps = [[\"2 s\", \"80 Mbps\"]]\nrtt =");
    assert!(results(&input, varies, 2, "varies").0.summary.analytic.is_none());
}

#[test]
fn pairs_compare_the_same_flows() {
    let input = folder("pairs");
    let (report, _) = results(&input, &scenario("replications = 2", EXPONENTIAL), 2, "out");
    let [pair] = &report.summary.pairs[..] else { panic!("one pair") };
    let [tcp, rcp] = &report.summary.protocols[..] else { panic!("two protocols") };
    assert_eq!((pair.first, pair.second), (tcp.protocol, rcp.protocol));
    assert_eq!((tcp.unfinished, rcp.unfinished), (0, 0));
    assert_eq!(pair.all.flows, tcp.all.flows);
    // All flows finished under both, so the difference equals that of the means.
    let difference = rcp.all.completion.mean.unwrap() - tcp.all.completion.mean.unwrap();
    assert!((pair.all.difference - difference).abs() < 1e-9);
    assert!(pair.all.ratio < 1.0 && pair.all.faster > 0.5, "{pair:?}");
}

#[test]
fn long_flows_are_compared_by_throughput_with_intervals() {
    let text = r#"
        schema = 1
        protocols = ["rcp", "tcp"]
        ideals = []
        replications = 3
        stop = "3 s"
        topology.dumbbell = { capacity = "10 Mbps", rtt = "40 ms", error = 0.002 }
        [[group]]
        name = "long"
        from = "s0"
        to = "d0"
        long = { count = 2 }
    "#;
    let (report, _) = results(&folder("long-flows"), text, 2, "out");
    let long = report.summary.pairs[0].long.unwrap();
    assert_eq!(long.flows, 6);
    // Two flows from the beginning to the end, so half of the group's throughput each.
    let of_group = |number: usize| report.summary.protocols[number].groups[0].throughput / 2.0;
    assert!((long.first / of_group(0) - 1.0).abs() < 1e-9);
    assert!((long.second / of_group(1) - 1.0).abs() < 1e-9);
    let [low, high] = long.ratio_interval.unwrap();
    assert!(low < long.ratio.unwrap() && long.ratio.unwrap() < high, "{long:?}");
    let text = table::comparison(&report.summary);
    let block = |heading: &str| {
        text.lines().skip_while(|line| !line.starts_with(heading)).collect::<Vec<_>>()
    };
    let absolute = block("throughput of a long flow (mean), 95 % interval");
    assert!(absolute[1].contains("rcp") && absolute[1].contains(" to "), "{text}");
    let relative = block("throughput of long flows relative to rcp");
    assert!(relative[1].trim_start().starts_with("tcp") && relative.len() == 2, "{text}");
}
