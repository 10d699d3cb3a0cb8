//! Estimates in words: what is not modelled, what did not converge, what to doubt.

use serde_json::{Value, json};
use sluice_sim::ConfigError;
use sluice_sim::fixed_point::{Doubt, Lack, Law};

use super::data::{Estimate, EstimatedSystem, MAX_LINKS};
use super::groups::EstimatedGroup;
use crate::scenario::list;
use crate::{Plan, Severity, Warning};

/// What the models lack, with the names of groups and links; what holds for many pairs of a group or many links, once.
pub(super) fn named(plan: &Plan, lacks: &[Lack]) -> Vec<Lack> {
    let mut found: Vec<(Lack, Vec<usize>)> = Vec::new();
    for lack in lacks {
        let (field, link) = place(plan, &lack.field);
        let lack = Lack { field, reason: lack.reason.clone() };
        match found
            .iter_mut()
            .find(|(known, links)| *known == lack && links.is_empty() == link.is_none())
        {
            Some((_, links)) => links.extend(link),
            None => found.push((lack, link.into_iter().collect())),
        }
    }
    let with_links = |(lack, links): (Lack, Vec<usize>)| {
        let Some(&first) = links.first() else { return lack };
        let more = links.len() - 1;
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let field = format!("link {}{more}, {}", plan.network.link_name(first), lack.field);
        Lack { field, ..lack }
    };
    found.into_iter().map(with_links).collect()
}

/// `groups[0].traffic` is `group.web.traffic`; `links[0].queue` is `queue` of link 0.
fn place(plan: &Plan, path: &str) -> (String, Option<usize>) {
    let numbered = |list: &str| {
        let (number, rest) = path.strip_prefix(list)?.strip_prefix('[')?.split_once("].")?;
        Some((number.parse::<usize>().ok()?, rest))
    };
    if let Some((group, rest)) = numbered("groups") {
        (format!("group.{}.{rest}", plan.scenario.group[plan.groups[group].of].name), None)
    } else if let Some((link, rest)) = numbered("links") {
        (rest.to_owned(), Some(link))
    } else {
        (path.to_owned(), None)
    }
}

/// A configuration that the engine refuses.
pub(super) fn invalid(error: &ConfigError) -> Vec<Lack> {
    vec![Lack { field: "scenario".into(), reason: error.to_string() }]
}

/// A protocol of which there is no model.
pub(super) fn without_model() -> Vec<Lack> {
    let names = Law::ALL.iter().filter_map(|law| law.protocol()).map(|name| name.as_str());
    let reason = format!("no model of it; there are models of {}", list(names));
    vec![Lack { field: "protocols".into(), reason }]
}

impl Estimate {
    /// All of it as JSON, with the warnings.
    pub fn json(&self) -> Value {
        json!({
            "name": self.name,
            "systems": self.systems,
            "not_modelled": self.not_modelled,
            "bottlenecks": self.bottlenecks,
            "warnings": self.warnings(),
        })
    }

    /// What to know beside the numbers, the gravest first: overload, models that do not agree, doubts.
    pub fn warnings(&self) -> Vec<Warning> {
        let mut found: Vec<Warning> =
            self.systems.iter().flat_map(|system| self.warnings_of(system)).collect();
        found.sort_by_key(|warning| warning.severity);
        found
    }

    fn warnings_of(&self, system: &EstimatedSystem) -> Vec<Warning> {
        let name = system.protocol;
        let warning = |code: &str, severity, text| Warning { severity, code: code.into(), text };
        let overload = (!system.overloaded.is_empty()).then(|| {
            let links = &system.overloaded;
            let shown = &links[..links.len().min(MAX_LINKS)];
            let more = match links.len() - shown.len() {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            let text = format!(
                "{name}: overload of {}{more}: flows bring as much as can be carried or more, so their number grows for \
                 as long as they arrive, and groups over such a link have no mean completion time",
                shown.join(", ")
            );
            warning("estimate_overload", Severity::Bias, text)
        });
        let apart = (!system.converged).then(|| {
            let by = system.residual.map_or(String::new(), |by| format!(" by {by:.4}"));
            let at =
                system.worst_link.as_ref().map_or(String::new(), |at| format!(" at link {at}"));
            let text = format!(
                "{name}: did not converge: after {} iterations, values would still change{by}{at}",
                system.iterations
            );
            warning("estimate_not_converged", Severity::Bias, text)
        });
        let doubts = Doubt::ALL.iter().filter_map(|doubt| {
            let has = |group: &&EstimatedGroup| group.doubts.contains(doubt);
            let groups: Vec<&str> =
                system.groups.iter().filter(has).map(|group| group.name.as_str()).collect();
            let of = match groups.len() {
                0 => return None,
                all if all == system.groups.len() => String::new(),
                _ => format!(", group {}", groups.join(", ")),
            };
            Some(warning("estimate_doubt", Severity::Uncertainty, format!("{name}{of}: {doubt}")))
        });
        overload.into_iter().chain(apart).chain(doubts).collect()
    }
}

#[cfg(test)]
mod tests {
    use sluice_laws::registry::ProtocolName;

    use super::*;
    use crate::System;

    fn group(name: &str, doubts: &[Doubt]) -> EstimatedGroup {
        EstimatedGroup {
            name: name.into(),
            arrivals: 1.0,
            completion: Some(1.0),
            flows: Some(1.0),
            rate: 1e6,
            loss: 0.0,
            doubts: doubts.to_vec(),
        }
    }

    #[test]
    fn the_gravest_warnings_come_first_and_name_groups_that_differ() {
        let system = EstimatedSystem {
            protocol: System::Protocol(ProtocolName::Rcp),
            converged: false,
            iterations: 500,
            residual: Some(0.25),
            worst_link: Some("a->b".into()),
            overloaded: Vec::new(),
            completion: Some(1.0),
            flows: Some(2.0),
            by_size: Vec::new(),
            groups: vec![
                group("web", &[Doubt::Swings, Doubt::ManyLosses]),
                group("bulk", &[Doubt::Swings]),
            ],
            links: Vec::new(),
        };
        let estimate = Estimate {
            name: "test".into(),
            systems: vec![system],
            not_modelled: Vec::new(),
            bottlenecks: Vec::new(),
        };
        let texts: Vec<String> =
            estimate.warnings().into_iter().map(|warning| warning.text).collect();
        let begin = ["rcp: did not converge", "rcp: The rate that", "rcp, group web: More than"];
        assert_eq!(texts.len(), begin.len());
        for (text, begin) in texts.iter().zip(begin) {
            assert!(text.starts_with(begin), "{text}");
        }
        assert!(
            texts[0].contains("500 iterations") && texts[0].ends_with("by 0.2500 at link a->b")
        );
    }
}
