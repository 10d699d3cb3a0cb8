//! XCP's guaranteed bandwidth service: flows reserve a profile, without state by flow in routers.
//!
//! After D. Katabi's thesis (see [`crate::xcp`]), section 6.4. A flow's first packet asks for admission
//! ([`host`], [`header`]); each router on the path admits it if its profile and R_g, an estimate of all
//! that is reserved, are within G ([`admission`]), and estimates R_g once an interval from what packets
//! declare ([`router`]). The law is meant for the higher class of links with strict priority ("G-queue",
//! section 6.4.5), over best-effort XCP: a link's `router = ["xcp", "xcp_guaranteed"]`.
//!
//! A flow that is denied may revert to best effort, and one that is admitted may exceed its profile: packets
//! that the network does not guarantee have XCP's header and are of the lowest class (`out_of_profile.rs`).

pub mod admission;
mod choices;
pub mod header;
pub mod host;
mod out_of_profile;
pub mod params;
pub mod receiver;
pub mod router;

pub use choices::{DeniedFlow, ProfileSender, RecentReservations};
pub use params::XcpGuaranteedParams;

use sluice_units::{Faults, Rate};

use crate::host::{Echo, HostLaw, SenderContext};
use crate::protocol::{LinkContext, Protocol, ProtocolInfo, ReservedPath};
use crate::router::{LawHeader as _, LinkRouter, RouterPort};
use crate::transport::{EcnMode, FieldSource, TransportOverrides};
use crate::wire::Form;
use crate::xcp::XcpParams;

impl XcpGuaranteedParams {
    /// G at a link of this capacity, in whole units of H_profile.
    fn limit(&self, capacity: Rate) -> u64 {
        let units = self.max_reserved.get() * capacity.as_bps_f64() / header::UNIT as f64;
        // A product of decimal fractions may be just below a whole number.
        (units + 1e-3) as u64
    }
}

impl XcpGuaranteedParams {
    /// Why no flow could reserve this on the path.
    fn fault_of(&self, profile: Rate, path: &ReservedPath) -> Option<String> {
        let &ReservedPath { narrowest, admitting, rtt, sprayed } = path;
        if sprayed {
            return Some(
                "a flow asks on one path, and packets of these take several in turn".into(),
            );
        }
        if profile > narrowest {
            return Some(format!(
                "{profile} is above {narrowest}, the capacity of the path's narrowest link"
            ));
        }
        let admitting = admitting?;
        let limit = self.limit(admitting);
        if u64::from(header::units(profile)) > limit {
            let left = Rate::from_bps(limit * header::UNIT);
            return Some(format!(
                "{profile} would never be admitted: {left} is what `max_reserved` leaves of the path's \
                 narrowest link, {admitting}"
            ));
        }
        // R_r is forgotten after an interval, and the first data of a flow come an RTT after its request.
        (rtt > self.interval).then(|| {
            format!(
                "needs an `interval` of at least the path's round trip, {rtt}, and best of several: within \
                 {}, routers would forget a flow before its first data arrive",
                self.interval
            )
        })
    }
}

impl Protocol for XcpGuaranteedParams {
    fn about(&self) -> ProtocolInfo {
        ProtocolInfo {
            name: "xcp_guaranteed",
            title: "XCP's guaranteed bandwidth: flows ask for a profile, and routers admit them",
            source: "Katabi, Decoupling Congestion Control and Bandwidth Allocation Policy, MIT, 2003",
            equations: &[
                "total reserved bandwidth, R_g: equation (6.1)",
                "admission and the average of R_g: pseudo-code of section 6.4.4",
                "senders, refreshments: sections 6.4.1 and 6.4.3",
            ],
        }
    }

    fn check(&self, faults: &mut Faults) {
        if let Some(profile) = self.profile {
            faults.within("profile", &profile, &params::PROFILES);
        }
        faults.within("max_reserved", &self.max_reserved, &params::PARTS);
        faults.within("interval", &self.interval, &params::INTERVALS);
        faults.within("fall", &self.fall, &params::PARTS);
        if let Some(retry) = self.retry {
            faults.within("retry", &retry, &params::RETRIES);
            let what = "a denied flow asks again or reverts to best effort; leave one of them out";
            faults.need(self.denied == DeniedFlow::GivesUp, "retry", what);
        }
        let what = "needs `sender = \"paced\"`: only a paced sender knows which packets exceed its profile";
        faults.need(!self.exceeds || self.sender == ProfileSender::Paced, "exceeds", what);
        self.overrides().check(faults);
    }

    fn profile(&self, own: Option<Rate>) -> Option<Rate> {
        own.or(self.profile)
    }

    fn check_profile(&self, own: Option<Rate>, path: Option<&ReservedPath>, faults: &mut Faults) {
        let Some(profile) = self.profile(own) else {
            let what = "missing `profile`: a flow of `xcp_guaranteed` asks for a rate, such as `\"1.5 Mbps\"`";
            return faults.add("profile", what);
        };
        if let Some(own) = own {
            faults.within("profile", &own, &params::PROFILES);
        }
        if let Some(fault) = path.and_then(|path| self.fault_of(profile, path)) {
            faults.add("profile", fault);
        }
    }

    /// A flow sends no more than its profile, whatever the path; its best-effort packets are another protocol's.
    fn bounds_itself(&self) -> bool {
        true
    }

    /// Its window depends neither on losses nor on marks.
    fn overrides(&self) -> TransportOverrides {
        TransportOverrides {
            initial_window: FieldSource::Implied(1),
            recovery: self.recovery.into(),
            delayed_ack: self.delayed_ack.into(),
            ecn: FieldSource::Implied(EcnMode::Off),
            min_rto: self.min_rto.into(),
            initial_rto: self.initial_rto.into(),
        }
    }

    /// With XCP's defaults for best-effort packets.
    fn host(&self, context: &SenderContext) -> Box<dyn HostLaw> {
        self.host_with(context, XcpParams::default().host(context))
    }

    fn best_effort(&self) -> Option<&'static str> {
        let sends = self.exceeds || self.denied == DeniedFlow::BestEffort;
        sends.then(|| XcpParams::default().about().name)
    }

    fn host_with(
        &self,
        context: &SenderContext,
        best_effort: Box<dyn HostLaw>,
    ) -> Box<dyn HostLaw> {
        Box::new(host::GuaranteedSender::new(self, context, best_effort))
    }

    fn echo(&self) -> &'static dyn Echo {
        &receiver::GuaranteedReceiver
    }

    fn wire(&self) -> Option<Form> {
        Some(header::GuaranteedHeader::FORM)
    }

    fn router(&self, link: &LinkContext) -> Option<Box<dyn RouterPort>> {
        Some(Box::new(LinkRouter::new(router::AdmissionControl::new(*self), link.capacity)))
    }
}

#[cfg(test)]
mod closed_loop;

#[cfg(test)]
mod tests {
    use sluice_units::{Ratio, Span};

    use super::*;

    /// A path of these capacities, on which a round trip takes 80 ms.
    fn path(narrowest: Rate, admitting: Option<Rate>) -> ReservedPath {
        ReservedPath { narrowest, admitting, rtt: Span::from_millis(80), sprayed: false }
    }

    fn fields(check: impl FnOnce(&mut Faults)) -> Vec<String> {
        Faults::of(check).into_iter().map(|fault| fault.field.to_string()).collect()
    }

    #[test]
    fn the_defaults_are_valid_and_errors_name_the_field() {
        let good = XcpGuaranteedParams::default();
        assert!(fields(|faults| good.check(faults)).is_empty());
        let (denied, sender) = (DeniedFlow::BestEffort, ProfileSender::Window);
        let wrong = [
            ("profile", XcpGuaranteedParams { profile: Some(Rate::ZERO), ..good }),
            ("max_reserved", XcpGuaranteedParams { max_reserved: Ratio::new(1.01), ..good }),
            ("interval", XcpGuaranteedParams { interval: Span::ZERO, ..good }),
            ("fall", XcpGuaranteedParams { fall: Ratio::new(0.0), ..good }),
            ("retry", XcpGuaranteedParams { retry: Some(Span::ZERO), ..good }),
            ("retry", XcpGuaranteedParams { retry: Some(Span::from_secs(1)), denied, ..good }),
            ("exceeds", XcpGuaranteedParams { exceeds: true, sender, ..good }),
            ("min_rto", XcpGuaranteedParams { min_rto: Some(Span::ZERO), ..good }),
        ];
        for (field, params) in wrong {
            assert_eq!(fields(|faults| params.check(faults)), [field]);
        }
    }

    #[test]
    fn a_profile_is_required_in_range_and_within_g_of_the_narrowest_link() {
        let mbps = |n: u64| Rate::from_bps(n * 1_000_000);
        let none = XcpGuaranteedParams::default();
        let check = |params: XcpGuaranteedParams, own, narrowest: Option<Rate>| {
            let path = narrowest.map(|narrowest| path(narrowest, Some(narrowest)));
            fields(|faults| params.check_profile(own, path.as_ref(), faults))
        };
        assert_eq!(check(none, None, None), ["profile"]);
        assert_eq!(check(none, Some(Rate::ZERO), None), ["profile"]);
        assert!(check(none, Some(mbps(8)), Some(mbps(10))).is_empty());
        assert_eq!(check(none, Some(mbps(9)), Some(mbps(10))), ["profile"]);
        assert!(check(none, Some(mbps(9)), None).is_empty());
        // The table's.
        let nine = XcpGuaranteedParams { profile: Some(mbps(9)), ..none };
        assert!(check(nine, Some(mbps(1)), Some(mbps(10))).is_empty());
        assert_eq!(check(nine, None, Some(mbps(10))), ["profile"]);
        // Links that admit nobody.
        for (bps, expected) in [(9, vec![]), (11, vec!["profile"])] {
            let path = path(mbps(10), None);
            let own = Some(mbps(bps));
            assert_eq!(fields(|faults| none.check_profile(own, Some(&path), faults)), expected);
        }
    }

    /// What the check lets pass, an idle link admits.
    #[test]
    fn the_check_and_the_link_agree_on_g() {
        use crate::WireHeader;
        use crate::router::RouterPort as _;

        let cases = [
            (0.57, 100_000_000, 57_000_000, true),
            (0.57, 100_000_000, 57_000_001, false),
            (0.8, 999_999, 799_900, true),
            // Stated as 800,000 b/s, and G is 799,999.2 b/s.
            (0.8, 999_999, 799_950, false),
            (1.0, 999_999, 999_900, true),
        ];
        for (max_reserved, capacity, profile, fits) in cases {
            let (capacity, profile) = (Rate::from_bps(capacity), Rate::from_bps(profile));
            let params = XcpGuaranteedParams {
                max_reserved: Ratio::new(max_reserved),
                ..XcpGuaranteedParams::default()
            };
            let path = path(capacity, Some(capacity));
            let found = fields(|faults| params.check_profile(Some(profile), Some(&path), faults));
            assert_eq!(found.is_empty(), fits, "{profile} of {capacity}");
            let mut port = LinkRouter::new(router::AdmissionControl::new(params), capacity);
            let asks = WireHeader::new([header::units(profile), 0, 1, 1]);
            assert_eq!(port.pass(asks, 40).get()[2] == 1, fits, "{profile} of {capacity}");
        }
    }

    #[test]
    fn an_interval_below_the_round_trip_and_several_paths_are_refused() {
        let (mbps, ten) = (Rate::from_bps(1_000_000), Rate::from_bps(10_000_000));
        let near = path(ten, Some(ten));
        let params = XcpGuaranteedParams::default();
        let found = |path| fields(|faults| params.check_profile(Some(mbps), Some(&path), faults));
        assert!(found(ReservedPath { rtt: params.interval, ..near }).is_empty());
        assert_eq!(found(ReservedPath { rtt: params.interval + Span::NANO, ..near }), ["profile"]);
        assert_eq!(found(ReservedPath { sprayed: true, ..near }), ["profile"]);
    }
}
