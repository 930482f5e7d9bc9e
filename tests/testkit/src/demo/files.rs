//! The files that a demo runs and serves.

use std::path::PathBuf;

/// What the demo runs and serves.
#[derive(Debug)]
pub struct DemoFiles {
    /// The program.
    pub envoy: PathBuf,
    /// The folder of the built page.
    pub www: PathBuf,
    /// The folder of the built documentation.
    pub docs: PathBuf,
    /// The Wasm filter.
    pub filter: PathBuf,
    /// The dynamic module.
    pub module: PathBuf,
}
