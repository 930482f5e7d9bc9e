//! The engine against the real Envoy over random topologies, a short run of each kind, and whether
//! such a run would notice anything.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use anyhow::{Result, ensure};
use serde_json::Value;
use spillgate_conformance::ConformanceRun;
use spillgate_e2e::Workdir;
use spillgate_e2e::differential::generate::{scenario, surroundings};
use spillgate_e2e::differential::{
    DifferentialSettings, FailureKind, Features, Predictor, Summary, run,
};

/// Combinations of retries are many, so differences of the rarest may not be found yet; a fresh short
/// run leaves them out (tests/RELIABILITY.md).
const WITHOUT_RETRIES: &str = "-retries";

fn settings(seed: u64, workdir: &Workdir) -> Result<DifferentialSettings> {
    Ok(DifferentialSettings {
        scenarios: 360,
        requests: 360 * 100,
        seed,
        features: Features::default(),
        limit: None,
        findings: workdir.path().join("findings"),
        shrunk: 3,
        predictor: Predictor::default(),
    })
}

fn nothing_differs(settings: &DifferentialSettings, workdir: &Workdir) -> Result<Summary> {
    let summary = run(settings, workdir)?;
    println!("seed {}\n{summary}", settings.seed);
    ensure!(
        summary.failures.is_empty(),
        "seed {}: {summary}",
        settings.seed
    );
    ensure!(
        summary.determined > 0 && summary.tests > 0,
        "nothing was compared: {summary}"
    );
    Ok(summary)
}

#[test]
fn known_topologies_agree() -> Result<()> {
    let workdir = Workdir::new("differential_known")?;
    nothing_differs(&settings(91_000, &workdir)?, &workdir)?;
    Ok(())
}

/// A generator that makes nothing would agree too.
#[test]
fn topologies_use_every_feature() -> Result<()> {
    let (seed, features) = (91_000, Features::default());
    let mut used = BTreeSet::new();
    for batch in 0..8 {
        let around = Arc::new(surroundings(seed, batch, &features));
        for number in batch * 120..(batch + 1) * 120 {
            used.extend(scenario(seed, number, 100, &features, &around).features);
        }
    }
    let names = features.names();
    let unused: Vec<&str> = names.filter(|name| !used.contains(name)).collect();
    ensure!(unused.is_empty(), "features that nothing used: {unused:?}");
    Ok(())
}

#[test]
fn fresh_topologies_agree() -> Result<()> {
    let workdir = Workdir::new("differential_fresh")?;
    let now = SystemTime::now().duration_since(UNIX_EPOCH)?;
    let mut settings = settings(now.as_secs() % 1_000_000_000, &workdir)?;
    settings.features = Features::parse(WITHOUT_RETRIES)?;
    settings.scenarios = 2_400;
    settings.requests = 2_400 * 100;
    settings.limit = Some(Duration::from_secs(25));
    nothing_differs(&settings, &workdir)?;
    Ok(())
}

#[test]
fn a_wrong_threshold_is_found_and_made_small_and_recorded() -> Result<()> {
    let workdir = Workdir::new("differential_sabotaged")?;
    let mut settings = settings(1, &workdir)?;
    settings.scenarios = 30;
    settings.requests = 30 * 100;
    settings.features = Features::parse("maglev,priorities,health,header_hash")?;
    settings.predictor.sabotage = Some(never_panic);
    settings.shrunk = 1;
    let summary = run(&settings, &workdir)?;
    let Some(failure) = summary.failures.first() else {
        anyhow::bail!("a wrong panic threshold was not noticed: {summary}");
    };
    ensure!(failure.kind == FailureKind::Different, "{failure:?}");
    let hosts = Value::from(failure.scenario.clusters.clone())
        .to_string()
        .matches("socket_address")
        .count();
    ensure!(
        hosts <= 3 && failure.scenario.total() == 1,
        "{hosts} hosts and {} requests are left: {failure:?}",
        failure.scenario.total()
    );
    let folder: Vec<PathBuf> = failure.folder.iter().cloned().collect();
    let recorded = ConformanceRun {
        paths: &folder,
        families: &[],
        now: SystemTime::now().duration_since(UNIX_EPOCH)?.as_secs(),
    };
    let report = recorded
        .compare(&mut |_| {})
        .map_err(|faults| anyhow::anyhow!("{faults}"))?;
    ensure!(
        report.failed() == 1,
        "what was recorded does not fail: {report}"
    );
    Ok(())
}

/// Takes panic away from every cluster.
fn never_panic(configuration: &mut Value) {
    let clusters = configuration.pointer_mut("/static_resources/clusters");
    for cluster in clusters.and_then(Value::as_array_mut).into_iter().flatten() {
        cluster["common_lb_config"]["healthy_panic_threshold"] = serde_json::json!({"value": 0});
    }
}

#[test]
fn a_policy_that_is_not_the_stated_one_is_noticed_by_its_counts() -> Result<()> {
    let workdir = Workdir::new("differential_weights")?;
    let mut settings = settings(2, &workdir)?;
    settings.scenarios = 30;
    settings.requests = 30 * 200;
    settings.features = Features::parse("round_robin,weights")?;
    settings.predictor.sabotage = Some(no_weights);
    settings.shrunk = 0;
    let summary = run(&settings, &workdir)?;
    ensure!(
        summary
            .failures
            .iter()
            .any(|failure| failure.kind == FailureKind::Unlikely),
        "wrong shares were not noticed: {summary}"
    );
    Ok(())
}

/// Takes the weights of hosts away.
fn no_weights(configuration: &mut Value) {
    match configuration {
        Value::Object(fields) => {
            fields.remove("load_balancing_weight");
            fields.values_mut().for_each(no_weights);
        }
        Value::Array(items) => items.iter_mut().for_each(no_weights),
        _ => {}
    }
}
