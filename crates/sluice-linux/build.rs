//! Compiles the BPF programs and writes a skeleton for each, with which Rust loads it.

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio, exit};

use libbpf_cargo::SkeletonBuilder;

/// Each becomes `NAME.skel.rs` in `OUT_DIR`.
const PROGRAMS: [&str; 7] = [
    "src/bpf/router.bpf.c",
    "src/bpf/census.bpf.c",
    "src/bpf/host.bpf.c",
    "tests/bpf/plain.bpf.c",
    "tests/bpf/middlebox.bpf.c",
    "tests/bpf/room.bpf.c",
    "benches/bpf/bench.bpf.c",
];

/// What to try if `CLANG` names none: the newest first.
const CLANGS: [&str; 7] =
    ["clang-19", "clang-18", "clang-17", "clang-16", "clang-15", "clang-14", "clang"];

const MISSING: &str = "sluice-linux needs clang 14 or newer with its BPF target, to compile the \
    kernel's part. Debian's and Ubuntu's packages: clang libelf-dev zlib1g-dev pkg-config make. \
    CLANG=/path/to/clang chooses one.";

fn main() {
    for watched in ["src/bpf", "tests/bpf", "benches/bpf"] {
        println!("cargo:rerun-if-changed={watched}");
    }
    println!("cargo:rerun-if-env-changed=CLANG");
    let Some(clang) = clang() else { fail(MISSING) };
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    for program in PROGRAMS {
        let built = SkeletonBuilder::new()
            .source(program)
            .clang(&clang)
            .clang_args(["-mcpu=v3", "-Wall", "-Werror", "-Isrc/bpf"])
            .build_and_generate(out.join(skeleton(program)));
        if let Err(error) = built {
            fail(&format!("{clang} does not compile {program}: {error:#}\n{MISSING}"));
        }
    }
}

fn clang() -> Option<String> {
    if let Ok(named) = env::var("CLANG") {
        return Some(named);
    }
    CLANGS.into_iter().find(|clang| runs(clang)).map(str::to_owned)
}

fn runs(clang: &str) -> bool {
    let status =
        Command::new(clang).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    status.is_ok_and(|status| status.success())
}

fn skeleton(program: &str) -> PathBuf {
    let file = Path::new(program).file_name().expect("a file");
    PathBuf::from(file).with_extension("").with_extension("skel.rs")
}

fn fail(why: &str) -> ! {
    eprintln!("error: {why}");
    exit(1)
}
