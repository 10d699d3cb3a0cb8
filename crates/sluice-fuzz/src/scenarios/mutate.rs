//! Mutations of a scenario's text. Most respect the format, so that much of the result remains
//! valid; some are plain noise.

use rand::Rng;
use rand::seq::IndexedRandom;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::stock::{Stock, any, place, tables, tokens};

type Mutation = fn(&mut String, &Stock, &mut Xoshiro256PlusPlus);

/// Every mutation, with its weight.
const MUTATIONS: &[(u32, Mutation)] = &[
    (30, extreme_value),
    (15, other_value),
    (15, other_number),
    (40, other_magnitude),
    (8, swapped_values),
    (6, other_key),
    (4, misspelt_key),
    (6, nested_value),
    (6, line_gone),
    (6, line_twice),
    (10, line_of_another),
    (6, word_of_schema),
    (4, table_gone),
    (4, table_twice),
    (12, table_of_another),
    (6, variable),
    (10, sweep),
    (4, noise),
    (1, cut),
    (1, line_ends),
];

/// Applies one mutation.
pub fn mutate(text: &mut String, stock: &Stock, draw: &mut Xoshiro256PlusPlus) {
    let all: u32 = MUTATIONS.iter().map(|(weight, _)| weight).sum();
    let mut left = draw.random_range(0..all);
    for (weight, mutation) in MUTATIONS {
        if left < *weight {
            return mutation(text, stock, draw);
        }
        left -= weight;
    }
}

/// A value for the right side of `=`.
pub fn value(stock: &Stock, draw: &mut Xoshiro256PlusPlus) -> String {
    match draw.random_range(0..10) {
        0..4 => any(&stock.values, draw).to_owned(),
        4..6 => format!("\"{} {}\"", number(draw), one_of(UNITS, draw)),
        6..8 => number(draw),
        8 => one_of(ODD, draw).to_owned(),
        _ => range(stock, draw),
    }
}

/// Values of a sweep.
pub fn values(stock: &Stock, draw: &mut Xoshiro256PlusPlus) -> String {
    if draw.random_bool(0.4) {
        return range(stock, draw);
    }
    let count = draw.random_range(0..4);
    let list: Vec<String> = (0..count).map(|_| value(stock, draw)).collect();
    format!("[{}]", list.join(", "))
}

const NUMBERS: &[&str] = &[
    "0",
    "-0",
    "-1",
    "1",
    "2",
    "0.5",
    "1e-9",
    "5e-324",
    "1e-999",
    "1e9",
    "1e19",
    "1e308",
    "1.7976931348623157e308",
    "1e999",
    "-1e999",
    "nan",
    "inf",
    "-inf",
    "10000",
    "100000",
    "100001",
    "1000000000",
    "4294967296",
    "9223372036854775807",
    "-9223372036854775808",
    "9223372036854775808",
    "18446744073709551615",
    "18446744073709551616",
    "340282366920938463463374607431768211456",
    "0x7fffffffffffffff",
    "1_000",
    "1__0",
    ".5",
];

const UNITS: &[&str] = &[
    "", "ns", "us", "µs", "ms", "s", "min", "h", "bps", "kbps", "Mbps", "Gbps", "Tbps", "MB/s",
    "B", "kB", "MB", "GB", "TB", "packets", "bdp", "/s", "%", "\\\"", "\u{301}",
];

const ODD: &[&str] = &[
    "\"\"",
    "''",
    "\"$\"",
    "\"$load\"",
    "[]",
    "{}",
    "[[]]",
    "[{}]",
    "true",
    "false",
    "2026-11-21",
    "\"\\u0000\"",
    "\"\u{1f980}µ\u{301}\"",
    "\"\"\"\n\n\"\"\"",
    "\"unlimited\"",
    "\"each\"",
    "\"../x\"",
    "\"csv-row.csv\"",
];

fn one_of<'a>(of: &[&'a str], draw: &mut Xoshiro256PlusPlus) -> &'a str {
    of.choose(draw).copied().unwrap_or("")
}

fn number(draw: &mut Xoshiro256PlusPlus) -> String {
    match draw.random_range(0..3) {
        0 => draw.random_range(0..1000).to_string(),
        1 => format!("{:e}", f64::from_bits(draw.random())),
        _ => one_of(NUMBERS, draw).to_owned(),
    }
}

/// A range as in `[sweep.over]`. Most are short: points take time.
fn range(stock: &Stock, draw: &mut Xoshiro256PlusPlus) -> String {
    let unit = one_of(UNITS, draw);
    let end = |draw: &mut Xoshiro256PlusPlus| match draw.random_range(0..4) {
        0 => any(&stock.values, draw).to_owned(),
        1 => number(draw),
        _ => format!("\"{} {unit}\"", number(draw)),
    };
    let (from, to) = (end(draw), end(draw));
    let steps = if draw.random_bool(0.95) { "3".into() } else { number(draw) };
    let log = draw.random_bool(0.5);
    format!("{{ from = {from}, to = {to}, steps = {steps}, log = {log} }}")
}

/// Replaces a random token of this kind.
fn replace(
    text: &mut String,
    is_key: bool,
    draw: &mut Xoshiro256PlusPlus,
    with: impl FnOnce(&str, &mut Xoshiro256PlusPlus) -> String,
) {
    let tokens = tokens(text);
    let tokens: Vec<_> = tokens.iter().filter(|token| token.is_key == is_key).collect();
    if let Some(token) = tokens.choose(draw) {
        let new = with(&text[token.place.clone()], draw);
        text.replace_range(token.place.clone(), &new);
    }
}

fn extreme_value(text: &mut String, _: &Stock, draw: &mut Xoshiro256PlusPlus) {
    replace(text, false, draw, |old, draw| {
        // The unit is usually kept: a number without it is rejected at once.
        let unit = old.trim_matches('"').trim_start_matches(|c: char| !c.is_alphabetic());
        match (old.starts_with('"'), draw.random_range(0..4)) {
            (_, 0) => one_of(ODD, draw).to_owned(),
            (true, 1) => format!("\"{} {}\"", number(draw), one_of(UNITS, draw)),
            (true, _) => format!("\"{} {unit}\"", number(draw)),
            (false, _) => number(draw),
        }
    });
}

fn other_value(text: &mut String, stock: &Stock, draw: &mut Xoshiro256PlusPlus) {
    replace(text, false, draw, |_, draw| any(&stock.values, draw).to_owned());
}

/// A number that differs from the old one in a few digits.
fn other_number(text: &mut String, _: &Stock, draw: &mut Xoshiro256PlusPlus) {
    replace(text, false, draw, |old, draw| {
        let digits: Vec<usize> =
            old.match_indices(|c: char| c.is_ascii_digit()).map(|(i, _)| i).collect();
        let Some(&at) = digits.choose(draw) else { return old.to_owned() };
        let new = one_of(&["", "0", "9", "000", "-1", ".", "e", "e9", "_", " "], draw);
        format!("{}{new}{}", &old[..at], &old[at + draw.random_range(0..=1)..])
    });
}

/// A number a thousandth to a thousand times as large, with its unit: mostly a valid one.
fn other_magnitude(text: &mut String, _: &Stock, draw: &mut Xoshiro256PlusPlus) {
    replace(text, false, draw, |old, draw| {
        let begin = old.find(|c: char| c.is_ascii_digit()).unwrap_or(old.len());
        let length = old[begin..].find(|c: char| !c.is_ascii_digit() && c != '.');
        let end = length.map_or(old.len(), |length| begin + length);
        let Ok(number) = old[begin..end].parse::<f64>() else { return old.to_owned() };
        let scaled = number * libm::pow(10.0, draw.random_range(-3.0..3.0));
        let new = if old[begin..end].contains('.') || draw.random_bool(0.1) {
            format!("{scaled:?}")
        } else {
            scaled.round().to_string()
        };
        format!("{}{new}{}", &old[..begin], &old[end..])
    });
}

fn swapped_values(text: &mut String, _: &Stock, draw: &mut Xoshiro256PlusPlus) {
    let tokens = tokens(text);
    let (Some(one), Some(other)) = (tokens.choose(draw), tokens.choose(draw)) else { return };
    let (first, second) =
        if one.place.start < other.place.start { (one, other) } else { (other, one) };
    let (early, late) =
        (text[first.place.clone()].to_owned(), text[second.place.clone()].to_owned());
    text.replace_range(second.place.clone(), &early);
    text.replace_range(first.place.clone(), &late);
}

fn other_key(text: &mut String, stock: &Stock, draw: &mut Xoshiro256PlusPlus) {
    replace(text, true, draw, |_, draw| any(&stock.keys, draw).to_owned());
}

fn misspelt_key(text: &mut String, _: &Stock, draw: &mut Xoshiro256PlusPlus) {
    replace(text, true, draw, |old, draw| {
        let at = place(old, draw);
        format!("{}{}{}", &old[..at], one_of(&["", "s", ".", "_", "\"", "µ"], draw), &old[at..])
    });
}

fn nested_value(text: &mut String, stock: &Stock, draw: &mut Xoshiro256PlusPlus) {
    replace(text, false, draw, |old, draw| {
        let depth = if draw.random_bool(0.9) { 1 } else { draw.random_range(1..200) };
        let key = any(&stock.keys, draw);
        match draw.random_range(0..3) {
            0 => format!("{}{old}{}", "[".repeat(depth), "]".repeat(depth)),
            1 => format!("[{old}, {}]", value(stock, draw)),
            _ => format!("{}{old}{}", format!("{{ {key} = ").repeat(depth), " }".repeat(depth)),
        }
    });
}

/// Start and end of a random line.
fn line(text: &str, draw: &mut Xoshiro256PlusPlus) -> std::ops::Range<usize> {
    let at = place(text, draw);
    let begin = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
    let end = text[at..].find('\n').map_or(text.len(), |length| at + length + 1);
    begin..end
}

fn line_gone(text: &mut String, _: &Stock, draw: &mut Xoshiro256PlusPlus) {
    text.replace_range(line(text, draw), "");
}

fn line_twice(text: &mut String, _: &Stock, draw: &mut Xoshiro256PlusPlus) {
    let copy = text[line(text, draw)].to_owned();
    text.insert_str(line(text, draw).start, &copy);
}

fn line_of_another(text: &mut String, stock: &Stock, draw: &mut Xoshiro256PlusPlus) {
    let other = format!("{}\n", any(&stock.lines, draw));
    text.insert_str(line(text, draw).start, &other);
}

/// A word of the schema for a name or a value.
fn word_of_schema(text: &mut String, stock: &Stock, draw: &mut Xoshiro256PlusPlus) {
    let is_key = draw.random_bool(0.5);
    let word = any(&stock.words, draw);
    let word = if is_key { word.to_owned() } else { format!("\"{word}\"") };
    replace(text, is_key, draw, |_, _| word);
}

/// A random table of the scenario.
fn table(text: &str, draw: &mut Xoshiro256PlusPlus) -> std::ops::Range<usize> {
    let tables = tables(text);
    let (before, rest) = tables.split_at(draw.random_range(0..tables.len()));
    let begin = before.iter().map(|table| table.len()).sum();
    begin..begin + rest[0].len()
}

fn table_gone(text: &mut String, _: &Stock, draw: &mut Xoshiro256PlusPlus) {
    text.replace_range(table(text, draw), "");
}

fn table_twice(text: &mut String, _: &Stock, draw: &mut Xoshiro256PlusPlus) {
    let copy = format!("\n{}", &text[table(text, draw)]);
    text.push_str(&copy);
}

fn table_of_another(text: &mut String, stock: &Stock, draw: &mut Xoshiro256PlusPlus) {
    let other = format!("\n{}", any(&stock.tables, draw));
    text.push_str(&other);
}

/// A variable in place of a value.
fn variable(text: &mut String, stock: &Stock, draw: &mut Xoshiro256PlusPlus) {
    let name = any(&stock.keys, draw).trim_matches('"').to_owned();
    replace(text, false, draw, |_, _| format!("\"${name}\""));
    let value = value(stock, draw);
    text.push_str(&format!("\n[variables]\n{name} = {value}\n"));
}

fn sweep(text: &mut String, stock: &Stock, draw: &mut Xoshiro256PlusPlus) {
    let how = one_of(&["grid", "list", "random", "rand"], draw);
    text.push_str(&format!("\n[sweep]\nhow = \"{how}\"\n"));
    if how == "random" && draw.random_bool(0.5) {
        let points = if draw.random_bool(0.9) { "2".into() } else { number(draw) };
        text.push_str(&format!("points = {points}\nseed = {}\n", number(draw)));
    }
    text.push_str("[sweep.over]\n");
    for _ in 0..draw.random_range(0..3) {
        let (path, values) = (any(&stock.paths, draw), values(stock, draw));
        text.push_str(&format!("\"{path}\" = {values}\n"));
    }
}

/// Inserts, flips and removes bytes; invalid UTF-8 is replaced.
fn noise(text: &mut String, _: &Stock, draw: &mut Xoshiro256PlusPlus) {
    let mut bytes = std::mem::take(text).into_bytes();
    for _ in 0..draw.random_range(1..4) {
        let at = draw.random_range(0..=bytes.len());
        match draw.random_range(0..3) {
            0 => bytes.insert(at, draw.random()),
            1 if at < bytes.len() => bytes[at] ^= 1 << draw.random_range(0..8),
            _ => bytes.truncate(at.max(bytes.len().saturating_sub(1))),
        }
    }
    *text = String::from_utf8_lossy(&bytes).into_owned();
}

fn cut(text: &mut String, _: &Stock, draw: &mut Xoshiro256PlusPlus) {
    text.truncate(place(text, draw));
}

/// Changes the endings of all lines, or of the first few.
fn line_ends(text: &mut String, _: &Stock, draw: &mut Xoshiro256PlusPlus) {
    let new = one_of(&["\r\n", "\r", "\n\r", "\u{2028}"], draw);
    let count = if draw.random_bool(0.5) { usize::MAX } else { draw.random_range(0..20) };
    *text = text.replacen('\n', new, count);
}
