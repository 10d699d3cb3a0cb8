//! Where the protocols of a run stand on unequal transports.

use sluice_laws::registry::{Chosen, Protocol};

use crate::Plan;

/// Which fields of the transport differ between what flows speak, and how; `None` if none does.
/// Fields that a law decides are left out: no scenario can make those equal.
pub(super) fn differences(plan: &Plan) -> Option<String> {
    let spoken = spoken(plan);
    let [(_, first), ..] = spoken[..] else { return None };
    let shared = &plan.config.transport;
    let fields = first.transport(shared).fields();
    let told = fields.iter().filter_map(|&(field, _)| difference(&spoken, field, plan));
    let told: Vec<String> = told.collect();
    (!told.is_empty()).then(|| format!("unequal transports: {}", told.join("; ")))
}

/// What flows speak: what is compared, then what groups speak whatever that is.
fn spoken(plan: &Plan) -> Vec<(String, &dyn Protocol)> {
    let compared =
        plan.protocols().filter_map(|system| Some((system.to_string(), plan.protocol(system)?)));
    let mut all: Vec<(String, &dyn Protocol)> = compared.collect();
    for own in plan.config.groups.iter().filter_map(|group| group.protocol.as_ref()) {
        let Chosen { name, .. } = own;
        if all.iter().all(|(known, _)| known != name.as_str()) {
            all.push((name.to_string(), own.protocol()));
        }
    }
    all
}

/// `least_rto is 1 s for tcp, 200 ms for xcp and rcp`, if it differs.
fn difference(spoken: &[(String, &dyn Protocol)], field: &str, plan: &Plan) -> Option<String> {
    let mut by_value: Vec<(String, Vec<&str>)> = Vec::new();
    for (name, protocol) in spoken {
        if protocol.overrides().implied().any(|implied| implied == field) {
            continue;
        }
        let fields = protocol.transport(&plan.config.transport).fields();
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
    let told = by_value.iter().map(|(value, names)| format!("{value} for {}", names.join(" and ")));
    Some(format!("{field} is {}", told.collect::<Vec<_>>().join(", ")))
}
