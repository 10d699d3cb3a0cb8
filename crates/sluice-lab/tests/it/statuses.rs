//! What flows were answered, from a scenario to rows, summary and printed tables.

use crate::common::{folder, path_of, results, rows};
use parquet::record::RowAccessor;
use sluice_lab::table::{Style, render};

/// Five of six profiles fit, and half of the best-effort flows have a receiver that lies.
const SCENARIO: &str = r#"
schema = 1
protocols = ["xcp"]
ideals = ["max_min"]
stop = "20 s"
xcp.check_receiver = 0.1

[topology.dumbbell]
pairs = 3
capacity = "10 Mbps"
rtt = "40 ms"
queue = { priority = {} }
router = ["xcp", "xcp_guaranteed"]

[[group]]
name = "video"
from = "s0"
to = "d0"
class = 1
protocol = "xcp_guaranteed"
profile = "1.5 Mbps"
long = { count = 6, spacing = "2 s" }

[[group]]
name = "honest"
from = "s1"
to = "d1"
long = {}

[[group]]
name = "inflates"
from = "s2"
to = "d2"
long = {}
conduct = { added_feedback = "1 Mbps" }
"#;

/// The status is the last column.
fn statuses(path: &std::path::Path) -> Vec<(String, Option<String>)> {
    let text = |row: &parquet::record::Row, column| row.get_string(column).ok().cloned();
    let row = |row: &parquet::record::Row| (text(row, 0).unwrap(), text(row, row.len() - 1));
    rows(path).iter().map(row).collect()
}

#[test]
fn flows_have_the_status_that_their_senders_found() {
    let (report, _) = results(&folder("statuses"), SCENARIO, 1, "out");
    let found = statuses(&path_of(&report, "xcp-1", "flows.parquet"));
    let number = |group: &str, status: Option<&str>| {
        found.iter().filter(|(own, is)| own == group && is.as_deref() == status).count()
    };
    assert_eq!(number("video", Some("admitted")), 5, "{found:?}");
    assert_eq!(number("video", Some("denied")), 1, "{found:?}");
    assert_eq!(number("honest", None), 1, "{found:?}");
    assert_eq!(number("inflates", Some("lying_receiver")), 1, "{found:?}");
    let ideal = statuses(&path_of(&report, "max_min-1", "flows.parquet"));
    assert!(ideal.iter().all(|(_, status)| status.is_none()), "{ideal:?}");

    let groups = &report.summary.protocols[0].groups;
    let video = groups[0].statuses.expect("they asked");
    assert_eq!([video.admitted, video.denied, video.lying_receiver], [5, 1, 0]);
    assert_eq!(groups[1].statuses, None);
    let printed = render(&report.summary, Style::Plain);
    let block = printed.split("\n\n").find(|block| block.starts_with("flows admitted")).unwrap();
    let video = block.lines().find(|line| line.trim_start().starts_with("video")).unwrap();
    assert!(video.contains('5'), "{printed}");
    assert!(printed.contains("flows denied") && printed.contains("lying receivers found"));
    assert!(!printed.contains("not answered") && !printed.contains("convicted"), "{printed}");
}
