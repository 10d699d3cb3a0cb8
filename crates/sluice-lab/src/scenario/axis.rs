//! The values that one field of a sweep takes: a list, or a range with steps.

use std::borrow::Cow;
use std::ops::Range;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::deserialize::each;
use super::problem::Problem;

/// The most points that a sweep may have, and an axis of it.
pub(super) const MOST: usize = 10_000;

/// A range: `{ from = "1 ms", to = "1 s", steps = 4, log = true }`: values in even steps, both ends
/// included, or in even ratios.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Steps {
    /// The first value: a number, or a number with a unit.
    pub from: Value,
    /// The last one, with the same unit.
    pub to: Value,
    /// How many values; needed unless they are drawn at random.
    pub steps: Option<usize>,
    /// Whether they are spread by ratio; `false` by default. Both ends are above 0 then.
    #[serde(default)]
    pub log: bool,
}

/// A number, or a number with a unit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Value {
    /// Without a unit.
    Number(f64),
    /// With one: `"10 Mbps"`.
    Text(String),
}

/// A value of an axis.
#[derive(Clone, Debug)]
pub(super) enum Chosen<'t> {
    /// One that stands in a list.
    Listed(Spanned<DeValue<'t>>),
    /// One of the range that stands there, as TOML.
    Made(Range<usize>, String),
}

impl Chosen<'_> {
    /// The value, at its place.
    pub fn value(&self) -> Spanned<DeValue<'_>> {
        match self {
            Self::Listed(value) => value.clone(),
            Self::Made(place, text) => {
                let value = DeValue::parse(text).map(Spanned::into_inner);
                // A number, or a number and a unit in quotes: both are TOML.
                Spanned::new(place.clone(), value.unwrap_or(DeValue::Boolean(false)))
            }
        }
    }

    /// The value as a person writes it: texts without quotes.
    pub fn shown(&self) -> String {
        match self.value().into_inner() {
            DeValue::String(text) => text.into_owned(),
            DeValue::Integer(number) => number.to_string(),
            DeValue::Float(number) => number.to_string(),
            DeValue::Boolean(is) => is.to_string(),
            DeValue::Array(items) => {
                let items = items.into_iter().map(|item| Chosen::Listed(item).shown());
                format!("[{}]", items.collect::<Vec<_>>().join(", "))
            }
            DeValue::Table(table) => {
                let entry = |(key, value): (Spanned<Cow<'_, str>>, _)| {
                    format!("{} = {}", key.get_ref(), Chosen::Listed(value).shown())
                };
                format!("{{ {} }}", table.into_iter().map(entry).collect::<Vec<_>>().join(", "))
            }
            DeValue::Datetime(time) => time.to_string(),
        }
    }
}

/// What a field is swept over.
pub(super) enum Axis<'t> {
    List(Vec<Spanned<DeValue<'t>>>),
    Range(Checked),
}

/// A range that makes sense.
pub(super) struct Checked {
    place: Range<usize>,
    from: f64,
    to: f64,
    unit: String,
    /// Whether both ends are whole numbers: so are values between them, where they can be.
    whole: bool,
    steps: usize,
    log: bool,
}

impl<'t> Axis<'t> {
    /// Reads what stands beside a field in `[sweep.over]`. A range needs no steps where values are
    /// drawn.
    pub fn new(values: &Spanned<DeValue<'t>>, drawn: bool) -> Result<Self, Problem> {
        let place = values.span();
        match values.get_ref() {
            DeValue::Array(items) if items.iter().next().is_some() => {
                Ok(Self::List(items.iter().cloned().collect()))
            }
            DeValue::Table(table) => range(table, place, drawn),
            _ => Err(Problem {
                help: Some(
                    "`[0.5, 0.7]`, or `{ from = \"1 ms\", to = \"1 s\", steps = 4, log = true }`"
                        .into(),
                ),
                ..Problem::at(place, "a field is swept over a list of values, or a range")
            }),
        }
    }

    /// How many values there are.
    pub fn len(&self) -> usize {
        match self {
            Self::List(items) => items.len(),
            Self::Range(range) => range.steps,
        }
    }

    /// The value number `i`.
    pub fn at(&self, i: usize) -> Chosen<'t> {
        match self {
            Self::List(items) => Chosen::Listed(items[i].clone()),
            Self::Range(range) => range.at(i as f64 / (range.steps - 1) as f64),
        }
    }

    /// The value that a draw from [0, 1) makes.
    pub fn draw(&self, unit: f64) -> Chosen<'t> {
        match self {
            Self::List(items) => {
                let i = (unit * items.len() as f64) as usize;
                Chosen::Listed(items[i.min(items.len() - 1)].clone())
            }
            Self::Range(range) => range.at(unit),
        }
    }
}

impl Checked {
    /// The value at this part of the range.
    fn at<'t>(&self, part: f64) -> Chosen<'t> {
        let Self { from, to, .. } = *self;
        let value = if self.log {
            libm::exp(libm::log(from) + part * (libm::log(to) - libm::log(from)))
        } else {
            from + part * (to - from)
        };
        // Six figures, as a person would write them.
        let value: f64 = format!("{value:.5e}").parse().unwrap_or(value);
        let text = match &self.unit[..] {
            "" if value.fract() == 0.0 && self.whole => format!("{value}"),
            "" => format!("{value:?}"),
            unit => toml::Value::String(format!("{value} {unit}")).to_string(),
        };
        Chosen::Made(self.place.clone(), text)
    }
}

fn range<'t>(table: &DeTable<'t>, place: Range<usize>, drawn: bool) -> Result<Axis<'t>, Problem> {
    let mut problems = Vec::new();
    let Some(Steps { from, to, steps, log }) = each(table.clone(), place.end, &[], &mut problems)
    else {
        let first = problems.into_iter().next();
        return Err(first.unwrap_or_else(|| Problem::at(place, "this is no range")));
    };
    let wrong = |what: &str| Err(Problem::at(place.clone(), what));
    let (Some((from, unit)), Some((to, other))) = (from.split(), to.split()) else {
        return wrong("a range goes from a number to a number, with units where the field has one");
    };
    if unit != other {
        return wrong("both ends of a range have the same unit");
    }
    if log && (from <= 0.0 || to <= 0.0) {
        return wrong("a range by ratio goes from above 0 to above 0");
    }
    let steps = match steps {
        Some(steps) if (2..=MOST).contains(&steps) => steps,
        Some(_) => return wrong(&format!("a range has 2 to {MOST} `steps`")),
        None if drawn => 2,
        None => return wrong("say in how many `steps`"),
    };
    let whole = from.fract() == 0.0 && to.fract() == 0.0;
    Ok(Axis::Range(Checked { place, from, to, unit, whole, steps, log }))
}

impl Value {
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
