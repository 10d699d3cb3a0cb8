//! Field names of earlier versions of the scenario format, so that an error can give the current name.

/// A former name and the names that replaced it in different tables.
const RENAMED: &[(&str, &[&str])] = &[
    ("least", &["min"]),
    ("least_rate", &["min_rate"]),
    ("least_rto", &["min_rto"]),
    ("least_window", &["min_window"]),
    ("most", &["max", "max_runs"]),
    ("most_rate", &["max_rate"]),
    ("probe", &["metrics"]),
];

/// The name that replaced `former` in a table whose fields are `allowed`.
pub(super) fn renamed(former: &str, allowed: &[&str]) -> Option<&'static str> {
    let (_, names) = RENAMED.iter().find(|(name, _)| *name == former)?;
    names.iter().copied().find(|name| allowed.contains(name))
}

#[cfg(test)]
mod tests {
    use super::renamed;

    #[test]
    fn a_former_name_is_replaced_only_where_its_successor_is_a_field() {
        assert_eq!(renamed("most", &["relative", "max_runs"]), Some("max_runs"));
        assert_eq!(renamed("most", &["min", "max"]), Some("max"));
        assert_eq!(renamed("most", &["pairs"]), None);
        assert_eq!(renamed("capacity", &["capacity"]), None);
    }
}
