//! `[sweep]`: a scenario at many points, where fields or variables take one value after the other.
//!
//! ```toml
//! [sweep]
//! how = "grid"            # every combination (default); "list": side by side; "random"
//! [sweep.over]
//! load = [0.5, 0.7, 0.9]                                                     # a variable
//! "topology.dumbbell.rtt" = { from = "1 ms", to = "1 s", steps = 4, log = true }
//! ```

use std::ops::Range;

use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toml::Spanned;
use toml::de::DeValue;

use super::axis::{Axis, Chosen, MOST};
use super::deserialize::each;
use super::problem::Problem;

/// How the values of several fields go together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum How {
    /// Every combination; the field that stands last changes fastest.
    #[default]
    Grid,
    /// The first values together, then the second ones, and so on.
    List,
    /// Each drawn at random and independently, from its list or range.
    Random,
}

/// The fields of `[sweep]` beside `over`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Ways {
    /// How the values of several fields go together: `"grid"` by default.
    #[serde(default)]
    pub how: How,
    /// With `how = "random"`: how many points; 10 by default.
    pub points: Option<usize>,
    /// With `how = "random"`: names the draws; 1 by default.
    pub seed: Option<u64>,
}

/// One point of a sweep: what each swept field is there, as a person writes it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Point(pub Vec<(String, String)>);

impl Point {
    pub(super) fn of(settings: &[Setting<'_>]) -> Self {
        Self(settings.iter().map(|set| (set.path.clone(), set.value.shown())).collect())
    }
}

impl std::fmt::Display for Point {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let parts: Vec<String> =
            self.0.iter().map(|(path, value)| format!("{path}={value}")).collect();
        f.write_str(&parts.join(", "))
    }
}

/// A field's value at a point.
#[derive(Clone, Debug)]
pub(super) struct Setting<'t> {
    pub path: String,
    /// Where the path stands.
    pub place: Range<usize>,
    pub value: Chosen<'t>,
}

/// What is swept, and how.
#[derive(Default)]
pub(super) struct Sweep<'t> {
    ways: Ways,
    over: Vec<(String, Range<usize>, Spanned<DeValue<'t>>)>,
}

impl<'t> Sweep<'t> {
    /// Reads `[sweep]`.
    pub fn new(value: Option<Spanned<DeValue<'t>>>, problems: &mut Vec<Problem>) -> Self {
        let Some(value) = value else { return Self::default() };
        let place = value.span();
        let DeValue::Table(mut table) = value.into_inner() else {
            problems
                .push(Problem::at(place, "`sweep` is a table: `[sweep.over]`, then a line each"));
            return Self::default();
        };
        let over = table.remove("over").map(|over| (over.span(), over.into_inner()));
        let ways = each(table, place.end, &["over"], problems).unwrap_or_default();
        let mut sweep = Self { ways, over: Vec::new() };
        match over {
            Some((_, DeValue::Table(table))) => {
                let entry = |(key, value): (Spanned<std::borrow::Cow<'_, str>>, _)| {
                    (key.get_ref().to_string(), key.span(), value)
                };
                sweep.over = table.into_iter().map(entry).collect();
                sweep.over.sort_by_key(|(_, place, _)| place.start);
            }
            Some((place, _)) => {
                problems.push(Problem::at(place, "`over` is a table: fields, and values for each"));
            }
            None => {
                let what = "nothing is swept: name fields and their values in `[sweep.over]`";
                problems.push(Problem::at(place, what));
            }
        }
        sweep
    }

    /// Takes other ways.
    pub fn set_ways(&mut self, ways: Spanned<DeValue<'t>>, problems: &mut Vec<Problem>) {
        let place = ways.span();
        match ways.into_inner() {
            DeValue::Table(table) => {
                self.ways = each(table, place.end, &[], problems).unwrap_or_default();
            }
            _ => problems.push(Problem::at(place, "the ways of a sweep are a table")),
        }
    }

    /// Sweeps this field too, or over these values instead.
    pub fn add(&mut self, path: &str, place: Range<usize>, values: Spanned<DeValue<'t>>) {
        self.remove(path);
        self.over.push((path.into(), place, values));
    }

    /// Sweeps this field no longer.
    pub fn remove(&mut self, path: &str) {
        self.over.retain(|(swept, ..)| swept != path);
    }

    /// What is set at each point, in order; no point if nothing is swept.
    pub fn points(&self) -> Result<Vec<Vec<Setting<'t>>>, Vec<Problem>> {
        if self.over.is_empty() {
            return Ok(Vec::new());
        }
        let mut problems = Vec::new();
        let axes: Vec<Axis<'t>> = self
            .over
            .iter()
            .filter_map(|(_, _, values)| {
                Axis::new(values, self.ways.how == How::Random)
                    .map_err(|problem| problems.push(problem))
                    .ok()
            })
            .collect();
        if !problems.is_empty() {
            return Err(problems);
        }
        let chosen = match self.ways.how {
            How::Grid => self.grid(&axes),
            How::List => self.list(&axes),
            How::Random => self.random(&axes),
        };
        let chosen = chosen.map_err(|problem| vec![problem])?;
        Ok(chosen.into_iter().map(|values| self.settings(values)).collect())
    }

    fn settings(&self, values: Vec<Chosen<'t>>) -> Vec<Setting<'t>> {
        let setting = |((path, place, _), value): (&(String, Range<usize>, _), _)| Setting {
            path: path.clone(),
            place: place.clone(),
            value,
        };
        self.over.iter().zip(values).map(setting).collect()
    }

    fn grid(&self, axes: &[Axis<'t>]) -> Result<Vec<Vec<Chosen<'t>>>, Problem> {
        let count = axes.iter().try_fold(1_usize, |n, axis| n.checked_mul(axis.len()));
        let count = self.bounded(count.unwrap_or(usize::MAX))?;
        let value = |mut index: usize| {
            let mut values: Vec<_> = axes
                .iter()
                .rev()
                .map(|axis| {
                    let value = axis.at(index % axis.len());
                    index /= axis.len();
                    value
                })
                .collect();
            values.reverse();
            values
        };
        Ok((0..count).map(value).collect())
    }

    fn list(&self, axes: &[Axis<'t>]) -> Result<Vec<Vec<Chosen<'t>>>, Problem> {
        let count = axes[0].len();
        if let Some(other) = axes.iter().position(|axis| axis.len() != count) {
            let (path, _, values) = &self.over[other];
            let what = format!(
                "with `how = \"list\"` values go side by side, but `{}` has {count} and `{path}` {}",
                self.over[0].0,
                axes[other].len(),
            );
            return Err(Problem::at(values.span(), what));
        }
        Ok((0..self.bounded(count)?)
            .map(|i| axes.iter().map(|axis| axis.at(i)).collect())
            .collect())
    }

    fn random(&self, axes: &[Axis<'t>]) -> Result<Vec<Vec<Chosen<'t>>>, Problem> {
        let count = self.bounded(self.ways.points.unwrap_or(10))?;
        let mut stream = Xoshiro256PlusPlus::seed_from_u64(self.ways.seed.unwrap_or(1));
        let mut draw = || axes.iter().map(|axis| axis.draw(stream.random())).collect();
        Ok((0..count).map(|_| draw()).collect())
    }

    fn bounded(&self, count: usize) -> Result<usize, Problem> {
        let place = self.over[0].1.clone();
        match count {
            0 => Err(Problem::at(place, "a sweep has at least one point")),
            1..=MOST => Ok(count),
            _ => Err(Problem::at(place, format!("a sweep has at most {MOST} points"))),
        }
    }
}
