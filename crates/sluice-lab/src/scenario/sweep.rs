//! `[sweep]`: a scenario at several points, each with other values of some fields or variables.
//!
//! ```toml
//! [sweep]
//! how = "grid"            # every combination (default); "list": item by item; "random"
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
use toml::de::{DeTable, DeValue};

use super::axis::{Axis, AxisValue, MAX_POINTS};
use super::deserialize::read_all;
use super::problem::Problem;

/// How the values of several fields are combined.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SweepMode {
    /// Every combination; the last field changes fastest.
    #[default]
    Grid,
    /// The first values of all fields, then the second ones, and so on.
    List,
    /// Each value drawn independently at random from its list or range.
    Random,
}

impl SweepMode {
    fn as_str(self) -> &'static str {
        match self {
            Self::Grid => "grid",
            Self::List => "list",
            Self::Random => "random",
        }
    }
}

/// The fields of `[sweep]` beside `over`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SweepOptions {
    /// How the values of several fields are combined; `"grid"` by default.
    #[serde(default)]
    pub how: SweepMode,
    /// With `how = "random"`: number of points; 10 by default.
    pub points: Option<usize>,
    /// With `how = "random"`: seed of the draws; 1 by default.
    pub seed: Option<u64>,
}

/// One point of a sweep: path and value of each swept field, as `--set` takes them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Point(pub Vec<(String, String)>);

impl Point {
    pub(super) fn of(assignments: &[Assignment<'_>]) -> Self {
        Self(assignments.iter().map(|set| (set.path.clone(), set.value.shown())).collect())
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
pub(super) struct Assignment<'t> {
    pub path: String,
    /// The bytes of the path.
    pub span: Range<usize>,
    pub value: AxisValue<'t>,
}

/// The fields swept, and their values.
#[derive(Default)]
pub(super) struct Sweep<'t> {
    options: SweepOptions,
    over: Vec<(String, Range<usize>, Spanned<DeValue<'t>>)>,
}

impl<'t> Sweep<'t> {
    /// Reads `[sweep]`.
    pub fn new(value: Option<Spanned<DeValue<'t>>>, problems: &mut Vec<Problem>) -> Self {
        let Some(value) = value else { return Self::default() };
        let span = value.span();
        let DeValue::Table(mut table) = value.into_inner() else {
            problems.push(Problem::at(
                span,
                "expected a table: `[sweep.over]`, then a line for each field",
            ));
            return Self::default();
        };
        let over = table.remove("over").map(|over| (over.span(), over.into_inner()));
        let options = read_options(table, &span, &["over"], problems);
        let mut sweep = Self { options, over: Vec::new() };
        match over {
            Some((_, DeValue::Table(table))) => {
                let entry = |(key, value): (Spanned<std::borrow::Cow<'_, str>>, _)| {
                    (key.get_ref().to_string(), key.span(), value)
                };
                sweep.over = table.into_iter().map(entry).collect();
                sweep.over.sort_by_key(|(_, span, _)| span.start);
            }
            Some((span, _)) => {
                problems.push(Problem::at(span, "expected a table of fields and their values"));
            }
            None => {
                let what = "missing table `[sweep.over]`: the fields to sweep and their values";
                problems.push(Problem::at(span, what));
            }
        }
        sweep
    }

    /// Replaces the options.
    pub fn set_options(&mut self, options: Spanned<DeValue<'t>>, problems: &mut Vec<Problem>) {
        let span = options.span();
        match options.into_inner() {
            DeValue::Table(table) => {
                self.options = read_options(table, &span, &[], problems);
            }
            _ => problems.push(Problem::at(span, "expected a table of options")),
        }
    }

    /// Sweeps a field over these values, and no others.
    pub fn add(&mut self, path: &str, span: Range<usize>, values: Spanned<DeValue<'t>>) {
        self.remove(path);
        self.over.push((path.into(), span, values));
    }

    /// Stops sweeping a field.
    pub fn remove(&mut self, path: &str) {
        self.over.retain(|(swept, ..)| swept != path);
    }

    /// The assignments of each point, in order; no point if nothing is swept.
    pub fn points(&self) -> Result<Vec<Vec<Assignment<'t>>>, Vec<Problem>> {
        if self.over.is_empty() {
            return Ok(Vec::new());
        }
        let mut problems = Vec::new();
        let axes: Vec<Axis<'t>> = self
            .over
            .iter()
            .filter_map(|(_, _, values)| {
                Axis::new(values, self.options.how == SweepMode::Random)
                    .map_err(|problem| problems.push(problem))
                    .ok()
            })
            .collect();
        if !problems.is_empty() {
            return Err(problems);
        }
        let chosen = match self.options.how {
            SweepMode::Grid => self.grid(&axes),
            SweepMode::List => self.list(&axes),
            SweepMode::Random => self.random(&axes),
        };
        let chosen = chosen.map_err(|problem| vec![problem])?;
        Ok(chosen.into_iter().map(|values| self.assignments(values)).collect())
    }

    fn assignments(&self, values: Vec<AxisValue<'t>>) -> Vec<Assignment<'t>> {
        let assignment = |((path, span, _), value): (&(String, Range<usize>, _), _)| Assignment {
            path: path.clone(),
            span: span.clone(),
            value,
        };
        self.over.iter().zip(values).map(assignment).collect()
    }

    fn grid(&self, axes: &[Axis<'t>]) -> Result<Vec<Vec<AxisValue<'t>>>, Problem> {
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

    fn list(&self, axes: &[Axis<'t>]) -> Result<Vec<Vec<AxisValue<'t>>>, Problem> {
        let count = axes[0].len();
        if let Some(other) = axes.iter().position(|axis| axis.len() != count) {
            let (path, _, values) = &self.over[other];
            let what = format!(
                "with `how = \"list\"`, all fields must have the same number of values: `{}` has \
                 {count}, `{path}` has {}",
                self.over[0].0,
                axes[other].len(),
            );
            return Err(Problem::at(values.span(), what));
        }
        Ok((0..self.bounded(count)?)
            .map(|i| axes.iter().map(|axis| axis.at(i)).collect())
            .collect())
    }

    fn random(&self, axes: &[Axis<'t>]) -> Result<Vec<Vec<AxisValue<'t>>>, Problem> {
        let count = self.options.points.unwrap_or(10);
        let mut stream = Xoshiro256PlusPlus::seed_from_u64(self.options.seed.unwrap_or(1));
        let mut draw = || axes.iter().map(|axis| axis.draw(stream.random())).collect();
        Ok((0..count).map(|_| draw()).collect())
    }

    fn bounded(&self, count: usize) -> Result<usize, Problem> {
        if count > MAX_POINTS {
            let what = format!("{count} points are too many: at most {MAX_POINTS}");
            return Err(Problem::at(self.over[0].1.clone(), what));
        }
        Ok(count)
    }
}

/// Reads the options in `table`.
fn read_options(
    table: DeTable<'_>,
    span: &Range<usize>,
    extra_fields: &[&str],
    problems: &mut Vec<Problem>,
) -> SweepOptions {
    let before = problems.len();
    let given = table.clone();
    let options = read_all(table, span, extra_fields, problems).unwrap_or_default();
    // After an error, the options are not those that were meant.
    if problems.len() == before {
        check_options(&options, &given, problems);
    }
    options
}

/// Checks options read from `given`.
fn check_options(options: &SweepOptions, given: &DeTable<'_>, problems: &mut Vec<Problem>) {
    if options.how != SweepMode::Random {
        let how = options.how.as_str();
        let by_default = if given.contains_key("how") { "" } else { " by default" };
        let of_draws = given.keys().filter(|key| ["points", "seed"].contains(&&**key.get_ref()));
        problems.extend(of_draws.map(|key| {
            let name = key.get_ref();
            let what = format!("`{name}` is for random draws, but `how` is \"{how}\"{by_default}");
            let help = format!("set `how = \"random\"`, or remove `{name}`");
            Problem::at(key.span(), what).with_help(help)
        }));
    } else if let (Some(points), Some(value)) = (options.points, given.get("points"))
        && !(1..=MAX_POINTS).contains(&points)
    {
        let what = format!("must be 1 to {MAX_POINTS}, not {points}");
        problems.push(Problem::at(value.span(), what));
    }
}
