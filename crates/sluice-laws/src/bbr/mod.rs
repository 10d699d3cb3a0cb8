//! What the versions of BBR share: the connection as the drafts see it, filters, rounds, and the parts of
//! the control that are the same in both.
//!
//! Names and quotes are those of the drafts: draft-cardwell-iccrg-bbr-congestion-control-00 ("v1"), whose
//! names begin with "BBR", and draft-ietf-ccwg-bbr-06 ("v3"). Volumes are in packets and bandwidths in
//! packets a second, since all packets of a flow but the last have one size.
//!
//! Departures of both:
//!
//! - **Send quantum.** A sender of Sluice paces each packet by itself, so the quantum is a packet, the
//!   "smallest feasible" one that v3 section 5.6.3 asks for, and not what 1 ms brings at the pacing rate: on
//!   hosts that allowance pays for segmentation offload.
//! - **Randomness.** Laws have no random numbers. Where the drafts draw one, a hash of the instant and of
//!   what the flow has delivered takes its place (`bbr/draw.rs`).
//! - **ECN.** Neither draft has a response to marks, so packets are not ECN-capable and routers drop them.
//! - **Undo.** No loss recovery here declares an episode spurious, so what the drafts do then is left out.

mod connection;
mod control;
mod draw;
mod filter;
mod model;
mod params;
mod probe_rtt;
#[cfg(test)]
pub(crate) mod testing;

pub(crate) use connection::{Ack, Connection};
pub(crate) use control::{Pacing, Window};
pub(crate) use draw::draw;
pub(crate) use filter::MaxFilter;
pub(crate) use model::{Aggregation, FullPipe, Rounds, is_over};
pub(crate) use params::bbr_params;
pub use params::{PROBE_RTT_DURATIONS, PROBE_RTT_INTERVALS};
pub(crate) use probe_rtt::ProbeRttHold;

use sluice_units::Span;

/// "BBRMinPipeCwnd" (v1 section 4.2.3.3), "BBR.MinPipeCwnd" (v3 section 2.7): "4 packets", for receivers that
/// acknowledge every second one.
pub(crate) const MIN_PIPE_CWND: u32 = 4;

/// "BBR.offload_budget" (v3 section 5.5.8.1), and the "quanta" of v1 section 4.2.3.2: "3 * send_quantum".
pub(crate) const OFFLOAD_BUDGET: f64 = 3.0;

/// The volume that `bw` packets a second are in `rtt`.
pub(crate) fn bdp(bw: f64, rtt: Span) -> f64 {
    bw * rtt.as_secs_f64()
}

/// A volume as a count of packets, rounded up: where a part of a packet may be in flight, a packet may.
pub(crate) fn packets(volume: f64) -> u32 {
    volume.ceil() as u32
}
