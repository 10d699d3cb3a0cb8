//! What casts doubt on a run, as lines for people.

use sluice_linux::HostCounts;
use sluice_units::Span;

/// Frames later than this are named, and so are flows that start later than that.
const PUNCTUAL: Span = Span::from_millis(1);
const STARTS_WITHIN: Span = Span::from_millis(50);

/// What was late in a run.
#[derive(Clone, Copy, Debug, Default)]
pub struct RunLateness {
    /// By how much frames were late at most, of 99 % of a link's.
    pub frames: Span,
    /// By how much flows started late at most.
    pub starts: Span,
    /// Grants of routers that expired before the next one was there.
    pub expired_grants: u64,
}

impl RunLateness {
    /// What is doubtful for it.
    pub fn doubts(&self) -> Vec<String> {
        let ms = |span: Span| format!("{:.1} ms", 1e3 * span.as_secs_f64());
        let mut doubts = Vec::new();
        if self.frames > PUNCTUAL {
            let late = ms(self.frames);
            doubts
                .push(format!("frames were up to {late} late (99 %), since this machine was busy"));
        }
        if self.starts > STARTS_WITHIN {
            let late = ms(self.starts);
            doubts
                .push(format!("flows started up to {late} late, since many were to start at once"));
        }
        if self.expired_grants > 0 {
            let expired = times(self.expired_grants);
            doubts.push(format!(
                "grants expired {expired} before a router renewed them, since this machine was busy"
            ));
        }
        doubts
    }
}

/// What is doubtful in a run with these events at its hosts.
pub fn of_hosts(counts: &HostCounts) -> Vec<String> {
    let HostCounts { fell_back, lossy, .. } = *counts;
    let mut doubts = Vec::new();
    if lossy > 0 {
        doubts.push(format!(
            "grants were ignored {}, for losses that they did not stop",
            times(lossy)
        ));
    }
    let silent = fell_back.saturating_sub(lossy);
    if silent > 0 {
        doubts.push(format!(
            "connections returned {} to their own congestion control, since they got no grants",
            times(silent)
        ));
    }
    doubts
}

fn times(count: u64) -> String {
    if count == 1 { "once".into() } else { format!("{count} times") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doubts_are_those_of_late_frames_flows_and_grants() {
        assert_eq!(RunLateness::default().doubts(), [""; 0]);
        let late = RunLateness {
            frames: Span::from_micros(2_540),
            starts: Span::from_millis(51),
            expired_grants: 3,
        };
        let doubts = [
            "frames were up to 2.5 ms late (99 %), since this machine was busy",
            "flows started up to 51.0 ms late, since many were to start at once",
            "grants expired 3 times before a router renewed them, since this machine was busy",
        ];
        assert_eq!(late.doubts(), doubts);
        let once = RunLateness { expired_grants: 1, ..RunLateness::default() };
        let doubt = "grants expired once before a router renewed them, since this machine was busy";
        assert_eq!(once.doubts(), [doubt]);
    }

    #[test]
    fn hosts_that_ignored_grants_and_that_got_none_are_told_apart() {
        let of = |fell_back, lossy| {
            of_hosts(&HostCounts { followed: 9, fell_back, lossy, ..HostCounts::default() })
        };
        let lossy = "grants were ignored 2 times, for losses that they did not stop";
        let silent = "connections returned 3 times to their own congestion control, since they got no grants";
        assert_eq!(of(0, 0), [""; 0]);
        assert_eq!(of(2, 2), [lossy]);
        assert_eq!(of(5, 2), [lossy, silent]);
    }
}
