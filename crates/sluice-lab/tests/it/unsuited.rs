//! Warnings about flows whose law does not suit their path: nothing marks their packets, or their RTT is too long.

use crate::common::{folder, plan};
use sluice_lab::PlanOverrides;

/// The warnings of a dumbbell with this queue at its bottleneck, for these protocols, in a folder of that name.
fn warnings(case: &str, protocols: &str, queue: &str, more: &str) -> Vec<String> {
    let text = format!(
        r#"
schema = 1
protocols = [{protocols}]
stop = "1 s"
{more}

[topology.dumbbell]
capacity = "10 Mbps"
rtt = "20 ms"
queue = {queue}

[[group]]
name = "flows"
rtt = "20 ms"
long = {{ count = 2 }}
"#
    );
    let plan = plan(&folder(case), &text, &PlanOverrides::default());
    plan.warnings()
        .into_iter()
        .map(|warning| format!("{}: {}", warning.code, warning.text))
        .collect()
}

fn unmarked(runs: &str) -> Vec<String> {
    vec![format!(
        "no_marks: in runs of {runs}, packets of group `flows` are ECN-capable, but no link on their paths \
         marks packets: senders learn of congestion by losses only. `threshold`, and active queue \
         management with `ecn`, mark packets"
    )]
}

#[test]
fn flows_that_nothing_marks_are_reported() {
    let none: [String; 0] = [];
    let all = r#""dctcp", "prague", "tcp""#;
    assert_eq!(warnings("unmarked", all, r#""drop_tail""#, ""), unmarked("dctcp and prague"));
    assert_eq!(warnings("unmarked", all, r#""drr""#, ""), unmarked("dctcp and prague"));
    assert_eq!(
        warnings("unmarked", all, "{ red = { ecn = false } }", ""),
        unmarked("dctcp and prague")
    );
    for queue in ["red", "pie", "rem", "avq", "codel", "fq_codel", "dualpi2"] {
        assert_eq!(warnings("unmarked", all, &format!("\"{queue}\""), ""), none, "{queue}");
    }
    let threshold = r#"{ threshold = { mark_above = "10 packets" } }"#;
    assert_eq!(warnings("unmarked", all, threshold, ""), none);
    // Protocols whose packets are ECN-capable only if the scenario says so.
    assert_eq!(
        warnings("unmarked", r#""tcp""#, r#""drop_tail""#, "tcp.ecn = true"),
        unmarked("tcp")
    );
    assert_eq!(warnings("unmarked", r#""tcp", "rcp""#, r#""drop_tail""#, ""), none);
}

#[test]
fn flows_whose_rtt_exceeds_the_target_of_their_law_are_reported() {
    let far = "rtt_above_target: in runs of swift, the RTT of group `flows` is 20 ms without a queue, above the delay \
               that swift aims at, 28 us: such flows slow down, to `min_cwnd` at worst; `swift.base_target` raises it";
    let drop_tail = r#""drop_tail""#;
    assert_eq!(warnings("too-far", r#""rcp", "swift""#, drop_tail, ""), [far]);
    let none: [String; 0] = [];
    assert_eq!(warnings("too-far", r#""swift""#, drop_tail, "swift.base_target = \"20 ms\""), none);
}

#[test]
fn agents_that_fail_honest_flows_or_test_none_are_reported() {
    let police =
        |police: &str| format!("link = [{{ from = \"left\", to = \"right\", police = {police} }}]");
    let drop_tail = r#""drop_tail""#;
    let far = "rtt_above_police: in runs of xcp, the RTT of group `flows` is 20 ms without a queue, above the \
               `longest_rtt` of the agent at link left->right, 10 ms: its flows fail tests though they keep to their law";
    let short = police("{ longest_rtt = \"10 ms\" }");
    assert_eq!(warnings("policed", r#""xcp", "tcp""#, drop_tail, &short), [far]);
    let none: [String; 0] = [];
    assert_eq!(warnings("policed", r#""xcp", "tcp""#, drop_tail, &police("{}")), none);
    let idle = "nothing_to_police: no flows of xcp cross link left->right or another with `police`: agents test no \
                others";
    assert_eq!(warnings("policed", r#""tcp""#, drop_tail, &police("{}")), [idle]);
}

/// NCP-S among long flows, and among flows of some size, whose traffic is `more`.
#[test]
fn a_queue_that_ncp_s_drains_too_fast_is_reported() {
    let codes = |beta: &str, counted: &str, traffic: &str| {
        let text = format!(
            r#"
schema = 1
protocols = ["rcp", "ncp"]
stop = "1 s"
ncp = {{ counted = "{counted}", beta = {beta} }}

[topology.dumbbell]
capacity = "10 Mbps"
rtt = "20 ms"

[[group]]
name = "flows"
rtt = "20 ms"
{traffic}
"#
        );
        let plan = plan(&folder("swinging"), &text, &PlanOverrides::default());
        let found = plan.warnings().into_iter().filter(|warning| warning.code == "ncp_s_swings");
        found.map(|warning| warning.text).collect::<Vec<_>>()
    };
    let none: [String; 0] = [];
    let (long, alone) = ("long = { count = 2 }", "long = { count = 1 }");
    let sized = "poisson = { load = 0.8, sizes = { fixed = \"100 kB\" } }";
    for (traffic, settles, swings) in [(long, "0.1", "0.2"), (sized, "0.7", "0.8")] {
        assert_eq!(codes(settles, "eq6", traffic), none);
        let found = codes(swings, "eq6", traffic);
        let start =
            "in runs of ncp, R of group `flows` swings ever more: `counted = \"eq6\"` has no";
        assert!(found[0].starts_with(start), "{found:?}");
        assert!(found[0].contains(&format!("`beta = {swings}`")), "{found:?}");
        assert_eq!(codes(swings, "eq8", traffic), none);
    }
    assert_eq!(codes("1", "eq6", alone), none);
}
