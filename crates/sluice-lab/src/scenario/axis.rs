//! The values that one field of a sweep takes: a list, or a range with steps.

use std::borrow::Cow;
use std::ops::Range;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::deserialize::read_all;
use super::problem::Problem;

/// The largest number of points that a sweep may have, and an axis of it.
pub const MAX_POINTS: usize = 10_000;

/// A range, `{ from = "1 ms", to = "1 s", steps = 4, log = true }`: values evenly spaced, or with
/// `log` spaced by a constant ratio, both ends included.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Steps {
    /// The first value: a number, or a number with a unit.
    pub from: RangeEnd,
    /// The last value, with the same unit.
    pub to: RangeEnd,
    /// Number of values; required unless they are drawn at random, where `points` is their number.
    pub steps: Option<usize>,
    /// Whether values are spaced by a constant ratio, which needs both ends above 0; `false` by
    /// default.
    #[serde(default)]
    pub log: bool,
}

/// A number, or a number with a unit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum RangeEnd {
    /// Without a unit.
    Number(f64),
    /// With one: `"10 Mbps"`.
    Text(String),
}

/// A value that an axis takes.
#[derive(Clone, Debug)]
pub(super) enum AxisValue<'t> {
    /// An item of a list.
    Listed(Spanned<DeValue<'t>>),
    /// A value of the range written at these bytes, as TOML.
    Computed(Range<usize>, String),
}

impl AxisValue<'_> {
    /// The value with its bytes.
    pub fn value(&self) -> Spanned<DeValue<'_>> {
        match self {
            Self::Listed(value) => value.clone(),
            Self::Computed(span, text) => {
                let value = DeValue::parse(text).map(Spanned::into_inner);
                // A number, or a number and a unit in quotes: both are TOML.
                Spanned::new(span.clone(), value.unwrap_or(DeValue::Boolean(false)))
            }
        }
    }

    /// The value as `--set` takes it: strings without quotes.
    pub fn shown(&self) -> String {
        match self.value().into_inner() {
            DeValue::String(text) => text.into_owned(),
            DeValue::Integer(number) => number.to_string(),
            DeValue::Float(number) => number.to_string(),
            DeValue::Boolean(is) => is.to_string(),
            DeValue::Array(items) => {
                let items = items.into_iter().map(|item| AxisValue::Listed(item).shown());
                format!("[{}]", items.collect::<Vec<_>>().join(", "))
            }
            DeValue::Table(table) => {
                let entry = |(key, value): (Spanned<Cow<'_, str>>, _)| {
                    format!("{} = {}", key.get_ref(), AxisValue::Listed(value).shown())
                };
                format!("{{ {} }}", table.into_iter().map(entry).collect::<Vec<_>>().join(", "))
            }
            DeValue::Datetime(time) => time.to_string(),
        }
    }
}

/// The values that a field is swept over.
pub(super) enum Axis<'t> {
    List(Vec<Spanned<DeValue<'t>>>),
    Range(CheckedRange),
}

/// A range whose ends and steps are valid.
pub(super) struct CheckedRange {
    span: Range<usize>,
    from: f64,
    to: f64,
    unit: String,
    /// Whether both ends are whole numbers: then values between them are written so where they are.
    whole: bool,
    steps: usize,
    log: bool,
}

impl<'t> Axis<'t> {
    /// Reads the values of a field in `[sweep.over]`. A range needs no steps if values are drawn.
    pub fn new(values: &Spanned<DeValue<'t>>, drawn: bool) -> Result<Self, Problem> {
        let span = values.span();
        match values.get_ref() {
            DeValue::Array(items) if items.iter().next().is_some() => {
                Ok(Self::List(items.iter().cloned().collect()))
            }
            DeValue::Table(table) => range(table, span, drawn),
            _ => {
                let help = "e.g. `[0.5, 0.7]`, or `{ from = \"1 ms\", to = \"1 s\", steps = 4 }`";
                Err(Problem::at(span, "expected a list of values or a range").with_help(help))
            }
        }
    }

    /// How many values there are.
    pub fn len(&self) -> usize {
        match self {
            Self::List(items) => items.len(),
            Self::Range(range) => range.steps,
        }
    }

    /// Value `i`, from 0.
    pub fn at(&self, i: usize) -> AxisValue<'t> {
        match self {
            Self::List(items) => AxisValue::Listed(items[i].clone()),
            Self::Range(range) => range.at(i as f64 / (range.steps - 1) as f64),
        }
    }

    /// The value for a draw `unit` from [0, 1).
    pub fn draw(&self, unit: f64) -> AxisValue<'t> {
        match self {
            Self::List(items) => {
                let i = (unit * items.len() as f64) as usize;
                AxisValue::Listed(items[i.min(items.len() - 1)].clone())
            }
            Self::Range(range) => range.at(unit),
        }
    }
}

impl CheckedRange {
    /// The value at this fraction of the range.
    fn at<'t>(&self, fraction: f64) -> AxisValue<'t> {
        let Self { from, to, .. } = *self;
        let value = if self.log {
            libm::exp(libm::log(from) + fraction * (libm::log(to) - libm::log(from)))
        } else {
            from + fraction * (to - from)
        };
        // Six digits: 0.1, not 0.1 + 1e-17.
        let value: f64 = format!("{value:.5e}").parse().unwrap_or(value);
        let text = match &self.unit[..] {
            "" if value.fract() == 0.0 && self.whole => format!("{value}"),
            "" => format!("{value:?}"),
            unit => toml::Value::String(format!("{value} {unit}")).to_string(),
        };
        AxisValue::Computed(self.span.clone(), text)
    }
}

fn range<'t>(table: &DeTable<'t>, span: Range<usize>, drawn: bool) -> Result<Axis<'t>, Problem> {
    let mut problems = Vec::new();
    let steps = read_all(table.clone(), &span, &[], &mut problems);
    let (Some(Steps { from, to, steps, log }), None) = (steps, problems.first()) else {
        let first = problems.into_iter().next();
        return Err(first.unwrap_or_else(|| Problem::at(span, "invalid range")));
    };
    let wrong = |what: &str| Err(Problem::at(span.clone(), what));
    let (Some((from, unit)), Some((to, other))) = (from.split(), to.split()) else {
        return wrong("`from` and `to` must be numbers, with a unit if the field has one");
    };
    if let (true, Some(key)) = (drawn, table.keys().find(|key| key.get_ref() == "steps")) {
        let help = "remove `steps`, and set the number of draws with `points`";
        let what = "`steps` is for even spacing, but `how` is \"random\"";
        return Err(Problem::at(key.span(), what).with_help(help));
    }
    if unit != other {
        return wrong("`from` and `to` must have the same unit");
    }
    if log && (from <= 0.0 || to <= 0.0) {
        return wrong("with `log = true`, `from` and `to` must be above 0");
    }
    let steps = match steps {
        Some(steps) if (2..=MAX_POINTS).contains(&steps) => steps,
        Some(_) => return wrong(&format!("`steps` must be 2 to {MAX_POINTS}")),
        None if drawn => 2,
        None => return wrong("missing field `steps`"),
    };
    let whole = from.fract() == 0.0 && to.fract() == 0.0;
    Ok(Axis::Range(CheckedRange { span, from, to, unit, whole, steps, log }))
}

impl RangeEnd {
    /// Number and unit.
    fn split(&self) -> Option<(f64, String)> {
        let (number, unit) = match self {
            Self::Number(number) => (*number, String::new()),
            Self::Text(text) => {
                let text = text.trim();
                let digits = |c: char| c.is_ascii_digit() || "+-.".contains(c);
                let end = text.find(|c| !digits(c)).unwrap_or(text.len());
                (text[..end].parse().ok()?, text[end..].trim().to_owned())
            }
        };
        number.is_finite().then_some((number, unit))
    }
}
