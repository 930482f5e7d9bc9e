//! "No change" is true for every request that the engine can be asked about.

use std::collections::{BTreeMap, BTreeSet};

use spillgate_core::{
    model::{
        AggregateCluster, Cluster, ClusterKind, Endpoint, Health, HealthStatus, Metadata, Model,
        PanicThreshold, PlainCluster, Priority,
    },
    snapshot::Snapshot,
};
use spillgate_diff::{ClusterVerdict, DiffReport, DiffSide, diff};
use spillgate_testkit::models::{Dice, Extent, model, pair};

use crate::change::{CHANGES, changed};

/// Random pairs of configurations.
const PAIRS: u64 = 300;
const SEED: u64 = 38;

fn report(old: &Model, new: &Model) -> DiffReport {
    let unknown = BTreeMap::new();
    let side = |model| DiffSide {
        model,
        listeners: &[],
        unknown: &unknown,
        resolved: None,
    };
    diff(&side(old), &side(new))
}

/// The shares of addresses, for requests with these criteria and this hash.
fn shares(
    snapshot: &Snapshot,
    cluster: &str,
    criteria: &Metadata,
    hash: Option<u64>,
) -> BTreeMap<String, f64> {
    let id = snapshot.cluster_id(cluster).unwrap();
    let found = snapshot.distribution_for(id, criteria, hash);
    let mut shares = BTreeMap::from([(String::from("no host"), found.no_host)]);
    for share in found.shares {
        let address = snapshot.endpoint(share.host_ref()).unwrap().address.clone();
        *shares.entry(address).or_insert(0.0) += share.share;
    }
    shares
}

/// The criteria that the metadata of hosts suggests.
fn criteria(model: &Model) -> Vec<Metadata> {
    let hosts = model
        .clusters()
        .iter()
        .flat_map(|cluster| cluster.priorities());
    let mut found = vec![Metadata::EMPTY];
    for endpoint in hosts.flat_map(|priority| &priority.endpoints) {
        if !found.contains(&endpoint.metadata) && found.len() < 5 {
            found.push(endpoint.metadata.clone());
        }
    }
    found
}

fn assert_same(old: &Model, new: &Model, cluster: &str, case: &str) {
    let (before, after) = (Snapshot::build(old), Snapshot::build(new));
    let hashes = (0..16_u64).map(|at| Some(at.wrapping_mul(0x9e37_79b9_7f4a_7c15)));
    for hash in hashes.chain([None]) {
        for criteria in criteria(old) {
            let of = |snapshot| shares(snapshot, cluster, &criteria, hash);
            let (old, new) = (of(&before), of(&after));
            let names: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
            for name in names {
                let of = |shares: &BTreeMap<String, f64>| shares.get(name).copied().unwrap_or(0.0);
                let difference = (of(&old) - of(&new)).abs();
                assert!(
                    difference < 1e-6,
                    "{case}, cluster {cluster}, {name}, {criteria}, {hash:?}: {old:?} {new:?}"
                );
            }
        }
    }
}

/// The model with other health, by address.
fn with_health(model: &Model, seed: u64) -> Model {
    let mut clusters: Vec<Cluster> = model.clone().into_clusters();
    for cluster in &mut clusters {
        let ClusterKind::Plain(plain) = &mut cluster.kind else {
            continue;
        };
        for endpoint in plain.priorities.iter_mut().flat_map(|of| &mut of.endpoints) {
            let hash = endpoint.address.bytes().fold(seed, |hash, byte| {
                hash.wrapping_mul(31).wrapping_add(u64::from(byte))
            });
            let status = Dice::new(hash).one(&HealthStatus::ALL);
            endpoint.health = Health::from_status(status);
        }
    }
    Model::new(clusters)
        .unwrap()
        .with_local(model.local().clone())
        .with_chain(model.chain().clone())
}

/// A random model; every third one has a subset fallback chain.
fn random_model(dice: &mut Dice, number: u64) -> Model {
    if number.is_multiple_of(3) {
        pair(dice, 1, Extent::few(3))
    } else {
        model(dice, Extent::few(3))
    }
}

#[test]
fn equal_clusters_answer_every_request_in_the_same_way() {
    let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
    for number in 0..PAIRS {
        let mut dice = Dice::of(SEED, number);
        let old = random_model(&mut dice, number);
        let kind = CHANGES[dice.below(CHANGES.len())];
        let Some(new) = changed(&old, kind, &mut dice) else {
            continue;
        };
        let case = format!("pair {number}, {kind}");
        let report = report(&old, &new);
        for name in &report.equal_clusters {
            *seen.entry("equal").or_default() += 1;
            if !old.chain().is_empty() && old.cluster(name) != new.cluster(name) {
                *seen.entry("equal with a chain").or_default() += 1;
            }
            assert_same(&old, &new, name, &case);
            assert_same(
                &with_health(&old, number),
                &with_health(&new, number),
                name,
                &case,
            );
        }
        for cluster in &report.clusters {
            *seen.entry(cluster.status.name()).or_default() += 1;
            if cluster.status == ClusterVerdict::EqualNow {
                if !old.chain().is_empty() {
                    *seen.entry("equal now with a chain").or_default() += 1;
                }
                assert_same(&old, &new, &cluster.name, &case);
            }
        }
        if kind.ends_with("order") {
            for cluster in &report.clusters {
                assert!(depends_on_order(&old), "{case}: {cluster:?}");
                assert!(
                    cluster.requests.iter().all(|kind| !kind.differs()),
                    "{case}"
                );
            }
            *seen.entry("order").or_default() += 1;
        }
    }
    println!("{seen:?}");
    for status in ["equal", "equal_now", "changed", "order"] {
        assert!(
            seen.get(status).is_some_and(|count| *count >= 20),
            "{status}: {seen:?}"
        );
    }
    for status in ["equal with a chain", "equal now with a chain"] {
        assert!(seen.contains_key(status), "{status}: {seen:?}");
    }
}

/// Only subsets read the metadata of hosts in a configuration without routes and chains.
#[test]
fn metadata_that_nothing_reads_is_proved_to_be_equal() {
    let mut equal = 0;
    for number in 0..PAIRS {
        let mut dice = Dice::of(SEED + 2, number);
        let old = model(&mut dice, Extent::few(3));
        let Some(new) = changed(&old, "metadata", &mut dice) else {
            continue;
        };
        let report = report(&old, &new);
        for name in &report.equal_clusters {
            equal += usize::from(old.cluster(name) != new.cluster(name));
        }
        for cluster in &report.clusters {
            let has_subsets = old.clusters().iter().any(|cluster| {
                matches!(&cluster.kind, ClusterKind::Plain(plain) if plain.subsets.is_some())
            });
            assert!(has_subsets, "{number}: {cluster:?}");
        }
    }
    assert!(equal > 100, "{equal}");
}

/// Whether the order of hosts decides which one is the only host of its subset, or which one is next if one is
/// overloaded.
fn depends_on_order(model: &Model) -> bool {
    let mut clusters = model.clusters().iter();
    clusters.any(|cluster| match &cluster.kind {
        ClusterKind::Plain(plain) => {
            let mut selectors = plain.subsets.iter().flat_map(|subsets| &subsets.selectors);
            plain.hash_balance_factor.is_some()
                || selectors.any(|selector| selector.single_host_per_subset())
        }
        _ => false,
    })
}

/// The figures of a changed cluster are those of both sides' own answers.
#[test]
fn the_figures_are_those_of_both_sides() {
    let mut checked = 0;
    // A third of the pairs have a chain, whose steps leave few hosts to compare.
    for number in 0..2 * PAIRS {
        let mut dice = Dice::of(SEED + 1, number);
        let old = random_model(&mut dice, number);
        let kind = CHANGES[dice.below(CHANGES.len())];
        let Some(new) = changed(&old, kind, &mut dice) else {
            continue;
        };
        let (before, after) = (Snapshot::build(&old), Snapshot::build(&new));
        for cluster in report(&old, &new).clusters {
            for of in &cluster.requests {
                let side = |snapshot| shares(snapshot, &cluster.name, &of.criteria, None);
                let (old, new) = (side(&before), side(&after));
                for host in &of.hosts {
                    let share =
                        |of: &BTreeMap<String, f64>| of.get(&host.name).copied().unwrap_or(0.0);
                    assert!(
                        (host.before - share(&old)).abs() < 1e-6,
                        "{number} {host:?}"
                    );
                    assert!((host.after - share(&new)).abs() < 1e-6, "{number} {host:?}");
                    checked += 1;
                }
                assert!((of.no_host.before - old["no host"]).abs() < 1e-6);
                assert!((of.no_host.after - new["no host"]).abs() < 1e-6);
                let names: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
                let moved = names.into_iter().map(|name| {
                    let share = |of: &BTreeMap<String, f64>| of.get(name).copied().unwrap_or(0.0);
                    (share(&old) - share(&new)).abs() / 2.0
                });
                let moved: f64 = moved.sum();
                assert!(
                    (moved - of.moved).abs() < 1e-6,
                    "{number} {kind}: {moved} {cluster:#?} {old:?} {new:?}"
                );
            }
        }
    }
    assert!(checked > 200, "{checked}");
}

#[test]
fn added_removed_and_renamed_clusters_differ() {
    let mut dice = Dice::new(5);
    let old = model(&mut dice, Extent::few(3));
    let mut clusters = old.clone().into_clusters();
    let plain = |cluster: &Cluster| matches!(&cluster.kind, ClusterKind::Plain(_));
    let is_member = |name: &String| old.clusters().iter().any(|of| of.members().contains(name));
    let at = clusters
        .iter()
        .position(|of| plain(of) && !is_member(&of.name))
        .unwrap();
    let name = std::mem::replace(&mut clusters[at].name, "renamed".into());
    let renamed = Model::new(clusters.clone())
        .unwrap()
        .with_local(old.local().clone());
    let found = report(&old, &renamed).clusters;
    assert_eq!(found[0].status, ClusterVerdict::Renamed);
    assert_eq!(found[0].renamed_from.as_deref(), Some(name.as_str()));
    clusters.remove(at);
    let fewer = Model::new(clusters)
        .unwrap()
        .with_local(old.local().clone());
    assert_eq!(
        report(&old, &fewer).clusters[0].status,
        ClusterVerdict::Removed
    );
    assert_eq!(
        report(&fewer, &old).clusters[0].status,
        ClusterVerdict::Added
    );
}

#[test]
fn an_aggregate_differs_if_only_one_side_has_its_member() {
    let member = Cluster::plain(
        "member",
        PlainCluster {
            priorities: vec![Priority::single_locality(vec![Endpoint::new(
                "10.0.0.1:80",
            )])],
            ..PlainCluster::default()
        },
    );
    let aggregate = Cluster {
        name: "all".into(),
        kind: ClusterKind::Aggregate(AggregateCluster {
            members: vec!["member".into()],
            panic_threshold: PanicThreshold::from_percent(50.0),
            flatten: false,
        }),
    };
    let with = Model::new(vec![member, aggregate.clone()]).unwrap();
    let without = Model::new(vec![aggregate]).unwrap();
    for (old, new) in [(&with, &without), (&without, &with)] {
        let report = report(old, new);
        let all = report.clusters.iter().find(|of| of.name == "all").unwrap();
        assert_eq!(all.status, ClusterVerdict::Changed);
        assert_eq!(all.requests[0].no_host.change().abs(), 100.0);
    }
}
