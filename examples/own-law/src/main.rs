//! Runs both laws over one of Sluice's scenarios, beside RCP and TCP, and prints the table that `sluice
//! run` would.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use own_law::{Admission, ByQueue};
use sluice_lab::ready::Ready;
use sluice_lab::scenario::Document;
use sluice_lab::table::{self, Style};
use sluice_lab::{Options, Plan, PlanOverrides, run};
use sluice_units::{Ratio, Span};

fn main() -> Result<(), Box<dyn Error>> {
    let ready = Ready::find("websearch").ok_or("there is no such ready scenario")?;
    // A file of your own: `Document::read(path)`.
    let mut document = Document::new(ready.name, ready.text, ready.name);
    // As `--set` of the command. `by-queue` needs room for its queue.
    document.set("own-law", "protocols", "[\"rcp\", \"tcp\"]");
    document.set("own-law", "topology.dumbbell.buffer", "4 bdp");
    let plan = Plan::of(&document.source()?, PathBuf::new(), &PlanOverrides::default())?;

    // They meet the same flows, and stand in the tables by these names.
    let rtt = Span::from_millis(40);
    let admission = Admission { interval: rtt, spare: Ratio::new(0.1) };
    let plan = plan.with_law("by-queue", Arc::new(ByQueue::new(rtt)))?;
    let plan = plan.with_law("admission", Arc::new(admission))?;

    // `&()`: no progress is reported. Another `Monitor` could draw a progress bar.
    let report = run(&plan, Path::new("results/own-law"), &Options::default(), &())?;
    print!("{}", table::render(&report.summary, Style::Plain));
    println!("\nThe files are in {}, for `sluice report` too.", report.folder.display());
    Ok(())
}
