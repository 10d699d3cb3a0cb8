//! A middlebox that removes the option, or drops packets for it (`tests/bpf/middlebox.bpf.c`).

use std::mem::MaybeUninit;
use std::os::fd::AsFd as _;

use libbpf_rs::skel::{OpenSkel as _, SkelBuilder as _};
use libbpf_rs::{TC_EGRESS, TcHook};
use skeleton::MiddleboxSkelBuilder;
use sluice_linux::Device;
use sluice_testbed::Namespace;

mod skeleton {
    // As in the crate: libbpf is a C library.
    #![allow(unsafe_code, clippy::all)]
    include!(concat!(env!("OUT_DIR"), "/middlebox.skel.rs"));
}

pub struct Middlebox<'a> {
    namespace: &'a Namespace,
    hook: TcHook,
}

/// Flags of packets.
pub const SYN: u8 = 0x02;
pub const SYN_ACK: u8 = 0x12;

impl<'a> Middlebox<'a> {
    /// Removes the option from packets that leave by that device.
    pub fn stripping(namespace: &'a Namespace, device: &str) -> Self {
        Self::new(namespace, device, 0)
    }

    /// Drops those of these flags that have the option.
    pub fn dropping(namespace: &'a Namespace, device: &str, flags: u8) -> Self {
        Self::new(namespace, device, flags)
    }

    fn new(namespace: &'a Namespace, device: &str, drops: u8) -> Self {
        let mut place = MaybeUninit::uninit();
        let mut open = MiddleboxSkelBuilder::default().open(&mut place).unwrap();
        open.maps.rodata_data.as_deref_mut().unwrap().drops = drops;
        let skeleton = open.load().unwrap();
        let mut hook = TcHook::new(skeleton.progs.middlebox.as_fd());
        namespace.enter(|| {
            let index = Device::named(device).unwrap().index() as i32;
            hook.ifindex(index).attach_point(TC_EGRESS).handle(1).priority(90);
            // There may be one already, for a router's program.
            let _ = hook.create();
            hook.attach().unwrap();
        });
        Self { namespace, hook }
    }

    pub fn end(mut self) {
        self.namespace.enter(|| self.hook.detach().unwrap());
    }
}
