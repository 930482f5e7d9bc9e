//! The traffic between all zones before and after a loss, and after the loss of whole zones.

use std::collections::BTreeMap;

use spillgate_answers::input::Faults;
use spillgate_config::{Diagnostic, mesh::MeshZone};
use spillgate_mesh::traffic::{TrafficMatrix, largest_without_host, survives};
use spillgate_sim::{Checked, Loss, SpecFault};

use super::{
    ejection::{KeptFailures, kept_failures},
    expect::{ZonesExpectation, check_traffic},
    losses::{LossScene, Lost, all_of, counts, lose},
};
use crate::{
    client::{ClientMatrices, MeshXds},
    client_args::Client,
    spec::faults,
    what_if::loss_report::Expected,
};

/// The effects of a loss on all zones.
#[derive(Debug)]
pub(super) struct ZonesAnswer {
    /// The values of `--lose`.
    pub(super) losses: Vec<String>,
    /// The number of lost hosts and of all hosts of each zone.
    pub(super) lost: BTreeMap<String, (usize, usize)>,
    pub(super) before: Vec<TrafficMatrix>,
    pub(super) after: Vec<TrafficMatrix>,
    /// The loss of whole zones; empty unless requested.
    pub(super) n_minus: Vec<ZonesFailure>,
    pub(super) expectations: Vec<Expected>,
    /// The requests that stay on lost hosts if only outlier detection notices the loss.
    pub(super) kept_failures: Vec<KeptFailures>,
}

/// The loss of whole zones, in addition to `--lose`.
#[derive(Debug)]
pub(super) struct ZonesFailure {
    /// The names of the zones.
    pub(super) zones: Vec<String>,
    /// The traffic after it.
    pub(super) traffic: Vec<TrafficMatrix>,
}

impl ZonesAnswer {
    /// Computes the answer.
    pub(super) fn new(
        zones: &[MeshZone],
        losses: &[(&str, Loss)],
        expectations: &[ZonesExpectation],
        n_minus: Option<u8>,
        client: Client,
    ) -> Result<Self, Faults> {
        let lost = lost(zones, losses)?;
        let after = after(zones, &lost, client);
        let failures = |count| failures(zones, &lost, count, client);
        let mut wrong = Faults::default();
        let mut checked = Vec::new();
        for expectation in expectations {
            match expectation {
                ZonesExpectation::Traffic(traffic) => match check_traffic(traffic, &after) {
                    Ok(expected) => checked.push(expected),
                    Err(fault) => wrong.extend(faults("--expect", &traffic.text, &[fault])),
                },
                ZonesExpectation::No503 => checked.push(no_503(&after)),
                ZonesExpectation::Survives(text, count) => {
                    let failures = failures(*count);
                    let fatal = failures.iter().filter(|failure| !failure.survives());
                    checked.push(must_be_zero(text, fatal.count() as f64));
                }
            }
        }
        if let Some(count) = n_minus
            && zones.len() < usize::from(count)
        {
            let fault = Diagnostic::error("what-if/no-zones", "--n-minus: too few zones");
            let found = format!("{} zones", zones.len());
            wrong.push(
                "--n-minus",
                &fault.found(found).expected(format!("at least {count}")),
            );
        }
        if !wrong.is_empty() {
            return Err(wrong);
        }
        let mut totals: BTreeMap<String, (usize, usize)> = BTreeMap::new();
        for (zone, lost) in zones.iter().zip(&lost) {
            for (name, count) in counts(&zone.outbound, lost) {
                // A zone is largest as seen from itself: others may see its ingress only.
                let known = totals.entry(name).or_default();
                *known = (*known).max(count);
            }
        }
        Ok(Self {
            losses: losses.iter().map(|(text, _)| (*text).into()).collect(),
            lost: totals,
            before: ClientMatrices::of(zones, client, MeshXds::Sent).matrices,
            n_minus: n_minus.map(failures).unwrap_or_default(),
            after,
            expectations: checked,
            // A gRPC client ejects by itself, which is not modeled.
            kept_failures: match client {
                Client::Grpc => Vec::new(),
                Client::Envoy | Client::Both => kept_failures(zones, &lost),
            },
        })
    }
}

/// The lost endpoints as seen from each zone. A selector must match in at least one view.
fn lost(zones: &[MeshZone], losses: &[(&str, Loss)]) -> Result<Vec<Lost>, Faults> {
    let mut all = vec![Lost::new(); zones.len()];
    let scenes: Vec<Option<LossScene>> = zones
        .iter()
        .map(|zone| LossScene::new(&zone.outbound))
        .collect();
    let mut wrong = Faults::default();
    for (text, loss) in losses {
        let mut first: Option<Vec<SpecFault>> = None;
        let mut matched = false;
        for (scene, lost) in scenes.iter().zip(&mut all) {
            let Some(scene) = scene else { continue };
            match scene.lost(loss) {
                Ok(found) => {
                    matched = true;
                    lost.extend(found);
                }
                Err(found) => first = first.or(Some(found)),
            }
        }
        if let (false, Some(found)) = (matched, first) {
            wrong.extend(faults("--lose", text, &found));
        }
    }
    if wrong.is_empty() {
        Ok(all)
    } else {
        Err(wrong)
    }
}

/// The traffic while each zone sees these endpoints as lost.
fn after(zones: &[MeshZone], lost: &[Lost], client: Client) -> Vec<TrafficMatrix> {
    let changed: Vec<MeshZone> = zones
        .iter()
        .zip(lost)
        .map(|(zone, lost)| {
            let mut zone = zone.clone();
            for cluster in &mut zone.outbound.clusters {
                lose(cluster, lost);
            }
            zone
        })
        .collect();
    ClientMatrices::of(&changed, client, MeshXds::Sent).matrices
}

/// The loss of each zone, or of each pair of zones.
fn failures(zones: &[MeshZone], lost: &[Lost], count: u8, client: Client) -> Vec<ZonesFailure> {
    let names: Vec<&str> = zones.iter().map(|zone| zone.name.as_str()).collect();
    let mut groups: Vec<Vec<&str>> = Vec::new();
    for (at, first) in names.iter().enumerate() {
        match count {
            1 => groups.push(vec![first]),
            _ => {
                let others = names.iter().skip(at + 1);
                groups.extend(others.map(|second| vec![*first, *second]));
            }
        }
    }
    groups
        .into_iter()
        .map(|group| {
            let together: Vec<Lost> = zones
                .iter()
                .zip(lost)
                .map(|(zone, lost)| {
                    let mut lost = lost.clone();
                    lost.extend(all_of(&zone.outbound, &group));
                    lost
                })
                .collect();
            ZonesFailure {
                traffic: after(zones, &together, client),
                zones: group.into_iter().map(String::from).collect(),
            }
        })
        .collect()
}

fn no_503(after: &[TrafficMatrix]) -> Expected {
    let worst = largest_without_host(after).map_or(0.0, |largest| largest.share);
    must_be_zero("no 503", worst)
}

/// The result of an expectation whose figure must be 0.
fn must_be_zero(expr: &str, value: f64) -> Expected {
    let checked = Checked {
        ok: value == 0.0,
        value: Some(value),
    };
    Expected::of(expr, checked)
}

impl ZonesFailure {
    /// Whether every request of every zone finds a host, and none goes to a priority in panic mode.
    pub(super) fn survives(&self) -> bool {
        survives(&self.traffic)
    }
}
