//! Compares the crate with a naive implementation: every loss is a separate model, compiled from
//! scratch.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

mod common;

use common::{aggregate, plain, priority};
use proptest::prelude::*;
use spillgate_core::{
    model::{
        Cluster, ClusterKind, CoarseHealth, HashFunction, LeastRequestConfig, MaglevConfig,
        Metadata, Model, Policy, RingHashConfig,
    },
    snapshot::{ClusterSnapshotKind, HostRef, Snapshot},
};
use spillgate_sim::{Effect, Loss, Onset, Scene};

fn policies() -> impl Strategy<Value = Policy> {
    let ring = RingHashConfig::new(64, 256, HashFunction::XxHash).unwrap();
    prop::sample::select(vec![
        Policy::RoundRobin,
        Policy::LeastRequest(LeastRequestConfig::default()),
        Policy::Random,
        Policy::RingHash(ring),
        Policy::Maglev(MaglevConfig::new(251).unwrap()),
        Policy::Rendezvous,
    ])
}

fn priority_text() -> impl Strategy<Value = String> {
    let zone = prop::sample::select(vec!["a", "b", "c"]);
    let health = prop::sample::select(vec!["+", "+", "+", "+", "~", "-", "x"]);
    let host = (zone, health).prop_map(|(zone, health)| format!("{zone}{health}"));
    prop::collection::vec(host, 0..9).prop_map(|hosts| hosts.join(" "))
}

fn cluster(name: &'static str) -> impl Strategy<Value = Cluster> {
    let threshold = prop::sample::select(vec![0, 30, 50, 100]);
    let priorities = prop::collection::vec(priority_text(), 1..4);
    (policies(), threshold, priorities).prop_map(move |(policy, threshold, priorities)| {
        let priorities = priorities
            .iter()
            .enumerate()
            .map(|(number, text)| priority(number, text))
            .collect();
        plain(name, policy, threshold, priorities)
    })
}

fn models() -> impl Strategy<Value = Model> {
    let threshold = prop::sample::select(vec![0, 50]);
    let both = (cluster("one"), cluster("two"), threshold, any::<bool>());
    both.prop_map(|(one, two, threshold, plain)| {
        let shop = if plain {
            Cluster {
                name: "shop".into(),
                ..one.clone()
            }
        } else {
            aggregate("shop", threshold, &["one", "two"])
        };
        Model::new(vec![one, two, shop]).unwrap()
    })
}

/// The hosts behind `shop` as cluster, priority and index, in configuration order.
fn hosts_of(model: &Model) -> Vec<(usize, usize, usize)> {
    let mut hosts = Vec::new();
    for (at, cluster) in model.clusters().iter().enumerate() {
        let aggregate = matches!(model.clusters()[2].kind, ClusterKind::Aggregate(_));
        if let (ClusterKind::Plain(plain), true) = (&cluster.kind, aggregate || at == 2) {
            for (number, priority) in plain.priorities.iter().enumerate() {
                hosts.extend((0..priority.endpoints.len()).map(|host| (at, number, host)));
            }
        }
    }
    hosts
}

/// A snapshot in which these hosts fail their health checks.
fn without(model: &Model, lost: &[(usize, usize, usize)]) -> Snapshot {
    let mut clusters = model.clone().into_clusters();
    for &(cluster, priority, host) in lost {
        let ClusterKind::Plain(plain) = &mut clusters[cluster].kind else {
            panic!("an aggregate has no hosts");
        };
        let health = &mut plain.priorities[priority].endpoints[host].health;
        health.flags.failed_active_hc = true;
    }
    Snapshot::build(&Model::new(clusters).unwrap())
}

/// The loads of a cluster.
#[derive(Debug, PartialEq)]
struct Figures {
    healthy: Vec<u32>,
    degraded: Vec<u32>,
    panic: Vec<bool>,
    hosts: Vec<u32>,
    no_host: f64,
}

fn figures(snapshot: &Snapshot) -> Figures {
    let id = snapshot.cluster_id("shop").unwrap();
    let no_host = snapshot.distribution(id, None).no_host;
    let no_host = if no_host < 1e-9 { 0.0 } else { no_host };
    match &snapshot.cluster(id).unwrap().kind {
        ClusterSnapshotKind::Plain(plain) => Figures {
            healthy: plain.whole.load.healthy.clone(),
            degraded: plain.whole.load.degraded.clone(),
            panic: plain.whole.load.panic.clone(),
            hosts: plain
                .whole
                .health()
                .iter()
                .map(|priority| priority.hosts)
                .collect(),
            no_host,
        },
        ClusterSnapshotKind::Aggregate(aggregate) => {
            let line = &aggregate.linearized;
            let own = |at: usize| {
                let priority = &line.priorities[at];
                let member = snapshot.plain(priority.cluster).unwrap();
                member.whole.load.panics(priority.number)
            };
            let panic = (0..line.priorities.len()).map(|at| line.load.panics(at) || own(at));
            Figures {
                healthy: line.load.healthy.clone(),
                degraded: line.load.degraded.clone(),
                panic: panic.collect(),
                hosts: line.health.iter().map(|priority| priority.hosts).collect(),
                no_host,
            }
        }
        ClusterSnapshotKind::Composite(_) | ClusterSnapshotKind::OriginalDst(_) => {
            panic!("not generated")
        }
    }
}

impl Figures {
    fn load(&self, priority: usize) -> u32 {
        self.healthy[priority] + self.degraded[priority]
    }

    fn panics(&self, priority: usize) -> bool {
        self.panic[priority] && self.load(priority) > 0
    }

    fn any_panic(&self) -> bool {
        (0..self.panic.len()).any(|priority| self.panics(priority))
    }
}

/// The first loss for which `is` returns true.
fn first(sweep: &[Figures], is: impl Fn(&Figures) -> bool) -> Option<usize> {
    sweep.iter().position(is)
}

fn host_ref(snapshot: &Snapshot, (cluster, priority, host): (usize, usize, usize)) -> HostRef {
    let (cluster, _) = snapshot.clusters().nth(cluster).unwrap();
    HostRef {
        cluster,
        priority,
        host,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn sweeps_knees_margins_and_overloads_equal_those_of_separate_models(
        model in models(),
        zone in prop::sample::select(vec!["zone=a", "zone=b,priority=0", "priority=0", "region=eu"]),
        percent in 0_usize..=100,
    ) {
        let scene = Scene::new(&model, "shop", Metadata::EMPTY).unwrap();
        let loss = Loss::parse(&format!("{zone}:{percent}%")).unwrap();
        // The expected selection.
        let selected: Vec<_> = hosts_of(&model)
            .into_iter()
            .filter(|&(cluster, number, host)| {
                let ClusterKind::Plain(plain) = &model.clusters()[cluster].kind else {
                    return false;
                };
                let priority = &plain.priorities[number];
                let locality = &priority.localities[priority.endpoints[host].locality].locality;
                match zone {
                    "zone=a" => locality.zone == "a",
                    "zone=b,priority=0" => locality.zone == "b" && number == 0,
                    "priority=0" => number == 0,
                    _ => true,
                }
            })
            .collect();
        if selected.is_empty() {
            prop_assert!(scene.lost(&[loss]).is_err());
            return Ok(());
        }
        // The expected loss order: healthy, then degraded, each from the end.
        let rank = |&(cluster, number, host): &(usize, usize, usize)| {
            let ClusterKind::Plain(plain) = &model.clusters()[cluster].kind else {
                panic!("an aggregate has no hosts");
            };
            match plain.priorities[number].endpoints[host].health.coarse() {
                CoarseHealth::Healthy => 0,
                CoarseHealth::Degraded => 1,
                CoarseHealth::Unhealthy => 2,
            }
        };
        let mut order: Vec<_> = selected.iter().rev().copied().collect();
        order.retain(|host| rank(host) < 2);
        order.sort_by_key(rank);
        let count = (order.len() * percent + 50) / 100;
        let gone = &order[..count];
        let lost = scene.lost(std::slice::from_ref(&loss)).unwrap();
        let mut expected: Vec<_> = gone
            .iter()
            .map(|&host| host_ref(scene.snapshot(), host))
            .collect();
        expected.sort();
        prop_assert_eq!(&lost, &expected);

        let swept = scene.select(&loss.selector).unwrap();
        let answer = scene.what_if(&lost, &swept);
        let naive: Vec<Figures> = (0..=order.len())
            .map(|lost| figures(&without(&model, &order[..lost])))
            .collect();
        prop_assert_eq!(answer.sweep.len(), naive.len());
        for (found, wanted) in answer.sweep.iter().zip(&naive) {
            let rows = &found.priorities;
            let found = Figures {
                healthy: rows.iter().map(|row| row.healthy_load).collect(),
                degraded: rows.iter().map(|row| row.degraded_load).collect(),
                panic: rows.iter().map(|row| row.in_panic_mode()).collect(),
                hosts: rows.iter().map(|row| row.health.hosts).collect(),
                no_host: found.no_host,
            };
            prop_assert!((found.no_host - wanted.no_host).abs() < 1e-6);
            prop_assert_eq!(&Figures { no_host: wanted.no_host, ..found }, wanted);
        }
        prop_assert_eq!(&answer.sweep[0], &answer.before);
        prop_assert_eq!(&answer.sweep[count].priorities, &answer.after.priorities);

        let mut onsets = Vec::new();
        for priority in 0..naive[0].panic.len() {
            let spills = |f: &Figures| {
                f.hosts[priority] > 0 && (priority + 1..f.panic.len()).any(|after| f.load(after) > 0)
            };
            let what = Effect::Spill;
            onsets.extend(first(&naive, spills).map(|lost| Onset { lost, what, priority: Some(priority) }));
            let what = Effect::Panic;
            onsets.extend(first(&naive, |f| f.panics(priority))
                .map(|lost| Onset { lost, what, priority: Some(priority) }));
        }
        let what = Effect::NoHost;
        onsets.extend(first(&naive, |f| f.no_host > 0.0).map(|lost| Onset { lost, what, priority: None }));
        prop_assert!(answer.onsets.is_sorted_by_key(|onset| onset.lost));
        let sorted = |mut onsets: Vec<Onset>| {
            onsets.sort_by_key(|onset| (onset.lost, onset.what, onset.priority));
            onsets
        };
        prop_assert_eq!(sorted(answer.onsets.clone()), sorted(onsets));
        prop_assert_eq!(answer.panic_margin, first(&naive[count..], Figures::any_panic));

        let share = |snapshot: &Snapshot, host: HostRef| -> f64 {
            let id = snapshot.cluster_id("shop").unwrap();
            let shares = snapshot.distribution(id, None).shares;
            let of_host = shares.iter().filter(|share| {
                (share.owner, share.priority, share.host) == (host.cluster, host.priority, host.host)
            });
            of_host.map(|share| share.share).sum()
        };
        let after = without(&model, gone);
        let worst = hosts_of(&model)
            .into_iter()
            .filter(|host| !gone.contains(host))
            .map(|host| host_ref(scene.snapshot(), host))
            .filter(|&host| share(scene.snapshot(), host) > 0.0)
            .map(|host| share(&after, host) / share(scene.snapshot(), host))
            .reduce(f64::max);
        match (answer.overload, worst) {
            (Some(found), Some(worst)) => {
                prop_assert!((found.factor() - worst).abs() < 1e-6 * worst.max(1.0));
            }
            (found, worst) => prop_assert_eq!(found.map(|f| f.factor()), worst),
        }
    }
}
