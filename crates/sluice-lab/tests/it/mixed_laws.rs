//! Router laws that only some links or classes have, in scenarios.

use crate::common::{folder, plan};
use sluice_lab::scenario::Source;
use sluice_lab::{Plan, PlanOverrides};

/// Two links in a row with these `router`s, the second with priority; the group has these further lines.
fn scenario(routers: [&str; 2], group: &str) -> String {
    let [first, second] = routers;
    format!(
        r#"
schema = 1
protocols = ["rcp", "tcp"]
stop = "1 s"
rcp.desired_rate = "4 Mbps"
xcp.desired_rate = "4 Mbps"

[[topology.link]]
from = "a"
to = "b"
capacity = "10 Mbps"
delay = "5 ms"
router = {first}

[[topology.link]]
from = "b"
to = "c"
capacity = "10 Mbps"
delay = "5 ms"
queue = "priority"
router = {second}

[[group]]
name = "flows"
from = "a"
to = "c"
long = {{}}
{group}
"#
    )
}

fn warnings(routers: [&str; 2], group: &str) -> Vec<String> {
    let text = scenario(routers, group);
    let plan = plan(&folder("mixed-laws"), &text, &PlanOverrides::default());
    plan.warnings()
        .into_iter()
        .map(|warning| format!("{}: {}", warning.code, warning.text))
        .collect()
}

/// A bottleneck that admits nobody carries more than is left of it.
#[test]
fn a_narrower_link_that_admits_nobody_is_reported() {
    let over = |capacities: [&str; 2]| {
        let links = [("a", "b", "[\"xcp\", \"xcp_guaranteed\"]"), ("b", "c", "false")];
        let link = |((from, to, router), capacity): ((&str, &str, &str), &str)| {
            format!(
                "[[topology.link]]\nfrom = \"{from}\"\nto = \"{to}\"\nboth_ways = true\ncapacity = \"{capacity}\"\ndelay = \"10 ms\"\n\
                 queue = {{ priority = {{}} }}\nrouter = {router}\n"
            )
        };
        let links: String = links.into_iter().zip(capacities).map(link).collect();
        let text = format!(
            "schema = 1\nprotocols = [\"xcp\"]\nideals = []\nstop = \"1 s\"\n{links}\
             [[group]]\nname = \"flows\"\nfrom = \"a\"\nto = \"c\"\nclass = 1\n\
             protocol = \"xcp_guaranteed\"\nprofile = \"1 Mbps\"\nlong = {{}}\n"
        );
        let plan = plan(&folder("reserved"), &text, &PlanOverrides::default());
        let found = plan.warnings().into_iter();
        found.map(|warning| format!("{}: {}", warning.code, warning.text)).collect::<Vec<_>>()
    };
    let none: [String; 0] = [];
    assert_eq!(over(["10 Mbps", "10 Mbps"]), none);
    let reported = "no_admission: in runs of xcp, the path of group `flows` has a link of 2 Mbps without the router \
                    law of xcp_guaranteed, narrower than those with it, 10 Mbps: flows are admitted that it cannot \
                    carry";
    assert_eq!(over(["10 Mbps", "2 Mbps"]), [reported]);
}

#[test]
fn flows_that_no_link_limits_are_reported() {
    let unlimited = |run, law| {
        format!(
            "no_router_law: in runs of {run}, no link on the paths of group `flows` has the router law of \
             {law}: such flows send what they request, which only `desired_rate` bounds"
        )
    };
    let none: [String; 0] = [];
    // One link of the path is enough.
    assert_eq!(warnings(["true", "false"], ""), none);
    assert_eq!(warnings(["false", "\"rcp\""], ""), none);
    assert_eq!(warnings(["false", "false"], ""), [unlimited("rcp", "rcp")]);
    assert_eq!(warnings(["\"xcp\"", "\"ncp\""], ""), [unlimited("rcp", "rcp")]);
    // A group's own protocol, in whatever run.
    assert_eq!(warnings(["true", "true"], "protocol = \"xcp\""), [unlimited("rcp", "xcp")]);
    assert_eq!(warnings(["true", "\"xcp\""], "protocol = \"xcp\""), none);
    assert_eq!(warnings(["false", "false"], "protocol = \"cubic\""), none);
    let silent = "no_router_law: in runs of rcp, no link on the paths of group `flows` has the router law of hpcc: \
                  such flows get no telemetry, and send at the rate of their first link";
    assert_eq!(warnings(["false", "false"], "protocol = \"hpcc\""), [silent]);
    assert_eq!(warnings(["false", "\"hpcc\""], "protocol = \"hpcc\""), none);
    // Laws over classes: that of the group's.
    assert_eq!(warnings(["false", "[false, true]"], ""), [unlimited("rcp", "rcp")]);
    assert_eq!(warnings(["false", "[false, true]"], "class = 1"), none);
    assert_eq!(warnings(["false", "[false, true]"], "class = 7"), none);
}

#[test]
fn flows_that_revert_are_reported() {
    let warnings = |routers, group: &str| {
        let text = scenario(routers, &format!("protocol = \"xcp\"\n{group}"));
        let text = text.replace("xcp.desired_rate = \"4 Mbps\"", "xcp.fallback = true");
        let plan = plan(&folder("reverting"), &text, &PlanOverrides::default());
        let found = plan.warnings().into_iter();
        found.map(|warning| format!("{}: {}", warning.code, warning.text)).collect::<Vec<_>>()
    };
    let none: [String; 0] = [];
    let reverts = |links: &str| {
        format!(
            "reverting: in runs of rcp, flows of group `flows` revert to `tcp` where their path has link \
             {links}: `fallback` counts all links, and these do not run the router law"
        )
    };
    // Long flows need no `desired_rate` where they revert.
    assert_eq!(warnings(["\"xcp\"", "\"xcp\""], ""), none);
    assert_eq!(warnings(["\"xcp\"", "[false, \"xcp\"]"], "class = 1"), none);
    assert_eq!(warnings(["true", "\"xcp\""], ""), [reverts("a->b")]);
    assert_eq!(warnings(["false", "[false, \"xcp\"]"], ""), [reverts("a->b and another link")]);
    let receiver = "reverting: in runs of rcp, flows of group `flows` revert to `tcp`: their receiver does not \
                    know the protocol";
    let conventional = "conduct = { conventional_receiver = true }";
    assert_eq!(warnings(["\"xcp\"", "\"xcp\""], conventional), [receiver]);
}

/// Two paths of two links from a to b, whose second links have these `router`s.
#[test]
fn sprayed_flows_check_paths_that_are_alike() {
    let is_refused = |[one, other]: [&str; 2]| {
        let link = |(from, to, router): (&str, &str, &str)| {
            format!(
                "[[topology.link]]\nfrom = \"{from}\"\nto = \"{to}\"\ncapacity = \"20 Mbps\"\n\
                 delay = \"5 ms\"\nboth_ways = true\nrouter = {router}\n"
            )
        };
        let links = [("a", "p", "true"), ("a", "q", "true"), ("p", "b", one), ("q", "b", other)];
        let text = format!(
            "schema = 1\nprotocols = [\"xcp\"]\nideals = []\nstop = \"1 s\"\nxcp.fallback = true\n{}\
             [[group]]\nname = \"flows\"\nfrom = \"a\"\nto = \"b\"\nrouting = \"spray\"\nlong = {{}}\n",
            links.map(link).concat()
        );
        let source = Source::parse("test.toml", &text, "test").unwrap();
        let plan = Plan::of(&source, folder("sprayed"), &PlanOverrides::default());
        plan.is_err_and(|error| error.to_string().contains("fallback"))
    };
    assert!(!is_refused(["true", "true"]));
    // All revert.
    assert!(!is_refused(["false", "false"]));
    assert!(is_refused(["true", "false"]));
    assert!(is_refused(["\"rcp\"", "true"]));
}

/// TCP in the class of XCP's law.
#[test]
fn flows_in_the_queue_of_another_protocol_are_reported() {
    let warnings = |queue: &str, group: &str| {
        let text = scenario(["true", "[false, \"xcp\"]"], group);
        let text = text.replace("queue = \"priority\"", &format!("queue = \"{queue}\""));
        let plan = plan(&folder("misplaced"), &text, &PlanOverrides::default());
        let found = plan.warnings().into_iter().filter(|warning| warning.code == "misplaced");
        found.map(|warning| warning.text).collect::<Vec<_>>()
    };
    let tcp = |class| format!("protocol = \"tcp\"\nclass = {class}");
    let expected = "in runs of rcp, flows of group `flows` follow `tcp` in class 1, which at link b->c is for \
                    `xcp`, whose flows give way to them; class 0 has the queue for them";
    assert_eq!(warnings("tcp_friendly", &tcp(1)), [expected]);
    let none: [String; 0] = [];
    assert_eq!(warnings("tcp_friendly", &tcp(0)), none);
    assert_eq!(warnings("tcp_friendly", "protocol = \"xcp\"\nclass = 1"), none);
    assert_eq!(warnings("priority", &tcp(1)), none);
}
