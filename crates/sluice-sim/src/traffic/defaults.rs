//! Defaults of the models' fields, for serde.

use sluice_units::Time;

pub(super) fn one() -> u64 {
    1
}

pub(super) fn at_once() -> Time {
    Time::ZERO
}

pub(super) fn never() -> Time {
    Time::NEVER
}

/// Whether a `stop` is the default, which is not written.
pub(super) fn is_never(time: &Time) -> bool {
    *time == Time::NEVER
}
