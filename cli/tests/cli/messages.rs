//! `golden/messages.md` has every message of the commands, each printed by a real run.

use std::{collections::BTreeSet, fs};

use spillgate_testkit::{codes_in, repository};

use crate::{
    help::{MessageForm, examples},
    manual::assert_shown_in,
};

const PAGE: &str = "cli/tests/cli/golden/messages.md";

/// The beginnings of the commands' codes.
const FAMILIES: [&str; 25] = [
    "admin/",
    "adopt/",
    "capture/",
    "client/",
    "code/",
    "conformance/",
    "convert/",
    "explain/",
    "export/",
    "exporter/",
    "fleet/",
    "incident/",
    "input/",
    "link/",
    "log/",
    "man/",
    "observe/",
    "pick/",
    "prometheus/",
    "request/",
    "simulate/",
    "split/",
    "token/",
    "ui/",
    "what-if/",
];

/// Failures of the system, which a test cannot cause, limits of a server, which the tests of `--admin` cause,
/// answers of Prometheus, which those of `--prometheus` cause, weights above 32 bits, a guard against faults of
/// `adopt`, and what only the log of a running exporter has.
const WITHOUT_EXAMPLE: [&str; 14] = [
    "admin/no-runtime",
    "admin/no-stats",
    "adopt/lint",
    "client/not-known",
    "exporter/thread",
    "exporter/unresolved",
    "man/unwritable",
    "prometheus/query",
    "prometheus/response",
    "prometheus/result",
    "prometheus/status",
    "prometheus/timeout",
    "prometheus/warning",
    "token/random",
];

#[test]
fn the_page_has_the_output_of_the_commands() {
    assert_shown_in(MessageForm::Short, PAGE, &examples("messages"));
}

#[test]
fn the_page_has_every_code_of_the_commands() {
    let root = repository();
    let page = fs::read_to_string(root.join(PAGE)).unwrap();
    let mut codes = BTreeSet::new();
    for folder in [
        "crates/admin/src",
        "crates/adopt/src",
        "crates/answers/src",
        "cli/src",
        "tests/conformance/src",
        "crates/export/src",
        "crates/exporter/src",
        "crates/incident/src",
        "crates/sim/src",
    ] {
        codes.extend(codes_in(&root.join(folder)).unwrap());
    }
    // golden/messages.txt of the readers has the codes of configurations.
    codes.retain(|code| FAMILIES.iter().any(|family| code.starts_with(family)));
    assert!(codes.len() > 30, "{codes:?}");
    let missing = codes.iter().filter(|code| {
        let shown = page.contains(&format!(": {code}: "));
        !shown && !WITHOUT_EXAMPLE.contains(&code.as_str())
    });
    let missing: Vec<&String> = missing.collect();
    assert!(missing.is_empty(), "{missing:?} are missing in {PAGE}");
}
