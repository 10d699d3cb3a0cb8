//! What the Python package adds to the command: runs on a cluster, and the papers' figures.

use std::path::PathBuf;

use sluice_lab::Plan;

use crate::exit::{Exit, INTERRUPTED, WRONG_INPUT, fail};

/// What the command cannot do without Python.
pub trait Package {
    /// Has all runs of the plans made by the cluster at `address`, and kept in the folder of each
    /// plan. Shows how far it has got unless `quiet`.
    fn make(&self, address: &str, plans: &[(PathBuf, Plan)], quiet: bool) -> Result<(), Failed>;

    /// Draws figures of the papers and checks their claims; prints what it finds.
    fn reproduce(&self, asked: &Reproduce) -> Result<(), Failed>;
}

/// What `sluice reproduce` is told.
#[derive(clap::Args, Clone, Debug)]
pub struct Reproduce {
    /// Figures by their ids (`ps-7`), a paper (`ps`), or `all`.
    pub figures: Vec<String>,
    /// Name all figures, a line each.
    #[arg(long, conflicts_with_all = ["figures", "out"])]
    pub list: bool,
    /// How much to simulate: `full` is the papers' set-ups, `quick` less of them.
    #[arg(long, value_parser = ["quick", "full"], default_value = "quick")]
    pub scale: String,
    /// Where figures and tables go; runs are kept there, too.
    #[arg(long, value_name = "DIR", default_value = "results/papers")]
    pub out: PathBuf,
    /// Print nothing but errors and claims that do not hold.
    #[arg(long)]
    pub quiet: bool,
}

/// Why Python did not do all that was asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failed {
    /// Ended by Ctrl-C.
    Interrupted,
    /// What was asked for is wrong, told to a person.
    Asked(String),
    /// Something else, told to a person.
    Error(String),
}

impl Failed {
    /// Tells a person, and how the command ends.
    pub(crate) fn tell(&self) -> Exit {
        match self {
            Self::Interrupted => fail(
                INTERRUPTED,
                &"interrupted: what was finished is kept, and the same command goes on from here",
            ),
            Self::Asked(error) => fail(WRONG_INPUT, &format!("error: {error}")),
            Self::Error(error) => fail(1, &format!("error: {error}")),
        }
    }
}

/// The package, or what a command without it says of `what`.
pub(crate) fn needed<'a>(
    package: Option<&'a dyn Package>,
    what: &str,
) -> Result<&'a dyn Package, Exit> {
    package.ok_or_else(|| {
        let error = format!("error: this `sluice` {what}\n   = that of the Python package does");
        fail(WRONG_INPUT, &error)
    })
}

/// `sluice reproduce`.
pub(crate) fn reproduce(args: &Reproduce, package: Option<&dyn Package>) -> Exit {
    let package = match needed(package, "draws no figures of papers") {
        Ok(package) => package,
        Err(code) => return code,
    };
    match package.reproduce(args) {
        Ok(()) => Exit::SUCCESS,
        Err(failed) => failed.tell(),
    }
}
