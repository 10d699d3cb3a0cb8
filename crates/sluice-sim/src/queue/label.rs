//! Labels, by which links learn rates of flows of which they keep no state.

/// A rate of a flow for each unit of its weight, in bits a second, as the first link of its path
/// that labels packets estimates it, and those behind it lower it. Above 0.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Label(pub(super) f64);

/// The place of a link among those of a path that label packets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Labelling {
    /// It is the first: it estimates the flow's rate.
    pub(crate) first: bool,
    /// It is the last: packets leave it without a label.
    pub(crate) last: bool,
}

impl Labelling {
    /// For each link of a path, given whether it labels packets: its place if it does.
    pub(crate) fn along<I>(labels: I) -> impl Iterator<Item = Option<Self>>
    where
        I: ExactSizeIterator<Item = bool> + DoubleEndedIterator + Clone,
    {
        let first = labels.clone().position(|labels| labels);
        let last = labels.clone().rposition(|labels| labels);
        labels.enumerate().map(move |(place, labels)| {
            let is = |end| end == Some(place);
            labels.then(|| Self { first: is(first), last: is(last) })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_has_a_first_and_a_last_link_that_labels() {
        let along = |labels: &[bool]| -> Vec<_> {
            Labelling::along(labels.iter().copied())
                .map(|it| it.map(|it| (it.first, it.last)))
                .collect()
        };
        assert_eq!(along(&[false, false]), [None, None]);
        assert_eq!(along(&[false, true]), [None, Some((true, true))]);
        let (first, core, last) = (Some((true, false)), Some((false, false)), Some((false, true)));
        assert_eq!(along(&[true, true, false, true]), [first, core, None, last]);
    }
}
