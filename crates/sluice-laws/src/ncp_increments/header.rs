//! The header of XCP derived from NCP: XCP's words under a number of its own, since routers of the two laws
//! control the same flows differently.

use crate::wire::Form;
use crate::xcp::header::XcpHeader;
use crate::{WireHeader, router};

/// [`XcpHeader`] for routers of this law: x is 1 / R_j, `delta` the part of Delta R that the packet takes back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct IncrementHeader(pub XcpHeader);

impl router::LawHeader for IncrementHeader {
    const FORM: Form = Form { law: 6, ..XcpHeader::FORM };

    #[inline]
    fn from_wire(wire: WireHeader) -> Self {
        Self(XcpHeader::from_wire(wire))
    }

    #[inline]
    fn to_wire(self) -> WireHeader {
        self.0.to_wire()
    }
}
