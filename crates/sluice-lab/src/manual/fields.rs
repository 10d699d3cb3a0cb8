//! The fields of a table, as in the schema.

use serde::Serialize;
use serde_json::Value;

/// A field of a table.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Field {
    /// Its name.
    pub name: String,
    /// Its values: a kind of quantity, or the choices.
    pub takes: String,
    /// Its default; empty if it is required or has none.
    pub default: String,
    /// Whether it is required.
    pub required: bool,
    /// Its description, with units, range and source.
    pub about: String,
}

/// The values of the field at this path through the schema; empty if it is a table.
pub(super) fn taken(schema: &Value, path: &[&str]) -> String {
    let end = path.iter().try_fold(schema, |table, step| inside(schema, table, step));
    let plain = end.filter(|end| table(schema, end)["properties"].is_null());
    plain.map(|plain| takes(schema, plain)).unwrap_or_default()
}

/// The fields of the table at the end of this path through the schema.
pub(super) fn of(schema: &Value, path: &[&str]) -> Vec<Field> {
    let Some(end) = path.iter().try_fold(schema, |table, step| inside(schema, table, step)) else {
        return Vec::new();
    };
    of_table(schema, table(schema, end))
}

/// The fields of a table; none if it is not one.
pub(super) fn of_table(root: &Value, table: &Value) -> Vec<Field> {
    let required = |name: &str| {
        table["required"].as_array().is_some_and(|all| all.iter().any(|field| field == name))
    };
    let field = |(name, value): (&String, &Value)| Field {
        name: name.clone(),
        takes: takes(root, value),
        default: default(value),
        required: required(name),
        about: value["description"].as_str().unwrap_or_default().replace('\n', " "),
    };
    let fields = table["properties"].as_object();
    fields.map(|fields| fields.iter().map(field).collect()).unwrap_or_default()
}

/// The schema of a field inside a table, through lists and choices.
fn inside<'s>(root: &'s Value, table: &'s Value, step: &str) -> Option<&'s Value> {
    let table = self::table(root, table);
    if let Some(found) = table["properties"].get(step) {
        return Some(found);
    }
    let choices = ["oneOf", "anyOf"].iter().filter_map(|key| table[*key].as_array()).flatten();
    choices.chain(table.get("items")).find_map(|choice| inside(root, choice, step))
}

/// Follows references.
pub(super) fn resolved<'s>(root: &'s Value, mut schema: &'s Value) -> &'s Value {
    while let Some(name) = reference(schema) {
        schema = &root["$defs"][name];
    }
    schema
}

/// Follows references, and lists of tables to a table.
pub(super) fn table<'s>(root: &'s Value, schema: &'s Value) -> &'s Value {
    let schema = resolved(root, schema);
    match schema.get("items") {
        Some(items) if !items["$ref"].is_null() => resolved(root, items),
        _ => schema,
    }
}

/// The name of the definition that a schema refers to, also as the only one of several choices.
fn reference(schema: &Value) -> Option<&str> {
    let direct = schema["$ref"].as_str();
    let only = match schema["anyOf"].as_array().map(Vec::as_slice) {
        Some([only]) => only["$ref"].as_str(),
        _ => None,
    };
    direct.or(only)?.strip_prefix("#/$defs/")
}

pub(super) fn default(value: &Value) -> String {
    match &value["default"] {
        // A table's fields have defaults of their own.
        Value::Null | Value::Object(_) => String::new(),
        Value::Array(items) if items.is_empty() => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// The values of a field, in few words.
pub(super) fn takes(root: &Value, schema: &Value) -> String {
    let schema = resolved(root, schema);
    if let Some(choices) = schema["enum"].as_array() {
        return one_of(choices.iter().map(ToString::to_string).collect());
    }
    if let Some(choices) = schema["oneOf"].as_array().or(schema["anyOf"].as_array()) {
        let choices = choices.iter().filter(|choice| choice["pattern"] != "^\\$");
        return one_of(choices.map(|choice| takes(root, choice)).collect());
    }
    if let Some(only) = schema.get("const") {
        return only.to_string();
    }
    match (schema["type"].as_str(), schema["examples"].as_array()) {
        (Some("string"), Some(examples)) => {
            let examples: Vec<String> = examples.iter().map(ToString::to_string).collect();
            format!("e.g. {}", examples.join(", "))
        }
        (Some("string"), None) => "a string".into(),
        (Some("integer"), _) => "a whole number".into(),
        (Some("number"), _) => "a number".into(),
        (Some("boolean"), _) => "true or false".into(),
        (Some("array"), _) => match schema.get("items") {
            Some(items) if items.is_object() => format!("a list of: {}", takes(root, items)),
            _ => "a list".into(),
        },
        (Some("object"), _) => match schema["properties"].as_object() {
            Some(fields) if fields.len() == 1 => {
                fields.keys().map(|key| format!("{{ {key} = ... }}")).collect()
            }
            _ => "a table".into(),
        },
        _ => "a value".into(),
    }
}

fn one_of(choices: Vec<String>) -> String {
    choices.join(" or ")
}
