//! `sluice list`.

use std::io::{self, Write};
use std::process::ExitCode;

use sluice_lab::queue::Discipline;
use sluice_lab::traffic::sizes::Workload;
use sluice_lab::traffic::{About, Sizes, Traffic};
use sluice_laws::registry::{Name, Parameters};

/// Prints what scenarios may name.
pub fn list() -> ExitCode {
    // A closed pipe (`sluice list | head -1`) is no failure.
    _ = write(&mut io::stdout().lock());
    ExitCode::SUCCESS
}

fn write(out: &mut impl Write) -> io::Result<()> {
    let parameters = Parameters::default();
    writeln!(out, "protocols")?;
    for &name in Name::ALL {
        let about = parameters.protocol(name).about();
        writeln!(out, "  {:<12}{}", about.name, about.title)?;
        writeln!(out, "  {:<12}{}", "", about.source)?;
    }
    models(out, "traffic", Traffic::MODELS)?;
    models(out, "flow sizes", Sizes::MODELS)?;
    models(out, "queue disciplines", Discipline::ABOUT)?;
    writeln!(out, "\nworkloads (measured flow sizes)")?;
    for workload in Workload::ALL {
        let mean = workload.distribution().mean();
        writeln!(out, "  {:<12}{}; mean {mean:.0} B", workload.name(), workload.source())?;
    }
    Ok(())
}

fn models(out: &mut impl Write, what: &str, models: &[About]) -> io::Result<()> {
    writeln!(out, "\n{what}")?;
    for About { name, title, source } in models {
        writeln!(out, "  {name:<18}{title}")?;
        writeln!(out, "  {:<18}{source}", "")?;
    }
    Ok(())
}
