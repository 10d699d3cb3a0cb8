//! Words that earlier versions of the scenario format used, so that an error can name today's.

/// A former word and the words that replaced it, in different tables.
const RENAMED: &[(&str, &[&str])] = &[
    ("least", &["min"]),
    ("least_rate", &["min_rate"]),
    ("least_rto", &["min_rto"]),
    ("least_window", &["min_window"]),
    ("most", &["max", "max_runs"]),
    ("most_rate", &["max_rate"]),
    ("probe", &["metrics"]),
];

/// The word that replaced `former` in a table whose fields are `allowed`.
pub(super) fn renamed(former: &str, allowed: &[&str]) -> Option<&'static str> {
    let (_, words) = RENAMED.iter().find(|(word, _)| *word == former)?;
    words.iter().copied().find(|word| allowed.contains(word))
}

#[cfg(test)]
mod tests {
    use super::renamed;

    #[test]
    fn a_former_word_is_renamed_only_where_its_successor_is_a_field() {
        assert_eq!(renamed("most", &["relative", "max_runs"]), Some("max_runs"));
        assert_eq!(renamed("most", &["min", "max"]), Some("max"));
        assert_eq!(renamed("most", &["pairs"]), None);
        assert_eq!(renamed("capacity", &["capacity"]), None);
    }
}
