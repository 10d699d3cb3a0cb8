//! Nodes by their names, of which a range such as `h0..h15` stands for several.

use super::paths::node;
use crate::scenario::topology::Network;
use crate::scenario::{Nodes, Problems};

/// The nodes of these names, which must differ.
pub(super) fn nodes(
    named: &Nodes,
    field: &str,
    network: &Network,
    problems: &mut Problems,
) -> Vec<usize> {
    let mut found = Vec::new();
    let mut is_found = vec![false; network.nodes.len()];
    for name in named.names() {
        let names = range(name, network).unwrap_or_else(|| vec![name.clone()]);
        for name in names {
            match node(&name, field, network, problems) {
                Some(node) if is_found[node] => {
                    problems.field(field, format!("`{name}` is listed twice"));
                }
                Some(node) => {
                    is_found[node] = true;
                    found.push(node);
                }
                // Those after it would only repeat it.
                None => break,
            }
        }
    }
    if named.names().is_empty() {
        problems.field(field, "no nodes: name at least one");
    }
    found
}

/// The names `h0`, `h1`, ... `h15` for `h0..h15`; `None` for other names, and for that of a node.
fn range(name: &str, network: &Network) -> Option<Vec<String>> {
    let (first, last) = name.split_once("..").filter(|_| network.node(name).is_none())?;
    let split = |name: &'_ str| -> Option<(usize, usize)> {
        let stem = name.trim_end_matches(|c: char| c.is_ascii_digit()).len();
        Some((stem, name[stem..].parse().ok()?))
    };
    let ((stem, from), (end, to)) = (split(first)?, split(last)?);
    let is_range = first[..stem] == last[..end] && (from..network.nodes.len()).contains(&to);
    is_range.then(|| (from..=to).map(|number| format!("{}{number}", &first[..stem])).collect())
}
