//! Rewords messages of serde and toml.

use super::renamed::renamed;
use super::suggest::suggest;

/// What is wrong, and what is allowed if the message says.
pub(super) fn explain(message: &str, extra_fields: &[&str]) -> (String, Option<String>) {
    if let Some((name, mut allowed)) = unknown(message, "field") {
        allowed.extend(extra_fields);
        if let Some(word) = renamed(name, &allowed) {
            return (format!("`{name}` is now `{word}`"), Some(format!("write `{word}`")));
        }
        return (format!("unknown field `{name}`"), Some(suggest(name, allowed)));
    }
    if let Some((name, allowed)) = unknown(message, "variant") {
        return (format!("unknown value `{name}`"), Some(suggest(name, allowed)));
    }
    // An integer that no type of TOML's holds.
    if let Some((what, _)) = message.split_once(" as i128, expected ") {
        return (what.into(), Some("expected a whole number, 0 to 2^63 - 1".into()));
    }
    if message.starts_with("invalid ")
        && let Some((what, expected)) = message.split_once(", expected ")
    {
        return (what.into(), Some(wanted(expected)));
    }
    (message.trim_end().replace('\n', "; "), None)
}

/// Whether the message says that something is missing.
pub(super) fn is_absence(message: &str) -> bool {
    message.starts_with("missing field") || message.ends_with("found 0 elements")
}

/// Whether the message says that none or several of the choices of an enum are set.
pub(super) fn is_choice(message: &str) -> bool {
    message.starts_with("wanted exactly 1 element")
}

/// Splits "unknown field `a`, expected one of `b`, `c`" into `a` and the rest.
pub(super) fn unknown<'a>(message: &'a str, kind: &str) -> Option<(&'a str, Vec<&'a str>)> {
    let rest = message.strip_prefix("unknown ")?.strip_prefix(kind)?.strip_prefix(" `")?;
    let (name, rest) = rest.split_once('`')?;
    let words = rest.split('`').skip(1).step_by(2).collect();
    Some((name, words))
}

fn wanted(expected: &str) -> String {
    let plain = match expected {
        "u64" | "u32" | "usize" | "u16" | "u8" => "a whole number, at least 0",
        "a boolean" => "`true` or `false`",
        "a sequence" => "a list in `[ ]`",
        "a string" => "a string in quotes",
        other => return format!("expected {}", other.strip_prefix("struct ").unwrap_or(other)),
    };
    format!("expected {plain}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_field_suggests_the_nearest_name() {
        let message = "unknown field `capacty`, expected one of `pairs`, `capacity`, `rtt`";
        let (what, help) = explain(message, &[]);
        assert_eq!(what, "unknown field `capacty`");
        assert!(help.unwrap().starts_with("did you mean `capacity`? expected one of `pairs`"));
    }

    #[test]
    fn an_error_for_a_negative_number_states_the_range() {
        let (what, help) = explain("invalid value: integer `-5`, expected u64", &[]);
        assert_eq!(what, "invalid value: integer `-5`");
        assert_eq!(help.unwrap(), "expected a whole number, at least 0");
    }

    #[test]
    fn an_error_for_a_huge_number_says_what_is_allowed() {
        let message = "invalid type: integer `18446744073709551616` as i128, expected u64";
        let (what, help) = explain(message, &[]);
        assert_eq!(what, "invalid type: integer `18446744073709551616`");
        assert_eq!(help.unwrap(), "expected a whole number, 0 to 2^63 - 1");
    }
}
