//! The estimate before runs.

use sluice_lab::{CostEstimate, RunError};

use crate::exit::{Exit, fail, note, print};
use crate::start::{RunOptions, failed};

/// Shows the estimate where runs take long or much. The exit code if there is nothing to run: for
/// `--dry-run`, or where the machine has too little for it.
pub fn admit(estimate: Result<CostEstimate, RunError>, options: &RunOptions) -> Result<(), Exit> {
    let estimate = estimate.map_err(|error| failed(&error))?;
    if options.dry_run {
        return Err(show(&estimate, options.json));
    }
    if let Some(excess) = estimate.excess()
        && !options.force
    {
        let help = "or run it nevertheless, with `--force`";
        return Err(fail(Exit::Failure, &format!("error: {excess}, {help}\n{estimate}")));
    }
    if estimate.is_notable() && !options.quiet {
        note(&estimate);
    }
    Ok(())
}

fn show(estimate: &CostEstimate, as_json: bool) -> Exit {
    if as_json {
        return print(&format!("{:#}\n", estimate.json()));
    }
    let excess = estimate.excess().map(|excess| format!("Warning: {excess}\n")).unwrap_or_default();
    print(&format!("{estimate}\n{excess}"))
}
