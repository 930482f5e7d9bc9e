//! A real gRPC client: C-core with its Python interface, and the messages of xDS.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result};

use super::pip;
use crate::process;

/// The version in `docs/grpc.md`.
const VERSION: &str = "1.85.1";
/// What it needs, all of it.
const REQUIREMENTS: &str = "\
grpcio==1.85.1
xds-protos==1.85.0
protobuf==7.36.2
typing_extensions==4.16.0
";

/// The folder with its packages: the one in the cache, or a fresh download.
pub fn grpc_peer(cache: &Path) -> Result<PathBuf> {
    let python = pip::python()?;
    // The packages hold machine code for one version of Python.
    let folder = format!("grpc-{VERSION}-python-{python}");
    let home = cache.join(folder);
    if !is_right(&home) {
        println!("  installing gRPC {VERSION} from the Python package index (9 MB)");
        pip::install(&home, REQUIREMENTS).context("gRPC for Python is not installed")?;
        loads(&home).context("gRPC is installed, but Python cannot load it")?;
    }
    Ok(home)
}

fn is_right(home: &Path) -> bool {
    loads(home).is_ok()
}

fn loads(home: &Path) -> Result<()> {
    let load = "import grpc; from envoy.service.discovery.v3 import ads_pb2_grpc";
    let mut python = Command::new("python3");
    process::output(python.env("PYTHONPATH", home).args(["-c", load])).map(drop)
}
