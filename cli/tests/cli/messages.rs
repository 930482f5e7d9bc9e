//! `docs/messages-cli.md` has every message of the commands, each printed by a real run.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

use crate::{help::examples, manual::assert_shown};

const PAGE: &str = "docs/messages-cli.md";

/// Failures of the system, which a test cannot cause.
const WITHOUT_EXAMPLE: [&str; 2] = ["man/unwritable", "token/random"];

#[test]
fn the_page_has_the_output_of_the_commands() {
    assert_shown(PAGE, &examples("messages"));
}

#[test]
fn the_page_has_every_code_of_the_commands() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let page = fs::read_to_string(root.join(PAGE)).unwrap();
    let mut codes = BTreeSet::new();
    for folder in ["cli/src", "sim/src"] {
        collect_codes(&root.join(folder), &mut codes);
    }
    assert!(codes.len() > 30, "{codes:?}");
    let missing = codes.iter().filter(|code| {
        let shown = page.contains(&format!(": {code}: "));
        !shown && !WITHOUT_EXAMPLE.contains(&code.as_str())
    });
    let missing: Vec<&String> = missing.collect();
    assert!(missing.is_empty(), "{missing:?} are missing in {PAGE}");
}

/// Adds the error codes in the sources, outside of tests: string literals with the form of a code.
fn collect_codes(folder: &Path, to: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path: PathBuf = entry.unwrap().path();
        if path.is_dir() {
            collect_codes(&path, to);
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        let text = text.split("#[cfg(test)]").next().unwrap();
        let literals = text.split('"').skip(1).step_by(2);
        // Codes of configurations (`config/...`) are in docs/diagnostics.md.
        let families = [
            "conformance/",
            "explain/",
            "export/",
            "input/",
            "link/",
            "man/",
            "pending/",
            "pick/",
            "request/",
            "simulate/",
            "split/",
            "token/",
            "what-if/",
        ];
        let is_code = |literal: &&str| {
            let name = families
                .iter()
                .find_map(|family| literal.strip_prefix(family));
            name.is_some_and(|name| name.bytes().all(|b| b.is_ascii_lowercase() || b == b'-'))
        };
        to.extend(literals.filter(is_code).map(str::to_owned));
    }
}
