//! The figures of one Envoy, from what it reports.

use std::collections::BTreeSet;

use glob::Pattern;
use spillgate_answers::{
    input::Faults,
    split::{Split, split_of},
};
use spillgate_config::{NamedText, clusters::lay_over};
use spillgate_core::{inspect::CountedCluster, model::Metadata};
use spillgate_explain::report::{ClusterReport, PriorityReport};
use spillgate_exporter::{
    ClusterFigures, ClusterLoad, EnvoyFigures, FindingCount, PriorityFigures,
};
use spillgate_lint::Severity;
use spillgate_observe::EnvoyReading;
use spillgate_sim::{LoadState, LossModel, Scene};

use super::{
    differences::{Differences, share},
    zone_loss::zone_loss,
};
use crate::{
    command::Done, config::Config, lint::findings_in, observe::PredictedModel,
    running::reported_hosts,
};

/// Which clusters are published.
#[derive(Debug, Clone)]
pub(super) struct ChosenClusters {
    /// Names and patterns; empty for all.
    texts: Vec<String>,
    most: usize,
}

/// The most priorities of a published cluster. With more, the cluster is left out.
const MOST_PRIORITIES: usize = 32;

impl ChosenClusters {
    pub(super) fn new(texts: &[String], most: usize) -> Self {
        Self {
            texts: texts.to_vec(),
            most,
        }
    }

    /// Whether a cluster is one of those in question. A text that matches none is no error: Envoys differ.
    fn has(&self, name: &str) -> bool {
        let matches = |text: &String| {
            text == name || Pattern::new(text).is_ok_and(|pattern| pattern.matches(name))
        };
        self.texts.is_empty() || self.texts.iter().any(matches)
    }

    /// The names of the published clusters, and the number of those that are left out.
    fn of<'n>(&self, names: impl Iterator<Item = &'n str>) -> (Vec<String>, usize) {
        // In the order of their names, so that a new cluster displaces few others.
        let names: BTreeSet<&str> = names.filter(|name| self.has(name)).collect();
        let published = names.iter().take(self.most);
        let left_out = names.len().saturating_sub(self.most);
        (published.map(|name| (*name).to_owned()).collect(), left_out)
    }
}

/// Evaluates a configuration with the hosts that `/clusters` reports, and compares it with readings of counters.
///
/// # Errors
/// Every error of the response.
pub(super) fn evaluate(
    config: &Config,
    clusters: &NamedText,
    readings: &[EnvoyReading],
    chosen: &ChosenClusters,
) -> Result<EnvoyFigures, Faults> {
    let predicted = PredictedModel::of(config, &mut Done::default());
    let mut figures = EnvoyFigures {
        findings: count_findings(config, clusters)?,
        limits: config.limits().iter().count(),
        ..EnvoyFigures::default()
    };
    let all = predicted
        .model
        .clusters()
        .iter()
        .map(|cluster| cluster.name.as_str());
    let (names, left_out) = chosen.of(all);
    figures.left_out = left_out;
    let Some(scene) = Scene::of_first(&predicted.model, Metadata::EMPTY) else {
        return Ok(figures);
    };
    if names.is_empty() {
        return Ok(figures);
    }
    let split = split_of(&predicted.model, scene.snapshot(), &names, &Metadata::EMPTY)
        .without_hosts_of(predicted.unknown.clone());
    let differences = Differences::new(&predicted, &split, readings);
    for report in &split.clusters {
        if report.priorities.len() > MOST_PRIORITIES {
            figures.left_out += 1;
            continue;
        }
        let load = || {
            let scene = scene.of_cluster(&report.name)?;
            Some(cluster_load(&split, report, &scene, &differences))
        };
        let is_known = split.unknown_of(report).is_none() && report.kind != "original_dst";
        figures.clusters.push(ClusterFigures {
            cluster: report.name.clone(),
            load: is_known.then(load).flatten(),
        });
    }
    Ok(figures)
}

/// The number of findings of each severity, as `spillgate lint --admin` lists them.
fn count_findings(config: &Config, clusters: &NamedText) -> Result<Vec<FindingCount>, Faults> {
    let Some(mut envoy) = config.read_for_lint() else {
        return Ok(Vec::new());
    };
    // Warnings about these hosts are no findings.
    let _ = lay_over(&reported_hosts(clusters)?.clusters, &mut envoy);
    let found = findings_in(&envoy);
    let count = |severity: Severity| FindingCount {
        severity: severity.name(),
        count: found.iter().filter(|of| of.severity == severity).count(),
    };
    Ok([Severity::Error, Severity::Warning, Severity::Info]
        .map(count)
        .into())
}

fn cluster_load(
    split: &Split,
    report: &ClusterReport,
    scene: &Scene,
    differences: &Differences,
) -> ClusterLoad {
    let state = scene.load_state(scene.snapshot());
    // Counts of hosts decide all margins but those of composite clusters, whose members losses change.
    let counted = CountedCluster::of(&split.snapshot, report.cluster, scene.criteria());
    let losses = (report.kind != "composite" && counted.is_some()).then(|| scene.losses());
    let compared = differences.of(&report.name);
    let priorities = report.priorities.iter().map(|of| PriorityFigures {
        difference: compared.and_then(|compared| compared.difference(of)),
        ..priority(report, of, &state, losses.as_ref())
    });
    ClusterLoad {
        no_host: share(report.no_host),
        has_margins: losses.is_some(),
        zone_loss: zone_loss(scene),
        counted_requests: compared.map(|compared| compared.requests),
        agrees: compared.and_then(|compared| compared.agrees),
        priorities: priorities.collect(),
    }
}

fn priority(
    report: &ClusterReport,
    of: &PriorityReport,
    state: &LoadState,
    losses: Option<&LossModel<'_>>,
) -> PriorityFigures {
    let row = &of.row;
    let until_panic = |losses: &LossModel<'_>| match state.panicking() {
        0 => Some(losses.until_panic(state, of.place)?.hosts),
        _ => Some(0),
    };
    PriorityFigures {
        place: of.place,
        member: report.has_members().then(|| of.owner.clone()),
        load: share(row.load()),
        availability: share(row.availability.healthy),
        degraded_availability: share(row.availability.degraded),
        is_in_panic: state.panics(of.place),
        hosts: row.health.hosts as usize,
        healthy_hosts: of.healthy(),
        until_spillover: losses
            .and_then(|losses| losses.until_spillover(state, of.place))
            .map(|spillover| spillover.loss.hosts),
        until_panic: losses.and_then(until_panic),
        difference: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clusters_are_chosen_by_name_and_bounded() {
        let names = ["shop-b", "cart", "shop-a", "x[1]"];
        let of = |texts: &[&str], most| {
            let texts: Vec<String> = texts.iter().map(|&text| text.into()).collect();
            ChosenClusters::new(&texts, most).of(names.into_iter())
        };
        assert_eq!(
            of(&[], 9),
            (
                ["cart", "shop-a", "shop-b", "x[1]"]
                    .map(String::from)
                    .into(),
                0
            )
        );
        assert_eq!(of(&["shop-*"], 1), (vec!["shop-a".into()], 1));
        assert_eq!(of(&["x[1]", "none"], 9), (vec!["x[1]".into()], 0));
    }
}
