//! The numbers in a trace: a reader can repeat each choice with them.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)]

mod common;

use common::{model, partly, zones::zoned};
use spillgate_core::{
    decide::{BalancerState, HostStats, Request, decide},
    draw::Draw,
    model::{
        Cluster, ClusterKind, HashBalanceFactor, Health, HealthStatus, LeastRequestConfig,
        MaglevConfig, PlainCluster, Policy, RingHashConfig, SelectionMethod, Weight,
    },
    route::{HeaderList, HostPredicate, RetryPolicy},
    snapshot::{ClusterId, HostRef, Snapshot, TableKind},
    trace::{
        HostNumbers, LocalityNumbers, LocalityRule, NumberedSteps, OtherZone, Step, StepData,
        ZoneNumbers,
    },
};

const NO_HEADERS: HeaderList<'_, &str, &str> = HeaderList(&[]);

/// The same number for each draw.
struct Always(u64);

impl Draw for Always {
    fn draw(&mut self) -> u64 {
        self.0
    }
}

/// The active requests of each host of a priority.
struct Active(&'static [u32]);

impl HostStats for Active {
    fn active(&self, host: HostRef) -> u32 {
        self.0[host.host]
    }

    fn cluster_active(&self, _: ClusterId) -> u32 {
        self.0.iter().sum()
    }
}

fn shop(policy: Policy, change: impl FnOnce(&mut PlainCluster)) -> Snapshot {
    let mut plain = PlainCluster {
        policy,
        priorities: vec![partly(0, 3, 3)],
        ..PlainCluster::default()
    };
    change(&mut plain);
    let kind = ClusterKind::Plain(plain);
    let name = "shop".into();
    Snapshot::build(&model(vec![Cluster { name, kind }]))
}

/// The host of a step and its numbers.
fn chosen(steps: &[Step]) -> (usize, HostNumbers) {
    let found = steps.iter().rev().find_map(|step| match &step.data {
        StepData::Host(choice) => Some((choice.host.unwrap().host, choice.numbers.clone())),
        _ => None,
    });
    found.unwrap()
}

/// The steps of a request to the shop whose draws are all the same number, after some tried hosts.
fn ask(snapshot: &Snapshot, active: &'static [u32], number: u64, tried: &[usize]) -> Vec<Step> {
    let cluster = snapshot.cluster_id("shop").unwrap();
    let tried = tried.iter().map(|&host| HostRef {
        cluster,
        priority: 0,
        host,
    });
    let tried: Vec<HostRef> = tried.collect();
    let retry = RetryPolicy {
        predicates: vec![HostPredicate::PreviousHosts],
        host_selection_attempts: 9,
        ..RetryPolicy::NONE
    };
    let request = Request {
        hosts: &Active(active),
        tried: &tried,
        retry: &retry,
        ..Request::new(cluster, &NO_HEADERS)
    };
    let mut state = BalancerState::new(snapshot, &mut Always(0));
    let mut steps = Vec::new();
    let trace = &mut NumberedSteps(&mut steps);
    decide(snapshot, &mut state, &request, &mut Always(number), trace);
    steps
}

const IDLE: &[u32] = &[0, 0, 0];

#[test]
fn random_and_round_robin_show_the_place_in_the_list() {
    let snapshot = shop(Policy::Random, |_| {});
    for number in 0..5 {
        let found = chosen(&ask(&snapshot, IDLE, number, &[]));
        let place = number % 3;
        assert_eq!(found, (place as usize, HostNumbers::Residue(place)));
    }
    let (host, numbers) = chosen(&ask(&shop(Policy::RoundRobin, |_| {}), IDLE, 0, &[]));
    assert_eq!(numbers, HostNumbers::Counter(host as u64));
}

#[test]
fn a_schedule_shows_the_weight_of_the_turn() {
    let least = Policy::LeastRequest(LeastRequestConfig::default());
    // Under least request, a weight is divided by one more than the active requests.
    for (policy, total) in [(Policy::RoundRobin, 7.0), (least, 4.0)] {
        let snapshot = shop(policy, |plain| {
            plain.priorities[0].endpoints[2].weight = Weight::new(5).unwrap();
        });
        let (host, numbers) = chosen(&ask(&snapshot, &[0, 1, 1], 0, &[]));
        let HostNumbers::Turn { weight, total: all } = numbers else {
            panic!("{numbers:?}");
        };
        let idle = [1.0, 1.0, 5.0][host];
        assert_eq!(all, total, "{policy:?}");
        assert!(weight == idle || weight == idle / 2.0, "{host} {weight}");
    }
}

#[test]
fn least_request_shows_the_active_requests_that_it_compares() {
    let of = |selection| Policy::LeastRequest(LeastRequestConfig::new(selection, 1.0));
    let snapshot = shop(of(SelectionMethod::FullScan), |_| {});
    let (host, numbers) = chosen(&ask(&snapshot, &[4, 1, 1], 1, &[]));
    assert!(host > 0);
    let fewest = HostNumbers::FewestOfAll {
        active: 1,
        equal: 2,
    };
    assert_eq!(numbers, fewest);
    let snapshot = shop(of(SelectionMethod::Choices(2)), |_| {});
    let (host, numbers) = chosen(&ask(&snapshot, &[4, 1, 2], 5, &[]));
    let drawn = HostRef {
        cluster: snapshot.cluster_id("shop").unwrap(),
        priority: 0,
        host: 2,
    };
    let both = vec![(drawn, 2), (drawn, 2)];
    assert_eq!((host, numbers), (2, HostNumbers::FewestOfSome(both)));
}

#[test]
fn a_ring_shows_the_entry_and_the_host_that_it_passes_over() {
    let snapshot = shop(Policy::RingHash(RingHashConfig::default()), |plain| {
        plain.hash_balance_factor = HashBalanceFactor::new(100);
    });
    let plain = snapshot.plain(snapshot.cluster_id("shop").unwrap());
    let table = plain.unwrap().whole.priorities[0].table.clone().unwrap();
    let TableKind::Ring(ring) = &table.kind else {
        panic!("a ring");
    };
    let third = ring.entries()[3];
    // 10 requests of all hosts: each host may have 4.
    let busy: &[&'static [u32]] = &[&[9, 0, 0], &[0, 9, 0], &[0, 0, 9]];
    for (active, is_busy) in [(IDLE, false), (busy[third.host], true)] {
        let (host, numbers) = chosen(&ask(&snapshot, active, third.hash, &[]));
        let HostNumbers::Ring {
            hash,
            entry,
            entry_hash,
            further,
            overloaded,
            ..
        } = numbers
        else {
            panic!("{numbers:?}");
        };
        assert_eq!((hash, entry, entry_hash), (third.hash, 3, third.hash));
        assert_eq!(further, 0);
        let passed = overloaded.map(|host| (host.host.host, host.active, host.slots));
        assert_eq!(passed, is_busy.then_some((third.host, 9, 4)));
        assert_eq!(host == third.host, !is_busy);
    }
}

#[test]
fn a_rejected_choice_of_maglev_changes_the_hash() {
    let snapshot = shop(Policy::Maglev(MaglevConfig::default()), |_| {});
    let first = chosen(&ask(&snapshot, IDLE, 77, &[])).0;
    for (tried, changed) in [(&[][..], false), (&[first], true)] {
        let (host, numbers) = chosen(&ask(&snapshot, IDLE, 77, tried));
        let HostNumbers::Maglev {
            slots, is_changed, ..
        } = numbers
        else {
            panic!("{numbers:?}");
        };
        assert_eq!((slots, is_changed), (65_537, changed));
        assert_eq!(host != first, changed);
    }
}

/// The zone of a request and its numbers.
fn zone(snapshot: &Snapshot, number: u64) -> (usize, ZoneNumbers) {
    let steps = ask(snapshot, IDLE, number, &[]);
    let numbers = steps.iter().find_map(|step| match &step.data {
        StepData::Locality(choice) => Some(choice.numbers.clone()),
        _ => None,
    });
    let Some(LocalityNumbers::Zone(numbers)) = numbers else {
        panic!("{numbers:?}");
    };
    (chosen(&steps).0, numbers)
}

#[test]
fn zone_aware_routing_shows_the_numbers_that_choose_a_zone() {
    // The own zone has half of the proxies and a fifth of the hosts, so it keeps 40 percent.
    let snapshot = zoned([20, 30, 50], [50, 25, 25], 60);
    let shares = ZoneNumbers {
        callers: 5_000,
        hosts: 2_000,
        enabled: 60,
        ..ZoneNumbers::default()
    };
    let (host, numbers) = zone(&snapshot, 10_009);
    let own = ZoneNumbers {
        enabled_roll: Some(9),
        local: Some((4_000, 9)),
        ..shares.clone()
    };
    assert_eq!((host, numbers), (0, own));
    // Zones b and c have 5 and 25 percent of the capacity left: the last number of b, the first of c.
    for (number, chosen, from, to) in [(303_499, 1, 0, 500), (303_500, 2, 500, 3_000)] {
        let snapshot = zoned([20, 30, 50], [50, 25, 25], 100);
        let number = number + 6_000;
        let (host, numbers) = zone(&snapshot, number);
        let other = OtherZone {
            roll: number % 3_000,
            whole: 3_000,
            from,
            to,
            by_capacity: true,
        };
        let expected = ZoneNumbers {
            enabled: 100,
            local: Some((4_000, number % 10_000)),
            other: Some(other),
            ..shares.clone()
        };
        assert_eq!((host, numbers), (chosen, expected));
    }
}

#[test]
fn the_least_capacity_is_one_ten_thousandth() {
    // Zone b has one ten-thousandth more of the hosts than of the proxies.
    let snapshot = zoned([3_332, 3_334, 3_334], [3_333, 3_333, 3_334], 100);
    let (host, numbers) = zone(&snapshot, 29_999);
    let other = OtherZone {
        roll: 0,
        whole: 1,
        from: 0,
        to: 1,
        by_capacity: true,
    };
    assert_eq!((host, numbers.other), (1, Some(other)));
}

#[test]
fn without_capacity_left_each_zone_has_one_number() {
    // A third is truncated, so that the other zones have no more hosts than callers.
    let snapshot = zoned([1, 1, 1], [3_334, 3_333, 3_333], 100);
    let (host, numbers) = zone(&snapshot, 29_999);
    let other = OtherZone {
        roll: 2,
        whole: 3,
        from: 2,
        to: 3,
        by_capacity: false,
    };
    assert_eq!((host, numbers.other), (2, Some(other)));
    assert_eq!(numbers.local, Some((9_997, 9_999)));
}

#[test]
fn a_cluster_with_too_few_hosts_has_no_numbers_of_zones() {
    let snapshot = zoned([1, 1, 1], [1, 1, 1], 100);
    let host = HostRef {
        cluster: snapshot.cluster_id("shop").unwrap(),
        priority: 0,
        host: 0,
    };
    let snapshot = snapshot.with_health(&[(host, Health::from_status(HealthStatus::Unhealthy))]);
    let steps = ask(&snapshot, IDLE, 0, &[]);
    let found = steps.iter().find_map(|step| match &step.data {
        StepData::Locality(choice) => Some((choice.rule, choice.numbers.clone())),
        _ => None,
    });
    let (rule, numbers) = found.unwrap();
    assert_eq!(
        (rule, numbers),
        (LocalityRule::TooFewHosts, LocalityNumbers::None)
    );
}
