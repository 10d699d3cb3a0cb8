//! The commands of a build without the data plane.

use super::args::{DemoArgs, DoctorArgs, DownArgs, HostArgs, MetricsArgs, RouterArgs, StatusArgs};
use crate::exit::{Exit, fail};

pub fn router(_: &RouterArgs) -> Exit {
    refuse()
}

pub fn host(_: &HostArgs) -> Exit {
    refuse()
}

pub fn status(_: &StatusArgs) -> Exit {
    refuse()
}

pub fn down(_: &DownArgs) -> Exit {
    refuse()
}

pub fn metrics(_: &MetricsArgs) -> Exit {
    refuse()
}

pub fn doctor(_: &DoctorArgs) -> Exit {
    refuse()
}

pub fn demo(_: &DemoArgs) -> Exit {
    refuse()
}

fn refuse() -> Exit {
    let help = "on Linux, `make live` in a clone of the repository builds a command that has it";
    let error = format!("error: this build has no Linux data plane\n   = {help}");
    fail(Exit::WrongInput, &error)
}
