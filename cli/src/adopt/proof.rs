//! Compares the old configuration with the new one.

use std::collections::BTreeMap;

use serde_json::Value;
use spillgate_core::model::{Metadata, Model};
use spillgate_lint::{Severity, lint, rejected_filters};

use crate::{
    command::Done,
    config::{Config, read_for_lint},
    input::{Faults, Text},
    inputs::Inputs,
    split,
};

/// Shares that differ by less are equal, in percent.
const EQUAL: f64 = 1e-6;

/// The name of the requests that find no host.
const NO_HOST: &str = "without a host";

/// What differs, one line each.
///
/// # Errors
/// The errors that lint finds in the new configuration only.
pub(super) fn compare(old: &Text, new: &Text, clusters: &[String]) -> Result<Vec<String>, Faults> {
    let (before, after) = (read(old)?, read(new)?);
    let known = errors(&before);
    let mut faults = Faults::default();
    for (rule, line) in errors(&after) {
        if !known.iter().any(|(other, _)| *other == rule) {
            let fault = spillgate_config::Diagnostic::error("adopt/lint", line);
            faults.push(&new.name, &fault);
        }
    }
    if !faults.is_empty() {
        return Err(faults);
    }
    let mut done = Done::default();
    let served = after.served_model(&mut done);
    let (was, is) = (
        shares(&before.envoy.model, clusters),
        shares(&served, clusters),
    );
    let mut lines = Vec::new();
    for (cluster, hosts) in &is {
        let Some(own) = was.get(cluster) else {
            continue;
        };
        for (host, share) in hosts {
            let old = own.get(host).copied().unwrap_or(0.0);
            if (old - share).abs() > EQUAL {
                lines.push(format!(
                    "{cluster} {host}: {old:.1} % of the requests before, {share:.1} % now"
                ));
            }
        }
    }
    if lines.is_empty() {
        let hosts: usize = is.values().map(|hosts| hosts.len() - 1).sum();
        lines.push(match hosts {
            0 => "shares: not compared, because the configuration has no hosts".to_owned(),
            _ => format!("shares: equal before and after, for {hosts} hosts"),
        });
    }
    Ok(lines)
}

fn read(text: &Text) -> Result<Config, Faults> {
    Inputs::of([text.clone()])
        .and_then(Inputs::envoy)
        .and_then(read_for_lint)
}

/// The rules and texts of the errors that lint finds.
fn errors(config: &Config) -> Vec<(&'static str, String)> {
    let mut found = lint(&config.envoy);
    found.extend(rejected_filters(&config.envoy));
    found.retain(|finding| finding.severity == Severity::Error);
    let line = |finding: &spillgate_lint::Finding| {
        format!("{} {}: {}", finding.rule, finding.path, finding.message())
    };
    found
        .iter()
        .map(|finding| (finding.rule, line(finding)))
        .collect()
}

/// The share of each host, by cluster and address.
fn shares(model: &Model, clusters: &[String]) -> BTreeMap<String, BTreeMap<String, f64>> {
    let known: Vec<String> = clusters
        .iter()
        .filter(|name| model.cluster(name).is_some())
        .cloned()
        .collect();
    let Ok(split) = split::split(model, &known, &Metadata::EMPTY) else {
        return BTreeMap::new();
    };
    let report: Value = serde_json::from_str(&split::to_json(&split)).unwrap_or_default();
    let text = |value: &Value, name: &str| {
        let text = value.get(name).and_then(Value::as_str);
        text.unwrap_or_default().to_owned()
    };
    let list = |value: &Value, name: &str| {
        let items = value.get(name).and_then(Value::as_array);
        items.cloned().unwrap_or_default()
    };
    let share = |value: &Value, name: &str| value.get(name).and_then(Value::as_f64).unwrap_or(0.0);
    let of = |cluster: &Value| {
        let hosts = list(cluster, "endpoints").into_iter();
        let hosts = hosts.map(|host| (text(&host, "address"), share(&host, "share")));
        let no_host = (NO_HOST.to_owned(), share(cluster, "no_host"));
        (text(cluster, "name"), hosts.chain([no_host]).collect())
    };
    list(&report, "clusters").iter().map(of).collect()
}
