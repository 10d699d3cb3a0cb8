//! Files of settings.

use std::fs;

use crate::bed::bed_without_host;

#[test]
fn all_routers_of_the_settings_start_with_them() {
    let Some(bed) = bed_without_host() else { return };
    // Not in the run directory, which `down` is to leave empty.
    let file = bed.run.with_extension("toml");
    let text = "[[router]]\ndev = \"out\"\nrate = \"100 Mbps\"\n\
        [router.rcp]\ngamma = 0.9\ninitial_rate = 0.5\n\
        [[router]]\ndev = \"in\"\nrate = \"1gbit\"\nbuffer = \"1 MB\"\n";
    fs::write(&file, text).unwrap();
    let path = file.to_string_lossy();
    let said = bed.ok(&bed.r, &["router", "up", "--settings", &path]);
    assert_eq!(said.lines().count(), 2, "{said}");
    assert!(
        said.starts_with("router at out: grants rates so that flows fill 0.9 of 100 Mbps"),
        "{said}"
    );
    let status = bed.status();
    let [inner, out] = &status[..] else { panic!("{status:?}") };
    assert_eq!((&inner["device"], &inner["gamma"]), (&"in".into(), &0.95.into()));
    assert_eq!((&out["device"], &out["gamma"]), (&"out".into(), &0.9.into()));
    // Nothing uses the link, so that R only grows.
    assert!(out["rate_bps"].as_f64().unwrap() >= 50e6, "{out}");
    let said = bed.ok(&bed.r, &["router", "down"]);
    assert_eq!(
        said,
        "router at in: ended; everything is as it was\nrouter at out: ended; everything is as it was\n"
    );

    // Options override them.
    let up = ["router", "up", "--dev", "out", "--gamma", "0.8", "--settings", &path];
    let said = bed.ok(&bed.r, &up);
    assert!(said.contains("fill 0.8 of 100 Mbps"), "{said}");
    assert!(bed.status()[0]["rate_bps"].as_f64().unwrap() >= 50e6);
    bed.ok(&bed.r, &["down"]);
    fs::remove_file(file).unwrap();
}
