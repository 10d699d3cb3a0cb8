//! The list of protocols. A new one is a folder beside this file and a line in `protocols!`.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sluice_units::{Bytes, Rate, Ratio};

use crate::host::{Echo, HostLaw, Setup};
use crate::router::Station;
use crate::tcp::Variant;
use crate::transport::{Overrides, Transport};
use crate::wire::Form;

/// What a person is told of a protocol.
#[derive(Clone, Copy, Debug)]
pub struct About {
    /// Its name in scenarios.
    pub name: &'static str,
    /// One line.
    pub title: &'static str,
    /// Where it is specified.
    pub source: &'static str,
    /// What of it stands where in the source, a line each.
    pub equations: &'static [&'static str],
}

/// What a router law needs to know of its link.
#[derive(Clone, Copy, Debug)]
pub struct LinkSetup {
    /// The link's capacity.
    pub capacity: Rate,
    /// Size of a full data packet on the wire.
    pub packet: Bytes,
}

/// A protocol with its parameters: makes the two host sides and the router side.
pub trait Protocol: Send + Sync {
    /// What a person is told of it.
    fn about(&self) -> About;
    /// What is wrong with the parameters: the field, what is wrong, what is allowed.
    fn check(&self) -> Result<(), (&'static str, String)>;
    /// What is wrong with a flow of that weight ([`Setup::weight`]). By default every weight but 1
    /// is, since no source says what the law should make of it.
    fn check_weight(&self, weight: Ratio) -> Result<(), String> {
        if weight == Ratio::new(1.0) {
            return Ok(());
        }
        Err(format!("`{}` has no weights", self.about().name))
    }
    /// The fields of the transport that its own table or its law decides. By default
    /// nothing: the scenario's `[transport]` is that of the protocol.
    fn overrides(&self) -> Overrides {
        Overrides::default()
    }
    /// Its transport, where `shared` is the scenario's.
    fn transport(&self, shared: &Transport) -> Transport {
        self.overrides().over(shared)
    }
    /// Where loss recovery is not to follow the RFCs.
    fn variant(&self) -> Variant {
        Variant::default()
    }
    /// A sender for one flow.
    fn host(&self, setup: &Setup) -> Box<dyn HostLaw>;
    /// The receivers' side.
    fn echo(&self) -> &'static dyn Echo;
    /// How its header crosses the wire, or `None` if it has none.
    fn wire(&self) -> Option<Form> {
        None
    }
    /// The law at one link ([`crate::router::At`] makes it of a router law), or `None` if routers do
    /// nothing but queue.
    fn router(&self, link: &LinkSetup) -> Option<Box<dyn Station>>;
}

/// A protocol by its name, with its parameters.
#[derive(Clone, Debug)]
pub struct Chosen {
    /// Which.
    pub name: Name,
    /// The parameters of all.
    pub parameters: Arc<Parameters>,
}

impl Chosen {
    /// The protocol.
    pub fn protocol(&self) -> &dyn Protocol {
        self.parameters.protocol(self.name)
    }
}

/// Finds out whether `weight` is `least` to 1000.
pub(crate) fn weight_from(least: f64, weight: Ratio) -> Result<(), String> {
    if (least..=1000.0).contains(&weight.get()) {
        return Ok(());
    }
    Err(format!("{weight} is not a weight of {least} to 1000"))
}

macro_rules! protocols {
    ($($variant:ident => $module:ident),+ $(,)?) => {
        /// A protocol's name.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
        #[serde(rename_all = "snake_case")]
        pub enum Name {
            $(#[doc = concat!("See [`crate::", stringify!($module), "`].")] $variant),+
        }

        impl Name {
            /// Every protocol there is.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

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
            pub $module: crate::$module::Params),+
        }

        impl Parameters {
            /// The names of its tables.
            pub const TABLES: &'static [&'static str] = &["transport", $(stringify!($module)),+];

            /// The protocol of that name with these parameters.
            pub fn protocol(&self, name: Name) -> &dyn Protocol {
                match name { $(Name::$variant => &self.$module),+ }
            }
        }
    };
}

protocols! {
    Rcp => rcp,
    Xcp => xcp,
    Ncp => ncp,
    Tcp => tcp,
    Cubic => cubic,
    AlphaFair => alpha_fair,
}

impl core::fmt::Display for Name {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.pad(self.as_str())
    }
}
