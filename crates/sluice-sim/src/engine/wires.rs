//! Wires, on which packets wait for the clock, in the order in which they left their link, and
//! meetings, where packets of several wires arrive.

use sluice_units::{Span, Time};

use super::batch::Batch;
use super::pages::{Chain, Pages};
use super::soonest::Soonest;
use crate::config::LinkId;
use crate::packet::Packet;
use crate::plan;
use crate::wheel::Actor;

/// Bounds within which a meeting's window adapts the size of batches: large enough for runs of
/// packets from one wire, which are adjacent in memory, and small enough for the L2 cache.
const ENOUGH: usize = 256;
const MANY: usize = 1024;

pub(super) struct Wire {
    packets: Chain,
    meeting: u32,
    /// Place among the wires of its meeting.
    place: u32,
}

/// An element where packets of several wires meet.
pub(super) struct Meeting {
    /// The links before the wires that may hold packets.
    pub(super) holders: Vec<LinkId>,
    /// When the first packet of each wire arrives.
    firsts: Soonest,
    first_wire: usize,
    /// Lookahead, at most `most`.
    window: Span,
    most: Span,
    /// When the first known packet arrives.
    due: Time,
}

pub(super) struct Wires {
    wires: Vec<Wire>,
    pages: Pages,
    pub(super) meetings: Vec<Meeting>,
}

impl Wires {
    pub(super) fn new(meetings: &[plan::Meeting], may_hold: impl Fn(LinkId) -> bool) -> Self {
        let mut all = Self { wires: Vec::new(), pages: Pages::default(), meetings: Vec::new() };
        for (number, meeting) in meetings.iter().enumerate() {
            let wires = meeting.feeders.len();
            let window = meeting.window.min(Batch::LONGEST);
            all.meetings.push(Meeting {
                holders: meeting.feeders.iter().copied().filter(|&link| may_hold(link)).collect(),
                firsts: Soonest::new(wires),
                first_wire: all.wires.len(),
                window,
                most: window,
                due: Time::NEVER,
            });
            all.wires.extend((0..wires).map(|place| Wire {
                packets: Chain::EMPTY,
                meeting: number as u32,
                place: place as u32,
            }));
        }
        all
    }

    /// Number of packets on all wires.
    pub(super) fn holding(&self) -> u64 {
        self.wires.iter().map(|wire| wire.packets.len(&self.pages)).sum()
    }

    /// Puts a packet on a wire, behind all that are there. Whether it is the only one: then
    /// [`Wires::expect`] must follow.
    #[inline(always)]
    pub(super) fn push(&mut self, wire: u32, packet: Packet) -> bool {
        let packets = &mut self.wires[wire as usize].packets;
        debug_assert!(packets.in_order(&self.pages, packet.at), "a wire keeps order");
        let only = packets.is_empty();
        packets.push(&mut self.pages, packet);
        only
    }

    /// A wire that was empty has a packet. Returns its meeting and the packet's arrival if the meeting
    /// must act sooner for it.
    pub(super) fn expect(&mut self, wire: u32) -> Option<(Actor, Time)> {
        let Wire { ref packets, meeting, place } = self.wires[wire as usize];
        let at = packets.front(&self.pages).first()?.0.at;
        self.meetings[meeting as usize].expect(place, at).then_some((meeting, at))
    }

    /// Gathers all packets that arrive at a meeting within its window from `now`, none after `end`.
    /// Returns when the meeting must act next.
    #[inline(never)]
    pub(super) fn gather(
        &mut self,
        number: usize,
        now: Time,
        end: Time,
        batch: &mut Batch,
    ) -> Time {
        let meeting = &mut self.meetings[number];
        let until = (now + meeting.window).min(end + Span::NANO);
        batch.begin(now, until);
        let wires = &mut self.wires[meeting.first_wire..];
        meeting.due = meeting
            .firsts
            .pass(until, |place| batch.take(&mut wires[place].packets, &mut self.pages, until));
        if batch.len() > MANY {
            meeting.window = (meeting.window / 2).max(Span::NANO);
        } else if batch.len() < ENOUGH {
            meeting.window = (meeting.window * 2).min(meeting.most);
        }
        meeting.due
    }
}

impl Meeting {
    /// A packet that arrives at `at` is the first on a wire. Whether it is the first of all wires.
    fn expect(&mut self, place: u32, at: Time) -> bool {
        self.firsts.expect(place as usize, at);
        let sooner = at < self.due;
        self.due = self.due.min(at);
        sooner
    }
}
