//! The verdict about all clusters, in one line.

use spillgate_explain::format::{plain, plural};
use spillgate_sim::ZoneLoss;

use super::{
    ClusterRows,
    row::{Row, RowEffect},
    zone_loss,
};
use crate::what_if::asked::Asked;

/// The verdict: `N-1: 3 of 212 clusters lose requests`.
pub(super) fn verdict(clusters: &[ClusterRows], asked: &Asked) -> String {
    let asked_zones = zone_loss(asked).is_some();
    let effects = clusters.iter().map(effect);
    let effects: Vec<RowEffect> = effects.collect();
    let count = |effect| effects.iter().filter(|of| **of == effect).count();
    let mut found = Vec::new();
    for (effect, one, several) in [
        (RowEffect::LosesRequests, "loses requests", "lose requests"),
        (RowEffect::Panics, "enters panic mode", "enter panic mode"),
        (RowEffect::Spills, "spills over", "spill over"),
    ] {
        let verb = |count| if count == 1 { one } else { several };
        match (count(effect), found.is_empty()) {
            (0, _) => {}
            (count, true) => found.push(format!(
                "{count} of {} {}",
                plural(clusters.len(), "cluster"),
                verb(count)
            )),
            (count, false) => found.push(format!("{count} {}", verb(count))),
        }
    }
    if found.is_empty() {
        found.push("no cluster loses requests or enters panic mode".to_owned());
    }
    let unknown = clusters.iter().filter(|cluster| !cluster.has_figures());
    let unzoned = clusters
        .iter()
        .filter(|of| asked_zones && of.has_too_few_zones());
    for (count, what) in [
        (unzoned.count(), "with too few zones"),
        (unknown.count(), "without figures"),
    ] {
        if count > 0 {
            found.push(format!("{count} {what}"));
        }
    }
    let mut line = format!("{}: {}", situation(asked), found.join(", "));
    if !asked.expectations.is_empty() {
        let fails =
            |cluster: &&ClusterRows| cluster.rows.iter().any(|row| row.failed().count() > 0);
        let failed = clusters.iter().filter(fails).count();
        line.push_str(&match failed {
            0 => "; all expectations hold".to_owned(),
            1 => "; 1 fails an expectation".to_owned(),
            count => format!("; {count} fail an expectation"),
        });
    }
    plain(&line) + "\n"
}

/// The worst effect on a cluster, under the rules of any client.
fn effect(cluster: &ClusterRows) -> RowEffect {
    let of_row = |row: &Row| row.figures.as_ref().ok().map(|of| of.effect());
    let effects = cluster.rows.iter().filter_map(of_row);
    effects.max().unwrap_or(RowEffect::Nothing)
}

/// When the effects appear.
fn situation(asked: &Asked) -> &'static str {
    match zone_loss(asked) {
        Some(ZoneLoss::Single) => "N-1",
        Some(ZoneLoss::Pairs) => "N-2",
        None if !asked.losses.is_empty() => "After the loss",
        None if !asked.additions.is_empty() || !asked.settings.is_empty() => "After the change",
        None => "Without a loss",
    }
}
