//! The transport below every law: the initial window, loss recovery, acknowledgements, timers.
//!
//! Laws are only comparable over equal transports, so a scenario states it once, in `[transport]`
//! ([`Transport`]); a protocol's own table may override what applies to it ([`TransportOverrides`]).

mod config;
mod ecn_mode;
mod overrides;
mod own_fields;
mod recovery;
mod rto;

pub use config::Transport;
pub use ecn_mode::EcnMode;
pub(crate) use own_fields::transport_params;

pub use overrides::{FieldSource, TransportOverrides};
pub use recovery::{LossRecovery, RecoveryVariant};
pub use rto::{Rto, Rtts};
