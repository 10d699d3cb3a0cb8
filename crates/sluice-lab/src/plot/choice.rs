//! What of a sweep is drawn.

use sluice_units::Bytes;

use super::error::PlotError;
use crate::System;
use crate::scenario::suggest;
use crate::swept::{Measure, SizeClass, SweepPoint, SweepResults};

/// What of a sweep is drawn.
#[derive(Clone, Debug, Default)]
pub struct Choice {
    /// The swept field along the axis.
    pub x: String,
    /// The name of the measure.
    pub y: String,
    /// Values of other fields: only points with these are drawn.
    pub at: Vec<(String, String)>,
    /// Flows with about this size, those of its decade; all flows if none.
    pub size: Option<Bytes>,
    /// The names of the protocols and ideals to draw; all if empty.
    pub systems: Vec<String>,
}

/// What was chosen, in the results.
pub(super) struct Chosen<'a> {
    /// The number of the field along the axis.
    pub field: usize,
    pub measure: &'a Measure,
    pub size: SizeClass,
    pub systems: Vec<System>,
    /// In the order of the field's values.
    pub points: Vec<&'a SweepPoint>,
}

impl Choice {
    /// Finds what was chosen.
    pub(super) fn find<'a>(&self, read: &'a SweepResults) -> Result<Chosen<'a>, PlotError> {
        let field = field(read, &self.x)?;
        let names = read.measures.iter().map(|measure| measure.name.as_str());
        let measure = read.measures.iter().find(|measure| measure.name == self.y);
        let measure = measure.ok_or_else(|| unknown("measure", &self.y, names))?;
        Ok(Chosen {
            field,
            measure,
            size: self.size_of(read, measure)?,
            systems: self.systems_of(read)?,
            points: self.points_of(read, field)?,
        })
    }

    fn size_of(&self, read: &SweepResults, measure: &Measure) -> Result<SizeClass, PlotError> {
        let Some(bytes) = self.size else { return Ok(SizeClass::ALL) };
        if !measure.is_by_size() {
            let problem = format!("`{}` does not differ by flow size", measure.name);
            return Err(wrong(problem, "leave out the size"));
        }
        let size = SizeClass::with(bytes.as_u64());
        if !read.sizes().any(|known| known == size) {
            let known: Vec<&str> = read.sizes().skip(1).map(SizeClass::label).collect();
            let problem = format!("no flow of about {bytes} finished at any point");
            return Err(wrong(problem, format!("there are flows of {}", known.join(", "))));
        }
        Ok(size)
    }

    fn systems_of(&self, read: &SweepResults) -> Result<Vec<System>, PlotError> {
        let names: Vec<String> = read.systems.iter().map(System::to_string).collect();
        let find = |name: &String| {
            let place = names.iter().position(|known| known == name);
            let known = names.iter().map(String::as_str);
            place.map(|place| read.systems[place]).ok_or_else(|| unknown("protocol", name, known))
        };
        if self.systems.is_empty() {
            return Ok(read.systems.clone());
        }
        self.systems.iter().map(find).collect()
    }

    fn points_of<'a>(
        &self,
        read: &'a SweepResults,
        along: usize,
    ) -> Result<Vec<&'a SweepPoint>, PlotError> {
        let mut fixed = Vec::new();
        for (path, value) in &self.at {
            let number = field(read, path)?;
            let known = read.fields[number].values.iter().map(String::as_str);
            let index = read.fields[number].index(value);
            fixed.push((number, index.ok_or_else(|| unknown("value", value, known))?));
        }
        let matches = |point: &&SweepPoint| {
            fixed.iter().all(|&(number, index)| point.values[number] == index)
        };
        let mut points: Vec<&SweepPoint> = read.points.iter().filter(matches).collect();
        points.sort_by_key(|point| point.values[along]);
        match points.windows(2).find(|two| two[0].values[along] == two[1].values[along]) {
            Some(two) => Err(ambiguous(read, along, two)),
            None => Ok(points),
        }
    }
}

fn field(read: &SweepResults, path: &str) -> Result<usize, PlotError> {
    let paths = read.fields.iter().map(|field| field.path.as_str());
    let found = read.fields.iter().position(|field| field.path == path);
    found.ok_or_else(|| unknown("swept field", path, paths))
}

/// Two points have the same place on the axis: they differ in a field that is not fixed.
fn ambiguous(read: &SweepResults, along: usize, two: &[&SweepPoint]) -> PlotError {
    let x = &read.fields[along];
    let place = format!("{}={}", x.path, x.values[two[0].values[along]]);
    let differs = |&number: &usize| two[0].values[number] != two[1].values[number];
    let Some(other) = (0..read.fields.len()).find(differs).map(|number| &read.fields[number])
    else {
        return wrong(format!("several points have {place}"), "draw a sweep with distinct points");
    };
    let problem = format!("several points have {place}: `{}` differs, too", other.path);
    let values = other.values.join(", ");
    wrong(problem, format!("add `--at {}=VALUE` with one of {values}", other.path))
}

fn unknown<'a>(
    what: &str,
    name: &str,
    known: impl IntoIterator<Item = &'a str> + Clone,
) -> PlotError {
    wrong(format!("unknown {what} `{name}`"), suggest(name, known))
}

fn wrong(problem: String, help: impl Into<String>) -> PlotError {
    PlotError::Choice { problem, help: help.into() }
}
