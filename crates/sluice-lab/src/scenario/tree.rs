//! The tables of a scenario before their types are known: settings and variables are applied here.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::problem::Problem;
use super::suggest::suggest;
use super::sweep::{Assignment, Sweep};

/// The largest number of keys of a path: tables are walked recursively.
const MAX_DEPTH: usize = 64;

/// A scenario's fields, its `[variables]` and its `[sweep]`.
pub(super) struct Tree<'t> {
    fields: DeTable<'t>,
    variables: DeTable<'t>,
    /// Variables that the file uses. One whose use a setting replaces is not reported as unused.
    used: BTreeSet<String>,
    sweep: Sweep<'t>,
}

impl<'t> Tree<'t> {
    /// Separates fields, variables and sweep of a file.
    pub fn new(mut fields: DeTable<'t>, problems: &mut Vec<Problem>) -> Self {
        let variables = match fields.remove("variables").map(|value| (value.span(), value)) {
            None => DeTable::new(),
            Some((span, value)) => match value.into_inner() {
                DeValue::Table(table) => table,
                _ => {
                    let what = "expected a table: `[variables]`, then a line for each";
                    problems.push(Problem::at(span, what));
                    DeTable::new()
                }
            },
        };
        let sweep = Sweep::new(fields.remove("sweep"), problems);
        let mut used = BTreeSet::new();
        fields.iter().for_each(|(_, value)| note_variables(value, &mut used));
        Self { fields, variables, used, sweep }
    }

    /// Sets a field or a variable, which is then no longer swept; `span` is that of the path.
    pub fn set(
        &mut self,
        path: &str,
        span: Range<usize>,
        value: Spanned<DeValue<'t>>,
        problems: &mut Vec<Problem>,
    ) {
        self.sweep.remove(path);
        self.put(path, &span, value, problems);
    }

    fn put(
        &mut self,
        path: &str,
        span: &Range<usize>,
        value: Spanned<DeValue<'t>>,
        problems: &mut Vec<Problem>,
    ) {
        match self.variables.get_mut(path) {
            Some(variable) => *variable = value,
            None => {
                let steps = steps(path);
                let put = if steps.len() > MAX_DEPTH {
                    Err(Problem::at(
                        span.clone(),
                        format!("invalid path: more than {MAX_DEPTH} keys"),
                    ))
                } else {
                    put(&mut self.fields, &steps, span, value)
                };
                problems.extend(put.err());
            }
        }
    }

    /// Sweeps a field or a variable over these values.
    pub fn vary(&mut self, path: &str, span: Range<usize>, values: Spanned<DeValue<'t>>) {
        self.sweep.add(path, span, values);
    }

    /// Sets how the values of several swept fields are combined.
    pub fn set_sweep_options(
        &mut self,
        options: Spanned<DeValue<'t>>,
        problems: &mut Vec<Problem>,
    ) {
        self.sweep.set_options(options, problems);
    }

    /// The assignments of each point of the sweep, in order; none if nothing is swept.
    pub fn points(&self) -> Result<Vec<Vec<Assignment<'t>>>, Vec<Problem>> {
        self.sweep.points()
    }

    /// The scenario's fields with a point's assignments and the values of variables.
    pub fn fields(
        mut self,
        assignments: &'t [Assignment<'t>],
    ) -> Result<DeTable<'t>, Vec<Problem>> {
        let mut problems = Vec::new();
        for Assignment { path, span, value } in assignments {
            self.put(path, span, value.value(), &mut problems);
        }
        let mut used = self.used;
        for (_, value) in self.fields.iter_mut() {
            fill(value, &self.variables, &mut used, &mut problems);
        }
        for name in self.variables.keys().filter(|name| !used.contains(&**name.get_ref())) {
            let text = name.get_ref();
            let help = format!("write `\"${text}\"` in place of a value");
            let what = format!("unused variable `{text}`");
            problems.push(Problem::at(name.span(), what).with_help(help));
        }
        if problems.is_empty() { Ok(self.fields) } else { Err(problems) }
    }
}

/// Collects the variables that a value names.
fn note_variables(value: &Spanned<DeValue<'_>>, used: &mut BTreeSet<String>) {
    match value.get_ref() {
        DeValue::Array(items) => items.iter().for_each(|item| note_variables(item, used)),
        DeValue::Table(table) => table.iter().for_each(|(_, item)| note_variables(item, used)),
        DeValue::String(text) => used.extend(text.strip_prefix('$').map(str::to_owned)),
        _ => {}
    }
}

/// Replaces the names of variables by their values. A value keeps its own span, so that a problem
/// with it is shown where it is written.
fn fill<'t>(
    value: &mut Spanned<DeValue<'t>>,
    variables: &DeTable<'t>,
    used: &mut BTreeSet<String>,
    problems: &mut Vec<Problem>,
) {
    let span = value.span();
    match value.get_mut() {
        DeValue::Array(items) => {
            items.iter_mut().for_each(|item| fill(item, variables, used, problems));
        }
        DeValue::Table(table) => {
            table.iter_mut().for_each(|(_, item)| fill(item, variables, used, problems));
        }
        DeValue::String(text) => {
            let Some(name) = text.strip_prefix('$') else { return };
            match variables.get(name) {
                Some(variable) => {
                    used.insert(name.into());
                    *value = variable.clone();
                }
                None => {
                    let what = format!("undefined variable `{name}`");
                    let names: Vec<&str> =
                        variables.keys().map(|key| key.as_ref().as_ref()).collect();
                    let help = match names[..] {
                        [] => "define variables in a table `[variables]`, a line for each".into(),
                        _ => suggest(name, names),
                    };
                    problems.push(Problem::at(span, what).with_help(help));
                }
            }
        }
        _ => {}
    }
}

/// A step of a path: a key, or a span in a list by number or name.
pub(super) fn steps(path: &str) -> Vec<&str> {
    path.split(['.', '[']).map(|step| step.trim_end_matches(']')).collect()
}

/// Sets the value at the end of a path; tables missing on the way are created.
fn put<'t>(
    table: &mut DeTable<'t>,
    steps: &[&str],
    span: &Range<usize>,
    value: Spanned<DeValue<'t>>,
) -> Result<(), Problem> {
    let [step, rest @ ..] = steps else { return Ok(()) };
    let key = || Spanned::new(span.clone(), Cow::Owned((*step).to_owned()));
    if rest.is_empty() {
        table.remove(*step);
        table.insert(key(), value);
        return Ok(());
    }
    let empty = || Spanned::new(span.clone(), DeValue::Table(DeTable::new()));
    let next = table.entry(key()).or_insert_with(empty);
    put_into(next, step, rest, span, value)
}

fn put_into<'t>(
    node: &mut Spanned<DeValue<'t>>,
    name: &str,
    steps: &[&str],
    span: &Range<usize>,
    value: Spanned<DeValue<'t>>,
) -> Result<(), Problem> {
    match node.get_mut() {
        DeValue::Table(table) => put(table, steps, span, value),
        DeValue::Array(items) => {
            let [step, rest @ ..] = steps else { return Ok(()) };
            let names: Vec<String> = items.iter().enumerate().map(name_of).collect();
            let index = names.iter().position(|name| name == step).or_else(|| step.parse().ok());
            match index.and_then(|index| items.get_mut(index)) {
                Some(item) if rest.is_empty() => *item = value,
                Some(item) => put_into(item, step, rest, span, value)?,
                None => {
                    let what = format!("no item `{step}` in `{name}`");
                    let help = suggest(step, names.iter().map(String::as_str));
                    return Err(Problem::at(span.clone(), what).with_help(help));
                }
            }
            Ok(())
        }
        _ => Err(Problem::at(span.clone(), format!("`{name}` is a value and has no fields"))),
    }
}

/// The name of an item of a list in paths: its `name`, or the ends of a link; its number where these are
/// missing or cannot be a step of a path, as `leaf0..leaf3`.
fn name_of((number, item): (usize, &Spanned<DeValue<'_>>)) -> String {
    let text = |key: &str| item.get_ref().get(key).and_then(|value| value.get_ref().as_str());
    let name = match (text("name"), text("from"), text("to")) {
        (Some(name), ..) => Some(name.to_owned()),
        (None, Some(from), Some(to)) => Some(format!("{from}->{to}")),
        _ => None,
    };
    name.filter(|name| steps(name).len() == 1).unwrap_or_else(|| number.to_string())
}

/// The span of a field such as `group[2].poisson.load`, or else of the innermost table around it.
pub(super) fn locate(table: &DeTable<'_>, field: &str) -> Option<Range<usize>> {
    let steps = steps(field);
    let (first, rest) = steps.split_first()?;
    let mut here = table.get(*first)?;
    for step in rest {
        let next = match (here.get_ref(), step.parse::<usize>()) {
            (DeValue::Array(items), Ok(index)) => items.get(index),
            (DeValue::Table(table), _) => table.get(*step),
            _ => None,
        };
        match next {
            Some(next) => here = next,
            None => break,
        }
    }
    Some(here.span())
}
