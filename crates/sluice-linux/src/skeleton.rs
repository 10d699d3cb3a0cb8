//! The compiled programs, and the types of their maps, as `build.rs` writes them.

// libbpf is a C library, so its door is unsafe; what this crate itself does is safe.
#![allow(unsafe_code)]

pub mod router {
    include!(concat!(env!("OUT_DIR"), "/router.skel.rs"));
}

pub mod census {
    include!(concat!(env!("OUT_DIR"), "/census.skel.rs"));
}

pub mod host {
    include!(concat!(env!("OUT_DIR"), "/host.skel.rs"));
}
