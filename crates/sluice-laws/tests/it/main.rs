//! The tests from outside, in one binary, which is built sooner than one for each file. A test that
//! needs a process of its own is a file beside this folder.

mod budget;
mod fluid;
mod foreign;
mod ncp_loop;
mod rcp_bounds;
mod rcp_lies;
mod rcp_loop;
mod vectors;
mod xcp_shuffle;
