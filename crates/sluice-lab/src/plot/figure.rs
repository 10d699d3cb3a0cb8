//! The data of a figure.

use super::choice::{Choice, Chosen};
use super::error::PlotError;
use crate::report::data::ReportSystem;
use crate::report::describe;
use crate::swept::{SweepResults, SweepValue};

/// A measure over a field, with a line for each system.
pub struct Figure {
    /// What it shows, and where.
    pub title: String,
    /// The field.
    pub x: FigureAxis,
    /// The measure.
    pub y: FigureAxis,
    /// The lines, protocols first.
    pub lines: Vec<Line>,
}

/// What is along an axis.
pub struct FigureAxis {
    /// Its name.
    pub label: String,
    /// Its unit, as in a report.
    pub unit: String,
    /// Names of the places 0, 1, ... of an axis without numbers.
    pub names: Option<Vec<String>>,
}

/// The values of a system.
pub struct Line {
    /// The system.
    pub system: ReportSystem,
    /// Its place on the x axis and value at each point that has one, from left to right.
    pub points: Vec<(f64, SweepValue)>,
}

/// The figure of what was chosen.
pub fn figure(read: &SweepResults, choice: &Choice) -> Result<Figure, PlotError> {
    let chosen = choice.find(read)?;
    let field = &read.fields[chosen.field];
    let size = if chosen.measure.is_by_size() { chosen.size.label() } else { "" };
    let at = choice.at.iter().map(|(path, value)| format!("{path} = {value}"));
    let place: Vec<String> = std::iter::once(size.to_owned()).chain(at).collect();
    let place = place.iter().filter(|part| !part.is_empty()).cloned().collect::<Vec<_>>();
    let names = field.numbers.is_none().then(|| field.values.clone());
    let title = format!("{}: {}", read.points[0].summary.name, chosen.measure.title);
    Ok(Figure {
        title: [&[title][..], &place].concat().join(", "),
        x: FigureAxis { label: field.path.clone(), unit: field.unit.clone(), names },
        y: FigureAxis {
            label: chosen.measure.title.clone(),
            unit: chosen.measure.unit.into(),
            names: None,
        },
        lines: lines(read, &chosen),
    })
}

fn lines(read: &SweepResults, chosen: &Chosen) -> Vec<Line> {
    let all = describe(&read.systems);
    let field = &read.fields[chosen.field];
    let place = |index: usize| field.numbers.as_ref().map_or(index as f64, |all| all[index]);
    let line = |(system, described): (_, &ReportSystem)| {
        let value = |point| read.value(point, system, chosen.size, chosen.measure);
        let points = chosen.points.iter();
        let points =
            points.filter_map(|&point| Some((place(point.values[chosen.field]), value(point)?)));
        Line { system: described.clone(), points: points.collect() }
    };
    let drawn = read.systems.iter().copied().zip(&all);
    let drawn = drawn.filter(|(system, _)| chosen.systems.contains(system)).map(line);
    drawn.filter(|line| !line.points.is_empty()).collect()
}
