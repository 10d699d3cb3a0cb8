//! XCP-based core-stateless fair queueing: XCP between the border routers of a cloud, whatever hosts speak.
//!
//! After D. Katabi's thesis (MIT, 2003), section 8.1; sections and equations named in this folder are the thesis'. "We map
//! TCP or UDP flows across a network cloud onto XCP flows between the ingress and egress border routers. Each XCP flow is
//! associated with a queue at the ingress router." Such a *macro-flow* ([`macro_flow`]) attaches no header to its packets:
//! "feedback can be collected using a small control packet exchanged between border routers every RTT" ([`header`]). Core
//! routers ([`router`]) run XCP's controllers over control packets and hold no state of flows.
//!
//! # What a control packet stands for
//!
//! It stands for the S bytes that the macro-flow forwarded in the time T since the one before: for S / s packets of s
//! bytes, at r = S / T. Sums over packets become:
//!
//! - (4.8) and (9.1): s_i / r_i of each is s T / S, of all together T. A macro-flow of weight w, the number of its
//!   micro-flows or the sum of their weights, states r / w (section 6.3), so w T. Over an interval d, with any number of
//!   control packets, these add up to w d: dividing by them gives each micro-flow the same increase.
//! - (4.11): s_i of all together is S, so decrease is in proportion to throughput.
//! - (4.2): rtt_i s_i / r_i of all together is rtt w T.
//!
//! y of (4.3) is what the link counts: data are in it, though they have no header.

pub mod header;
pub mod macro_flow;
pub mod router;

pub use header::CloudHeader;
pub use macro_flow::{Forwarded, MacroFlow};
pub use router::CloudRouter;
