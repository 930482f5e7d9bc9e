//! The Wasm filter as a file.

use anyhow::{Context as _, Result, ensure};

use crate::artifact::Artifact;
use crate::parts::{Parts, ReleaseId};

/// The file.
pub(crate) const FILE: &str = "spillgate.wasm";
/// The custom section with version and commit, which the build adds.
const SECTION: &str = "spillgate.build";

/// The filter.
pub(crate) fn filter(parts: &Parts) -> Result<Artifact> {
    let purpose = "the Wasm filter for Envoy (docs/operations.md)";
    Ok(Artifact::new(FILE, purpose, parts.bytes(FILE)?))
}

/// Checks that it is a module of this version and commit.
pub(crate) fn check(bytes: &[u8], id: &ReleaseId) -> Result<()> {
    ensure!(bytes.starts_with(b"\0asm\x01\0\0\0"), "not a module");
    let content = custom_section(bytes, SECTION).context("no section with version and commit")?;
    let expected = format!("{} {}", id.version, id.commit);
    let found = String::from_utf8_lossy(content);
    ensure!(found == *expected, "built as {found}, expected {expected}");
    Ok(())
}

/// The content of the first custom section with this name.
fn custom_section<'a>(module: &'a [u8], name: &str) -> Option<&'a [u8]> {
    let mut rest = module.get(8..)?;
    while let Some((&id, after)) = rest.split_first() {
        let (size, after) = leb128(after)?;
        let (content, next) = after.split_at_checked(size)?;
        if id == 0 {
            let (length, text) = leb128(content)?;
            let (found, content) = text.split_at_checked(length)?;
            if found == name.as_bytes() {
                return Some(content);
            }
        }
        rest = next;
    }
    None
}

/// An unsigned number of variable length, and the bytes after it.
fn leb128(bytes: &[u8]) -> Option<(usize, &[u8])> {
    let mut value = 0;
    for (at, byte) in bytes.iter().take(5).enumerate() {
        value |= usize::from(byte & 0x7f) << (7 * at);
        if byte & 0x80 == 0 {
            return Some((value, bytes.get(at + 1..)?));
        }
    }
    None
}
