//! The ready scenario `overlay`: rates of NCP before and after the change, which `sluice-overlay demo` has as well.

use std::path::Path;

use crate::common::{self, Quiet, folder, path_of, rows};
use parquet::record::RowAccessor;
use sluice_lab::ready::Ready;
use sluice_lab::{Options, PlanOverrides, run};

/// Rates of the three flows in Mb/s of whole packets, under this equation, in the 4 s before `end`, in seconds.
fn rates(counted: &str, end: u64) -> Vec<f64> {
    let text = Ready::find("overlay").unwrap().text;
    let changes = [
        ("protocols = [\"ncp\", \"rcp\", \"xcp\", \"tcp\"]", "protocols = [\"ncp\"]\nideals = []"),
        ("warm_up = \"2 s\"", &format!("warm_up = \"{} s\"", end - 4)),
        ("stop = \"12 s\"", &format!("stop = \"{end} s\"")),
        ("limit = \"12 s\"", &format!("limit = \"{end} s\"")),
        ("counted = \"eq12\"", &format!("counted = \"{counted}\"")),
    ];
    let text = changes.iter().fold(text.to_owned(), |text, (from, to)| {
        assert!(text.contains(from), "{from}");
        text.replace(from, to)
    });
    let plan = common::plan(Path::new(""), &text, &PlanOverrides::default());
    let folder = folder(&format!("overlay-{counted}-{end}"));
    let report = run(&plan, &folder.join("out"), &Options::default(), &Quiet).unwrap();
    let flows = rows(&path_of(&report, "ncp-1", "flows.parquet"));
    // Of each packet of 1000 bytes 957 are data.
    let rate = |bytes: i64| bytes as f64 * 1000.0 / 957.0 * 8.0 / 4.0 / 1e6;
    flows.iter().map(|flow| rate(flow.get_long(12).unwrap())).collect()
}

/// Target 0.95 of 4 and 6 Mb/s, after the change of 2 and 6. By (8) the flow over both links counts as one at the
/// second, too. By (12) rates swing, hence the wider bound; (8) would give the third flow a quarter less.
#[test]
fn an_overlay_has_equal_shares_by_eq_8_and_nearly_max_min_ones_by_eq_12() {
    for (counted, end, shares, error) in [
        ("eq8", 6, [1.9, 1.9, 2.85], 0.02),
        ("eq8", 12, [0.95, 0.95, 2.85], 0.02),
        ("eq12", 6, [1.9, 1.9, 3.8], 0.15),
        ("eq12", 12, [0.95, 0.95, 4.75], 0.15),
    ] {
        let rates = rates(counted, end);
        assert_eq!(rates.len(), shares.len());
        for (rate, share) in rates.iter().zip(shares) {
            assert!((rate / share - 1.0).abs() < error, "{counted}, {end} s: {rates:?}");
        }
    }
}
