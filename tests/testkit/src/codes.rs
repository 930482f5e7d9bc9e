//! The codes of messages in sources.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result};

/// The string literals in a folder of sources that look like codes, such as `config/value`, outside
/// of unit tests.
///
/// # Errors
/// If a file cannot be read.
pub fn codes_in(folder: &Path) -> Result<BTreeSet<String>> {
    let mut codes = BTreeSet::new();
    collect(folder, &mut codes)?;
    Ok(codes)
}

fn collect(folder: &Path, codes: &mut BTreeSet<String>) -> Result<()> {
    let entries = fs::read_dir(folder).with_context(|| format!("cannot read {folder:?}"))?;
    for entry in entries {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, codes)?;
            continue;
        }
        if path.extension().is_none_or(|ending| ending != "rs") {
            continue;
        }
        let text = fs::read_to_string(&path).with_context(|| format!("cannot read {path:?}"))?;
        let shipped = text
            .split("#[cfg(test)]\nmod tests")
            .next()
            .unwrap_or_default();
        let literals = shipped
            .split('"')
            .skip(1)
            .filter(|literal| is_code(literal));
        codes.extend(literals.map(str::to_owned));
    }
    Ok(())
}

fn is_code(literal: &str) -> bool {
    let is_name =
        |name: &str| !name.is_empty() && name.chars().all(|c| c.is_ascii_lowercase() || c == '-');
    literal
        .split_once('/')
        .is_some_and(|(family, name)| is_name(family) && is_name(name))
}

#[cfg(test)]
mod tests {
    use super::is_code;

    #[test]
    fn a_code_has_a_family_and_a_name() {
        assert!(is_code("config/unknown-field"));
        assert!(!is_code("config") && !is_code("/clusters") && !is_code("a/b/c"));
    }
}
