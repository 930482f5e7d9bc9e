//! Lighthouse, which rates how a page loads.

use std::time::Duration;

use super::npm::NpmPackage;

/// The package with the script of its command line. It asks for the latest version of one other package.
pub const LIGHTHOUSE: NpmPackage = NpmPackage {
    title: "Lighthouse",
    version: "12.8.2",
    folder: "lighthouse",
    file: "lighthouse/cli/index.js",
    manifest: r#"{"dependencies": {"lighthouse": "12.8.2"}, "overrides": {"third-party-web": "0.27.0"}}"#,
    lock: include_str!("package-lock.json"),
    size: "60 MB",
    limit: Duration::from_secs(600),
};
