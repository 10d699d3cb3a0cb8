//! A middlebox that removes the option, drops packets for it, or changes it (`tests/bpf/middlebox.bpf.c`).

use std::mem::MaybeUninit;
use std::os::fd::AsFd as _;

use libbpf_rs::skel::{OpenSkel as _, SkelBuilder as _};
use libbpf_rs::{TC_EGRESS, TcHook};
use skeleton::{MiddleboxSkel, MiddleboxSkelBuilder};
use sluice_laws::wire::WireRtt;
use sluice_linux::Device;
use sluice_testbed::Namespace;

mod skeleton {
    // As in the crate: libbpf is a C library.
    #![allow(unsafe_code, clippy::all)]
    include!(concat!(env!("OUT_DIR"), "/middlebox.skel.rs"));
}

pub struct Middlebox<'a> {
    namespace: &'a Namespace,
    skeleton: MiddleboxSkel<'static>,
    hook: TcHook,
}

/// Flags of packets.
pub const SYN: u8 = 0x02;
pub const SYN_ACK: u8 = 0x12;

/// What is done to packets with the option.
#[derive(Clone, Copy)]
enum Action {
    Strip,
    /// Those of these flags.
    Drop(u8),
    /// Those from this port.
    Lie(u16, WireRtt),
    Garble,
    Break,
}

impl<'a> Middlebox<'a> {
    /// Removes the option from packets that leave by that device.
    pub fn stripping(namespace: &'a Namespace, device: &str) -> Self {
        Self::new(namespace, device, Action::Strip)
    }

    /// Drops those of these flags that have the option.
    pub fn dropping(namespace: &'a Namespace, device: &str, flags: u8) -> Self {
        Self::new(namespace, device, Action::Drop(flags))
    }

    /// States that RTT in packets from a port.
    pub fn lying(namespace: &'a Namespace, device: &str, port: u16, rtt: WireRtt) -> Self {
        Self::new(namespace, device, Action::Lie(port, rtt))
    }

    /// Changes one in two options in any way.
    pub fn garbling(namespace: &'a Namespace, device: &str) -> Self {
        Self::new(namespace, device, Action::Garble)
    }

    /// Makes one in two options one that hosts do not support.
    pub fn breaking(namespace: &'a Namespace, device: &str) -> Self {
        Self::new(namespace, device, Action::Break)
    }

    fn new(namespace: &'a Namespace, device: &str, action: Action) -> Self {
        let place = Box::leak(Box::new(MaybeUninit::uninit()));
        let mut open = MiddleboxSkelBuilder::default().open(place).unwrap();
        let constants = open.maps.rodata_data.as_deref_mut().unwrap();
        constants.action = match action {
            Action::Strip => 0,
            Action::Drop(_) => 1,
            Action::Lie(..) => 2,
            Action::Garble => 3,
            Action::Break => 4,
        };
        match action {
            Action::Drop(flags) => constants.flags = flags,
            Action::Lie(port, rtt) => (constants.port, constants.rtt) = (port, rtt.units()),
            Action::Strip | Action::Garble | Action::Break => {}
        }
        let skeleton = open.load().unwrap();
        let mut hook = TcHook::new(skeleton.progs.middlebox.as_fd());
        namespace.enter(|| {
            let index = Device::named(device).unwrap().index() as i32;
            hook.ifindex(index).attach_point(TC_EGRESS).handle(1).priority(90);
            // There may be one already, for a router's program.
            let _ = hook.create();
            hook.attach().unwrap();
        });
        Self { namespace, skeleton, hook }
    }

    /// How many packets it has dropped, or could change: those with an option.
    pub fn touched(&self) -> u64 {
        self.skeleton.maps.bss_data.as_deref().unwrap().touched
    }

    pub fn end(mut self) {
        self.namespace.enter(|| self.hook.detach().unwrap());
    }
}
