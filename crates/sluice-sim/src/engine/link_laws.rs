//! The router laws that links run.

use sluice_laws::protocol::{LinkContext, Protocol};
use sluice_laws::router::LinkRouter;
use sluice_laws::xcp::XcpParams;
use sluice_laws::xcp_cloud::CloudRouter;
use sluice_units::{Rate, Ratio};

use crate::cloud::{CLOUD_HEADER, MacroFlows};
use crate::config::{Config, LinkConfig, LinkId};
use crate::link::{ClassLaws, RouterDriver, RunningLaws};
use crate::link_law::LinkLaw;
use crate::link_laws::LinkLaws;
use crate::queue::ClassParts;
use crate::schedule::LinkCapacity;

/// The protocols whose headers packets carry, numbered from 1.
pub(super) struct HeaderNumbers(Vec<&'static str>);

impl HeaderNumbers {
    /// In a run of `run`.
    pub(super) fn new(config: &Config, run: &dyn Protocol) -> Self {
        let flows = config.groups.iter().filter(|group| group.traffic.udp().is_none());
        let protocols = flows.map(|group| config.protocol_of(group, run));
        let all = protocols.flat_map(|own| [Some(own), config.best_effort_of(own)]).flatten();
        let mut names: Vec<_> =
            all.filter(|own| own.has_header()).map(|own| own.about().name).collect();
        names.sort_unstable();
        names.dedup();
        Self(names)
    }

    /// The number of a protocol; 0 if packets carry no header of it.
    pub(super) fn of(&self, protocol: &dyn Protocol) -> u8 {
        let name = protocol.about().name;
        self.0.iter().position(|&known| known == name).map_or(0, |place| place as u8 + 1)
    }

    /// The number of the protocol whose flows policing agents test; `None` if packets carry no header of it.
    pub(super) fn policed(&self) -> Option<u8> {
        let number = self.of(&XcpParams::default());
        (number != 0).then_some(number)
    }

    /// The number that a law of this protocol reads, if packets carry headers of others too.
    fn read_only_by(&self, protocol: &dyn Protocol) -> Option<u8> {
        let own = protocol.about().name;
        let meets_others = self.0.iter().any(|&name| name != own);
        meets_others.then(|| match self.of(protocol) {
            0 => u8::MAX,
            number => number,
        })
    }
}

/// Makes the laws of links in a run.
pub(super) struct LawBuilder<'a> {
    pub(super) config: &'a Config,
    pub(super) run: &'a dyn Protocol,
    pub(super) headers: &'a HeaderNumbers,
    pub(super) macro_flows: &'a MacroFlows,
}

impl LawBuilder<'_> {
    /// The laws of this link.
    pub(super) fn at(&self, id: LinkId, link: &LinkConfig) -> RunningLaws {
        if self.macro_flows.is_core(id) {
            return RunningLaws::Whole(self.of_cloud(link));
        }
        match &link.router {
            LinkLaws::Whole(law) => {
                let law = self.law(*law, link, link.capacity, None);
                law.map_or(RunningLaws::None, RunningLaws::Whole)
            }
            LinkLaws::Classes(laws) => {
                let Some(parts) = link.queue.class_parts() else { return RunningLaws::None };
                let over = |(place, &law)| {
                    let part = parts.guaranteed(place);
                    // Under strict priority, nothing is guaranteed, and all may be left.
                    let part = Ratio::new(if part > 0.0 { part } else { 1.0 });
                    let weight = match parts {
                        ClassParts::Weighed(weight) if place > 0 => Some(weight),
                        _ => None,
                    };
                    self.law(law, link, link.capacity * part, weight)
                };
                let laws = laws.as_slice().iter().enumerate().map(over);
                RunningLaws::Classes(ClassLaws::new(parts, link.capacity, laws).into())
            }
        }
    }

    /// The law of a core link of a cloud, which reads control packets alone.
    fn of_cloud(&self, link: &LinkConfig) -> RouterDriver {
        let context = LinkContext { capacity: link.capacity, packet: self.config.packet };
        let law = CloudRouter::new(self.config.parameters.xcp, &context);
        let port = Box::new(LinkRouter::new(law, link.capacity));
        let capacity = LinkCapacity::new(link.capacity, link.schedule.as_ref());
        RouterDriver::new(port, capacity, Some(CLOUD_HEADER))
    }

    /// Whether a law of this link adds telemetry to packets.
    pub(super) fn adds_telemetry(&self, id: LinkId, link: &LinkConfig) -> bool {
        let protocol = |law: &LinkLaw| law.protocol(self.run, &self.config.parameters);
        let adds = |law| protocol(law).is_some_and(Protocol::collects_telemetry);
        !self.macro_flows.is_core(id) && link.router.all().iter().any(adds)
    }

    /// A law that begins with this capacity, which may move its weight if it has one.
    fn law(
        &self,
        law: LinkLaw,
        link: &LinkConfig,
        capacity: Rate,
        weight: Option<Ratio>,
    ) -> Option<RouterDriver> {
        let protocol = law.protocol(self.run, &self.config.parameters)?;
        let context = LinkContext { capacity, packet: self.config.packet };
        let port = match weight {
            None => protocol.router(&context)?,
            Some(weight) => protocol.weighing_router(&context, weight)?,
        };
        let capacity = LinkCapacity::new(link.capacity, link.schedule.as_ref());
        Some(RouterDriver::new(port, capacity, self.headers.read_only_by(protocol)))
    }
}
