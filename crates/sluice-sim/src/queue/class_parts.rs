//! How a discipline divides a link among classes of traffic.

use std::ops::RangeInclusive;

use sluice_units::Ratio;

use crate::by_class::{ByClass, CLASSES};

/// Metrics of the bytes that wait in each class.
pub(super) const BYTES_OF_CLASS: [&str; CLASSES] = [
    "class_0_bytes",
    "class_1_bytes",
    "class_2_bytes",
    "class_3_bytes",
    "class_4_bytes",
    "class_5_bytes",
    "class_6_bytes",
    "class_7_bytes",
];

/// Metrics of the most bytes that a packet has found waiting in its class.
pub(super) const MOST_BYTES_OF_CLASS: [&str; CLASSES] = [
    "class_0_most_bytes",
    "class_1_most_bytes",
    "class_2_most_bytes",
    "class_3_most_bytes",
    "class_4_most_bytes",
    "class_5_most_bytes",
    "class_6_most_bytes",
    "class_7_most_bytes",
];

/// What each class of traffic may use of a link.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum ClassParts {
    /// Its share is guaranteed, and it may use what all others leave.
    Shares(ByClass<Ratio>),
    /// What higher classes leave.
    Priority,
    /// Two classes: the higher has this share, the lowest the rest, and each may use what the other leaves. The
    /// law over the higher one moves the share ([`sluice_laws::router::RouterPort::class_weight`]).
    Weighed(Ratio),
}

impl ClassParts {
    /// Numbers of router laws, each over a class of traffic, that a link may have.
    pub(crate) fn laws(&self) -> RangeInclusive<usize> {
        match self {
            Self::Shares(shares) => shares.as_slice().len()..=shares.as_slice().len(),
            Self::Priority => 1..=CLASSES,
            Self::Weighed(_) => 2..=2,
        }
    }

    /// The fraction of the link that is guaranteed to the class at this place in a list of classes, 0 to 1.
    pub(crate) fn guaranteed(&self, place: usize) -> f64 {
        match self {
            Self::Shares(shares) => {
                let shares = shares.as_slice();
                let sum: f64 = shares.iter().map(|share| share.get()).sum();
                shares[place].get() / sum
            }
            Self::Priority => 0.0,
            Self::Weighed(weight) if place == 0 => 1.0 - weight.get(),
            Self::Weighed(weight) => weight.get(),
        }
    }

    /// Whether what is not guaranteed to the class at `place` is only its own as far as the class at `other`
    /// leaves it.
    pub(crate) fn yields(&self, place: usize, other: usize) -> bool {
        match self {
            Self::Shares(_) | Self::Weighed(_) => other != place,
            Self::Priority => other > place,
        }
    }
}
