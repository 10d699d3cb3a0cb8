//! The JSON Schema of scenario files: from the same types that read them.

use std::borrow::Cow;
use std::collections::BTreeMap;

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Serialize;
use serde_json::{Map, Value, json};
use sluice_laws::registry::Parameters;

use crate::scenario::{Scenario, Steps, SweepOptions};

/// The JSON Schema (draft 2020-12) of a scenario file, for editors that complete and check TOML.
pub fn schema() -> Value {
    let generator = SchemaSettings::draft2020_12().into_generator();
    let mut root = generator.into_root_schema_for::<File>().to_value();
    as_toml(&mut root);
    root
}

/// The whole of a scenario file, which is read in several steps.
#[derive(Serialize, JsonSchema)]
#[schemars(title = "A scenario of Sluice")]
struct File {
    #[serde(flatten)]
    scenario: Scenario,
    #[serde(flatten)]
    parameters: Parameters,
    /// Named values: `"$name"` may be written in place of any value.
    #[serde(default)]
    variables: BTreeMap<String, Value>,
    /// Values of fields for `sluice sweep`.
    sweep: Option<Sweep>,
}

#[derive(Serialize, JsonSchema)]
struct Sweep {
    #[serde(flatten)]
    options: SweepOptions,
    /// Paths of fields or variables, each with the values that it takes.
    over: BTreeMap<String, Over>,
}

/// The values of a swept field: a list or a range.
#[derive(Serialize)]
struct Over;

impl JsonSchema for Over {
    fn schema_name() -> Cow<'static, str> {
        "Over".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let steps = generator.subschema_for::<Steps>();
        json_schema!({ "anyOf": [{ "type": "array", "minItems": 1 }, steps] })
    }
}

/// TOML has no null, and any value may be a variable.
fn as_toml(schema: &mut Value) {
    match schema {
        Value::Array(items) => {
            items.retain(|item| item != &json!({ "type": "null" }));
            items.iter_mut().for_each(as_toml);
        }
        Value::Object(fields) => {
            let literal = ["examples", "default", "enum", "const"];
            let rest = fields.iter_mut().filter(|(key, _)| !literal.contains(&key.as_str()));
            rest.for_each(|(_, value)| as_toml(value));
            without_null(fields);
            let number = |kind: &Value| ["number", "integer", "boolean"].iter().any(|n| kind == n);
            if fields.get("type").is_some_and(number) {
                or_variable(fields);
            }
        }
        _ => {}
    }
}

fn without_null(fields: &mut Map<String, Value>) {
    match fields.get_mut("default") {
        Some(Value::Null) => _ = fields.remove("default"),
        Some(Value::Object(table)) => table.retain(|_, value| !value.is_null()),
        _ => {}
    }
    let Some(Value::Array(types)) = fields.get_mut("type") else { return };
    types.retain(|kind| kind != "null");
    if let [only] = &types[..] {
        let only = only.clone();
        fields.insert("type".into(), only);
    }
}

/// Allows the name of a variable, which is a string, besides a value of another type.
fn or_variable(fields: &mut Map<String, Value>) {
    let annotations: Map<String, Value> = ["description", "default", "examples"]
        .into_iter()
        .filter_map(|key| fields.remove(key).map(|value| (key.to_owned(), value)))
        .collect();
    let plain = std::mem::replace(fields, annotations);
    let variable = json!({ "type": "string", "pattern": "^\\$" });
    fields.insert("anyOf".into(), json!([plain, variable]));
}
