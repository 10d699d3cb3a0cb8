//! The tests from outside, in one binary, which is built sooner than one for each file. A test that
//! needs a process of its own is a file beside this folder.

mod alpha_fair_shares;
mod common;
mod corners;
mod counted;
mod cubic_response;
mod determinism;
mod draws;
mod ecn;
mod fluid;
mod ideal_engine;
mod ideal_network;
mod ideal_theory;
mod ideals;
mod jitter;
mod loss;
mod ncp_shares;
mod one_flow;
mod properties;
mod ps7;
mod rate_samples;
mod rcp_processor_sharing;
mod rcp_rate;
mod rcp_rounds;
mod rcp_small_buffers;
mod repair;
mod shown;
mod slow_start;
mod tcp_loss;
mod tcp_recovery;
mod tcp_slow_start;
mod trace;
mod trace_corners;
mod weights;
mod xcp_long_rtt;
mod xcp_small_windows;
