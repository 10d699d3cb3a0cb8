//! Features of the command that need the Python package: clusters, and the papers' figures.

use std::path::PathBuf;

use sluice_lab::Plan;

use crate::exit::{Exit, fail};

/// The features of the Python package.
pub trait Package {
    /// Makes all runs of the plans on the cluster at `address`, and stores them in the folder of each
    /// plan. Shows progress unless `quiet`.
    fn make(
        &self,
        address: &str,
        plans: &[(PathBuf, Plan)],
        quiet: bool,
    ) -> Result<(), PackageError>;

    /// Draws figures of the papers and checks their claims; prints the verdicts.
    fn reproduce(&self, asked: &ReproduceArgs) -> Result<(), PackageError>;
}

/// Arguments of `sluice reproduce`.
#[derive(clap::Args, Clone, Debug)]
pub struct ReproduceArgs {
    /// Figures by id (`ps-7`), all figures of a paper (`ps`), or `all`
    pub figures: Vec<String>,
    /// List all figures
    #[arg(long, conflicts_with_all = ["figures", "out"])]
    pub list: bool,
    /// Extent of the simulations: the papers' set-ups in full, or reduced
    #[arg(long, value_parser = ["quick", "full"], default_value = "quick")]
    pub scale: String,
    /// Folder for figures, tables and runs
    #[arg(long, value_name = "DIR", default_value = "results/papers")]
    pub out: PathBuf,
    /// Print only errors and claims that do not hold
    #[arg(long)]
    pub quiet: bool,
}

/// Why a feature of the Python package failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PackageError {
    /// Interrupted by Ctrl-C.
    Interrupted,
    /// Invalid arguments, with a message.
    Arguments(String),
    /// Another error, with a message.
    Error(String),
}

impl PackageError {
    /// Prints the error and gives the exit code.
    pub(crate) fn report(&self) -> Exit {
        match self {
            Self::Interrupted => fail(
                Exit::Interrupted,
                &"Interrupted. Finished runs are kept; run the same command to continue.",
            ),
            Self::Arguments(error) => fail(Exit::WrongInput, &format!("error: {error}")),
            Self::Error(error) => fail(Exit::Failure, &format!("error: {error}")),
        }
    }
}

/// The package, or an error if the command runs without it; `what` needs it.
pub(crate) fn needed<'a>(
    package: Option<&'a dyn Package>,
    what: &str,
) -> Result<&'a dyn Package, Exit> {
    package.ok_or_else(|| {
        let help = "use the `sluice` command that the Python package installs";
        let error = format!("error: {what} needs the Python package\n   = {help}");
        fail(Exit::WrongInput, &error)
    })
}

/// Runs `sluice reproduce`.
pub(crate) fn reproduce(args: &ReproduceArgs, package: Option<&dyn Package>) -> Exit {
    let package = match needed(package, "`sluice reproduce`") {
        Ok(package) => package,
        Err(code) => return code,
    };
    match package.reproduce(args) {
        Ok(()) => Exit::Success,
        Err(failed) => failed.report(),
    }
}
