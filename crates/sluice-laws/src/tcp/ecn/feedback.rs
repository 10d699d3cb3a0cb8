//! The reports of marks.

/// How acknowledgements report marks to the sender.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EcnFeedback {
    /// RFC 3168: all acknowledgements have ECE set until the sender confirms that it has reduced its
    /// window. The law sees one congestion event a window
    /// ([`crate::host::HostLaw::on_congestion`]).
    #[default]
    Classic,
    /// RFC 8257 section 3.2: an acknowledgement has ECE set if the packets that it acknowledges were
    /// marked. The law sees their number ([`crate::host::AckEvent::marked`]).
    Dctcp,
    /// AccECN (RFC 9768): acknowledgements carry a count of all marked packets, modulo 8. The law sees
    /// how many are new ([`crate::host::AckEvent::marked`]).
    Accurate,
}

impl EcnFeedback {
    /// Whether the law sees the number of packets marked.
    #[inline]
    pub(super) const fn counts(self) -> bool {
        !matches!(self, Self::Classic)
    }
}
