//! The version of Envoy before the current one: both forms of the filter, and some recorded scenarios.
//! `docs/compatibility.md` has the full measurement of all versions.

use std::path::PathBuf;

use anyhow::{Result, ensure};
use rstest::rstest;
use serde_json::Value;
use spillgate_config::filter::FilterForm::{self, DynamicModule, Wasm};
use spillgate_e2e::versions::{InstalledEnvoy, check_form};
use spillgate_e2e::{Need, needed, spillgate};
use spillgate_testkit::repository;

/// Scenarios of each kind: deterministic hosts, random shares, sessions.
const SCENARIOS: [&str; 3] = [
    "ring-04-weights",
    "stat-03-rr-equal",
    "session-03-life-cookie",
];

#[rstest]
fn the_filter_routes_as_the_engine_predicts(
    #[values(Wasm, DynamicModule)] form: FilterForm,
) -> Result<()> {
    let envoy = InstalledEnvoy::new(needed(Need::PreviousEnvoy)?)?;
    let line = check_form(&envoy, form)?;
    ensure!(line.contains("1000 requests"), "{line}");
    Ok(())
}

#[test]
fn recorded_scenarios_are_the_same() -> Result<()> {
    let vectors = repository().join("vectors/oracle");
    let mut arguments = vec![PathBuf::from("conformance")];
    arguments.extend(SCENARIOS.map(|name| vectors.join(name)));
    arguments.extend(["--format".into(), "json".into(), "--envoy".into()]);
    arguments.push(needed(Need::PreviousEnvoy)?);
    let done = spillgate(arguments)?;
    let report: Value = serde_json::from_str(&done.output)?;
    ensure!(report["passed"] == SCENARIOS.len(), "{}", done.output);
    Ok(())
}
