//! Secrets for tests and scenarios: made for each run, so that the repository contains none.

use std::fs::File;
use std::io::Read as _;

use anyhow::{Context as _, Result};
use base64::prelude::{BASE64_STANDARD, Engine as _};

/// Where random bytes come from.
const RANDOM: &str = "/dev/urandom";

/// 32 random bytes in base64, as `affinity.keys[].secret` requires them.
///
/// # Errors
/// When the system has none.
pub fn fresh_secret() -> Result<String> {
    let mut bytes = [0; 32];
    File::open(RANDOM)
        .and_then(|mut file| file.read_exact(&mut bytes))
        .context(RANDOM)?;
    Ok(BASE64_STANDARD.encode(bytes))
}
