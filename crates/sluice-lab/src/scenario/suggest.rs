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

/// "did you mean ...?" if a word is near enough, and the words allowed.
pub fn suggest<'a>(wrote: &str, allowed: impl IntoIterator<Item = &'a str> + Clone) -> String {
    let one_of = if allowed.clone().into_iter().nth(1).is_some() { "one of " } else { "" };
    let list = list(allowed.clone());
    match nearest(wrote, allowed) {
        Some(word) => format!("did you mean `{word}`? expected {one_of}{list}"),
        None => format!("expected {one_of}{list}"),
    }
}

/// "`a`, `b`", or the first words of a long list, such as one of hundreds of hosts.
pub fn list<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
    const MAX_WORDS: usize = 30;
    let list: Vec<String> = words.into_iter().map(|word| format!("`{word}`")).collect();
    if list.len() <= MAX_WORDS {
        list.join(", ")
    } else {
        format!("{}, ... ({} in total)", list[..MAX_WORDS].join(", "), list.len())
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
