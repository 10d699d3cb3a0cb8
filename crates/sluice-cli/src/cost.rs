//! What runs will cost, shown before them.

use sluice_lab::{CostEstimate, RunError};

use crate::exit::{Exit, fail, note, print};
use crate::start::{RunOptions, failed};

/// Shows the cost where runs take long or much. The exit code if there is nothing to run: for
/// `--dry-run`, or where the machine has too little for it.
pub fn admit(cost: Result<CostEstimate, RunError>, options: &RunOptions) -> Result<(), Exit> {
    let cost = cost.map_err(|error| failed(&error))?;
    if options.dry_run {
        return Err(show(&cost, options.json));
    }
    if let Some(excess) = cost.excess()
        && !options.force
    {
        let help = "or run it nevertheless, with `--force`";
        return Err(fail(Exit::Failure, &format!("error: {excess}, {help}\n{cost}")));
    }
    if cost.is_notable() && !options.quiet {
        note(&cost);
    }
    Ok(())
}

fn show(cost: &CostEstimate, as_json: bool) -> Exit {
    if as_json {
        return print(&format!("{:#}\n", cost.json()));
    }
    let excess = cost.excess().map(|excess| format!("Warning: {excess}\n")).unwrap_or_default();
    print(&format!("{cost}\n{excess}"))
}
