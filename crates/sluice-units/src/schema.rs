//! How a JSON Schema describes quantities, so that an editor knows what a scenario may say.

use std::borrow::Cow;
use std::collections::BTreeMap;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use crate::parse::Kind;
use crate::{BufferSize, Bytes, Rate, Ratio, Span, Time, bytes, rate, time};

/// The keyword of a schema that lists the words of its texts, such as units, with their meanings.
/// Editors ignore it; the manual is made from it.
pub const WORDS: &str = "x-words";

fn quantity(kind: &Kind) -> Schema {
    let what = format!("{} (units: {})", kind.what, kind.unit_names());
    let words: BTreeMap<&str, String> = kind.words().collect();
    json_schema!({
        "type": "string",
        "description": what,
        "examples": [kind.example],
        WORDS: words,
    })
}

macro_rules! schemas {
    ($($type:ident: $schema:expr;)+) => {$(
        impl JsonSchema for $type {
            fn schema_name() -> Cow<'static, str> {
                stringify!($type).into()
            }

            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                $schema
            }
        }
    )+};
}

schemas! {
    Time: quantity(&time::INSTANT);
    Span: quantity(&time::LENGTH);
    Rate: quantity(&rate::RATE);
    Bytes: quantity(&bytes::SIZE);
    BufferSize: json_schema!({
        "type": "string",
        "description": "room for packets: a number of them, a size, a time at the link's capacity, \
                        a number of bandwidth-delay products, or `unlimited`",
        "examples": ["25 packets", "64 kB", "5 ms", "1 bdp", "unlimited"],
        // Those of sizes and durations are with them.
        WORDS: {
            "packet": "a packet of any size",
            "packets": "packets of any size",
            "bdp": "the bandwidth-delay product of the link: its capacity times the largest round-trip \
                    propagation delay of its flows",
            "unlimited": "a buffer that is never full",
        },
    });
    Ratio: json_schema!({ "type": "number", "description": "a plain number", "examples": [0.4] });
}
