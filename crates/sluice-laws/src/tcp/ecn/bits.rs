//! The congestion bits of packets.

use crate::transport::EcnMode;

/// The place of the ACE counter, above all other bits.
const ACE_SHIFT: u32 = 5;
/// RFC 9768 section 3.2.1: counters of marked packets start at 5, so that 0 is not their usual value.
pub(super) const ACE_AT_FIRST: u8 = 5;

/// The congestion bits of a packet: two of IP's header (RFC 3168 section 5), two of TCP's (section
/// 6.1), and the three of AccECN's counter (ACE, RFC 9768 section 3.2.2), which the RFC lays over
/// TCP's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ecn(u8);

impl Ecn {
    /// No bits: the packet cannot be marked.
    pub const NONE: Self = Self(0);
    /// ECT: a router may mark it. By itself, the codepoint ECT(0).
    pub const CAPABLE: Self = Self(1);
    /// ECT(1), of L4S packets (RFC 9331): a router may mark it, too.
    pub const ECT1: Self = Self(1 | 1 << 1);
    /// CE: a router did. It takes the place of the codepoint that the packet left with.
    pub const EXPERIENCED: Self = Self(1 << 2);
    /// ECE: the receiver got a marked packet.
    pub const ECHO: Self = Self(1 << 3);
    /// CWR: the sender has reduced its window.
    pub const REDUCED: Self = Self(1 << 4);

    /// An acknowledgement's bits with the count of marked packets, of which three bits fit.
    pub(super) const fn of_ace(count: u8) -> Self {
        Self(count << ACE_SHIFT)
    }

    /// The count of marked packets that an acknowledgement carries, modulo 8.
    pub(super) const fn ace(self) -> u8 {
        self.0 >> ACE_SHIFT
    }

    /// The codepoint of the packets of a flow.
    pub const fn codepoint(mode: EcnMode) -> Self {
        match mode {
            EcnMode::Off => Self::NONE,
            EcnMode::Ect0 => Self::CAPABLE,
            EcnMode::Ect1 => Self::ECT1,
        }
    }

    /// Whether it is an L4S packet: ECT(1) or CE (RFC 9331, section 5.1).
    #[inline]
    pub const fn is_l4s(self) -> bool {
        self.has(Self::ECT1) || self.has(Self::EXPERIENCED)
    }

    /// Whether it has a bit above those of `other`.
    #[inline(always)]
    pub(super) const fn is_above(self, other: Self) -> bool {
        self.0 > other.0
    }

    /// Whether it has all bits of `other`.
    #[inline]
    pub const fn has(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// The bits of both.
    #[inline]
    #[must_use]
    pub const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}
