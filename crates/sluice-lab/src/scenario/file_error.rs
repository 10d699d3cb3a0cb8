//! A scenario that cannot be used, ready to print: each problem with its line, underlined.

use std::fmt;
use std::io;
use std::ops::Range;

use sluice_units::shortened_to;

use super::problem::{Location, Problem};
use super::text::Text;

/// A scenario that cannot be used: the problems found, ready to print.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileError {
    text: String,
    is_unreadable: bool,
}

impl FileError {
    /// The file is wrong as a whole.
    pub fn whole(file: &str, what: impl fmt::Display) -> Self {
        Self { text: format!("error: {file}: {what}\n"), is_unreadable: false }
    }

    /// The file cannot be read.
    pub(super) fn unreadable(file: &str, error: &io::Error) -> Self {
        Self { is_unreadable: true, ..Self::whole(file, error) }
    }

    /// Whether the file could not be read, so that nothing is known of its contents.
    pub fn is_unreadable(&self) -> bool {
        self.is_unreadable
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
        found.dedup();
        let more = found.len().saturating_sub(MAX_PROBLEMS);
        found.truncate(MAX_PROBLEMS);
        let lines = found.into_iter().map(|(bytes, problem)| shown(texts, bytes, problem));
        let mut text: String = lines.collect();
        if more > 0 {
            text.push_str(&format!("error: and {more} more\n"));
        }
        Self { text, is_unreadable: false }
    }
}

/// The number of problems that are printed.
const MAX_PROBLEMS: usize = 20;

/// The number of characters of a message, which may quote any text of the scenario, that are printed.
const MAX_MESSAGE: usize = 2_000;

/// A problem as it is printed.
fn shown(texts: &[Text], bytes: Option<Range<usize>>, problem: &Problem) -> String {
    let text = bytes.and_then(|bytes| {
        texts.iter().find_map(|text| text.within(&bytes).map(|within| (text, within)))
    });
    let what = shortened_to(MAX_MESSAGE, &problem.what);
    let what = match text {
        Some((Text { origin, text, .. }, range)) => excerpt(origin, text, range, &what),
        None => {
            let file = texts.first().map_or("", |text| &text.origin);
            format!("error: {file}: {what}\n")
        }
    };
    match problem.help.as_ref().map(|help| shortened_to(MAX_MESSAGE, help)) {
        Some(help) => help.lines().fold(what, |what, line| format!("{what}   = {line}\n")),
        None => what,
    }
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text.trim_end())
    }
}

impl std::error::Error for FileError {}

/// The line, with what is wrong underlined; of a long line, the part around it.
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
    let (shown, pad, wide) = window(line_text, before, wide);
    format!(
        "error: {file}:{line}:{column}: {what}\n{gutter} |\n{line} | {shown}\n{gutter} | {pad}{marks}\n",
        column = before + 1,
        marks = "^".repeat(wide),
    )
}

/// The part of a line to print, the space up to the marks, and how many marks there are.
fn window(line: &str, before: usize, wide: usize) -> (String, String, usize) {
    const MAX_CHARS: usize = 160;
    const CONTEXT: usize = 40;
    const CUT: &str = "...";
    let chars: Vec<char> = line.chars().collect();
    let blank = |c: &char| if *c == '\t' { '\t' } else { ' ' };
    if chars.len() <= MAX_CHARS {
        return (line.into(), chars[..before.min(chars.len())].iter().map(blank).collect(), wide);
    }
    let first = if before + wide <= MAX_CHARS { 0 } else { before.saturating_sub(CONTEXT) };
    let last = (first + MAX_CHARS).min(chars.len());
    let (cut_before, cut_after) =
        (if first > 0 { CUT } else { "" }, if last < chars.len() { CUT } else { "" });
    let shown: String = chars[first..last].iter().collect();
    let pad: String = chars[first..before.min(last)].iter().map(blank).collect();
    let pad = " ".repeat(cut_before.len()) + &pad;
    (format!("{cut_before}{shown}{cut_after}"), pad, wide.min(last.saturating_sub(before).max(1)))
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
    fn of_a_long_line_the_part_around_the_place_is_shown() {
        let text = format!("a = [{}, oops, {}]", "1, ".repeat(1000), "2, ".repeat(1000));
        let at = text.find("oops").unwrap();
        let shown = excerpt("f", &text, at..at + 4, "no");
        let lines: Vec<&str> = shown.lines().collect();
        assert!(shown.len() < 500, "{shown}");
        assert_eq!(lines[2].find("oops"), lines[3].find("^^^^"), "{shown}");
        let whole = excerpt("f", &text, 0..text.len(), "no");
        assert!(whole.len() < 500, "{whole}");
    }

    #[test]
    fn places_past_the_end_or_inside_a_letter_do_no_harm() {
        assert!(excerpt("f", "", 10..20, "no").starts_with("error: f:1:1: no"));
        assert!(excerpt("f", "µ", 1..1, "no").starts_with("error: f:1:1: no"));
        assert!(excerpt("f", "a = \r\n", 5..6, "no").starts_with("error: f:1:6: no"));
    }
}
