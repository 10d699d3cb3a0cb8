//! How files state a discipline: a table with its parameters, or its name alone if none is required.

use serde::Deserialize;
use serde::de::value::{self, MapDeserializer};

/// A discipline's default parameters, or an error that names one that is required.
pub(super) fn defaults<T: for<'de> Deserialize<'de>>() -> Result<T, value::Error> {
    T::deserialize(MapDeserializer::new(std::iter::empty::<(&str, &str)>()))
}

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
                let complete = [$((stringify!($name), short::defaults::<$Type>().is_ok())),+];
                let names = complete.iter().filter(|(_, is_complete)| *is_complete);
                let names: Vec<&str> = names.map(|&(name, _)| name).collect();
                let names = schemars::json_schema!({ "enum": names });
                let choices: Vec<_> = std::iter::once(names).chain(tables).collect();
                schemars::json_schema!({ "anyOf": choices })
            }
        }

        impl<'de> serde::Deserialize<'de> for Discipline {
            fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                use serde::de::{Error, MapAccess, Visitor};

                #[derive(serde::Deserialize)]
                #[serde(variant_identifier, rename_all = "snake_case")]
                enum Name {
                    $($Type),+
                }
                struct Either;

                impl<'de> Visitor<'de> for Either {
                    type Value = Discipline;

                    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        f.write_str("a queue discipline, as `\"red\"` or `{ red = { gentle = false } }`")
                    }

                    fn visit_str<E: Error>(self, name: &str) -> Result<Discipline, E> {
                        match name {
                            $(stringify!($name) => short::defaults().map(Discipline::$Type).map_err(
                                |missing| E::custom(format_args!("`{name}` needs parameters: {missing}")),
                            ),)+
                            _ => Err(E::unknown_variant(name, &[$(stringify!($name)),+])),
                        }
                    }

                    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Discipline, A::Error> {
                        // Errors in the words of the toml crate for an enum's table.
                        let Some(name) = map.next_key()? else {
                            return Err(Error::custom("wanted exactly 1 element, found 0 elements"));
                        };
                        let discipline = match name {
                            $(Name::$Type => Discipline::$Type(map.next_value()?)),+
                        };
                        if map.next_key::<serde::de::IgnoredAny>()?.is_some() {
                            return Err(Error::custom("wanted exactly 1 element, more than 1 element"));
                        }
                        Ok(discipline)
                    }
                }

                from.deserialize_any(Either)
            }
        }
    };
}

pub(super) use reading;

#[cfg(test)]
mod tests {
    use crate::queue::Discipline;

    /// The schema lists the names that files may give alone: those of all disciplines but two.
    #[test]
    fn a_name_stands_alone_unless_a_field_is_required() {
        let schema = schemars::schema_for!(Discipline);
        let listed = schema.get("anyOf").and_then(|choices| choices[0]["enum"].as_array());
        let listed = listed.expect("a list of names");
        let all = Discipline::ABOUT.iter().map(|about| about.name);
        let missing: Vec<&str> = all.filter(|name| listed.iter().all(|it| it != name)).collect();
        assert_eq!(missing, ["threshold", "cbwfq"]);
    }
}
