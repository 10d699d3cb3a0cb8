//! Datagrams of a file, which somebody else reads: the engine knows no files.

use std::path::PathBuf;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sluice_units::{Bytes, Faults, Span, Time};

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

    fn bytes(&self) -> f64 {
        self.list().iter().map(|datagram| datagram.size.as_f64()).sum()
    }

    /// From its start to just after the last datagram.
    pub(super) fn span(&self) -> Span {
        let last = self.list().last().map_or(Time::ZERO, |datagram| datagram.time);
        last.since(Time::ZERO) + Span::NANO
    }

    /// Mean bytes a second over that span.
    pub(super) fn mean(&self) -> f64 {
        self.bytes() / self.span().as_secs_f64()
    }

    /// Mean bytes of a datagram.
    pub(super) fn datagram(&self) -> f64 {
        self.bytes() / self.list().len().max(1) as f64
    }
}
