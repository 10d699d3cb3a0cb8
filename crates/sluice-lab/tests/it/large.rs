//! Short scenarios with very large values, at and beyond the limits.

use std::path::PathBuf;

use sluice_lab::scenario::Document;
use sluice_lab::{Plan, PlanOverrides};

const SMALL: &str = r#"
schema = 1
stop = "1 s"

[topology.dumbbell]
capacity = "10 Mbps"
rtt = "40 ms"

[[group]]
name = "web"
pairs = "each"
long = {}
"#;

fn document() -> Document {
    Document::new("large.toml", SMALL, "large")
}

#[test]
fn as_many_pairs_as_are_allowed_are_planned() {
    let mut document = document();
    document.set("--set", "topology.dumbbell.pairs", "10000");
    let source = document.source().unwrap();
    let plan = Plan::of(&source, PathBuf::new(), &PlanOverrides::default()).unwrap();
    assert_eq!(plan.groups.len(), 10_000);
}

#[test]
fn as_many_points_as_are_allowed_are_read() {
    let mut document = document();
    document.vary("--vary", "seed", "{ from = 1, to = 10000, steps = 10000 }");
    assert_eq!(document.points().unwrap().len(), 10_000);
}

#[test]
fn deep_paths_and_tables_are_refused() {
    for depth in [100, 10_000, 1_000_000] {
        let path = vec!["a"; depth].join(".");
        let mut set = document();
        set.set("--set", &path, "1");
        assert!(set.source().is_err());
        let mut varied = document();
        varied.vary("--vary", &path, "1");
        assert!(varied.points().is_err());
        for text in [
            format!("{SMALL}\n{path} = 1"),
            format!("{SMALL}\n[{path}]"),
            format!("{SMALL}\nx = {}1{}", "[".repeat(depth), "]".repeat(depth)),
            format!("{SMALL}\nx = {}1{}", "{ a = ".repeat(depth), "}".repeat(depth)),
        ] {
            assert!(Document::new("deep.toml", text, "deep").source().is_err());
        }
    }
}
