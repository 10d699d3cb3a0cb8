//! A scenario that cannot be used, ready to print: each problem with its line, underlined.

use std::fmt;
use std::ops::Range;

use super::problem::{Location, Problem};
use super::text::Text;

/// A scenario that cannot be used: the problems found, ready to print.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileError(String);

impl FileError {
    /// The file is wrong as a whole.
    pub fn whole(file: &str, what: impl fmt::Display) -> Self {
        Self(format!("error: {file}: {what}\n"))
    }

    /// The problems, each with its line, in the order of their locations.
    pub(super) fn located(
        texts: &[Text],
        problems: &[Problem],
        locate: impl Fn(&str) -> Option<Range<usize>>,
    ) -> Self {
        let bytes = |location: &Location| match location {
            Location::Document => None,
            Location::Bytes(bytes) => Some(bytes.clone()),
            Location::Field(field) => locate(field),
            Location::LastOf(fields) => {
                fields.iter().filter_map(|field| locate(field)).max_by_key(|bytes| bytes.start)
            }
        };
        let mut found: Vec<(Option<Range<usize>>, &Problem)> =
            problems.iter().map(|problem| (bytes(&problem.location), problem)).collect();
        found.sort_by_key(|(bytes, _)| bytes.as_ref().map_or(0, |bytes| bytes.start));
        let lines = found.into_iter().map(|(bytes, problem)| shown(texts, bytes, problem));
        Self(lines.collect())
    }
}

/// A problem as it is printed.
fn shown(texts: &[Text], bytes: Option<Range<usize>>, problem: &Problem) -> String {
    let text = bytes.and_then(|bytes| {
        texts.iter().find_map(|text| text.within(&bytes).map(|within| (text, within)))
    });
    let what = match text {
        Some((Text { origin, text, .. }, range)) => excerpt(origin, text, range, &problem.what),
        None => {
            let file = texts.first().map_or("", |text| &text.origin);
            format!("error: {file}: {}\n", problem.what)
        }
    };
    match &problem.help {
        Some(help) => format!("{what}   = {help}\n"),
        None => what,
    }
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.trim_end())
    }
}

impl std::error::Error for FileError {}

/// The line, with what is wrong underlined.
fn excerpt(file: &str, text: &str, range: Range<usize>, what: &str) -> String {
    let at = floor(text, range.start);
    let begin = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
    let line_text = text[begin..].lines().next().unwrap_or("");
    let line = text[..begin].matches('\n').count() + 1;
    let before = text[begin..at].chars().count();
    // The range may reach past the line: `\r\n` is not part of it.
    let end = floor(text, range.end).min(begin + line_text.len()).max(at);
    let wide = if end > at { text[at..end].chars().count() } else { 1 };
    let gutter = " ".repeat(line.to_string().len());
    let pad: String = text[begin..at].chars().map(|c| if c == '\t' { '\t' } else { ' ' }).collect();
    format!(
        "error: {file}:{line}:{column}: {what}\n{gutter} |\n{line} | {line_text}\n{gutter} | {pad}{marks}\n",
        column = before + 1,
        marks = "^".repeat(wide),
    )
}

fn floor(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|&i| text.is_char_boundary(i)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_place_is_underlined() {
        let text = "a = 1\nµ = 2 # x\n";
        let at = text.find('2').unwrap();
        let shown = excerpt("f.toml", text, at..at + 1, "no");
        assert_eq!(shown, "error: f.toml:2:5: no\n  |\n2 | µ = 2 # x\n  |     ^\n");
    }

    #[test]
    fn places_past_the_end_or_inside_a_letter_do_no_harm() {
        assert!(excerpt("f", "", 10..20, "no").starts_with("error: f:1:1: no"));
        assert!(excerpt("f", "µ", 1..1, "no").starts_with("error: f:1:1: no"));
        assert!(excerpt("f", "a = \r\n", 5..6, "no").starts_with("error: f:1:6: no"));
    }
}
