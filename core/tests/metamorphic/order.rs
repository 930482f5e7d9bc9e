//! The order and the names of hosts change no share.

use std::collections::BTreeMap;

use spillgate_core::{
    decide::Request,
    model::{ClusterKind, Model, PlainCluster, Policy},
    route::HeaderList,
    snapshot::Snapshot,
};
use spillgate_testkit::{
    amount, every_case, figure,
    models::{Dice, pair},
};

use super::{EXTENT, SHORT, criteria};

/// Shares in percent by cluster, priority and address, and that of requests without a host.
type Shares = (BTreeMap<(usize, usize, String), f64>, f64);

/// A model without what depends on the order or the names of hosts by design: hash policies, whose
/// tables are made of names, and subsets that keep the first host of several.
fn model(dice: &mut Dice) -> Model {
    let model = pair(dice, 0, EXTENT);
    let mut clusters = model.clone().into_clusters();
    for cluster in &mut clusters {
        let ClusterKind::Plain(plain) = &mut cluster.kind else {
            continue;
        };
        if matches!(
            plain.policy,
            Policy::RingHash(_) | Policy::Maglev(_) | Policy::Rendezvous
        ) {
            plain.policy = Policy::RoundRobin;
            plain.hash_balance_factor = None;
        }
        if let Some(subsets) = &mut plain.subsets {
            subsets
                .selectors
                .retain(|selector| !selector.single_host_per_subset());
        }
    }
    let changed = Model::new(clusters).unwrap();
    changed.with_local(model.local().clone())
}

/// The model with a change of each plain cluster.
fn changed(model: &Model, mut change: impl FnMut(&mut PlainCluster)) -> Model {
    let mut clusters = model.clone().into_clusters();
    for cluster in &mut clusters {
        if let ClusterKind::Plain(plain) = &mut cluster.kind {
            change(plain);
        }
    }
    let changed = Model::new(clusters).unwrap();
    changed.with_local(model.local().clone())
}

fn shuffle(plain: &mut PlainCluster, dice: &mut Dice) {
    // As in Envoy, one number chooses the priority and the place of the host, so that places have
    // different shares where the priority has a part of the load.
    if plain.policy == Policy::Random {
        return;
    }
    for priority in &mut plain.priorities {
        for last in (1..priority.endpoints.len()).rev() {
            priority.endpoints.swap(last, dice.below(last + 1));
        }
    }
}

/// Gives every host another address; the original one follows it.
fn rename(plain: &mut PlainCluster, dice: &mut Dice) {
    let byte = dice.below(256);
    for endpoint in plain.priorities.iter_mut().flat_map(|of| &mut of.endpoints) {
        endpoint.address = format!("192.168.{byte}.1:1 {}", endpoint.address);
        endpoint.hash_key = None;
    }
}

/// The shares of each cluster for criteria. A new name counts as the original one.
fn shares(model: &Model, dice: &mut Dice) -> Vec<Shares> {
    const NO_HEADERS: HeaderList<'_, &str, &str> = HeaderList(&[]);
    let snapshot = Snapshot::build(model);
    let clusters = snapshot.clusters().map(|(cluster, _)| {
        let criteria = if dice.chance(50) {
            criteria(dice)
        } else {
            Default::default()
        };
        let request = Request {
            criteria: &criteria,
            ..Request::new(cluster, &NO_HEADERS)
        };
        let distribution = snapshot.distribution_of(&request, None);
        let mut by_host = BTreeMap::new();
        for share in &distribution.shares {
            let plain = snapshot.plain(share.owner).unwrap();
            let host = plain.endpoint(share.priority, share.host).unwrap();
            let name = host.address.rsplit(' ').next().unwrap_or_default();
            let key = (share.owner.index(), share.priority, name.to_owned());
            *by_host.entry(key).or_default() += share.share;
        }
        by_host.retain(|_, share| *share > 0.0);
        (by_host, distribution.no_host)
    });
    clusters.collect()
}

#[track_caller]
fn assert_same(a: &[Shares], b: &[Shares], model: &Model) {
    for ((a, a_none), (b, b_none)) in a.iter().zip(b) {
        let same = a.keys().eq(b.keys())
            && a.values()
                .zip(b.values())
                .all(|(a, b)| (a - b).abs() < 1e-6)
            && (a_none - b_none).abs() < 1e-6;
        assert!(same, "{a:?} {a_none}\n{b:?} {b_none}\n{model:#?}");
    }
}

#[test]
fn order_and_names_of_hosts_change_no_share() {
    let count = amount(SHORT, 4_000_000);
    let checked = every_case(count.div_ceil(6), |number| {
        let mut dice = Dice::of(5, number);
        let model = model(&mut dice);
        let seed = dice.bits();
        let original = shares(&model, &mut Dice::new(seed));
        let ordered = changed(&model, |plain| shuffle(plain, &mut dice));
        assert_same(&original, &shares(&ordered, &mut Dice::new(seed)), &model);
        let renamed = changed(&model, |plain| rename(plain, &mut dice));
        assert_same(&original, &shares(&renamed, &mut Dice::new(seed)), &model);
        2 * original.len() as u64
    });
    assert!(checked >= count);
    figure(format_args!(
        "{checked} shares with hosts in another order or with other names"
    ));
}
