//! The list of protocols. A new one is a folder beside this file and a line in `protocols!`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sluice_units::Faults;

use crate::protocol::Protocol;
use crate::transport::Transport;

macro_rules! protocols {
    ($($variant:ident => $module:ident::$Params:ident),+ $(,)?) => {
        /// A protocol's name.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
        #[serde(rename_all = "snake_case")]
        pub enum ProtocolName {
            $(#[doc = concat!("See [`crate::", stringify!($module), "`].")] $variant),+
        }

        impl ProtocolName {
            /// Every protocol there is.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The protocols that any flow may have, in order: all but those whose flows ask for a profile.
            pub fn without_profile() -> impl Iterator<Item = Self> {
                let parameters = Parameters::default();
                let any = move |name: &Self| {
                    let protocol = parameters.protocol(*name);
                    Faults::of(|faults| protocol.check_profile(None, None, faults)).is_empty()
                };
                Self::ALL.iter().copied().filter(any)
            }

            /// The protocol of that name.
            pub fn named(name: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|own| own.as_str() == name)
            }

            /// The name as scenarios write it.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => stringify!($module)),+ }
            }
        }

        /// The parameters of every protocol, each with its defaults, and what they share.
        #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
        #[serde(deny_unknown_fields, default)]
        pub struct Parameters {
            /// What every protocol inherits and may override in its own table: the first window, loss
            /// recovery, acknowledgements and timers.
            pub transport: Transport,
            $(#[doc = concat!("The parameters of `", stringify!($module), "`.")]
            pub $module: crate::$module::$Params),+
        }

        impl Parameters {
            /// The names of its tables.
            pub const TABLES: &'static [&'static str] = &["transport", $(stringify!($module)),+];

            /// The protocol of that name with these parameters.
            pub fn protocol(&self, name: ProtocolName) -> &dyn Protocol {
                match name { $(ProtocolName::$variant => &self.$module),+ }
            }
        }
    };
}

protocols! {
    Rcp => rcp::RcpParams,
    Xcp => xcp::XcpParams,
    Ncp => ncp::NcpParams,
    Tcp => tcp::TcpParams,
    Cubic => cubic::CubicParams,
    AlphaFair => alpha_fair::AlphaFairParams,
    Bbr1 => bbr1::Bbr1Params,
    Bbr3 => bbr3::Bbr3Params,
    Dctcp => dctcp::DctcpParams,
    Prague => prague::PragueParams,
    Swift => swift::SwiftParams,
    Hpcc => hpcc::HpccParams,
    Tfrc => tfrc::TfrcParams,
    XcpGuaranteed => xcp_guaranteed::XcpGuaranteedParams,
    NcpIncrements => ncp_increments::NcpIncrementsParams,
    Ledger => ledger::LedgerParams,
}

impl core::fmt::Display for ProtocolName {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.pad(self.as_str())
    }
}
