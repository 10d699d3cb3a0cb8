//! Hosts: the two ends of flows and their timers.

mod delays;
mod flow;
mod forward;
mod jitter;
mod rate_samples;
mod receiver;
mod sender;
mod spray;
mod timers;
mod udp_stream;

pub(crate) use flow::{Flow, FlowSampler, Flows, Timer};
pub(crate) use forward::forward_to_law;
pub(crate) use jitter::{Lateness, Processing};
pub(crate) use receiver::{Receiver, Reply};
pub(crate) use sender::{Sender, SenderConfig};
pub(crate) use spray::Spray;
pub(crate) use timers::{Owner, Role, TimerId, Timers, flow_order};
pub(crate) use udp_stream::{UdpPath, UdpStream};
