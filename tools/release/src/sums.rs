//! SHA256SUMS: a line for each file, as `sha256sum --check` reads it.

use std::collections::BTreeMap;

use anyhow::{Context as _, Result, ensure};

use crate::hash::sha256_hex;

/// The file.
pub(crate) const FILE: &str = "SHA256SUMS";

/// The folder for signatures, which are made later. The sums are what is signed, so they leave it out.
pub(crate) const SIGNATURES: &str = "signatures/";

/// The lines for these files.
pub(crate) fn sums<'a>(files: impl Iterator<Item = (&'a str, &'a [u8])>) -> String {
    let lines: BTreeMap<&str, String> = files
        .map(|(path, bytes)| (path, sha256_hex(bytes)))
        .collect();
    lines
        .iter()
        .map(|(path, sum)| format!("{sum}  {path}\n"))
        .collect()
}

/// Checks that the lines are those of the other files.
pub(crate) fn check(files: &BTreeMap<String, Vec<u8>>) -> Result<()> {
    let found = files.get(FILE).with_context(|| format!("no {FILE}"))?;
    let others = files.iter().filter(|(path, _)| *path != FILE);
    let expected = sums(others.map(|(path, bytes)| (&**path, &**bytes)));
    let found = String::from_utf8_lossy(found);
    let wrong: Vec<&str> = expected
        .lines()
        .filter(|line| !found.lines().any(|other| other == *line))
        .collect();
    ensure!(wrong.is_empty(), "{FILE} does not contain {wrong:#?}");
    ensure!(*found == *expected, "{FILE} lists other files too");
    Ok(())
}
