//! Losses by counts, compared with models whose lost hosts failed before they were compiled.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

use spillgate_core::{
    model::{ClusterKind, CoarseHealth, Metadata, Model},
    snapshot::{ClusterId, HostRef, Snapshot},
};
use spillgate_sim::{LoadState, LossModel, Scene, ZoneLoss, ZoneMargin};
use spillgate_testkit::{
    amount, every_case,
    models::{Dice, Extent, model, pair},
};

/// The model after these hosts failed their health checks.
fn without(model: &Model, lost: &[HostRef]) -> Snapshot {
    let mut clusters = model.clone().into_clusters();
    for host in lost {
        let ClusterKind::Plain(plain) = &mut clusters[host.cluster.index()].kind else {
            panic!("only plain clusters have hosts");
        };
        let endpoint = &mut plain.priorities[host.priority].endpoints[host.host];
        endpoint.health.flags.failed_active_hc = true;
    }
    let changed = Model::new(clusters).unwrap();
    let changed = changed.with_chain(model.chain().clone());
    Snapshot::build(&changed.with_local(model.local().clone()))
}

fn is_usable(snapshot: &Snapshot, host: &HostRef) -> bool {
    let priority = &snapshot.plain(host.cluster).unwrap().priorities[host.priority];
    priority.coarse(host.host) != CoarseHealth::Unhealthy
}

fn has_chain(model: &Model) -> bool {
    model.chain().iter().next().is_some()
}

#[track_caller]
fn assert_same(found: &LoadState, expected: &LoadState, context: &str) {
    assert_eq!(found.priorities, expected.priorities, "{context}");
    let (found, expected) = (found.no_host, expected.no_host);
    assert!(
        (found - expected).abs() < 1e-6,
        "{found} {expected} {context}"
    );
}

/// Calls `check` with every cluster of random models.
fn every_cluster(check: impl Fn(&mut Dice, &Model, &Snapshot, ClusterId) + Sync) {
    every_case(amount(300, 4_000), |number| {
        let mut dice = Dice::of(35, number);
        let extent = Extent::few(5);
        let model = if dice.chance(15) {
            pair(&mut dice, 0, extent)
        } else {
            model(&mut dice, extent)
        };
        let snapshot = Snapshot::build(&model);
        let clusters: Vec<ClusterId> = snapshot.clusters().map(|(id, _)| id).collect();
        for cluster in clusters {
            check(&mut dice, &model, &snapshot, cluster);
        }
        1
    });
}

#[test]
fn the_loads_after_any_loss_are_those_of_a_separate_model() {
    every_cluster(|dice, model, snapshot, cluster| {
        let criteria = dice.metadata(Extent::few(5));
        let losses = LossModel::new(snapshot, cluster, &criteria);
        let name = &snapshot.cluster(cluster).unwrap().name;
        let scene = Scene::new(model, name, criteria.clone()).unwrap();
        let usable = |host: &&HostRef| is_usable(snapshot, host);
        let usable: Vec<HostRef> = scene.hosts().iter().filter(usable).copied().collect();
        let lost = dice.some(&usable, 50);
        let expected = LoadState::of(&without(model, &lost), cluster, &criteria);
        let context = format!("{lost:?} of {model:?}");
        assert_same(&losses.state(&lost), &expected, &context);
        assert_same(&scene.state(&lost), &expected, &context);
        let swept = losses.sweep(&[], lost.clone()).last().unwrap();
        assert_same(&swept, &expected, &context);
    });
}

#[test]
fn margins_are_the_first_effects_of_separate_models() {
    every_cluster(|_, model, snapshot, cluster| {
        let criteria = Metadata::EMPTY;
        let losses = LossModel::new(snapshot, cluster, &criteria);
        let (found_panic, found_spill) = (losses.panic_margin(), losses.spillover());
        let kind = &model.clusters()[cluster.index()].kind;
        if has_chain(model) || matches!(kind, ClusterKind::Composite(_)) {
            assert_eq!((found_panic, found_spill), (None, None));
            return;
        }
        let now = LoadState::of(snapshot, cluster, &criteria);
        let sweep = |place: usize| -> Vec<LoadState> {
            let order: Vec<HostRef> = losses.of_place(&now, place).collect();
            let after = |lost: usize| without(model, &order[..lost]);
            let after = (1..=order.len()).map(after);
            after
                .map(|snapshot| LoadState::of(&snapshot, cluster, &criteria))
                .collect()
        };
        let first = |place: usize, effect: &dyn Fn(&LoadState) -> bool| {
            sweep(place).iter().position(effect).map(|at| at + 1)
        };
        let panics = |state: &LoadState| state.panicking() > 0;
        let panic = (0..now.priorities.len())
            .filter_map(|place| first(place, &panics))
            .min();
        let panic = panic.filter(|_| !panics(&now));
        assert_eq!(found_panic.map(|loss| loss.hosts), panic, "{model:?}");
        let place = (0..now.priorities.len()).find(|&place| now.load(place) > 0);
        let spill = place.and_then(|place| {
            let hosts = first(place, &|state| state.load(place) < now.load(place))?;
            Some((hosts, now.load(place) - sweep(place)[hosts - 1].load(place)))
        });
        let found = found_spill.map(|found| (found.loss.hosts, found.moved));
        assert_eq!(found, spill, "{model:?}");
    });
}

#[test]
fn a_cluster_survives_a_zone_if_the_expectation_n_minus_1_holds() {
    every_cluster(|_, model, snapshot, cluster| {
        let name = &snapshot.cluster(cluster).unwrap().name;
        let scene = Scene::new(model, name, Metadata::EMPTY).unwrap();
        let zones = scene.zones();
        let found = ZoneMargin::of(&scene.losses());
        let counted = scene.losses().is_counted();
        if zones.len() < 2 || !counted || !scene.state(&[]).survives() {
            assert_eq!(found, None);
            return;
        }
        let failures = scene.failures(&zones, ZoneLoss::Single);
        let expected = failures.iter().find(|failure| !failure.state.survives());
        match (found, expected) {
            (Some(ZoneMargin::Survives), None) => {}
            (Some(ZoneMargin::Fails { zone, state }), Some(expected)) => {
                assert_eq!(zone, zones[expected.zones[0]].name_among(&zones));
                assert_eq!(state, expected.state);
            }
            other => panic!("{other:?} {model:?}"),
        }
    });
}
