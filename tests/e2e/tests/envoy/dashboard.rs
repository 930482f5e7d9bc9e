//! The dashboard and the alerts in `docs/grafana` use metrics that exist.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result, anyhow, ensure};
use serde_json::Value;
use spillgate_config::filter::FilterForm;
use spillgate_config::node::{Scalars, read_yaml, to_json};
use spillgate_e2e::Workdir;
use spillgate_e2e::scenario::{Running, ScenarioFolder, ScenarioPorts, check};
use spillgate_testkit::repository;

/// Let most of the dashboard's metrics happen.
const SCENARIOS: [&str; 7] = [
    "zone-failover",
    "drain",
    "mcp",
    "native-subsets",
    "subset-canary",
    "native/subset-canary",
    "native/sticky-failover",
];
/// The start of the dynamic module's names.
const NATIVE: &str = "envoy_dynamicmodulescustom_";

/// What does not happen while all is well; counted under these names by the filter.
const RARE: [&str; 14] = [
    "spillgate_config_refused",
    "spillgate_no_host",
    "spillgate_hosts_unknown",
    "spillgate_pass_through",
    "spillgate_unknown_target",
    "spillgate_host_failures",
    "spillgate_decisions_not_followed",
    "spillgate_health_poll_failures",
    "spillgate_health_metadata_failures",
    "spillgate_health_stale_decisions",
    "spillgate_sessions_overused",
    "spillgate_sessions_stripped",
    "spillgate_health_standby_polls",
    "spillgate_health_unknown_values",
];

/// Counters with labels that the scenarios of the dynamic module do not count.
const RARE_WITH_LABELS: [&str; 3] = [
    "spillgate_sessions_lost",
    "spillgate_sessions_refused",
    "spillgate_decisions_not_followed",
];

#[test]
fn every_panel_asks_for_what_envoy_has() -> Result<()> {
    // The labels of each metric.
    let mut have: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for name in SCENARIOS {
        let scenario = ScenarioFolder::named(name)?;
        let ports = ScenarioPorts::free(&scenario.bootstraps()?)?;
        let workdir = Workdir::new(&format!("dashboard-{}", name.replace('/', "-")))?;
        let mut running = Running::start(&scenario, workdir.path(), ports)?;
        check(&scenario, &mut running, |_| ())?;
        let text = running.client(19901)?.get("/stats/prometheus", &[])?.text();
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            let (name, rest) = line.split_once(['{', ' ']).unwrap_or((line, ""));
            have.entry(name.to_owned())
                .or_default()
                .extend(labels(rest));
        }
    }
    for (wasm, labels) in &have {
        let Some(native) = have.get(&format!("{NATIVE}{wasm}")) else {
            continue;
        };
        // Envoy itself gives labels to the module's other counters, and the dashboard renames theirs.
        let renamed = |label: &String| label.replace("spillgate_reason", "reason");
        let renamed: BTreeSet<String> = labels.iter().map(renamed).collect();
        let same = native == labels || (wasm.contains("sessions") && *native == renamed);
        let of_build = wasm.contains("_build_");
        ensure!(same || of_build, "{wasm}: {labels:?}, native {native:?}");
    }
    ensure!(
        have.contains_key(&format!("{NATIVE}spillgate_decisions")),
        "no decisions of the dynamic module"
    );
    let sources = sources(&repository().join("crates/steer/src"))?;
    for (panel, metric) in asked()?.into_iter().chain(alerted()?) {
        let metric = metric.as_str();
        let of_exporter = metric.strip_suffix("_total").unwrap_or(metric);
        if spillgate_exporter::metrics().any(|known| known.name == of_exporter) {
            continue;
        }
        // The module defines its counters at the start, except for those with labels.
        let rare = match metric.strip_prefix(NATIVE) {
            Some(native) => RARE_WITH_LABELS.contains(&native),
            None => RARE.contains(&metric),
        };
        if rare {
            let metric = metric.strip_prefix(NATIVE).unwrap_or(metric);
            let name = metric.replacen('_', ".", 1);
            let spellings = [name.replacen('_', ".", 1), name];
            let named = spellings.iter().any(|name| sources.contains(name));
            ensure!(named, "{panel}: the filter counts nothing as {metric}");
        } else {
            ensure!(have.contains_key(metric), "{panel}: Envoy has no {metric}");
        }
    }
    Ok(())
}

#[test]
fn panels_have_what_grafana_needs() -> Result<()> {
    let dashboard = dashboard()?;
    for field in ["title", "uid"] {
        ensure!(dashboard[field].is_string(), "no {field}");
    }
    ensure!(
        dashboard["schemaVersion"].as_u64() >= Some(36),
        "too old a schema"
    );
    let (mut ids, mut places) = (BTreeSet::new(), BTreeSet::new());
    for panel in panels(&dashboard)? {
        let title = panel["title"].as_str().context("a panel without a title")?;
        ensure!(
            ids.insert(panel["id"].as_u64()),
            "{title}: its id is another's"
        );
        let place = &panel["gridPos"];
        let field = |name: &str| {
            place[name]
                .as_u64()
                .with_context(|| format!("{title}: no {name}"))
        };
        let (x, y, width, height) = (field("x")?, field("y")?, field("w")?, field("h")?);
        ensure!(x + width <= 24, "{title} is wider than the page");
        for cell in (x..x + width).flat_map(|x| (y..y + height).map(move |y| (x, y))) {
            ensure!(places.insert(cell), "{title} lies on another panel");
        }
        if panel["type"] == "row" {
            continue;
        }
        ensure!(
            panel["description"].is_string(),
            "{title}: what does it show?"
        );
        let targets = panel["targets"].as_array().context("no targets")?;
        ensure!(!targets.is_empty(), "{title} asks for nothing");
        for target in targets {
            let asked = target["expr"].as_str().unwrap_or_default();
            let (open, close) = (asked.matches('(').count(), asked.matches(')').count());
            ensure!(open == close && !asked.is_empty(), "{title}: {asked}");
            ensure!(target["datasource"]["uid"] == "${datasource}", "{title}");
        }
    }
    Ok(())
}

#[test]
fn every_scenario_has_the_tags_of_the_manual() -> Result<()> {
    let manual = read("docs/operations.md")?;
    let start = manual.find("stats_config:\n").context("no stats_config")?;
    let tags = manual[start..]
        .split("```")
        .next()
        .context("no end")?
        .trim_end();
    for scenario in ScenarioFolder::all()? {
        // Metrics of the dynamic module have labels of their own.
        if scenario.form() == FilterForm::DynamicModule {
            continue;
        }
        for bootstrap in scenario.bootstraps()? {
            let has = !bootstrap.contains("- name: spillgate\n") || bootstrap.contains(tags);
            ensure!(has, "{} has other stats_tags", scenario.name());
        }
    }
    Ok(())
}

#[test]
fn alerts_have_what_prometheus_needs() -> Result<()> {
    let rules = alert_rules()?;
    for rule in &rules {
        let name = rule["alert"].as_str().context("a rule without a name")?;
        let expr = rule["expr"].as_str().unwrap_or_default();
        let (open, close) = (expr.matches('(').count(), expr.matches(')').count());
        let compares = expr.contains(" > ") || expr.contains(" < ");
        ensure!(open == close && compares, "{name}: {expr}");
        ensure!(
            rule["labels"]["severity"].is_string(),
            "{name}: no severity"
        );
        for field in ["summary", "description"] {
            ensure!(rule["annotations"][field].is_string(), "{name}: no {field}");
        }
    }
    // The dashboard shows the rules by the start of their names.
    let ours = |rule: &Value| {
        rule["alert"]
            .as_str()
            .is_some_and(|name| name.starts_with("Spillgate"))
    };
    ensure!(
        rules.iter().all(ours),
        "a name that the dashboard does not show"
    );
    let dashboard = read("docs/grafana/spillgate.json")?;
    ensure!(
        dashboard.contains("Spillgate.+"),
        "the dashboard shows no alerts"
    );
    Ok(())
}

/// The names of the labels in a line of metrics.
fn labels(rest: &str) -> BTreeSet<String> {
    let pairs = rest.split("\",").filter_map(|pair| pair.split_once("=\""));
    pairs.map(|(name, _)| name.to_owned()).collect()
}

/// Each metric that an alert names, with the alert.
fn alerted() -> Result<Vec<(String, String)>> {
    let mut alerted = Vec::new();
    for rule in alert_rules()? {
        let metrics = metrics(rule["expr"].as_str().unwrap_or_default());
        ensure!(!metrics.is_empty(), "{}: no metric", rule["alert"]);
        alerted.extend(
            metrics
                .into_iter()
                .map(|metric| (rule["alert"].to_string(), metric)),
        );
    }
    Ok(alerted)
}

fn alert_rules() -> Result<Vec<Value>> {
    let text = read("docs/grafana/alerts.yaml")?;
    let document = read_yaml(&text, Scalars::Json).map_err(|fault| anyhow!("{fault:?}"))?;
    let root = document.roots.first().context("an empty file")?;
    let file: Value = serde_json::from_str(&to_json(root))?;
    let groups = file["groups"].as_array().context("no groups")?.iter();
    let rules = groups
        .filter_map(|group| group["rules"].as_array())
        .flatten();
    let rules: Vec<Value> = rules.cloned().collect();
    ensure!(rules.len() > 15, "only {} rules", rules.len());
    Ok(rules)
}

/// Each metric that the dashboard names, with the panel or variable that does.
fn asked() -> Result<Vec<(String, String)>> {
    let dashboard = dashboard()?;
    let mut texts = Vec::new();
    for panel in panels(&dashboard)? {
        for target in panel["targets"].as_array().into_iter().flatten() {
            texts.push((panel["title"].to_string(), target["expr"].to_string()));
        }
    }
    let variables = dashboard["templating"]["list"].as_array();
    for variable in variables.context("no variables")? {
        texts.push((variable["name"].to_string(), variable["query"].to_string()));
    }
    let mut asked = Vec::new();
    for (panel, text) in texts {
        let metrics = metrics(&text).into_iter();
        asked.extend(metrics.map(|metric| (panel.clone(), metric)));
    }
    ensure!(asked.len() > 20, "only {asked:?}");
    Ok(asked)
}

/// The metrics in an expression.
fn metrics(expression: &str) -> Vec<String> {
    // Variables have one expression for both forms.
    let expression = expression.replace(&format!("({NATIVE})?"), "");
    let words = expression.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    let metrics = words.filter(|word| is_metric(word));
    metrics.map(str::to_owned).collect()
}

/// Names of ours and of Envoy's; what our names share with labels is a label.
fn is_metric(word: &str) -> bool {
    const LABELS: [&str; 6] = [
        "spillgate_cluster",
        "spillgate_priority",
        "spillgate_step",
        "spillgate_reason",
        "envoy_cluster_name",
        "envoy_response_code_class",
    ];
    let ours = word.starts_with("spillgate_") || word.starts_with("envoy_");
    ours && !LABELS.contains(&word)
}

fn panels(dashboard: &Value) -> Result<&Vec<Value>> {
    dashboard["panels"].as_array().context("no panels")
}

fn dashboard() -> Result<Value> {
    Ok(serde_json::from_str(&read("docs/grafana/spillgate.json")?)?)
}

fn sources(folder: &Path) -> Result<String> {
    let mut all = String::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        all.push_str(&if path.is_dir() {
            sources(&path)?
        } else {
            fs::read_to_string(&path)?
        });
    }
    Ok(all)
}

fn read(file: &str) -> Result<String> {
    let path = repository().join(file);
    fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))
}
