//! Subset fallback chains over random clusters, compared with a second implementation that loops
//! over endpoints without an index.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing)]

mod generated;

use std::collections::{BTreeMap, BTreeSet};

use generated::{chained_clusters, hosts_of, metadata};
use proptest::{prelude::*, sample::select};
use spillgate_core::{
    decide::{BalancerState, Request, decide},
    draw::SplitMix64,
    load::{PriorityHealth, PriorityLoad, priority_load},
    model::{
        ChainHosts, ChainStep, Cluster, ClusterKind, CoarseHealth, Endpoint, FallbackChain, Health,
        HealthStatus, Metadata, Model, PanicThreshold, PlainCluster, Priority, Value,
    },
    route::HeaderList,
    snapshot::{ClusterId, HostRef, Snapshot},
    subset::SubsetReason,
    trace::NoTrace,
};

const NO_HEADERS: HeaderList<'_, &str, &str> = HeaderList(&[]);

/// The expected result of a request: the serving step, its hosts, and percent by priority.
#[derive(Debug)]
struct Expected {
    step: usize,
    reason: SubsetReason,
    hosts: BTreeSet<HostRef>,
    shares: BTreeMap<(ClusterId, usize), f64>,
}

/// One priority of the step's hosts in one member.
struct NaivePriority<'a> {
    id: ClusterId,
    plain: &'a PlainCluster,
    number: usize,
    hosts: Vec<(usize, &'a Endpoint)>,
}

fn wanted(step: &ChainStep, criteria: &Metadata) -> Option<Metadata> {
    match &step.hosts {
        ChainHosts::Any => Some(Metadata::EMPTY),
        ChainHosts::Match(values) => Some(values.clone()),
        ChainHosts::Keys(keys) => {
            let values = keys
                .iter()
                .map(|key| Some((key.clone(), criteria.get(key)?.clone())));
            values.collect::<Option<Vec<_>>>().map(Metadata::new)
        }
    }
}

fn carries(endpoint: &Endpoint, wanted: &Metadata) -> bool {
    let mut fields = wanted.fields().iter();
    fields.all(|field| endpoint.metadata.get(&field.key) == Some(&field.value))
}

fn priorities<'a>(
    members: &[(ClusterId, &'a PlainCluster)],
    wanted: &Metadata,
) -> Vec<NaivePriority<'a>> {
    let mut priorities = Vec::new();
    for &(id, plain) in members {
        for (number, priority) in plain.priorities.iter().enumerate() {
            let hosts = priority.endpoints.iter().enumerate();
            priorities.push(NaivePriority {
                id,
                plain,
                number,
                hosts: hosts.filter(|(_, host)| carries(host, wanted)).collect(),
            });
        }
    }
    priorities
}

fn expected(
    members: &[(ClusterId, &PlainCluster)],
    chain: &[ChainStep],
    criteria: &Metadata,
    is_aggregate: bool,
) -> Option<Expected> {
    for (at, step) in chain.iter().enumerate() {
        let Some(wanted) = wanted(step, criteria) else {
            continue;
        };
        let priorities = priorities(members, &wanted);
        let all = || priorities.iter().flat_map(|priority| &priority.hosts);
        let hosts = all().count();
        let counted = all().filter(|(_, host)| !host.health.excluded()).count();
        let healthy = all()
            .filter(|(_, host)| host.health.coarse() == CoarseHealth::Healthy)
            .count();
        if hosts == 0 {
            continue;
        }
        let percent = match counted {
            0 => 0.0,
            counted => healthy as f64 * 100.0 / counted as f64,
        };
        let met = healthy >= step.min_healthy_hosts as usize
            && percent >= f64::from(step.min_healthy_percent);
        if met || step.last_resort {
            let refs = priorities.iter().flat_map(|priority| {
                priority.hosts.iter().map(|&(host, _)| HostRef {
                    cluster: priority.id,
                    priority: priority.number,
                    host,
                })
            });
            return Some(Expected {
                step: at,
                reason: if met {
                    SubsetReason::Step
                } else {
                    SubsetReason::LastResort
                },
                hosts: refs.collect(),
                shares: shares(step, &priorities, is_aggregate),
            });
        }
    }
    None
}

fn health(priority: &NaivePriority<'_>, step: &ChainStep) -> PriorityHealth {
    let plain = priority.plain;
    // Hash policies never choose a degraded host, so a last resort does not count degraded hosts.
    let counts = |host: &Endpoint| match host.health.coarse() {
        CoarseHealth::Degraded if step.last_resort && plain.policy.hashes() => {
            Health::from_status(HealthStatus::Unhealthy)
        }
        _ => host.health,
    };
    PriorityHealth::count(
        priority
            .hosts
            .iter()
            .map(|(_, host)| (counts(host), host.weight.get())),
        plain.weighted_priority_health,
        plain.overprovisioning_factor,
    )
}

fn load(health: &[PriorityHealth], step: &ChainStep) -> PriorityLoad {
    let load = priority_load(health, step.panic_threshold);
    if !step.last_resort || load.normalized_total > 0 {
        return load;
    }
    let lost = |priority: &PriorityHealth| PriorityHealth {
        healthy: 0,
        degraded: 0,
        weights: None,
        ..*priority
    };
    let lost: Vec<PriorityHealth> = health.iter().map(lost).collect();
    priority_load(&lost, PanicThreshold::from_percent(100.0))
}

/// Percent by member and priority. The linearized priorities of an aggregate omit priorities
/// without hosts.
fn shares(
    step: &ChainStep,
    priorities: &[NaivePriority<'_>],
    is_aggregate: bool,
) -> BTreeMap<(ClusterId, usize), f64> {
    let mut shares = BTreeMap::new();
    let line: Vec<&NaivePriority<'_>> = priorities
        .iter()
        .filter(|priority| !is_aggregate || !priority.hosts.is_empty())
        .collect();
    let line_health: Vec<PriorityHealth> =
        line.iter().map(|priority| health(priority, step)).collect();
    let line_load = load(&line_health, step);
    for (at, priority) in line.iter().enumerate() {
        // The member's set has its own panic mode, and a hash policy chooses its own priority.
        let own: Vec<&NaivePriority<'_>> =
            priorities.iter().filter(|l| l.id == priority.id).collect();
        let own_health: Vec<PriorityHealth> =
            own.iter().map(|priority| health(priority, step)).collect();
        let own_load = load(&own_health, step);
        let (healthy, degraded) = (line_load.healthy[at], line_load.degraded[at]);
        let mut give = |to: &NaivePriority<'_>, panic: bool, healthy: f64, degraded: f64| {
            let has = |class| {
                to.hosts
                    .iter()
                    .any(|(_, host)| host.health.coarse() == class)
            };
            let hashes = to.plain.policy.hashes();
            let served = if !panic {
                let of_healthy = if has(CoarseHealth::Healthy) {
                    healthy
                } else {
                    0.0
                };
                let by_table = if hashes && has(CoarseHealth::Healthy) {
                    degraded
                } else {
                    0.0
                };
                let of_degraded = if has(CoarseHealth::Degraded) && !hashes {
                    degraded
                } else {
                    by_table
                };
                of_healthy + of_degraded
            } else if to.hosts.is_empty() {
                0.0
            } else {
                healthy + degraded
            };
            *shares.entry((to.id, to.number)).or_default() += served;
        };
        if priority.plain.policy.hashes() && is_aggregate {
            let part = f64::from(healthy + degraded) / 100.0;
            for (number, to) in own.iter().enumerate() {
                give(
                    to,
                    own_load.panics(number),
                    f64::from(own_load.healthy[number]) * part,
                    f64::from(own_load.degraded[number]) * part,
                );
            }
        } else {
            let panic = own_load.panics(priority.number);
            give(priority, panic, healthy.into(), degraded.into());
        }
    }
    shares.retain(|_, share| *share > 0.0);
    shares
}

fn plain<'a>(model: &'a Model, name: &str) -> Option<&'a PlainCluster> {
    match &model.cluster(name)?.kind {
        ClusterKind::Plain(plain) => Some(plain),
        _ => None,
    }
}

/// The plain clusters behind a name.
fn members<'a>(
    model: &'a Model,
    snapshot: &Snapshot,
    name: &str,
) -> Vec<(ClusterId, &'a PlainCluster)> {
    let names = match &model.cluster(name).unwrap().kind {
        ClusterKind::Aggregate(aggregate) => aggregate.members.clone(),
        _ => vec![name.into()],
    };
    let member = |name: &String| Some((snapshot.cluster_id(name)?, plain(model, name)?));
    names.iter().filter_map(member).collect()
}

/// The hosts that retries of a decision go on to, in order: those that only the next serving step has, by
/// priority, from a place that the hash determines.
fn next_hosts(
    members: &[(ClusterId, &PlainCluster)],
    chain: &[ChainStep],
    criteria: &Metadata,
    (serving, owner, hash): (&Expected, ClusterId, u64),
) -> Option<Vec<String>> {
    if !chain[serving.step].retry_next_step {
        return None;
    }
    let later = &chain[serving.step + 1..];
    let next = expected(members, later, criteria, members.len() > 1)?;
    let step = &later[next.step];
    let own = priorities(members, &wanted(step, criteria).unwrap());
    let own: Vec<_> = own.iter().filter(|one| one.id == owner).collect();
    let healths: Vec<PriorityHealth> = own.iter().map(|one| health(one, step)).collect();
    let load = load(&healths, step);
    let mut list = Vec::new();
    for priority in own {
        let mut hosts = Vec::new();
        for &(host, endpoint) in &priority.hosts {
            let place = HostRef {
                cluster: owner,
                priority: priority.number,
                host,
            };
            let serves =
                load.panics(priority.number) || endpoint.health.coarse() == CoarseHealth::Healthy;
            if serves && !serving.hosts.contains(&place) {
                hosts.push(endpoint.address.clone());
            }
        }
        if !hosts.is_empty() {
            let start = (hash % hosts.len() as u64) as usize;
            hosts.rotate_left(start);
        }
        list.extend(hosts);
    }
    Some(list)
}

/// Whether localities may leave requests without a host, which this file does not model: priorities
/// that fail requests in panic mode, zones without hosts, and hash tables without the hosts of
/// localities without weight.
fn loses(members: &[(ClusterId, &PlainCluster)]) -> bool {
    // Hash policies ignore zones, and the other policies weigh only localities with hosts.
    let loses = |plain: &PlainCluster| {
        if plain.policy.hashes() {
            plain.locality_lb.is_weighted()
        } else {
            !weighs(plain)
        }
    };
    members.iter().any(|(_, plain)| loses(plain))
}

/// Whether locality weights apply in priority 0, whatever the health of its hosts. If no locality
/// with usable hosts has a weight, zone-aware routing applies, as without locality weights.
fn weighs(plain: &PlainCluster) -> bool {
    let first = plain.priorities.first();
    let have_weights = first.is_some_and(|priority| {
        let mut used = priority.endpoints.iter().map(|endpoint| endpoint.locality);
        used.all(|locality| {
            priority.localities[locality]
                .weight
                .is_some_and(|weight| weight > 0)
        })
    });
    // Subsets may ignore weights, or round them down to 0.
    let kept = plain
        .subsets
        .as_ref()
        .is_none_or(|subsets| subsets.locality_weight_aware && !subsets.scale_locality_weight);
    plain.locality_lb.is_weighted() && have_weights && kept
}

fn check(
    model: &Model,
    snapshot: &Snapshot,
    criteria: &Metadata,
    seed: u64,
) -> Result<(), TestCaseError> {
    let mut draw = SplitMix64::new(seed);
    let mut state = BalancerState::new(snapshot, &mut draw);
    for (cluster, compiled) in snapshot.clusters() {
        let members = members(model, snapshot, &compiled.name);
        let is_aggregate = plain(model, &compiled.name).is_none();
        let dropped = if is_aggregate {
            0
        } else {
            members[0].1.drop_overload.millionths()
        };
        let expected = expected(&members, model.chain(), criteria, is_aggregate);
        let request = Request {
            criteria,
            ..Request::new(cluster, &NO_HEADERS)
        };
        let distribution = snapshot.distribution_of(&request, None);
        let Some(expected) = expected else {
            prop_assert!((distribution.no_host - 100.0).abs() < 1e-9);
            for _ in 0..10 {
                let decision = decide(snapshot, &mut state, &request, &mut draw, &mut NoTrace);
                prop_assert_eq!((decision.host, decision.subset), (None, None));
            }
            continue;
        };
        for _ in 0..20 {
            let decision = decide(snapshot, &mut state, &request, &mut draw, &mut NoTrace);
            if dropped > 0 && decision.subset.is_none() {
                continue;
            }
            let subset = decision.subset.unwrap();
            prop_assert_eq!(
                (subset.step(), subset.reason),
                (Some(expected.step), expected.reason)
            );
            if model.chain()[expected.step].last_resort {
                prop_assert!(decision.host.is_some(), "{:?}", expected);
            }
            if let Some(host) = decision.host_ref() {
                prop_assert!(expected.hosts.contains(&host), "{:?} {:?}", host, expected);
            }
            let owner = decision.priority.unwrap().owner;
            let allowed: BTreeSet<&str> = expected
                .hosts
                .iter()
                .filter(|host| host.cluster == owner)
                .map(|host| snapshot.endpoint(*host).unwrap().address.as_str())
                .collect();
            let candidates = decision.candidates(snapshot, 9);
            let mut list: Vec<&str> = candidates.iter().map(|host| &*host.address).collect();
            let next = next_hosts(
                &members,
                model.chain(),
                criteria,
                (&expected, owner, decision.hash),
            );
            prop_assert_eq!(next.is_some(), decision.next_step.is_some());
            if let (Some(next), false) = (next, list.is_empty()) {
                let mut begin = vec![list[0]];
                for host in &next {
                    if !begin.contains(&&**host) && begin.len() < 9 {
                        begin.push(host);
                    }
                }
                prop_assert_eq!(&list[..begin.len()], &begin);
                list.drain(1..begin.len());
            }
            for candidate in list {
                prop_assert!(allowed.contains(candidate));
            }
        }
        if loses(&members) && !model.chain()[expected.step].last_resort {
            continue;
        }
        let mut stated: BTreeMap<(ClusterId, usize), f64> = BTreeMap::new();
        for share in &distribution.shares {
            *stated.entry((share.owner, share.priority)).or_default() += share.share;
        }
        let kept = 1.0 - f64::from(dropped) / 1e6;
        for key in stated.keys().chain(expected.shares.keys()) {
            let share = |of: &BTreeMap<_, f64>| of.get(key).copied().unwrap_or(0.0);
            let (stated, naive) = (share(&stated), share(&expected.shares) * kept);
            prop_assert!(
                (stated - naive).abs() < 1e-6,
                "{:?}: {} / {}",
                key,
                stated,
                naive
            );
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_first_healthy_step_serves_with_loads_of_its_hosts(
        model in chained_clusters(),
        criteria in metadata(),
        seed in any::<u64>(),
    ) {
        check(&model, &Snapshot::build(&model), &criteria, seed)?;
    }

    #[test]
    fn steps_change_with_host_health(
        model in chained_clusters(),
        criteria in metadata(),
        flips in prop::collection::vec((any::<prop::sample::Index>(), select(HealthStatus::ALL.to_vec())), 1..12),
        seed in any::<u64>(),
    ) {
        let mut snapshot = Snapshot::build(&model);
        let hosts = hosts_of(&snapshot);
        let mut clusters = model.clone().into_clusters();
        for (which, status) in flips.into_iter().filter(|_| !hosts.is_empty()) {
            let host = hosts[which.index(hosts.len())];
            let health = Health::from_status(status);
            snapshot = snapshot.with_health(&[(host, health)]);
            if let ClusterKind::Plain(plain) = &mut clusters[host.cluster.index()].kind {
                plain.priorities[host.priority].endpoints[host.host].health = health;
            }
        }
        let changed = Model::new(clusters).unwrap().with_chain(model.chain().clone());
        check(&changed, &snapshot, &criteria, seed)?;
    }

    #[test]
    fn steps_change_with_hosts(
        model in chained_clusters(),
        criteria in metadata(),
        takes in prop::collection::vec(any::<[prop::sample::Index; 2]>(), 1..8),
        seed in any::<u64>(),
    ) {
        let mut snapshot = Snapshot::build(&model);
        let mut model = model;
        for [cluster, from] in takes {
            let count = model.clusters().len();
            let (at, from) = (cluster.index(count), from.index(count));
            let id = snapshot.clusters().nth(at).unwrap().0;
            let priorities = if at == from {
Vec::new()
} else {
model.clusters()[from].priorities().to_vec()
};
            model.set_priorities(at, priorities).unwrap();
            snapshot = snapshot.with_hosts(&model, &[id]);
        }
        check(&model, &snapshot, &criteria, seed)?;
    }
}

/// Label values that are used once do not stay: a new set replaces the old one each time.
#[test]
fn sets_without_hosts_are_dropped() {
    let step = ChainStep::new(ChainHosts::Keys(vec!["build".into()]));
    let chain = FallbackChain::new(vec![step]);
    let hosts = |build: u32| {
        let endpoint = Endpoint {
            metadata: Metadata::new([("build", Value::Number(f64::from(build)))]),
            ..Endpoint::new("10.0.0.1:80")
        };
        vec![Priority::single_locality(vec![endpoint])]
    };
    let plain = PlainCluster {
        priorities: hosts(0),
        ..PlainCluster::default()
    };
    let model = Model::new(vec![Cluster::plain("shop", plain)]).unwrap();
    let mut model = model.with_chain(chain.unwrap());
    let mut snapshot = Snapshot::build(&model);
    let shop = snapshot.cluster_id("shop").unwrap();
    let mut most = 0;
    for build in 1..1_000 {
        model.set_priorities(0, hosts(build)).unwrap();
        snapshot = snapshot.with_hosts(&model, &[shop]);
        most = most.max(snapshot.plain(shop).unwrap().chain[0].sets.len());
        let criteria = Metadata::new([("build", Value::Number(f64::from(build)))]);
        let request = Request {
            criteria: &criteria,
            ..Request::new(shop, &NO_HEADERS)
        };
        let shares = snapshot.distribution_of(&request, None).shares;
        assert_eq!(shares.len(), 1, "{build}");
    }
    assert!((2..=64).contains(&most), "{most} sets");
}
