//! Random events for session hosts: the owner of each connection, and the time when it is closed.

use std::collections::BTreeMap;

use proptest::prelude::*;
use spillgate_core::model::{HealthStatus, OverrideStatuses};
use spillgate_grpc::{
    ChildPick, Connectivity, DEFAULT_STATUSES, GrpcEndpoint, LEAST_WAIT_MS, OverrideHostPick,
    OverrideHosts, Owner, Released, Wait, known_statuses,
};

const ADDRESSES: [&str; 3] = ["10.0.0.1:80", "10.0.0.2:80", "[::1]:80"];

#[derive(Debug, Clone)]
enum Event {
    Update(Vec<usize>),
    ChildCreates(usize),
    ChildReleases(usize),
    /// A request whose cookie names the first host; the child policy picks the second one.
    Pick(usize),
    Wait,
}

fn events() -> impl Strategy<Value = Vec<(u64, Event)>> {
    let one = || 0..ADDRESSES.len();
    let all: Vec<usize> = one().collect();
    let event = prop_oneof![
        2 => prop::sample::subsequence(all, 0..=ADDRESSES.len()).prop_map(Event::Update),
        2 => one().prop_map(Event::ChildCreates),
        2 => one().prop_map(Event::ChildReleases),
        3 => one().prop_map(Event::Pick),
        2 => Just(Event::Wait),
    ];
    let pause = prop_oneof![3 => 0..2_000_u64, 2 => 2_000..8_000_u64, 1 => 8_000..40_000_u64];
    prop::collection::vec((pause, event), 1..80)
}

fn endpoint(address: &str, health: HealthStatus) -> GrpcEndpoint {
    GrpcEndpoint {
        addresses: vec![address.into()],
        health,
    }
}

/// The expected state of an address: its owner, and the last use by a session.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct Naive {
    owner: Option<Owner>,
    used: Option<u64>,
}

struct World {
    hosts: OverrideHosts,
    naive: BTreeMap<&'static str, Naive>,
    idle: u64,
    last_sweep: Option<u64>,
}

impl World {
    fn advance(&mut self, now: u64) {
        while let Some(at) = self.hosts.due().filter(|due| *due <= now) {
            let apart = self
                .last_sweep
                .is_none_or(|last| at >= last + LEAST_WAIT_MS);
            assert!(apart, "a sweep at {at} after {:?}", self.last_sweep);
            self.last_sweep = Some(at);
            for address in self.hosts.sweep(at) {
                let known = self.naive.get_mut(address.as_str()).unwrap();
                assert_eq!(known.owner, Some(Owner::Policy));
                assert!(
                    known.used.unwrap() + self.idle <= at,
                    "{address} was in use"
                );
                known.owner = None;
            }
        }
    }

    fn apply(&mut self, now: u64, event: Event) {
        match event {
            Event::Update(which) => {
                let listed: Vec<&'static str> = which.iter().map(|at| ADDRESSES[*at]).collect();
                let endpoints: Vec<GrpcEndpoint> = listed
                    .iter()
                    .map(|address| endpoint(address, HealthStatus::Healthy))
                    .collect();
                let mut closed: Vec<&str> = Vec::new();
                self.naive.retain(|address, known| {
                    let stays = listed.contains(address);
                    if !stays && known.owner == Some(Owner::Policy) {
                        closed.push(address);
                    }
                    stays
                });
                for address in listed {
                    self.naive.entry(address).or_default();
                }
                assert_eq!(self.hosts.update(now, &endpoints), closed);
            }
            Event::ChildCreates(at) => {
                self.hosts.child_created(ADDRESSES[at]);
                self.hosts.set_state(ADDRESSES[at], Connectivity::Ready);
                if let Some(known) = self.naive.get_mut(ADDRESSES[at]) {
                    known.owner = Some(Owner::Child);
                }
            }
            Event::ChildReleases(at) => {
                let mut expected = Released::NotHeld;
                if let Some(known) = self.naive.get_mut(ADDRESSES[at])
                    && known.owner == Some(Owner::Child)
                {
                    let lately = known.used.is_some_and(|used| now - used <= self.idle);
                    (known.owner, expected) = if lately {
                        (Some(Owner::Policy), Released::Adopted)
                    } else {
                        (None, Released::Closed)
                    };
                }
                assert_eq!(self.hosts.child_released(now, ADDRESSES[at]), expected);
            }
            Event::Pick(at) => self.pick(now, ADDRESSES[at]),
            Event::Wait => {}
        }
    }

    fn pick(&mut self, now: u64, address: &'static str) {
        let child = || ChildPick::Complete(ADDRESSES[1].into());
        let picked = self.hosts.pick(now, Some(address), child);
        match self.naive.get_mut(address) {
            Some(known) => {
                known.used = Some(now);
                if known.owner.is_none() {
                    assert_eq!(
                        picked,
                        OverrideHostPick::Queue(Wait::Create(address.into()))
                    );
                    assert!(self.hosts.create(now, address));
                    assert!(!self.hosts.create(now, address));
                    self.hosts.set_state(address, Connectivity::Ready);
                    known.owner = Some(Owner::Policy);
                } else {
                    let address_list = address.into();
                    let address = address.into();
                    assert_eq!(
                        picked,
                        OverrideHostPick::Override {
                            address,
                            address_list
                        }
                    );
                }
            }
            None => {
                let OverrideHostPick::Delegate { pick, address_list } = picked else {
                    panic!("{picked:?}");
                };
                assert_eq!(pick, child());
                let known = self.naive.get_mut(ADDRESSES[1]);
                assert_eq!(address_list.is_some(), known.is_some());
                if let Some(known) = known {
                    known.used = Some(now);
                }
            }
        }
    }

    fn check(&self, now: u64) {
        let found: BTreeMap<&str, Naive> = self
            .hosts
            .entries()
            .map(|(address, entry)| {
                let owner = entry.subchannel.map(|subchannel| subchannel.owner);
                let used = entry.last_used;
                (address, Naive { owner, used })
            })
            .collect();
        assert_eq!(found, self.naive);
        for (address, known) in &self.naive {
            if known.owner == Some(Owner::Policy) {
                let end = known.used.unwrap() + self.idle + LEAST_WAIT_MS;
                assert!(
                    now <= end,
                    "{address} is held at {now}, should be gone by {end}"
                );
            }
        }
    }
}

proptest! {
    /// An unused connection is closed at most the minimum wait after its idle timeout, however often
    /// updates arrive, and never before.
    #[test]
    fn connections_are_closed_in_time(events in events(), idle in 0..20_000_u64) {
        let mut world = World {
            hosts: OverrideHosts::new(DEFAULT_STATUSES, idle),
            naive: BTreeMap::new(),
            idle,
            last_sweep: None,
        };
        let mut now = 0;
        for (pause, event) in events {
            now += pause;
            world.advance(now);
            world.apply(now, event);
            world.check(now);
        }
    }
}

#[test]
fn a_connection_that_is_being_made_is_not_swept() {
    let mut hosts = OverrideHosts::new(DEFAULT_STATUSES, 1_000);
    hosts.update(0, &[endpoint("a", HealthStatus::Unknown)]);
    assert!(hosts.create(1, "a"));
    let child = || ChildPick::Fail;
    assert_eq!(
        hosts.pick(2, Some("a"), child),
        OverrideHostPick::Queue(Wait::Connect("a".into()))
    );
    hosts.set_state("a", Connectivity::Connecting);
    for now in [5_000, 10_000, 15_000] {
        assert_eq!(hosts.due(), Some(now));
        assert!(hosts.sweep(now).is_empty());
        assert_eq!(
            hosts.pick(3, Some("a"), child),
            OverrideHostPick::Queue(Wait::Connecting("a".into()))
        );
    }
    hosts.set_state("a", Connectivity::TransientFailure);
    assert_eq!(hosts.sweep(hosts.due().unwrap()), ["a"]);
}

#[test]
fn each_status_is_its_own_but_for_those_that_grpc_does_not_know() {
    for health in HealthStatus::ALL {
        for status in HealthStatus::ALL {
            let set: OverrideStatuses = [status].into_iter().collect();
            let mut hosts = OverrideHosts::new(set, 0);
            hosts.update(0, &[endpoint("a", health)]);
            hosts.child_created("a");
            hosts.set_state("a", Connectivity::Ready);
            let picked = hosts.pick(1, Some("a"), || ChildPick::Fail);
            let kept = matches!(picked, OverrideHostPick::Override { .. });
            assert_eq!(
                kept,
                known_statuses(set).contains(health),
                "{health:?} in {status:?}"
            );
        }
    }
}

#[test]
fn an_endpoint_is_reached_over_each_of_its_addresses() {
    let mut hosts = OverrideHosts::new(DEFAULT_STATUSES, 0);
    let both = GrpcEndpoint {
        addresses: vec!["a".into(), "b".into()],
        health: HealthStatus::Healthy,
    };
    hosts.update(0, &[both, endpoint("b", HealthStatus::Unknown)]);
    assert_eq!(hosts.entry("a").unwrap().address_list, "a,b");
    assert_eq!(hosts.entry("b").unwrap().address_list, "b,a");
    hosts.child_created("b");
    hosts.set_state("b", Connectivity::Ready);
    let picked = hosts.pick(1, Some(",a,b,"), || ChildPick::Fail);
    let address_list = "b,a".into();
    let address = "b".into();
    assert_eq!(
        picked,
        OverrideHostPick::Override {
            address,
            address_list
        }
    );
    let blank = hosts.pick(1, Some("a, b"), || ChildPick::Queue);
    assert_eq!(
        blank,
        OverrideHostPick::Queue(Wait::Create("a".into())),
        "the text counts"
    );
}
