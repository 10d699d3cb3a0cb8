//! Figures of sweeps.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use crate::common::swept;
use sluice_lab::plot::{self, Choice};

/// A sweep for all tests.
static SWEEP: LazyLock<PathBuf> = LazyLock::new(|| {
    let over = "load = [0.3, 0.6]\n\"topology.dumbbell.buffer\" = [\"0.5bdp\", \"1bdp\"]\n";
    swept(Path::new("plot"), &format!("[sweep.over]\n{over}"))
});

fn choice(y: &str, at: &[(&str, &str)]) -> Choice {
    let at = at.iter().map(|&(path, value)| (path.into(), value.into())).collect();
    Choice { x: "load".into(), y: y.into(), at, ..Choice::default() }
}

const BUFFER: (&str, &str) = ("topology.dumbbell.buffer", "1 bdp");

#[test]
fn a_figure_has_a_line_and_a_marker_at_each_point_of_each_protocol() {
    let folder = &*SWEEP;
    let out = folder.join("figure.svg");
    let chosen = Choice { systems: vec!["tcp".into()], ..choice("utilization", &[BUFFER]) };
    plot::write(folder, &chosen, &out).unwrap();
    let drawn = std::fs::read_to_string(&out).unwrap();
    assert!(drawn.contains("\nTCP\n") && !drawn.contains("\nRCP\n"), "{drawn}");
    // TCP's triangle: at two loads and in the legend.
    assert_eq!(drawn.matches("<polygon").count(), 3, "{drawn}");
    assert!(drawn.contains("utilization, topology.dumbbell.buffer = 1 bdp"), "{drawn}");
}

#[test]
fn a_figure_may_be_a_png() {
    let folder = &*SWEEP;
    let out = folder.join("figure.png");
    let size = Some("50 kB".parse().unwrap());
    match plot::write(folder, &Choice { size, ..choice("completion_p99", &[BUFFER]) }, &out) {
        Ok(()) => {
            let bytes = std::fs::read(&out).unwrap();
            assert_eq!(&bytes[1..4], b"PNG");
            // The width in pixels, twice that of the SVG.
            assert_eq!(bytes[16..20], 1440_u32.to_be_bytes());
        }
        // A machine without fonts.
        Err(error) => assert!(error.to_string().contains("install one"), "{error}"),
    }
}

#[test]
fn a_wrong_choice_is_an_error_that_lists_what_there_is() {
    let folder = &*SWEEP;
    let error = |choice: &Choice, out: &str| {
        let error = plot::write(folder, choice, &folder.join(out)).unwrap_err();
        assert!(error.is_input());
        error.to_string()
    };
    let name = error(&choice("completion_p9", &[BUFFER]), "a.svg");
    assert!(name.contains("did you mean `completion_p99`"), "{name}");
    let several = error(&choice("drops", &[]), "a.svg");
    assert!(several.contains("several points have load=0.3"), "{several}");
    assert!(
        several.contains("`--at topology.dumbbell.buffer=VALUE` with one of 0.5bdp, 1bdp"),
        "{several}"
    );
    let value = error(&choice("drops", &[(BUFFER.0, "3bdp")]), "a.svg");
    assert!(value.contains("unknown value `3bdp`") && value.contains("`0.5bdp`"), "{value}");
    let size = Some("1 GB".parse().unwrap());
    let large = error(&Choice { size, ..choice("flows", &[BUFFER]) }, "a.svg");
    assert!(large.contains("there are flows of") && large.contains("10-100 kB"), "{large}");
    assert!(error(&choice("drops", &[BUFFER]), "a.jpg").contains(".svg or .png"));
    assert!(!folder.join("a.svg").exists());
}
