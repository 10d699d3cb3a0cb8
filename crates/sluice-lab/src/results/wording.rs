//! Words that warnings share.

/// Behind the name of the first of `count` groups.
pub(super) fn others(count: usize) -> String {
    match count - 1 {
        0 => String::new(),
        1 => " and another group".into(),
        more => format!(" and {more} other groups"),
    }
}
