//! Datagrams of a file, which somebody else reads: the engine knows no files.

use std::path::PathBuf;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sluice_units::{Bytes, Faults, Time};

/// A datagram of a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Datagram {
    /// When it leaves.
    pub time: Time,
    /// Its size on the wire.
    pub size: Bytes,
}

/// A list of datagrams by the name of its file, and what was found there.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct DatagramFile {
    /// Where it is.
    pub path: PathBuf,
    /// What is in it, in order of time; `None` until it has been read.
    #[serde(skip)]
    pub list: Option<Arc<[Datagram]>>,
}

impl DatagramFile {
    pub(super) fn check(&self, faults: &mut Faults) {
        let is_some = self.list.as_ref().is_some_and(|list| !list.is_empty());
        faults.need(is_some, "", "there are no datagrams");
    }

    fn list(&self) -> &[Datagram] {
        self.list.as_deref().unwrap_or_default()
    }

    pub(super) fn datagrams(&self) -> impl Iterator<Item = Datagram> + Send + 'static {
        let list = self.list.clone().unwrap_or_default();
        (0..list.len()).map(move |place| list[place])
    }

    /// The datagrams before `stop`: their bytes, and the time of the last.
    pub(super) fn before(&self, stop: Time) -> (f64, Time) {
        let list = self.list();
        let sent = &list[..list.partition_point(|datagram| datagram.time < stop)];
        (bytes(sent), sent.last().map_or(Time::ZERO, |datagram| datagram.time))
    }

    /// Mean bytes of a datagram.
    pub(super) fn datagram(&self) -> f64 {
        bytes(self.list()) / self.list().len().max(1) as f64
    }
}

fn bytes(datagrams: &[Datagram]) -> f64 {
    datagrams.iter().map(|datagram| datagram.size.as_f64()).sum()
}
