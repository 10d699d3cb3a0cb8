//! Flows of Pareto sizes under two protocols, once or at the points of a sweep.

use std::path::{Path, PathBuf};

use sluice_lab::scenario::Document;
use sluice_lab::{Options, PlanOverrides, plan_sweep};

use super::Quiet;

pub const WEB: &str = r#"
schema = 1
protocols = ["rcp", "tcp"]
replications = 3
warm_up = "500 ms"
stop = "5 s"
limit = "30 s"

[topology.dumbbell]
pairs = 2
capacity = "20 Mbps"
rtt = ["20 ms", "60 ms"]

[[group]]
name = "web"
pairs = "each"
poisson = { load = 0.5, sizes = { pareto = { mean = "30 packets", shape = 1.35 } } }

[[metrics]]
link = ["left", "right"]
every = "1 ms"
"#;

/// Makes a sweep of [`WEB`], whose load is the variable `load`, in a folder of this name.
pub fn swept(name: &Path, sweep: &str) -> PathBuf {
    let with_variable = WEB.replace("load = 0.5", "load = \"$load\"");
    let text = format!("{with_variable}[variables]\nload = 0.5\n{sweep}");
    let document = Document::new("test.toml", text, "test");
    let points = plan_sweep(&document, Path::new(""), &PlanOverrides::default()).unwrap();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    if folder.exists() {
        std::fs::remove_dir_all(&folder).unwrap();
    }
    std::fs::create_dir_all(&folder).unwrap();
    sluice_lab::sweep(&points, &folder, &Options::default(), &Quiet).unwrap();
    folder
}
