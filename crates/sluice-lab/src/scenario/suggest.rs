//! The word that was probably meant, among those allowed.

/// The allowed word nearest to what was written, if one is near enough to have been meant.
pub fn nearest<'a>(wrote: &str, allowed: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    allowed
        .into_iter()
        .map(|word| (strsim::damerau_levenshtein(wrote, word), word))
        .filter(|&(distance, word)| distance <= (word.chars().count() / 3).max(1))
        .min()
        .map(|(_, word)| word)
}

/// "did you mean ...?" with everything allowed, or only the latter.
pub fn suggest<'a>(wrote: &str, allowed: impl IntoIterator<Item = &'a str> + Clone) -> String {
    let list: Vec<String> = allowed.clone().into_iter().map(|word| format!("`{word}`")).collect();
    let list = shorten(&list);
    match nearest(wrote, allowed) {
        Some(word) => format!("did you mean `{word}`? allowed here: {list}"),
        None => format!("allowed here: {list}"),
    }
}

/// A list of hundreds of hosts helps nobody.
fn shorten(list: &[String]) -> String {
    const MOST: usize = 30;
    if list.len() <= MOST {
        list.join(", ")
    } else {
        format!("{}, ... ({} in all)", list[..MOST].join(", "), list.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_word_is_near() {
        assert_eq!(nearest("capacty", ["rtt", "capacity"]), Some("capacity"));
        assert_eq!(nearest("rpc", ["rcp", "xcp", "tcp"]), Some("rcp"));
        assert_eq!(nearest("frobnicate", ["rcp", "xcp"]), None);
    }
}
