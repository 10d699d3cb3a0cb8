//! The JSON Schema of scenario files: from the same types that read them.

use std::borrow::Cow;
use std::collections::BTreeMap;

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Serialize;
use serde_json::{Map, Value, json};
use sluice_laws::registry::Parameters;

use crate::scenario::{Scenario, Steps, Ways};

/// The JSON Schema (draft 2020-12) of a scenario file, for editors that complete and check TOML.
pub fn schema() -> Value {
    let generator = SchemaSettings::draft2020_12().into_generator();
    let mut root = generator.into_root_schema_for::<File>().to_value();
    as_toml(&mut root);
    root
}

/// All that a scenario file may hold; it is read in several steps.
#[derive(Serialize, JsonSchema)]
#[schemars(title = "A scenario of Sluice")]
struct File {
    #[serde(flatten)]
    scenario: Scenario,
    #[serde(flatten)]
    parameters: Parameters,
    /// Names for values: `"$name"` stands for the value wherever a value may stand.
    #[serde(default)]
    variables: BTreeMap<String, Value>,
    /// The scenario at many points, for `sluice sweep`.
    sweep: Option<Sweep>,
}

#[derive(Serialize, JsonSchema)]
struct Sweep {
    #[serde(flatten)]
    ways: Ways,
    /// Fields or variables by their path, and the values that each takes.
    over: BTreeMap<String, Over>,
}

/// What a field is swept over: a list of values, or a range.
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
            let told = ["examples", "default", "enum", "const"];
            let rest = fields.iter_mut().filter(|(key, _)| !told.contains(&key.as_str()));
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

/// Texts may be the name of a variable as they are; whatever else needs a second choice.
fn or_variable(fields: &mut Map<String, Value>) {
    let told: Map<String, Value> = ["description", "default", "examples"]
        .into_iter()
        .filter_map(|key| fields.remove(key).map(|value| (key.to_owned(), value)))
        .collect();
    let plain = std::mem::replace(fields, told);
    let variable = json!({ "type": "string", "pattern": "^\\$" });
    fields.insert("anyOf".into(), json!([plain, variable]));
}
