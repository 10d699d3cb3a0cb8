//! Serde's and toml's messages in the words of the rest.

use super::renamed::renamed;
use super::suggest::suggest;

/// What is wrong, and what is allowed if the message tells.
pub(super) fn explain(message: &str, extra_fields: &[&str]) -> (String, Option<String>) {
    if let Some((name, mut allowed)) = unknown(message, "field") {
        allowed.extend(extra_fields);
        if let Some(word) = renamed(name, &allowed) {
            return (format!("`{name}` is now `{word}`"), Some(format!("write `{word}`")));
        }
        return (format!("unknown field `{name}`"), Some(suggest(name, allowed)));
    }
    if let Some((name, allowed)) = unknown(message, "variant") {
        return (format!("`{name}` is not known here"), Some(suggest(name, allowed)));
    }
    if message.starts_with("wanted exactly 1 element") {
        let what =
            if is_absence(message) { "nothing is chosen here" } else { "too much is chosen here" };
        return (what.into(), Some("exactly one of the choices must be given".into()));
    }
    if let Some(rest) = message.strip_prefix("missing field ") {
        return (format!("the field {rest} is missing"), None);
    }
    if let Some((was, expected)) = message
        .strip_prefix("invalid value: ")
        .or_else(|| message.strip_prefix("invalid type: "))
        .and_then(|rest| rest.split_once(", expected "))
    {
        return (format!("{} cannot stand here", article(was)), Some(wanted(expected)));
    }
    (message.trim_end().replace('\n', "; "), None)
}

/// Whether the message tells that something is not there.
pub(super) fn is_absence(message: &str) -> bool {
    message.starts_with("missing field") || message.ends_with("found 0 elements")
}

/// Takes "unknown field `a`, expected one of `b`, `c`" to pieces.
fn unknown<'a>(message: &'a str, kind: &str) -> Option<(&'a str, Vec<&'a str>)> {
    let rest = message.strip_prefix("unknown ")?.strip_prefix(kind)?.strip_prefix(" `")?;
    let (name, rest) = rest.split_once('`')?;
    let words = rest.split('`').skip(1).step_by(2).collect();
    Some((name, words))
}

fn article(was: &str) -> String {
    let vowel = was.starts_with(['a', 'e', 'i', 'o']);
    format!("{} {was}", if vowel { "an" } else { "a" })
}

fn wanted(expected: &str) -> String {
    let plain = match expected {
        "u64" | "u32" | "usize" | "u16" | "u8" => "a whole number from 0 up",
        "a boolean" => "`true` or `false`",
        "a sequence" => "a list in `[ ]`",
        "a string" => "a text in quotes",
        other => return format!("expected {}", other.strip_prefix("struct ").unwrap_or(other)),
    };
    format!("expected {plain}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_field_names_what_was_meant() {
        let message = "unknown field `capacty`, expected one of `pairs`, `capacity`, `rtt`";
        let (what, help) = explain(message, &[]);
        assert_eq!(what, "unknown field `capacty`");
        assert!(help.unwrap().starts_with("did you mean `capacity`? allowed here: `pairs`"));
    }

    #[test]
    fn a_negative_number_is_told_what_is_allowed() {
        let (what, help) = explain("invalid value: integer `-5`, expected u64", &[]);
        assert_eq!(what, "an integer `-5` cannot stand here");
        assert_eq!(help.unwrap(), "expected a whole number from 0 up");
    }
}
