//! The dynamic module, under the name that its manual recommends.

use anyhow::{Result, ensure};

use crate::artifact::Artifact;
use crate::hash::sha256_hex;
use crate::parts::Parts;

/// The module under a name with the first 16 digits of its SHA-256 sum.
pub(crate) fn module(parts: &Parts) -> Result<Artifact> {
    let bytes = parts.bytes("libspillgate.so")?;
    let purpose =
        "the dynamic module for Envoy 1.38 to 1.40 on x86-64 Linux (docs/dynamic-module.md)";
    Ok(Artifact::new(name(&bytes), purpose, bytes))
}

/// Checks that the name has the sum, and that the file is a shared object with Envoy's entry point.
pub(crate) fn check(path: &str, bytes: &[u8]) -> Result<()> {
    ensure!(path == name(bytes), "the name does not have the sum");
    ensure!(bytes.starts_with(b"\x7fELF"), "not a shared object");
    let entry = b"envoy_dynamic_module_on_program_init";
    let found = bytes.windows(entry.len()).any(|window| window == entry);
    ensure!(found, "no entry point for Envoy");
    Ok(())
}

fn name(bytes: &[u8]) -> String {
    let mut sum = sha256_hex(bytes);
    sum.truncate(16);
    format!("libspillgate-{sum}.so")
}
