//! The flows of a device before a router is there.

use std::os::fd::AsFd as _;
use std::thread::sleep;
use std::time::Duration;

use libbpf_rs::skel::{OpenSkel as _, SkelBuilder as _};
use sluice_laws::flow_counter::{CounterKind, FlowCounter};
use sluice_units::{Bytes, Span};

use super::attach::{FilterRole, attach};
use super::device::Device;
use crate::error::Error;
use crate::router::ProgramMemory;
use crate::skeleton::census::CensusSkelBuilder;

impl Device {
    /// The number of flows that send data through the device in this time: by their hashes, to within a few per cent up to
    /// 100,000. A router that knows it can begin with a rate that is near its flows' share of the link.
    ///
    /// A program is at the device meanwhile, in the place of [`KernelRouter`](crate::KernelRouter)'s: errors are those of
    /// [`attach`](crate::KernelRouter::attach). What a router left there goes.
    pub fn count_flows(&self, during: Span) -> Result<f64, Error> {
        let mut memory = ProgramMemory::default();
        let open = CensusSkelBuilder::default().open(memory.object()).map_err(Error::Load)?;
        let skeleton = open.load().map_err(Error::Load)?;
        let program = skeleton.progs.sluice_census.as_fd();
        let attached = attach(program, FilterRole::Router.slot(), self)?;
        sleep(Duration::from_nanos(during.as_nanos()));
        attached.detach()?;
        let seen = skeleton.maps.bss_data.as_deref().ok_or(Error::Layout(".bss"))?.flows_seen;
        let memory = Bytes::new(size_of_val(&seen) as u64);
        let mut flows = FlowCounter::new(CounterKind::Bitmap, memory);
        flows.merge(&seen);
        Ok(flows.count())
    }
}
