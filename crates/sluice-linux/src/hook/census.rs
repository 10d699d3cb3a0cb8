//! The flows of a device before a router is there.

use std::os::fd::AsFd as _;

use libbpf_rs::skel::{OpenSkel as _, SkelBuilder as _};
use sluice_laws::flow_counter::{CounterKind, FlowCounter};
use sluice_units::{Bytes, Span};

use super::attach::{AttachedFilter, FilterRole, attach};
use super::device::Device;
use crate::error::Error;
use crate::router::ProgramMemory;
use crate::skeleton::census::{CensusSkel, CensusSkelBuilder};

/// A program that counts the flows that send data through a device, loaded into the kernel. A router that knows their number
/// can begin with their share of its link ([`initial_rate`](crate::initial_rate)).
pub struct FlowCensus<'place> {
    skeleton: CensusSkel<'place>,
}

impl<'place> FlowCensus<'place> {
    /// How long to count: some round trips of most paths.
    pub const TIME: Span = Span::from_millis(300);

    /// Loads the program, which has seen no flow.
    pub fn load(place: &'place mut ProgramMemory) -> Result<Self, Error> {
        let open = CensusSkelBuilder::default().open(place.object()).map_err(Error::Load)?;
        Ok(Self { skeleton: open.load().map_err(Error::Load)? })
    }

    /// Attaches the program at the egress of a device, in the place of [`KernelRouter::attach`](crate::KernelRouter::attach)
    /// and with its errors: it takes the place of a router's program that was left there, and a router's that follows takes
    /// its place.
    pub fn attach(&self, device: &Device) -> Result<AttachedFilter, Error> {
        attach(self.skeleton.progs.sluice_census.as_fd(), FilterRole::Router.slot(), device, None)
    }

    /// The number of flows seen so far: by their hashes, to within a few per cent up to 100,000.
    pub fn flows(&self) -> Result<f64, Error> {
        let seen = self.skeleton.maps.bss_data.as_deref().ok_or(Error::Layout(".bss"))?.flows_seen;
        let mut flows =
            FlowCounter::new(CounterKind::Bitmap, Bytes::new(size_of_val(&seen) as u64));
        flows.merge(&seen);
        Ok(flows.count())
    }
}
