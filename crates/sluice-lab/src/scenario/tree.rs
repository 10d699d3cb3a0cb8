//! The tables of a scenario before their types are known: fields are set in them, variables put in.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::problem::Problem;
use super::suggest::suggest;
use super::sweep::{Setting, Sweep};

/// The most steps of a path. Tables within tables are gone through step by step, on the stack.
const DEEPEST: usize = 64;

/// A scenario's fields, its `[variables]` and its `[sweep]`.
pub(super) struct Tree<'t> {
    fields: DeTable<'t>,
    variables: DeTable<'t>,
    /// Variables that the file uses. A setting in the stead of such a use leaves nothing to mend.
    used: BTreeSet<String>,
    sweep: Sweep<'t>,
}

impl<'t> Tree<'t> {
    /// Takes a file's tables apart.
    pub fn new(mut fields: DeTable<'t>, problems: &mut Vec<Problem>) -> Self {
        let variables = match fields.remove("variables").map(|value| (value.span(), value)) {
            None => DeTable::new(),
            Some((place, value)) => match value.into_inner() {
                DeValue::Table(table) => table,
                _ => {
                    let what = "`variables` is a table: `[variables]`, then a line each";
                    problems.push(Problem::at(place, what));
                    DeTable::new()
                }
            },
        };
        let sweep = Sweep::new(fields.remove("sweep"), problems);
        let mut used = BTreeSet::new();
        fields.iter().for_each(|(_, value)| note_variables(value, &mut used));
        Self { fields, variables, used, sweep }
    }

    /// Puts a value into a field or a variable, which is then no longer swept; `place` is where the
    /// path stands.
    pub fn set(
        &mut self,
        path: &str,
        place: Range<usize>,
        value: Spanned<DeValue<'t>>,
        problems: &mut Vec<Problem>,
    ) {
        self.sweep.remove(path);
        self.put(path, &place, value, problems);
    }

    fn put(
        &mut self,
        path: &str,
        place: &Range<usize>,
        value: Spanned<DeValue<'t>>,
        problems: &mut Vec<Problem>,
    ) {
        match self.variables.get_mut(path) {
            Some(variable) => *variable = value,
            None => {
                let steps = steps(path);
                let put = if steps.len() > DEEPEST {
                    Err(Problem::at(place.clone(), "this is no field: too many steps"))
                } else {
                    put(&mut self.fields, &steps, place, value)
                };
                problems.extend(put.err());
            }
        }
    }

    /// Sweeps a field or a variable over these values.
    pub fn vary(&mut self, path: &str, place: Range<usize>, values: Spanned<DeValue<'t>>) {
        self.sweep.add(path, place, values);
    }

    /// Says how the values of several swept fields go together.
    pub fn how(&mut self, ways: Spanned<DeValue<'t>>, problems: &mut Vec<Problem>) {
        self.sweep.set_ways(ways, problems);
    }

    /// What is set at each point of the sweep, in order; none if nothing is swept.
    pub fn points(&self) -> Result<Vec<Vec<Setting<'t>>>, Vec<Problem>> {
        self.sweep.points()
    }

    /// The scenario's fields, with these settings of a point, and variables put in.
    pub fn fields(mut self, settings: &'t [Setting<'t>]) -> Result<DeTable<'t>, Vec<Problem>> {
        let mut problems = Vec::new();
        for Setting { path, place, value } in settings {
            self.put(path, place, value.value(), &mut problems);
        }
        let mut used = self.used;
        for (_, value) in self.fields.iter_mut() {
            fill(value, &self.variables, &mut used, &mut problems);
        }
        for name in self.variables.keys().filter(|name| !used.contains(&**name.get_ref())) {
            let text = name.get_ref();
            let help = format!("write `\"${text}\"` in the stead of a value");
            let what = format!("the variable `{text}` is used nowhere");
            problems.push(Problem { help: Some(help), ..Problem::at(name.span(), what) });
        }
        if problems.is_empty() { Ok(self.fields) } else { Err(problems) }
    }
}

/// Notes the variables whose names stand in a value.
fn note_variables(value: &Spanned<DeValue<'_>>, used: &mut BTreeSet<String>) {
    match value.get_ref() {
        DeValue::Array(items) => items.iter().for_each(|item| note_variables(item, used)),
        DeValue::Table(table) => table.iter().for_each(|(_, item)| note_variables(item, used)),
        DeValue::String(text) => used.extend(text.strip_prefix('$').map(str::to_owned)),
        _ => {}
    }
}

/// Puts variables in the stead of their names. A value keeps the place where it is written, so that
/// what is wrong with it is shown there.
fn fill<'t>(
    value: &mut Spanned<DeValue<'t>>,
    variables: &DeTable<'t>,
    used: &mut BTreeSet<String>,
    problems: &mut Vec<Problem>,
) {
    let place = value.span();
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
                    let what = format!("there is no variable `{name}`");
                    let names: Vec<&str> =
                        variables.keys().map(|key| key.as_ref().as_ref()).collect();
                    let help = match names[..] {
                        [] => "variables stand in a table `[variables]`, a line each".into(),
                        _ => suggest(name, names),
                    };
                    problems.push(Problem { help: Some(help), ..Problem::at(place, what) });
                }
            }
        }
        _ => {}
    }
}

/// A step of a path: a key, or a place in a list by number or name.
pub(super) fn steps(path: &str) -> Vec<&str> {
    path.split(['.', '[']).map(|step| step.trim_end_matches(']')).collect()
}

/// Puts a value at the end of a path, with tables on the way where there are none.
fn put<'t>(
    table: &mut DeTable<'t>,
    steps: &[&str],
    place: &Range<usize>,
    value: Spanned<DeValue<'t>>,
) -> Result<(), Problem> {
    let [step, rest @ ..] = steps else { return Ok(()) };
    let key = || Spanned::new(place.clone(), Cow::Owned((*step).to_owned()));
    if rest.is_empty() {
        table.remove(*step);
        table.insert(key(), value);
        return Ok(());
    }
    let empty = || Spanned::new(place.clone(), DeValue::Table(DeTable::new()));
    let next = table.entry(key()).or_insert_with(empty);
    put_into(next, step, rest, place, value)
}

fn put_into<'t>(
    node: &mut Spanned<DeValue<'t>>,
    name: &str,
    steps: &[&str],
    place: &Range<usize>,
    value: Spanned<DeValue<'t>>,
) -> Result<(), Problem> {
    match node.get_mut() {
        DeValue::Table(table) => put(table, steps, place, value),
        DeValue::Array(items) => {
            let [step, rest @ ..] = steps else { return Ok(()) };
            let names: Vec<String> = items.iter().map(name_of).collect();
            let index = names.iter().position(|name| name == step).or_else(|| step.parse().ok());
            match index.and_then(|index| items.get_mut(index)) {
                Some(item) if rest.is_empty() => *item = value,
                Some(item) => put_into(item, step, rest, place, value)?,
                None => {
                    let what = format!("there is no `{step}` in `{name}`");
                    let help = suggest(step, names.iter().map(String::as_str));
                    return Err(Problem { help: Some(help), ..Problem::at(place.clone(), what) });
                }
            }
            Ok(())
        }
        _ => Err(Problem::at(place.clone(), format!("`{name}` is a value, with no fields in it"))),
    }
}

/// What a path calls an item of a list: its `name`, or a link's ends.
fn name_of(item: &Spanned<DeValue<'_>>) -> String {
    let Some(table) = item.get_ref().as_table() else { return String::new() };
    let text = |key: &str| table.get(key).and_then(|value| value.get_ref().as_str());
    match (text("name"), text("from"), text("to")) {
        (Some(name), ..) => name.into(),
        (None, Some(from), Some(to)) => format!("{from}->{to}"),
        _ => String::new(),
    }
}

/// Where a field such as `group[2].poisson.load` stands: itself, or the nearest thing around it.
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
