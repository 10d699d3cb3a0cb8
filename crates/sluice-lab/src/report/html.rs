//! The page in one file: nothing in it is fetched, and no text of a result can become markup.

use serde::Serialize;

use super::data::Page;
use super::look;
use super::sweep::SweepPage;

/// The template of all pages; `@name@` is a placeholder.
const FRAME: &str = include_str!("frame.html");
const LICENCE: &str = include_str!("vendor/LICENSE-uplot");
const STYLES: [&str; 2] = [include_str!("vendor/uplot.min.css"), include_str!("page.css")];
const LIBRARY: &str = include_str!("vendor/uplot.min.js");
/// The scripts of all pages, in order: what a file uses at once is in those before.
const SHARED: [&str; 6] = [
    include_str!("js/units.js"),
    include_str!("js/dom.js"),
    include_str!("js/look.js"),
    include_str!("js/axes.js"),
    include_str!("js/chart.js"),
    include_str!("js/shell.js"),
];

/// A kind of page: the elements of its body, and the scripts that fill them.
struct Kind {
    body: &'static str,
    scripts: &'static [&'static str],
}

const RUN: Kind = Kind {
    body: include_str!("run.html"),
    scripts: &[
        include_str!("js/curves.js"),
        include_str!("js/spread.js"),
        include_str!("js/metrics.js"),
        include_str!("js/tables.js"),
        include_str!("js/ratios.js"),
        include_str!("js/datagrams.js"),
        include_str!("js/labels.js"),
        include_str!("js/network.js"),
        include_str!("js/run.js"),
    ],
};

const SWEEP: Kind =
    Kind { body: include_str!("sweep.html"), scripts: &[include_str!("js/sweep.js")] };

/// Puts the page of a run together.
pub fn of_run(page: &Page) -> Result<String, serde_json::Error> {
    html(&page.name, &RUN, page)
}

/// Puts the page of a sweep together.
pub fn of_sweep(page: &SweepPage) -> Result<String, serde_json::Error> {
    html(&page.name, &SWEEP, page)
}

fn html(title: &str, kind: &Kind, data: &impl Serialize) -> Result<String, serde_json::Error> {
    // In JSON, `<` only occurs in strings; escaped, it cannot end the script or open a comment.
    let data = serde_json::to_string(data)?.replace('<', "\\u003c");
    let scripts = [&SHARED[..], kind.scripts].concat().join("\n");
    let script = format!("{LIBRARY}\n(() => {{\n\"use strict\";\n{scripts}\n}})();");
    let mut out = String::new();
    for (number, part) in FRAME.split('@').enumerate() {
        // Every second part is the name of a placeholder.
        match (number % 2, part) {
            (0, text) => out.push_str(text),
            (_, "title") => out.push_str(&escaped(title)),
            (_, "licence") => out.push_str(LICENCE),
            (_, "style") => out.push_str(&(look::css() + &STYLES.concat())),
            (_, "body") => out.push_str(kind.body),
            (_, "data") => out.push_str(&data),
            (_, "script") => out.push_str(&script),
            (_, other) => debug_assert!(false, "unknown placeholder {other}"),
        }
    }
    Ok(out)
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::data::{ReportNetwork, Sample, Slowdowns};
    use crate::results::{Severity, Warning};

    fn page(name: &str) -> Page {
        Page {
            name: name.into(),
            build: String::new(),
            confidence: 0.95,
            bottleneck_capacity: 1_000_000_000,
            warnings: vec![Warning {
                severity: Severity::Bias,
                code: "x".into(),
                text: "<!-- <script> & @data@".into(),
            }],
            scenario: "# </script><script>alert(1)</script>".into(),
            systems: Vec::new(),
            sizes: Vec::new(),
            ratios: Vec::new(),
            slowdowns: Slowdowns { at: Vec::new(), classes: Vec::new() },
            sample: Sample::default(),
            metrics: Vec::new(),
            metrics_left_out: 0,
            network: ReportNetwork { nodes: 0, links: 0, drawing: None },
            links: Vec::new(),
            bottlenecks: 0,
            links_left_out: 0,
            groups: Vec::new(),
        }
    }

    #[test]
    fn no_text_of_a_result_becomes_markup() {
        let plain = of_run(&page("plain")).unwrap();
        let sly = of_run(&page("</title><script>alert(1)</script>")).unwrap();
        for mark in ["<script", "</script", "<!--", "</title"] {
            assert_eq!(plain.matches(mark).count(), sly.matches(mark).count(), "{mark}");
        }
        // The library and the page's script, and the data.
        assert_eq!(sly.matches("</script").count(), 2);
        let data = sly.split("id=\"data\">").nth(1).unwrap().split("</script").next().unwrap();
        let read: serde_json::Value = serde_json::from_str(data).unwrap();
        assert_eq!(read["scenario"], "# </script><script>alert(1)</script>");
        assert_eq!(read["warnings"][0]["text"], "<!-- <script> & @data@");
    }

    #[test]
    fn nothing_is_fetched() {
        let page = of_run(&page("page")).unwrap();
        for fetches in ["src=", "href=", "@import", "url(", "fetch(", "XMLHttpRequest", "WebSocket"]
        {
            assert!(!page.contains(fetches), "{fetches}");
        }
        assert!(page.contains("default-src 'none'"));
    }

    #[test]
    fn the_library_has_the_documented_version() {
        let readme = include_str!("vendor/README.md");
        let version = readme.lines().next().unwrap().trim_start_matches("# uPlot ");
        assert!(LIBRARY.contains(&format!("(v{version})")), "{version}");
    }
}
