//! Material of mutations: whole scenarios, and their lines and tokens.

use std::ops::Range;
use std::path::Path;

use rand::Rng;
use rand::seq::IndexedRandom;
use rand_xoshiro::Xoshiro256PlusPlus;
use sluice_lab::manual;
use sluice_lab::ready::{Ready, STARTER};
use toml::Value;

/// Scenarios and their pieces.
pub struct Stock {
    /// Small valid scenarios, which run in a moment.
    pub small: Vec<String>,
    /// All scenarios, valid and invalid, without their comments.
    pub texts: Vec<String>,
    /// Their tables, each with its header.
    pub tables: Vec<String>,
    /// Words of the schema: fields, values and units.
    pub words: Vec<String>,
    /// Their lines.
    pub lines: Vec<String>,
    /// Names of fields and tables, as written.
    pub keys: Vec<String>,
    /// Leaf values.
    pub values: Vec<String>,
    /// Paths of fields, as in `--set`.
    pub paths: Vec<String>,
}

impl Stock {
    /// The scenarios of the folder `small`, all ready ones, and the invalid ones of the folder `wrong`.
    pub fn new(small: &Path, wrong: &Path) -> Self {
        let small: Vec<String> = scenarios(small);
        let ready = Ready::ALL.iter().map(|ready| ready.text).chain([STARTER]).map(bare);
        let texts: Vec<String> =
            small.iter().cloned().chain(ready).chain(scenarios(wrong)).collect();
        let mut stock = Self {
            small,
            tables: texts.iter().flat_map(|text| tables(text)).map(|at| at.to_owned()).collect(),
            words: manual::words().iter().map(|entry| entry.name.clone()).collect(),
            lines: texts.iter().flat_map(|text| text.lines()).map(str::to_owned).collect(),
            keys: Vec::new(),
            values: Vec::new(),
            paths: Vec::new(),
            texts,
        };
        for text in &stock.texts {
            for token in tokens(text) {
                let list = if token.is_key { &mut stock.keys } else { &mut stock.values };
                list.push(text[token.place].to_owned());
            }
            if let Ok(table) = text.parse::<toml::Table>() {
                paths("", &Value::Table(table), &mut stock.paths);
            }
        }
        for list in [&mut stock.keys, &mut stock.values, &mut stock.paths] {
            list.sort();
            list.dedup();
        }
        stock
    }
}

/// One of them.
pub fn any<'a>(of: &'a [String], draw: &mut Xoshiro256PlusPlus) -> &'a str {
    of.choose(draw).map_or("", String::as_str)
}

/// A position in a text, at a character boundary.
pub fn place(text: &str, draw: &mut Xoshiro256PlusPlus) -> usize {
    let at = draw.random_range(0..=text.len());
    (0..=at).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0)
}

/// A word or a quoted string.
pub struct Token {
    /// Its position.
    pub place: Range<usize>,
    /// Whether it is the name of a field or a table.
    pub is_key: bool,
}

/// The tokens of a scenario, valid or not.
pub fn tokens(text: &str) -> Vec<Token> {
    let bytes = text.as_bytes();
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || b"_.+-".contains(&byte);
    let mut found = Vec::new();
    let (mut at, mut is_header, mut is_line_new) = (0, false, true);
    while at < bytes.len() {
        let begin = at;
        at += 1;
        match bytes[begin] {
            b'"' => {
                at += text[at..].find(['"', '\n']).map_or(text.len() - at, |length| length + 1);
            }
            byte if is_word(byte) => {
                at += bytes[at..].iter().take_while(|&&byte| is_word(byte)).count();
            }
            b'\n' => {
                (is_header, is_line_new) = (false, true);
                continue;
            }
            byte => {
                is_header |= byte == b'[' && is_line_new;
                is_line_new = false;
                continue;
            }
        }
        is_line_new = false;
        let is_key = is_header || text[at..].trim_start_matches(' ').starts_with('=');
        found.push(Token { place: begin..at, is_key });
    }
    found
}

/// The tables of a scenario: from one header to the next, the first without one.
pub fn tables(text: &str) -> Vec<&str> {
    let starts = text.match_indices("\n[").map(|(at, _)| at + 1);
    let ends: Vec<usize> = std::iter::once(0).chain(starts).chain([text.len()]).collect();
    ends.windows(2).map(|ends| &text[ends[0]..ends[1]]).collect()
}

/// The scenarios of a folder, in the order of their names.
fn scenarios(folder: &Path) -> Vec<String> {
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .expect("a folder of scenarios")
        .map(|entry| entry.expect("a file").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "toml"))
        .collect();
    files.sort();
    files.iter().filter_map(|path| std::fs::read_to_string(path).ok()).collect()
}

/// The scenario without empty lines and comments: they cost time, and no mistake is in them.
fn bare(text: &str) -> String {
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.flat_map(|line| [line, "\n"]).collect()
}

fn paths(way: &str, value: &Value, found: &mut Vec<String>) {
    if !way.is_empty() {
        found.push(way.to_owned());
    }
    match value {
        Value::Table(table) => table.iter().for_each(|(key, value)| {
            let dot = if way.is_empty() { "" } else { "." };
            paths(&format!("{way}{dot}{key}"), value, found);
        }),
        Value::Array(items) => items.iter().enumerate().for_each(|(i, item)| {
            paths(&format!("{way}[{i}]"), item, found);
            if let Some(name) = item.get("name").and_then(Value::as_str) {
                paths(&format!("{way}.{name}"), item, found);
            }
        }),
        _ => {}
    }
}
