//! The conviction of a flow.

use sluice_laws::xcp::policing::{Charge, Failure};
use sluice_units::{Rate, Time};

/// A flow convicted by the agent of a link, before `stop`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Conviction {
    /// The link, by its place in [`crate::Config::links`].
    pub link: usize,
    /// The flow's group, by its place in [`crate::Config::groups`].
    pub group: usize,
    /// Its place among the group's arrivals, from 0.
    pub index: u64,
    /// When the first of the failed tests began.
    pub since: Time,
    /// When it was convicted.
    pub at: Time,
    /// Of what.
    pub charge: Charge,
    /// Its rate in the last test, headers included.
    pub measured: Rate,
    /// The rate that it should have had.
    pub required: Rate,
}

impl Conviction {
    pub(crate) fn new(link: usize, (group, index): (usize, u64), at: Time, found: Failure) -> Self {
        let Failure { charge, since, measured, required } = found;
        let rate = |bytes: f64| Rate::from_bps_f64(bytes * 8.0);
        let (measured, required) = (rate(measured), rate(required));
        Self { link, group, index, since, at, charge, measured, required }
    }
}
