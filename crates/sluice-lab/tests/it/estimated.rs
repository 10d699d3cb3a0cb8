//! Estimates by formulas, beside what runs measure.

use sluice_lab::{Estimate, PlanOverrides, table};

use crate::common::{folder, plan, results};

/// A link that Poisson arrivals load by half. Sizes are those of the grid of `sluice_sim::fixed_point`.
const HALF: &str = r#"
    schema = 1
    warm_up = "5 s"
    stop = "65 s"
    protocols = ["rcp", "ncp", "xcp", "tcp"]
    ideals = ["max_min"]
    [topology.dumbbell]
    capacity = "10 Mbps"
    rtt = "40 ms"
    [[group]]
    name = "web"
    from = "s0"
    to = "d0"
    poisson = { load = 0.5, sizes = { fixed = "20 packets" } }
"#;

/// Within the factors in which nine tenths of the dumbbells of the grid are (`sluice_sim::fixed_point`).
#[test]
fn summaries_have_estimates_near_what_runs_measure() {
    let (report, _) = results(&folder("estimated"), HALF, 2, "out");
    let factors = [("rcp", 1.72), ("ncp", 1.24), ("xcp", 1.27), ("tcp", 1.20), ("max_min", 1.15)];
    for (system, (name, factor)) in report.summary.systems().zip(factors) {
        assert_eq!(system.protocol.as_str(), name);
        let estimate = system.estimate.as_ref().unwrap();
        let measured = system.all.completion.mean.unwrap();
        let off = (estimate.completion / measured).ln().abs();
        assert!(off < f64::ln(factor), "{name}: {} s, {measured} s", estimate.completion);
        // All flows have one size.
        let [bin] = estimate.by_size[..] else { panic!("{estimate:?}") };
        assert_eq!((bin.from, bin.part), (system.by_size[0].from, 1.0));
        assert!((bin.completion / estimate.completion - 1.0).abs() < 1e-9);
    }
    let text = table::render(&report.summary, table::Style::Plain);
    assert!(text.contains("completion time, mean, estimated by formulas\n  rcp"), "{text}");
}

#[test]
fn what_has_no_model_has_no_estimate() {
    let overload = HALF.replace("load = 0.5", "load = 1.5").replace("65 s", "6 s");
    let (report, _) = results(&folder("estimated-overload"), &overload, 2, "out");
    assert!(report.summary.systems().all(|system| system.estimate.is_none()));
    let text = table::render(&report.summary, table::Style::Plain);
    assert!(!text.contains("estimated"), "{text}");
}

/// 500 pairs cross three links each way; 100 do too.
#[test]
fn summaries_wait_for_no_estimate_of_a_large_network() {
    let has = |pairs: usize| {
        let text = HALF
            .replace("65 s", "5.1 s")
            .replace("[topology.dumbbell]", &format!("[topology.dumbbell]\npairs = {pairs}"))
            .replace("from = \"s0\"\n    to = \"d0\"", "pairs = \"each\"")
            .replace(r#"["rcp", "ncp", "xcp", "tcp"]"#, r#"["tcp"]"#);
        let (report, _) = results(&folder(&format!("estimated-{pairs}")), &text, 2, "out");
        report.summary.protocols[0].estimate.is_some()
    };
    assert!(has(100) && !has(500));
}

/// M/G/1 processor sharing: beside an empty path, a flow of S bytes takes S / C rho / (1 - rho).
#[test]
fn max_min_on_one_link_is_processor_sharing() {
    let at = |load: &str| {
        let text = HALF.replace("load = 0.5", load);
        Estimate::of(&plan(&folder("estimated-ps"), &text, &PlanOverrides::default()))
    };
    let [idle, busy] = ["load = 0.2", "load = 0.6"].map(at);
    let mean = |found: &Estimate| found.systems.last().unwrap().completion.unwrap();
    let rho = |found: &Estimate| found.systems.last().unwrap().links[found.bottlenecks[0]].load;
    let sharing = |rho: f64| rho / (1.0 - rho);
    // 20 packets of 1000 bytes, without headers, at 10 Mb/s.
    let expected = 0.016 * (sharing(0.6) - sharing(0.2));
    let found = mean(&busy) - mean(&idle);
    assert!((found - expected).abs() < 1e-5, "{found} s, {expected} s");
    assert!((rho(&busy) - 0.6).abs() < 1e-9 && (rho(&idle) - 0.2).abs() < 1e-9);
}

#[test]
fn groups_and_links_have_the_names_of_the_scenario() {
    let text = HALF.replace("[[group]]", "[topology.dumbbell.queue]\nred = {}\n[[group]]");
    let found = Estimate::of(&plan(&folder("estimated-red"), &text, &PlanOverrides::default()));
    // The ideal has no queues.
    assert_eq!(found.systems.len(), 1);
    assert_eq!(found.not_modelled.len(), 4);
    let lacks = &found.not_modelled[0].lacks;
    assert!(lacks.iter().any(|lack| lack.field.ends_with(", queue")), "{lacks:?}");
    let text = table::not_modelled(&found.not_modelled);
    assert!(text.contains("no estimate of rcp, ncp, xcp, tcp:\n  link "), "{text}");
}
