//! A figure as SVG.

use svg::node::element::path::Data;
use svg::node::element::{Circle, Element, Group, Path, Polygon, Rectangle, Text};
use svg::{Document, Node};

use super::figure::{Figure, FigureAxis, Line};
use super::scale::Scale;
use super::text::label;
use crate::report::look::LIGHT;
use crate::swept::SweepValue;

/// The size of a figure, in pixels.
const SIZE: [f64; 2] = [720.0, 440.0];
/// The box of the axes: left, top, right and bottom. The legend is to its right.
const AXES: [f64; 4] = [86.0, 44.0, 556.0, 380.0];
/// Half a marker's size.
const MARK: f64 = 4.2;
/// Half the width of an interval's caps, and the distance of the intervals of two systems.
const CAP: f64 = 3.0;
/// The first of these that there is.
const FONTS: &str = "Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', 'Noto Sans', sans-serif";
const TEXT: &str = "#1f2328";
const FAINT: &str = "#59636e";
const GRID: &str = "#d5dae0";

/// Draws a figure.
pub fn svg(figure: &Figure) -> String {
    let [left, top, right, bottom] = AXES;
    let x = Scale::across(&places(figure), [left, right]);
    let (values, intervals) = values(figure);
    let y = Scale::upright(&values, &intervals, [bottom, top]);
    let mut lines = Group::new();
    // Ideals are drawn first, so that protocols lie on top.
    let order = figure.lines.iter().enumerate().rev();
    for (number, line) in order {
        let aside = (number as f64 - (figure.lines.len() as f64 - 1.0) / 2.0) * CAP;
        lines.append(curve(line, &x, &y));
        lines.append(bars(line, (&x, &y), aside));
        line.points.iter().for_each(|(at, value)| {
            lines.append(marker(line, value, [x.at(*at), y.at(value.value)]))
        });
    }
    let document = Document::new()
        .set("viewBox", (0, 0, SIZE[0], SIZE[1]))
        .set("width", SIZE[0])
        .set("height", SIZE[1])
        .set("font-family", FONTS)
        .set("font-size", 12)
        .add(Rectangle::new().set("width", "100%").set("height", "100%").set("fill", "white"))
        .add(text(&figure.title, [left, 24.0], "start").set("font-weight", "bold"))
        .add(axis_across(&figure.x, &x))
        .add(axis_upright(&figure.y, &y))
        .add(lines)
        .add(legend(figure));
    document.to_string()
}

fn places(figure: &Figure) -> Vec<f64> {
    figure.lines.iter().flat_map(|line| &line.points).map(|(at, _)| *at).collect()
}

fn values(figure: &Figure) -> (Vec<f64>, Vec<[f64; 2]>) {
    let all = || figure.lines.iter().flat_map(|line| &line.points).map(|(_, value)| value);
    (all().map(|value| value.value).collect(), all().filter_map(|value| value.interval).collect())
}

fn text(content: &str, [x, y]: [f64; 2], anchor: &str) -> Text {
    Text::new(content).set("x", x).set("y", y).set("text-anchor", anchor).set("fill", TEXT)
}

fn stroked(data: Data, colour: &str, width: f64) -> Path {
    Path::new().set("d", data).set("fill", "none").set("stroke", colour).set("stroke-width", width)
}

fn axis_across(quantity: &FigureAxis, scale: &Scale) -> Group {
    let [left, top, right, bottom] = AXES;
    let ticks: Vec<(f64, String)> = match &quantity.names {
        Some(names) => names.iter().enumerate().map(|(i, name)| (i as f64, name.clone())).collect(),
        None => scale.ticks(7).into_iter().map(|at| (at, label(at, &quantity.unit))).collect(),
    };
    let mut group = Group::new();
    for (at, name) in ticks {
        let x = scale.at(at);
        group.append(stroked(Data::new().move_to((x, top)).line_to((x, bottom + 4.0)), GRID, 1.0));
        group.append(text(&name, [x, bottom + 19.0], "middle").set("fill", FAINT));
    }
    group.append(stroked(Data::new().move_to((left, bottom)).line_to((right, bottom)), FAINT, 1.0));
    group.add(text(&quantity.label, [(left + right) / 2.0, bottom + 42.0], "middle"))
}

fn axis_upright(quantity: &FigureAxis, scale: &Scale) -> Group {
    let [left, top, right, bottom] = AXES;
    let mut group = Group::new();
    for at in scale.ticks(8) {
        let y = scale.at(at);
        group.append(stroked(Data::new().move_to((left - 4.0, y)).line_to((right, y)), GRID, 1.0));
        let name = label(at, &quantity.unit);
        group.append(text(&name, [left - 8.0, y + 4.0], "end").set("fill", FAINT));
    }
    let middle = (top + bottom) / 2.0;
    let turned = format!("rotate(-90 18 {middle})");
    group.add(text(&quantity.label, [18.0, middle], "middle").set("transform", turned))
}

fn colour(line: &Line) -> &'static str {
    LIGHT.colour(&line.system.look)
}

fn curve(line: &Line, x: &Scale, y: &Scale) -> Path {
    let ends = line.points.iter().map(|(at, value)| (x.at(*at), y.at(value.value)));
    dashed(
        ends.enumerate().fold(Data::new(), |data, (i, end)| {
            if i == 0 { data.move_to(end) } else { data.line_to(end) }
        }),
        line,
    )
}

fn dashed(data: Data, line: &Line) -> Path {
    let path = stroked(data, colour(line), 2.0);
    match line.system.look.dash {
        Some(dash) => {
            let dash: Vec<String> = dash.iter().map(u32::to_string).collect();
            path.set("stroke-dasharray", dash.join(" "))
        }
        None => path,
    }
}

/// Intervals, beside those of other systems; an arrow is at an end that lies beyond the axis.
fn bars(line: &Line, (x, y): (&Scale, &Scale), aside: f64) -> Path {
    let [_, top, _, bottom] = AXES;
    let with_interval =
        line.points.iter().filter_map(|(at, value)| Some((x.at(*at), value.interval?)));
    let data = with_interval.fold(Data::new(), |data, (at, ends)| {
        let at = at + aside;
        let [low, high] = ends.map(|end| y.at(end));
        let (inner_low, inner_high) = (low.min(bottom), high.max(top));
        let data = data.move_to((at, inner_low)).line_to((at, inner_high));
        let data = end(data, at, inner_low, if low > bottom { -CAP } else { 0.0 });
        end(data, at, inner_high, if high < top { CAP } else { 0.0 })
    });
    stroked(data, colour(line), 1.2).set("opacity", 0.65)
}

/// A cap, or an arrow of some height.
fn end(data: Data, x: f64, y: f64, height: f64) -> Data {
    data.move_to((x - CAP, y + height)).line_to((x, y)).line_to((x + CAP, y + height))
}

/// A marker, hollow if the value is to be doubted. Ideals only have those.
fn marker(line: &Line, value: &SweepValue, [x, y]: [f64; 2]) -> Element {
    let doubted = !value.doubts.is_empty();
    let Some(corners) = line.system.look.marker.or(doubted.then_some(&[][..])) else {
        return Group::new().into();
    };
    let fill = if doubted { "white" } else { colour(line) };
    let mut made: Element = if corners.is_empty() {
        Circle::new().set("cx", x).set("cy", y).set("r", MARK).into()
    } else {
        let ends = corners.iter().map(|[dx, dy]| format!("{},{}", x + dx * MARK, y + dy * MARK));
        Polygon::new().set("points", ends.collect::<Vec<_>>().join(" ")).into()
    };
    made.assign("fill", fill);
    made.assign("stroke", colour(line));
    made.assign("stroke-width", 1.5);
    // Shown by browsers under the pointer.
    if doubted {
        made.append(svg::node::element::Title::new(value.doubts.join("; ")));
    }
    made
}

fn legend(figure: &Figure) -> Group {
    let [_, top, right, _] = AXES;
    let mut group = Group::new();
    let trusted = SweepValue { value: 0.0, interval: None, doubts: Vec::new() };
    for (number, line) in figure.lines.iter().enumerate() {
        let (x, y) = (right + 16.0, top + 8.0 + 20.0 * number as f64);
        group.append(dashed(Data::new().move_to((x, y)).line_to((x + 28.0, y)), line));
        group.append(marker(line, &trusted, [x + 14.0, y]));
        group.append(text(&line.system.title, [x + 36.0, y + 4.0], "start"));
    }
    let doubts = figure.lines.iter().flat_map(|line| &line.points);
    if doubts.into_iter().any(|(_, value)| !value.doubts.is_empty()) {
        let y = top + 8.0 + 20.0 * figure.lines.len() as f64 + 4.0;
        group.append(text("hollow: doubtful", [right + 16.0, y], "start").set("fill", FAINT));
    }
    group
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::System;
    use crate::report::describe;
    use sluice_laws::registry::ProtocolName;

    fn figure(title: &str) -> Figure {
        let value = |value: f64, doubts: &[&str]| SweepValue {
            value,
            interval: Some([0.5 * value, 2.0 * value]),
            doubts: doubts.iter().map(|&doubt| doubt.to_owned()).collect(),
        };
        let quantity =
            |label: &str| FigureAxis { label: label.into(), unit: "s".into(), names: None };
        let system = describe(&[System::Protocol(ProtocolName::Rcp)]).remove(0);
        let points = vec![(0.1, value(1.0, &[])), (0.2, value(2.0, &["few & far"]))];
        Figure {
            title: title.into(),
            x: quantity("x"),
            y: quantity("y"),
            lines: vec![Line { system, points }],
        }
    }

    #[test]
    fn only_doubtful_points_are_hollow_and_give_their_reasons() {
        let drawn = svg(&figure("plain"));
        assert_eq!(drawn.matches("<circle").count(), 3, "two points and the legend: {drawn}");
        assert_eq!(drawn.matches("<title>").count(), 1);
        assert!(drawn.contains("few &amp; far") && drawn.contains("hollow"), "{drawn}");
    }

    #[test]
    fn no_text_becomes_markup() {
        let drawn = svg(&figure("a </text><script> & b"));
        let tree = resvg::usvg::Tree::from_str(&drawn, &resvg::usvg::Options::default());
        assert!(tree.is_ok() && !drawn.contains("<script"), "{drawn}");
    }
}
