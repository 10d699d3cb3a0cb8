//! The router laws of a link in a run.

use sluice_units::Time;

use super::class_laws::ClassLaws;
use super::router::RouterDriver;

/// One law over all traffic, or laws over its classes, or none. A tag of its own is read faster than one in
/// the padding of a law.
#[repr(u8)]
pub(crate) enum RunningLaws {
    None,
    Whole(RouterDriver),
    /// Only at scheduled links.
    Classes(Box<ClassLaws>),
}

impl RunningLaws {
    pub(crate) fn is_none(&self) -> bool {
        matches!(self, Self::None)
    }

    /// The law over all traffic.
    #[inline(always)]
    pub(super) fn whole(&self) -> Option<&RouterDriver> {
        if let Self::Whole(router) = self { Some(router) } else { None }
    }

    /// Whether any of them counts flows.
    pub(crate) fn count_flows(&self) -> bool {
        match self {
            Self::None => false,
            Self::Whole(router) => router.counts_flows(),
            Self::Classes(laws) => laws.count_flows(),
        }
    }

    /// When the next law ticks.
    pub(super) fn due(&self) -> Time {
        match self {
            Self::None => Time::NEVER,
            Self::Whole(router) => router.due(),
            Self::Classes(laws) => laws.due(),
        }
    }

    /// Earliest departure that must be stamped at departure.
    #[inline(always)]
    pub(super) fn stamp_at_departure_from(&self) -> Time {
        match self {
            Self::None => Time::NEVER,
            Self::Whole(router) => router.stamp_at_departure_from(),
            Self::Classes(laws) => laws.stamp_at_departure_from(),
        }
    }

    /// Name and value of each metric, with the place of a class if it is one of the law over that.
    pub(super) fn metrics(&self, out: &mut dyn FnMut(Option<usize>, &'static str, f64)) {
        match self {
            Self::None => {}
            Self::Whole(router) => router.metrics(&mut |name, value| out(None, name, value)),
            Self::Classes(laws) => {
                laws.metrics(&mut |class, name, value| out(Some(class), name, value));
            }
        }
    }
}
