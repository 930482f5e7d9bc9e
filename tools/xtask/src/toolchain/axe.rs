//! axe-core, which checks the accessibility of the playground.

use std::time::Duration;

use super::npm::NpmPackage;

/// The package with the hash of its archive.
const LOCK: &str = r#"{
  "name": "accessibility",
  "lockfileVersion": 3,
  "packages": {
    "": {"dependencies": {"axe-core": "4.13.0"}},
    "node_modules/axe-core": {
      "version": "4.13.0",
      "integrity": "sha512-UzGt8zg7Ny8djbYMhxl2zuEevVa7r2gJjYY5Lwr1xM7+XU2nd6CkIWFTVcCIbAP63vSz71NaVyyuSk9lHKcy0A=="
    }
  }
}
"#;

/// The package with its script.
pub const AXE: NpmPackage = NpmPackage {
    title: "axe-core",
    version: "4.13.0",
    folder: "axe",
    file: "axe-core/axe.min.js",
    manifest: r#"{"dependencies": {"axe-core": "4.13.0"}}"#,
    lock: LOCK,
    size: "3 MB",
    limit: Duration::from_secs(300),
};
