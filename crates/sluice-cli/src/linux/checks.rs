//! `sluice doctor`.

use serde_json::json;
use sluice_live::{Check, CheckOutcome, Prospect, examine};

use super::args::DoctorArgs;
use crate::exit::{Exit, print};

/// Prints what this machine has and lacks. Fails if something is missing.
pub fn doctor(args: &DoctorArgs) -> Exit {
    let prospect = args.rate.zip(args.rtt).map(|(rate, rtt)| Prospect { rate, rtt });
    let checks = examine(&args.dev, prospect);
    let is_missing = checks.iter().any(|check| check.outcome == CheckOutcome::Missing);
    let exit = if is_missing { Exit::Failure } else { Exit::Success };
    let text = if args.json {
        format!("{:#}\n", json!(checks))
    } else {
        checks.iter().map(line).collect()
    };
    print(&text).and(exit)
}

fn line(check: &Check) -> String {
    let Check { name, outcome, found, mend } = check;
    let line = format!("{:<7}  {name}: {found}\n", outcome.as_str());
    match mend {
        Some(mend) => format!("{line}           = {mend}\n"),
        None => line,
    }
}
