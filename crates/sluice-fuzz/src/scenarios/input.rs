//! Random scenarios with random `--set` and `--vary`, read as the command reads them.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use sluice_lab::scenario::{Document, FileError, Source};
use sluice_lab::{Plan, PlanOverrides};

use super::mutate::{mutate, value, values};
use super::stock::{Stock, any, place};
use crate::pulse::beat;

/// Input of the command line.
#[derive(Debug)]
pub struct Input {
    /// The scenario's text.
    pub text: String,
    /// Values of `--set` and `--vary`, in order.
    pub settings: Vec<Setting>,
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
#[derive(Debug)]
pub enum Reached {
    /// Not a scenario; an error gives the reason.
    Refused,
    /// A scenario or a sweep that cannot be run; an error gives the reason.
    Scenario,
    /// A scenario, or the last point of a sweep, that can be run.
    Planned(Box<Plan>),
}

/// The folder of the small scenarios and of the files that they name.
pub static CORPUS: LazyLock<PathBuf> =
    LazyLock::new(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus"));
static STOCK: LazyLock<Stock> = LazyLock::new(|| {
    let wrong = Path::new(env!("CARGO_MANIFEST_DIR")).join("../sluice-lab/tests/wrong");
    Stock::new(&CORPUS, &wrong)
});

impl Input {
    /// The input of that number.
    pub fn new(number: u64) -> Self {
        let mut draw = Xoshiro256PlusPlus::seed_from_u64(number);
        let of = if draw.random_bool(0.8) { &STOCK.small } else { &STOCK.texts };
        let mut text = any(of, &mut draw).to_owned();
        for _ in 0..draw.random_range(0..=4) {
            mutate(&mut text, &STOCK, &mut draw);
        }
        let count = if draw.random_bool(0.2) { draw.random_range(1..=3) } else { 0 };
        let settings = (0..count).map(|_| Setting::new(&mut draw)).collect();
        Self { text, settings }
    }

    /// A scenario's text without settings.
    pub fn of_text(text: String) -> Self {
        Self { text, settings: Vec::new() }
    }

    /// Reads and plans the input as the command does, including the printing of errors.
    ///
    /// # Panics
    ///
    /// Where the reader panics, an error has no message, or a scenario does not read back.
    pub fn read(&self) -> Reached {
        let document = self.document();
        let source = document.source().map_err(check_error).ok();
        let points = document.points().map_err(check_error).unwrap_or_default();
        beat();
        let last = points.into_iter().last().map(|(point, source)| {
            assert!(!point.to_string().is_empty());
            source
        });
        let Some(source) = last.or(source) else { return Reached::Refused };
        plan(&source).map_or(Reached::Scenario, |plan| Reached::Planned(Box::new(plan)))
    }

    fn document(&self) -> Document {
        let mut document = Document::new("fuzz.toml", &self.text[..], "fuzz");
        for Setting { varies, path, value } in &self.settings {
            if *varies {
                document.vary("--vary", path, value);
            } else {
                document.set("--set", path, value);
            }
        }
        document
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

/// The scenario as it would be run. Its text as stored with results reads back as the same scenario.
fn plan(source: &Source) -> Option<Plan> {
    let plan = Plan::of(source, CORPUS.clone(), &PlanOverrides::default());
    let plan = plan.map_err(check_error).ok()?;
    beat();
    let text = plan.scenario.to_toml().unwrap_or_else(|error| panic!("{error}"));
    let again = Source::parse("again.toml", &text, "fuzz");
    let again = again.unwrap_or_else(|error| panic!("written and not read: {error}"));
    assert_eq!(again.scenario.topology, plan.scenario.topology);
    assert_eq!(again.scenario.link, plan.scenario.link);
    assert_eq!(again.scenario.parameters, plan.scenario.parameters);
    Some(plan)
}

/// Errors have a message and a place.
fn check_error(error: FileError) {
    let text = error.to_string();
    assert!(text.starts_with("error: "), "{text}");
}
