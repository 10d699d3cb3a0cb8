//! Ageing of a window that the application does not fill (thesis section 4.5): "for every RTT in
//! which the sender does not send enough to fill the congestion window, cwnd is reduced by
//! 0.5 x (cwnd - K), where K is the number of outstanding packets".

use sluice_units::{Span, Time};

use crate::host::{AckEvent, SendEvent};

/// Watches for RTTs in which the window was not filled.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ageing {
    /// When the RTT now observed began.
    began: Time,
    /// Whether every packet of this RTT left with enough data behind it to fill the window.
    filled: bool,
    /// The same of the last packet alone; it holds until the next one leaves.
    backlogged: bool,
    /// When the last acknowledgement arrived.
    answered: Time,
}

impl Default for Ageing {
    fn default() -> Self {
        Self { began: Time::ZERO, filled: true, backlogged: true, answered: Time::ZERO }
    }
}

impl Ageing {
    /// The window after an acknowledgement. K is the largest number in flight during the last RTT.
    pub(super) fn on_ack(&mut self, event: &AckEvent, cwnd: f64) -> f64 {
        self.answered = event.now;
        let rtts = whole_rtts(event.now.since(self.began), event.srtt);
        if rtts == 0 {
            return cwnd;
        }
        let filled = self.filled;
        self.began = event.now;
        self.filled = self.backlogged;
        if filled { cwnd } else { aged(cwnd, f64::from(event.used), rtts) }
    }

    /// The window before a packet leaves. With nothing in flight the sender was idle since the
    /// last acknowledgement, and K was 0.
    pub(super) fn sending(&mut self, out: &SendEvent, cwnd: f64) -> f64 {
        self.backlogged = out.backlogged;
        self.filled &= out.backlogged;
        if out.in_flight > 0 {
            return cwnd;
        }
        let rtts = whole_rtts(out.now.since(self.answered), out.srtt);
        if rtts == 0 {
            return cwnd;
        }
        self.began = out.now;
        self.filled = out.backlogged;
        aged(cwnd, 0.0, rtts)
    }
}

fn whole_rtts(passed: Span, srtt: Option<Span>) -> u64 {
    match srtt {
        Some(srtt) if passed >= srtt => passed.as_nanos() / srtt.as_nanos().max(1),
        _ => 0,
    }
}

/// `cwnd` with half of what is above `used` taken away once an RTT.
fn aged(cwnd: f64, used: f64, rtts: u64) -> f64 {
    let excess = (cwnd - used).max(0.0);
    cwnd - excess + excess / (1_u64 << rtts.min(63)) as f64
}
