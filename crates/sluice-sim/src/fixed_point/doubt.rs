//! Where the models are known to be wrong.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::law::Model;
use super::link_state::LinkState;
use super::network::{Demand, Link};
use super::path::Path;
use super::source::Offered;

/// What the models leave out, and matters here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Doubt {
    /// Flows send less than [`FEW_PACKETS`] packets a round trip: probes, time-outs and the granularity of packets
    /// are not in the models.
    FewPackets,
    /// R is at no bound and has no damping (NCP-S), or one full buffer takes it to its least rate (RCP at RTTs of an
    /// interval): it swings, which a fixed point does not.
    Swings,
    /// More than [`MANY_LOSSES`] of the packets are lost: time-outs, and how far a law swings once a buffer
    /// overflows, are not.
    ManyLosses,
    /// More than [`MANY_LOSSES`] of the acknowledgements are lost. Only the loss of the answer to a SYN is modelled.
    AcknowledgementLosses,
    /// At most [`FEW_LONG`] flows of XCP or TCP without an end share a link with flows that have a size: after
    /// these leave, they take many round trips to fill the link, in which others are faster than the models have it.
    FewLong,
}

/// See [`Doubt::FewPackets`].
pub const FEW_PACKETS: f64 = 4.0;
/// See [`Doubt::ManyLosses`].
pub const MANY_LOSSES: f64 = 0.01;
/// See [`Doubt::FewLong`].
pub const FEW_LONG: f64 = 5.0;

impl Doubt {
    /// Every doubt there is.
    pub const ALL: &'static [Self] = &[
        Self::FewPackets,
        Self::Swings,
        Self::ManyLosses,
        Self::AcknowledgementLosses,
        Self::FewLong,
    ];
}

impl fmt::Display for Doubt {
    /// A sentence.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let percent = MANY_LOSSES * 100.0;
        match self {
            Self::FewPackets => write!(
                f,
                "Flows send fewer than {FEW_PACKETS} packets per round trip: probes, time-outs and the \
                 granularity of packets are not modelled."
            ),
            Self::Swings => f.write_str(
                "The rate that routers grant can oscillate; the estimate assumes that it is steady.",
            ),
            Self::ManyLosses => write!(
                f,
                "More than {percent}% of the packets are lost: time-outs and the swings of a law after a \
                 buffer overflows are not modelled."
            ),
            Self::AcknowledgementLosses => write!(
                f,
                "More than {percent}% of the acknowledgements are lost: only the loss of answers to a SYN is \
                 modelled."
            ),
            Self::FewLong => write!(
                f,
                "At most {FEW_LONG} long flows share a link with flows that have a size: how slowly they take the \
                 capacity that these leave is not modelled."
            ),
        }
    }
}

/// The doubts about the flows of a path, which offer this.
pub(super) fn doubts(model: &Model, path: &Path<'_>, offer: &Offered) -> Vec<Doubt> {
    if matches!(path.class.demand, Demand::Streams { .. }) || matches!(model, Model::Fluid) {
        return Vec::new();
    }
    let applies = |doubt: &Doubt| match doubt {
        Doubt::FewPackets => offer.rate * offer.rtt < FEW_PACKETS * path.network.packet,
        Doubt::Swings => path.class.out.iter().any(|&link| swings(model, path, link)),
        Doubt::ManyLosses => offer.loss > MANY_LOSSES,
        Doubt::AcknowledgementLosses => path.back_loss > MANY_LOSSES,
        Doubt::FewLong => {
            path.class.out.iter().any(|&link| is_slowly_filled(model, &path.links[link]))
        }
    };
    Doubt::ALL.iter().copied().filter(applies).collect()
}

fn is_slowly_filled(model: &Model, link: &LinkState) -> bool {
    let is_few = link.endless > 0.0 && link.endless <= FEW_LONG;
    matches!(model, Model::Xcp(_) | Model::Tcp(_)) && is_few && link.flows > link.endless + 1e-3
}

fn swings(model: &Model, path: &Path<'_>, link: usize) -> bool {
    let (Model::Granted(law), state) = (model, &path.links[link]) else { return false };
    let Link { buffer, is_router, capacity, .. } = path.network.links[link];
    // A buffer that is ever full, if losses show that.
    let fullest = if state.loss > 1e-6 { buffer } else { 0.0 };
    is_router && state.rtt > 0.0 && law.swings(capacity, state.rtt, state.grant, fullest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doubts_are_sentences_without_repetition() {
        let texts: std::collections::BTreeSet<String> =
            Doubt::ALL.iter().map(Doubt::to_string).collect();
        assert_eq!(texts.len(), Doubt::ALL.len());
        for text in texts {
            assert!(text.ends_with('.') && text.starts_with(char::is_uppercase), "{text}");
        }
        assert!(Doubt::ALL.is_sorted());
    }
}
