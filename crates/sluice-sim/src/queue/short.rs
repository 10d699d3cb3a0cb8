//! How files state a discipline: a table with its parameters, or its name alone.

/// Implements `Deserialize` and `JsonSchema` for the enum `Discipline` of these variants.
macro_rules! reading {
    ($($name:ident: $Type:ident),+) => {
        impl schemars::JsonSchema for Discipline {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                "Discipline".into()
            }

            fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
                let tables = [$({
                    let table = generator.subschema_for::<$Type>();
                    schemars::json_schema!({
                        "type": "object",
                        "properties": { stringify!($name): table },
                        "required": [stringify!($name)],
                        "additionalProperties": false,
                    })
                }),+];
                let names = schemars::json_schema!({ "enum": [$(stringify!($name)),+] });
                let choices: Vec<_> = std::iter::once(names).chain(tables).collect();
                schemars::json_schema!({ "anyOf": choices })
            }
        }

        impl<'de> serde::Deserialize<'de> for Discipline {
            fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                use serde::Deserialize;
                use serde::de::{Error, MapAccess, Visitor, value::MapAccessDeserializer};

                #[derive(serde::Deserialize)]
                #[serde(rename_all = "snake_case")]
                enum Whole {
                    $($Type($Type)),+
                }
                struct Either;

                impl<'de> Visitor<'de> for Either {
                    type Value = Discipline;

                    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        f.write_str("a queue discipline, as `\"red\"` or `{ red = { gentle = false } }`")
                    }

                    fn visit_str<E: Error>(self, name: &str) -> Result<Discipline, E> {
                        match name {
                            $(stringify!($name) => Ok(Discipline::$Type($Type::default())),)+
                            _ => Err(E::unknown_variant(name, &[$(stringify!($name)),+])),
                        }
                    }

                    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Discipline, A::Error> {
                        let whole = Whole::deserialize(MapAccessDeserializer::new(&mut map))?;
                        // In the words of the toml crate for an enum's table.
                        if map.next_key::<serde::de::IgnoredAny>()?.is_some() {
                            return Err(Error::custom("wanted exactly 1 element, more than 1 element"));
                        }
                        Ok(match whole {
                            $(Whole::$Type(model) => Discipline::$Type(model)),+
                        })
                    }
                }

                from.deserialize_any(Either)
            }
        }
    };
}

pub(super) use reading;
