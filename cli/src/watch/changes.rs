//! The differences between two splits of the same proxy, one line each.

use std::collections::BTreeMap;

use spillgate_answers::split::Split;
use spillgate_explain::{
    host_address,
    report::{ClusterReport, PriorityReport},
};

/// Hosts that are listed for each cluster.
const SHOWN: usize = 20;

/// The changes from one split to the next one; empty if tables show no difference.
pub(super) fn changes(before: &Split, after: &Split) -> Vec<String> {
    let named = |split: &Split, name: &str| split.clusters.iter().position(|of| of.name == name);
    let mut changes = Vec::new();
    for cluster in &after.clusters {
        let known = named(before, &cluster.name).and_then(|at| before.clusters.get(at));
        match known {
            None => changes.push(format!("{}: new cluster", cluster.name)),
            Some(known) => {
                changes.extend(of_priorities(known, cluster));
                changes.extend(of_hosts((before, known), (after, cluster)));
            }
        }
    }
    let gone = before
        .clusters
        .iter()
        .filter(|of| named(after, &of.name).is_none());
    changes.extend(gone.map(|of| format!("{}: removed cluster", of.name)));
    changes
}

/// The values of a priority that its row in the table shows.
fn row(of: &PriorityReport) -> [(&'static str, String); 4] {
    let row = &of.row;
    let panic = if row.panic { "yes" } else { "no" };
    [
        ("load %", row.load().to_string()),
        (
            "healthy",
            format!("{} of {}", row.health.healthy, row.health.hosts),
        ),
        ("degraded", row.health.degraded.to_string()),
        ("panic", panic.to_owned()),
    ]
}

fn of_priorities(before: &ClusterReport, after: &ClusterReport) -> Vec<String> {
    let mut changes = Vec::new();
    if shown(before.no_host) != shown(after.no_host) {
        changes.push(format!(
            "{}: without host % {} -> {}",
            after.name,
            shown(before.no_host),
            shown(after.no_host)
        ));
    }
    for now in &after.priorities {
        let Some(then) = before.priorities.get(now.place) else {
            changes.push(format!("{}: {} is new", after.name, now.name));
            continue;
        };
        let values = row(then).into_iter().zip(row(now));
        let differing = values.filter(|((_, then), (_, now))| then != now);
        let texts: Vec<String> = differing
            .map(|((name, then), (_, now))| format!("{name} {then} -> {now}"))
            .collect();
        if !texts.is_empty() {
            changes.push(format!(
                "{}: {}: {}",
                after.name,
                now.name,
                texts.join(", ")
            ));
        }
    }
    let gone = before.priorities.iter().skip(after.priorities.len());
    changes.extend(gone.map(|then| format!("{}: {} is removed", after.name, then.name)));
    changes
}

/// The shares of the hosts in a cluster, by owner, priority and address.
fn shares(split: &Split, cluster: &ClusterReport) -> BTreeMap<(String, usize, String), String> {
    let hosts = cluster.hosts().map(|(of, host, share)| {
        let address = host_address(&split.snapshot, host);
        (
            (of.owner.clone(), host.priority, address.into()),
            shown(share),
        )
    });
    hosts.collect()
}

fn of_hosts(before: (&Split, &ClusterReport), after: (&Split, &ClusterReport)) -> Vec<String> {
    let (then, now) = (shares(before.0, before.1), shares(after.0, after.1));
    let mut changes = Vec::new();
    for (key, share) in &now {
        match then.get(key) {
            Some(known) if known == share => {}
            Some(known) => changes.push(format!("{}: share % {known} -> {share}", key.2)),
            None => changes.push(format!("{}: joined, share % {share}", key.2)),
        }
    }
    let left = then.keys().filter(|key| !now.contains_key(key));
    changes.extend(left.map(|key| format!("{}: left", key.2)));
    let more = changes.len().saturating_sub(SHOWN);
    changes.truncate(SHOWN);
    if more > 0 {
        changes.push(format!("{more} more hosts changed"));
    }
    let name = &after.1.name;
    changes
        .into_iter()
        .map(|change| format!("{name}: {change}"))
        .collect()
}

/// A share as in the tables.
fn shown(share: f64) -> String {
    format!("{share:.1}")
}
