//! The CSV files that a scenario may name: flows to replay, points of a distribution.

use std::collections::BTreeMap;
use std::path::Path;

use sluice_sim::traffic::Listed;
use sluice_sim::traffic::sizes::CdfPoint;
use sluice_units::{Bytes, Ratio, Span, Time};

use super::suggest::suggest;

/// Flows to replay by group; those of a file without a `group` column are under `None`.
pub type ReplayFlows = BTreeMap<Option<String>, Vec<Listed>>;

/// Reads flows: columns `start` (seconds), `size` (bytes) and, if wanted, `group`.
pub fn flows(path: &Path) -> Result<ReplayFlows, String> {
    let mut flows = ReplayFlows::new();
    read(path, &["start", "size"], &["group"], |row| {
        let start =
            row.number("start", "seconds, at least 0, e.g. `0.25`", |s| (0.0..=1e9).contains(&s))?;
        let size = row.whole("size", "a whole number of bytes, at least 1")?;
        let listed =
            Listed { start: Time::ZERO + Span::from_secs_f64(start), size: Bytes::new(size) };
        flows.entry(row.text("group").map(str::to_owned)).or_default().push(listed);
        Ok(())
    })?;
    Ok(flows)
}

/// Reads a cumulative distribution: columns `size` (bytes) and `cumulative` (a fraction).
pub fn points(path: &Path) -> Result<Vec<CdfPoint>, String> {
    let mut points = Vec::new();
    read(path, &["size", "cumulative"], &[], |row| {
        let size = row.number("size", "bytes, at least 0", |size| (0.0..=1e18).contains(&size))?;
        let cumulative =
            row.number("cumulative", "a fraction in [0, 1]", |f| (0.0..=1.0).contains(&f))?;
        points.push(CdfPoint { size: Bytes::new(size as u64), cumulative: Ratio::new(cumulative) });
        Ok(())
    })?;
    Ok(points)
}

/// A row with what is needed to point into it.
struct Row<'a> {
    file: &'a str,
    line: usize,
    text: &'a str,
    header: &'a [&'a str],
}

impl<'a> Row<'a> {
    fn text(&self, column: &str) -> Option<&'a str> {
        let index = self.header.iter().position(|name| *name == column)?;
        self.text.split(',').nth(index).map(str::trim)
    }

    fn number(
        &self,
        column: &str,
        allowed: &str,
        good: impl Fn(f64) -> bool,
    ) -> Result<f64, String> {
        let cell = self.text(column).unwrap_or("");
        let number = cell.parse::<f64>().ok().filter(|&number| good(number));
        number.ok_or_else(|| self.wrong(column, cell, allowed))
    }

    fn whole(&self, column: &str, allowed: &str) -> Result<u64, String> {
        let cell = self.text(column).unwrap_or("");
        let number = cell.parse::<u64>().ok().filter(|&number| number > 0);
        number.ok_or_else(|| self.wrong(column, cell, allowed))
    }

    fn wrong(&self, column: &str, cell: &str, allowed: &str) -> String {
        let before = self.header.iter().take_while(|name| **name != column).count();
        let at: usize =
            self.text.split(',').take(before).map(|cell| cell.chars().count() + 1).sum();
        format!(
            "{}:{}:{}: invalid `{column}` `{cell}`; expected {allowed}",
            self.file,
            self.line,
            at + 1
        )
    }
}

fn read(
    path: &Path,
    needed: &[&str],
    may: &[&str],
    mut each: impl FnMut(&Row<'_>) -> Result<(), String>,
) -> Result<(), String> {
    let file = path.display().to_string();
    let bytes = std::fs::read(path).map_err(|error| format!("{file}: {error}"))?;
    let text = String::from_utf8(bytes).map_err(|_| format!("{file}: not UTF-8 text"))?;
    let mut lines = text.lines().enumerate().map(|(i, line)| (i + 1, line));
    let (_, first) = lines.next().ok_or_else(|| format!("{file}: empty file"))?;
    let header: Vec<&str> = first.split(',').map(str::trim).collect();
    check_header(&file, &header, needed, may)?;
    for (line, text) in lines.filter(|(_, text)| !text.trim().is_empty()) {
        let cells = text.split(',').count();
        if cells != header.len() {
            let columns = header.join(",");
            return Err(format!(
                "{file}:{line}:1: {cells} cells, but the header has {}: {columns}",
                header.len()
            ));
        }
        each(&Row { file: &file, line, text, header: &header })?;
    }
    Ok(())
}

fn check_header(file: &str, header: &[&str], needed: &[&str], may: &[&str]) -> Result<(), String> {
    for (i, name) in header.iter().enumerate() {
        let allowed = needed.iter().chain(may).copied();
        if !allowed.clone().any(|column| column == *name) {
            let help = suggest(name, allowed);
            return Err(format!("{file}:1:1: unknown column `{name}`; {help}"));
        }
        if header[..i].contains(name) {
            return Err(format!("{file}:1:1: duplicate column `{name}`"));
        }
    }
    match needed.iter().find(|column| !header.contains(column)) {
        Some(column) => Err(format!("{file}:1:1: missing column `{column}`")),
        None => Ok(()),
    }
}
