//! Damaged result files cause an error or a new run, never a panic.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use crate::common::{Quiet, SCENARIO, files, folder, plan, results};
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use sluice_lab::{Options, PlanOverrides, export, report, run};

/// Number of times that each file is damaged.
const TIMES: usize = 150;

/// The first files of each kind, by their paths in the folder of results.
fn of_each_kind(out: &Path) -> Vec<PathBuf> {
    let mut kinds = std::collections::BTreeMap::new();
    for (name, _) in files(out) {
        if name.ends_with(".json") || name.ends_with(".parquet") {
            let kind = name.rsplit('/').next().unwrap().to_owned();
            kinds.entry(kind).or_insert_with(|| out.join(name));
        }
    }
    kinds.into_values().collect()
}

fn damaged(whole: &[u8], draw: &mut Xoshiro256PlusPlus) -> Vec<u8> {
    let mut bytes = whole.to_vec();
    for _ in 0..draw.random_range(1..4) {
        // The footer of a Parquet file describes its contents.
        let from = if draw.random_bool(0.7) { bytes.len().saturating_sub(2_000) } else { 0 };
        let at = draw.random_range(from..bytes.len());
        match draw.random_range(0..8) {
            0 => bytes.truncate(at.max(1)),
            1 => bytes[at] = 0xff,
            2 => bytes[at] = b'9',
            _ => bytes[at] ^= 1 << draw.random_range(0..8),
        }
    }
    bytes
}

#[test]
fn damaged_results_make_nothing_panic() {
    let input = folder("damaged");
    let text = SCENARIO.replace("replications = 2", "replications = 1\nprotocols = [\"tcp\"]");
    results(&input, &text, 2, "out");
    let out = input.join("out");
    let plan = plan(&input, &text, &PlanOverrides::default());
    let mut draw = Xoshiro256PlusPlus::seed_from_u64(1);
    for file in of_each_kind(&out) {
        let whole = std::fs::read(&file).unwrap();
        for time in 0..TIMES {
            let bytes = damaged(&whole, &mut draw);
            std::fs::write(&file, &bytes).unwrap();
            // A custom law may be anything; this plan has none.
            let read = catch_unwind(AssertUnwindSafe(|| {
                _ = report::page(&out);
                _ = export(&file, &mut std::io::sink());
                if file.ends_with("run.json") && time < 20 {
                    let options = Options { threads: 1, again: false, ..Options::default() };
                    _ = run(&plan, &out, &options, &Quiet);
                }
            }));
            if read.is_err() {
                let kept = input.join("damaged");
                std::fs::write(&kept, &bytes).unwrap();
                panic!("{} as in {}, time {time}", file.display(), kept.display());
            }
            std::fs::write(&file, &whole).unwrap();
        }
    }
}
