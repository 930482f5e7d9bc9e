//! Random changes of a model.

use spillgate_core::model::{
    Cluster, ClusterKind, Endpoint, Health, HealthStatus, LocalityLb, MaglevConfig, Metadata,
    Model, OverprovisioningFactor, PanicThreshold, PlainCluster, Policy, RingHashConfig, Value,
    Weight,
};
use spillgate_testkit::models::{Dice, Extent};

/// The kinds of changes.
pub(crate) const CHANGES: [&str; 12] = [
    "host order",
    "cluster order",
    "host added",
    "host removed",
    "weight",
    "health",
    "priority",
    "policy",
    "table size",
    "threshold",
    "locality rule",
    "metadata",
];

/// The same model with one change; `None` if it has nothing to change in this way.
pub(crate) fn changed(model: &Model, kind: &str, dice: &mut Dice) -> Option<Model> {
    let mut clusters: Vec<Cluster> = model.clone().into_clusters();
    if kind == "cluster order" {
        if clusters.len() < 2 {
            return None;
        }
        let at = dice.between(1, clusters.len() - 1);
        clusters.swap(0, at);
    } else {
        let plains = clusters
            .iter_mut()
            .filter_map(|cluster| match &mut cluster.kind {
                ClusterKind::Plain(plain) if plain.healthy_for.is_empty() => Some(plain),
                _ => None,
            });
        let mut plains: Vec<&mut PlainCluster> = plains.collect();
        if plains.is_empty() {
            return None;
        }
        let at = dice.below(plains.len());
        change(plains[at], kind, dice)?;
    }
    let changed = Model::new(clusters).ok()?;
    let changed = changed.with_local(model.local().clone());
    Some(changed.with_chain(model.chain().clone()))
}

fn change(plain: &mut PlainCluster, kind: &str, dice: &mut Dice) -> Option<()> {
    let filled: Vec<usize> = (0..plain.priorities.len())
        .filter(|at| !plain.priorities[*at].endpoints.is_empty())
        .collect();
    let priority = || -> Option<usize> { filled.first().copied() };
    match kind {
        "host order" => {
            let endpoints = &mut plain.priorities[priority()?].endpoints;
            if endpoints.len() < 2 {
                return None;
            }
            let by = dice.between(1, endpoints.len() - 1);
            endpoints.rotate_left(by);
        }
        "host added" => {
            let endpoints = &mut plain.priorities[priority()?].endpoints;
            let like = endpoints[0].clone();
            endpoints.push(Endpoint {
                address: format!("10.9.9.{}:80", endpoints.len()),
                ..like
            });
        }
        "host removed" => {
            let endpoints = &mut plain.priorities[priority()?].endpoints;
            let at = dice.below(endpoints.len());
            endpoints.remove(at);
        }
        "weight" => {
            let endpoints = &mut plain.priorities[priority()?].endpoints;
            let at = dice.below(endpoints.len());
            endpoints[at].weight = Weight::new(dice.weight(Extent::few(3)) + 1)?;
        }
        "health" => {
            let endpoints = &mut plain.priorities[priority()?].endpoints;
            let at = dice.below(endpoints.len());
            endpoints[at].health = Health::from_status(dice.one(&HealthStatus::ALL));
        }
        "priority" => {
            if plain.priorities.len() < 2 {
                return None;
            }
            plain.priorities.swap(0, 1);
        }
        "policy" => {
            plain.policy = dice.one(&[Policy::Random, Policy::RoundRobin, Policy::Rendezvous])
        }
        "table size" => {
            plain.policy = match plain.policy {
                Policy::Maglev(_) => {
                    Policy::Maglev(MaglevConfig::new(dice.one(&[101, 103, 1009])).ok()?)
                }
                Policy::RingHash(of) => {
                    let size = dice.one(&[16, 64, 512]);
                    Policy::RingHash(RingHashConfig::new(size, 1024, of.hash_function()).ok()?)
                }
                _ => return None,
            };
        }
        "threshold" => {
            plain.panic_threshold =
                PanicThreshold::from_percent(dice.one(&[0.0, 20.0, 60.0, 100.0]));
            plain.overprovisioning_factor = OverprovisioningFactor(dice.one(&[100, 140, 200]));
        }
        "metadata" => {
            let endpoints = &mut plain.priorities[priority()?].endpoints;
            let at = dice.below(endpoints.len());
            let note = Value::Number(dice.below(1000) as f64);
            let note = Metadata::new([("note", note)]);
            endpoints[at].metadata = endpoints[at].metadata.overridden(&note);
        }
        "locality rule" => {
            plain.locality_lb = if plain.locality_lb.is_weighted() {
                LocalityLb::default()
            } else {
                LocalityLb::Weighted
            };
        }
        _ => return None,
    }
    Some(())
}
