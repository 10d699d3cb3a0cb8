//! The compiled program, and the types of its maps, as `build.rs` writes them.

// libbpf is a C library, so its door is unsafe; what this crate itself does is safe.
#![allow(unsafe_code)]

include!(concat!(env!("OUT_DIR"), "/router.skel.rs"));
