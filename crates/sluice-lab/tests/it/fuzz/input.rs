//! Random scenarios with random `--set` and `--vary`, read as the command reads them.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use sluice_lab::scenario::{Document, FileError, Source};
use sluice_lab::{Plan, PlanOverrides};

use super::mutate::{mutate, value, values};
use super::stock::{Stock, any, place};

/// One of this many inputs is planned, if it is a scenario.
pub const PLANNED_OF: u64 = 2;

/// Input of the command line.
#[derive(Debug)]
pub struct Input {
    /// The scenario's text.
    pub text: String,
    /// Values of `--set` and `--vary`, in order.
    pub settings: Vec<Setting>,
    /// Whether it is planned too.
    is_planned: bool,
}

/// A `--set` or `--vary`.
#[derive(Debug)]
pub struct Setting {
    /// Whether it is a `--vary`.
    pub varies: bool,
    /// Path of the field.
    pub path: String,
    /// Its value or values.
    pub value: String,
}

/// How far an input got.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reached {
    /// Not a scenario; an error gives the reason.
    Refused,
    /// A scenario or a sweep.
    Scenario,
    /// A consistent scenario that could be run.
    Planned,
}

static WRONG: LazyLock<PathBuf> =
    LazyLock::new(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/wrong"));
static STOCK: LazyLock<Stock> = LazyLock::new(|| Stock::new(&WRONG));

impl Input {
    /// The input of that number: the same for the same seed.
    pub fn new(seed: u64, number: u64) -> Self {
        let mut draw = Xoshiro256PlusPlus::seed_from_u64(seed ^ number.rotate_left(32));
        let mut text = any(&STOCK.texts, &mut draw).to_owned();
        for _ in 0..draw.random_range(0..=3) {
            mutate(&mut text, &STOCK, &mut draw);
        }
        let count = if draw.random_bool(0.3) { draw.random_range(1..=3) } else { 0 };
        let settings = (0..count).map(|_| Setting::new(&mut draw)).collect();
        Self { text, settings, is_planned: number.is_multiple_of(PLANNED_OF) }
    }

    /// Reads the input as the command does, including the printing of errors.
    pub fn read(&self) -> Reached {
        let mut document = Document::new("fuzz.toml", &self.text[..], "fuzz");
        for Setting { varies, path, value } in &self.settings {
            if *varies {
                document.vary("--vary", path, value);
            } else {
                document.set("--set", path, value);
            }
        }
        let source = document.source().map_err(check_error).ok();
        let points = document.points().map_err(check_error).unwrap_or_default();
        let last = points.last().map(|(point, source)| {
            assert!(!point.to_string().is_empty());
            source
        });
        let sources: Vec<&Source> = source.iter().chain(last).collect();
        if sources.is_empty() {
            return Reached::Refused;
        }
        let planned =
            self.is_planned && sources.into_iter().filter(|source| plans(source)).count() > 0;
        if planned { Reached::Planned } else { Reached::Scenario }
    }
}

impl Setting {
    fn new(draw: &mut Xoshiro256PlusPlus) -> Self {
        let mut path = any(&STOCK.paths, draw).to_owned();
        if draw.random_bool(0.2) {
            let at = place(&path, draw);
            let odd = ["", ".", "[", "]", "[18446744073709551616]", "µ", "\n", " ", "\"", ".a.a"];
            path.insert_str(at, odd[draw.random_range(0..odd.len())]);
        }
        let varies = draw.random_bool(0.5);
        let mut value = if varies { values(&STOCK, draw) } else { value(&STOCK, draw) };
        if draw.random_bool(0.5) {
            value = value.trim_matches(['[', ']', '"']).to_owned();
        }
        Self { varies, path, value }
    }
}

/// Whether the scenario could be run. If so, its text as stored with results reads back as the same
/// scenario.
fn plans(source: &Source) -> bool {
    match Plan::of(source, WRONG.clone(), &PlanOverrides::default()) {
        Ok(plan) => {
            let text = plan.scenario.to_toml().unwrap_or_else(|error| panic!("{error}"));
            let again = Source::parse("again.toml", &text, "fuzz");
            let again = again.unwrap_or_else(|error| panic!("written and not read: {error}"));
            assert_eq!(again.scenario.topology, plan.scenario.topology);
            true
        }
        Err(error) => {
            check_error(error);
            false
        }
    }
}

/// Errors have a message and a place.
fn check_error(error: FileError) {
    let text = error.to_string();
    assert!(text.starts_with("error: "), "{text}");
}
