//! Differences between the transports of protocols.

use sluice_laws::protocol::Protocol;

use crate::Plan;

/// The fields of the transport that differ between the protocols of flows, including those that a
/// law decides; `None` if none does. A law without an initial window is not compared in it.
pub(super) fn differences(plan: &Plan) -> Option<String> {
    let spoken = spoken(plan);
    let [(_, first), ..] = spoken[..] else { return None };
    let shared = &plan.config.parameters.transport;
    let fields = first.transport(shared).fields();
    let of_field = |&(field, _): &(&str, String)| difference(&spoken, field, plan);
    let differences: Vec<String> =
        fields.iter().filter_map(of_field).chain(variants(&spoken, plan)).collect();
    (!differences.is_empty()).then(|| format!("unequal transports: {}", differences.join("; ")))
}

/// The protocols of flows: those compared, then those of groups.
fn spoken(plan: &Plan) -> Vec<(String, &dyn Protocol)> {
    let compared =
        plan.protocols().filter_map(|system| Some((system.to_string(), plan.protocol(system)?)));
    let mut all: Vec<(String, &dyn Protocol)> = compared.collect();
    for name in plan.config.groups.iter().filter_map(|group| group.protocol) {
        if all.iter().all(|(known, _)| known != name.as_str()) {
            all.push((name.to_string(), plan.config.parameters.protocol(name)));
        }
    }
    all
}

/// `min_rto is 1 s for tcp, 200 ms for xcp and rcp`, if it differs.
fn difference(spoken: &[(String, &dyn Protocol)], field: &str, plan: &Plan) -> Option<String> {
    let mut by_value: Vec<(String, Vec<&str>)> = Vec::new();
    for (name, protocol) in spoken {
        if field == "initial_window" && !protocol.overrides().has_initial_window() {
            continue;
        }
        let fields = protocol.transport(&plan.config.parameters.transport).fields();
        let value =
            fields.into_iter().find_map(|(known, value)| (known == field).then_some(value))?;
        match by_value.iter_mut().find(|(known, _)| *known == value) {
            Some((_, names)) => names.push(name),
            None => by_value.push((value, vec![name])),
        }
    }
    if by_value.len() < 2 {
        return None;
    }
    let values =
        by_value.iter().map(|(value, names)| format!("{value} for {}", names.join(" and ")));
    Some(format!("{field} is {}", values.collect::<Vec<_>>().join(", ")))
}

/// `recovery follows rules of ns-2 for tcp, the RFCs for xcp and rcp`, if that differs.
fn variants(spoken: &[(String, &dyn Protocol)], plan: &Plan) -> Option<String> {
    let names = |varied: bool| -> Vec<&str> {
        let is_varied = |protocol: &dyn Protocol| {
            let recovery = protocol.transport(&plan.config.parameters.transport).recovery;
            recovery.has_variants() && !protocol.variant().is_of_the_rfcs()
        };
        let found = spoken.iter().filter(|(_, protocol)| is_varied(*protocol) == varied);
        found.map(|(name, _)| name.as_str()).collect()
    };
    let (varied, rfc) = (names(true), names(false));
    (!varied.is_empty() && !rfc.is_empty()).then(|| {
        let (varied, rfc) = (varied.join(" and "), rfc.join(" and "));
        format!("recovery follows rules of ns-2 for {varied}, the RFCs for {rfc}")
    })
}
