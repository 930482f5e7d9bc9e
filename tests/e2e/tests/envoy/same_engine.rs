//! The same keys through five ways to a host, all from one configuration: Envoy's own policy, the Wasm
//! filter, the dynamic module with a list and with a single host, and `spillgate-core` alone.
//!
//! A host that the filter did not choose would be a random one or none (the fallback of the steered
//! clusters), so agreement cannot come about by itself.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use anyhow::{Context as _, Result, anyhow, ensure};
use rstest::rstest;
use serde_json::{Value, json};
use spillgate_config::envoy::{self, Format};
use spillgate_config::filter::FilterForm::{DynamicModule, Wasm};
use spillgate_core::model::{
    Cluster, HashFunction, Locality, MaglevConfig, Policy, Priority, PriorityLocality,
    RingHashConfig,
};
use spillgate_e2e::config::{
    Bootstrap, Unlisted, hash_policy, http_listener, isolated, native, our_filters, plain,
    policy_of_module_with, priority, steered, to_cluster, to_cluster_by_header,
};
use spillgate_e2e::{Client, Envoy, Port, ReferenceEngine, ServedAnswer, Workdir};

/// Distinct keys of a test.
const KEYS: usize = 500;

/// A hash policy.
#[derive(Debug, Clone, Copy)]
enum Hashing {
    Maglev,
    Ring(HashFunction),
}

/// Who must answer the keys.
struct Expected {
    /// The number of hosts by priority.
    hosts: &'static [usize],
    /// The keys without a host.
    without: std::ops::Range<usize>,
}

/// Hosts and their health, a text a priority.
struct Topology {
    name: &'static str,
    priorities: &'static [&'static str],
    /// Further settings of the priorities.
    places: fn(&mut [Priority]) -> Result<()>,
    /// Further settings of the cluster.
    settings: fn(&mut Value),
    expected: Expected,
}

impl Topology {
    const fn new(
        name: &'static str,
        priorities: &'static [&'static str],
        hosts: &'static [usize],
    ) -> Self {
        Self {
            name,
            priorities,
            places: |_| Ok(()),
            settings: |_| {},
            expected: Expected {
                hosts,
                without: 0..1,
            },
        }
    }
}

fn weights() -> Topology {
    Topology::new("weights", &["hh2hhh3hhhhhh"], &[11])
}

/// Both priorities are partly unhealthy. The first takes 70 % (5 healthy of 10), the second the rest. No
/// load is meant for the degraded hosts, which hash policies never serve.
fn partly_unhealthy() -> Topology {
    Topology::new("partly", &["hh3huduhuhtu", "hdhh2hhuhh"], &[5, 7])
}

fn spilling_over_three() -> Topology {
    Topology::new("three", &["huuuuuuuuu", "huuuuuuuuu", "hhh"], &[1, 1, 3])
}

/// The first priority has degraded hosts alone and is meant to take 30 %. Hash policies serve healthy
/// hosts only, so that this part is left without one.
fn load_of_a_degraded_priority() -> Topology {
    Topology {
        expected: Expected {
            hosts: &[0, 5],
            without: 100..200,
        },
        ..Topology::new("degraded", &["ddddduuuuu", "hhhhhuuuuu"], &[])
    }
}

/// So few healthy hosts that every host serves.
fn panic_mode() -> Topology {
    Topology::new("panic", &["huuuuuuuuu", "2uuhu"], &[10, 4])
}

fn all_unhealthy() -> Topology {
    Topology::new("unhealthy", &["uuuuuu"], &[6])
}

/// Without panic mode, no host is left.
fn all_unhealthy_without_panic() -> Topology {
    Topology {
        settings: |cluster| {
            cluster["common_lb_config"]["healthy_panic_threshold"]["value"] = json!(0);
        },
        expected: Expected {
            hosts: &[0],
            without: KEYS..KEYS + 1,
        },
        ..Topology::new("no_panic", &["uuuuuu"], &[])
    }
}

/// The tables hash these keys instead of addresses.
fn hash_keys() -> Topology {
    Topology {
        places: |priorities| {
            let endpoints = priorities.iter_mut().flat_map(|one| &mut one.endpoints);
            for (number, endpoint) in endpoints.enumerate() {
                endpoint.hash_key = Some(format!("shard-{number}"));
            }
            Ok(())
        },
        ..Topology::new("hash_key", &["hhhhhhuh", "hhh"], &[7, 0])
    }
}

/// Two zones, of which the second gets three of four requests.
fn weighted_localities() -> Topology {
    Topology {
        places: |priorities| {
            let first = priorities.first_mut().context("no priority")?;
            let zone = |name: &str, weight| PriorityLocality {
                locality: Locality {
                    zone: name.into(),
                    ..Locality::default()
                },
                weight: Some(weight),
            };
            first.localities = vec![zone("a", 1), zone("b", 3)];
            for (number, endpoint) in first.endpoints.iter_mut().enumerate() {
                endpoint.locality = usize::from(number >= 4);
            }
            Ok(())
        },
        settings: |cluster| {
            cluster["common_lb_config"]["locality_weighted_lb_config"] = json!({});
        },
        ..Topology::new("localities", &["hhhhhhhh"], &[8])
    }
}

/// Draining hosts do not count: with them, the first priority would have 93 % of its requests only.
fn draining() -> Topology {
    Topology::new("draining", &["hhxhxh", "hhh"], &[4, 0])
}

/// The dynamic module cannot distinguish hosts that begin as draining from unhealthy ones of the same cluster.
const MIXED: Topology = Topology::new("mixed", &["hh3hudxhuhtu", "hdhh2hxhuhh"], &[5, 7]);

#[rstest]
#[case(weights())]
#[case(partly_unhealthy())]
#[case(spilling_over_three())]
#[case(load_of_a_degraded_priority())]
#[case(panic_mode())]
#[case(all_unhealthy())]
#[case(all_unhealthy_without_panic())]
#[case(hash_keys())]
#[case(weighted_localities())]
#[case(draining())]
fn every_way_leads_to_the_same_host(
    #[case] topology: Topology,
    #[values(Hashing::Maglev, Hashing::Ring(HashFunction::XxHash))] hashing: Hashing,
) -> Result<()> {
    same_hosts(&topology, hashing, &Way::ALL)
}

#[rstest]
fn other_ring_functions_and_draining_among_unhealthy_hosts(
    #[values(Hashing::Maglev, Hashing::Ring(HashFunction::MurmurHash2))] hashing: Hashing,
) -> Result<()> {
    same_hosts(&MIXED, hashing, &[Way::Wasm])
}

/// A form of the filter, and how it passes its choice to Envoy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    Wasm,
    ModuleList,
    ModuleSingle,
}

impl Way {
    const ALL: [Self; 3] = [Self::Wasm, Self::ModuleList, Self::ModuleSingle];

    const fn cluster(self) -> &'static str {
        match self {
            Self::Wasm => "wasm",
            Self::ModuleList => "module-list",
            Self::ModuleSingle => "module-single",
        }
    }

    /// The cluster in Envoy, whose hosts only this filter chooses.
    fn in_envoy(self, cluster: &Cluster) -> Result<Value> {
        Ok(match self {
            Self::Wasm => steered(Wasm, cluster)?,
            Self::ModuleList => isolated(DynamicModule, cluster)?,
            Self::ModuleSingle => {
                let mut message = isolated(DynamicModule, cluster)?;
                message["load_balancing_policy"] = policy_of_module_with(Unlisted::Refused);
                message
            }
        })
    }

    /// The filter for this cluster.
    fn filters(self, cluster: Value) -> Result<Vec<Value>> {
        let configuration = json!({
            "clusters": [cluster],
            "target": self.cluster(),
            "hash_policy": hash_policy(),
            "output": {"candidates": if self == Self::ModuleSingle { 1 } else { 3 }},
        });
        our_filters(
            if self == Self::Wasm {
                Wasm
            } else {
                DynamicModule
            },
            &configuration,
        )
    }
}

/// Sends the keys each way and fails unless all answers are the same.
fn same_hosts(topology: &Topology, hashing: Hashing, ways: &[Way]) -> Result<()> {
    let (policy, of_policy) = match hashing {
        Hashing::Maglev => (Policy::Maglev(MaglevConfig::default()), "maglev"),
        Hashing::Ring(hash_function) => {
            let ring = RingHashConfig::new(1024, 8 * 1024 * 1024, hash_function);
            (Policy::RingHash(ring.unwrap_or_default()), "ring")
        }
    };
    let workdir = Workdir::in_form(
        &format!("same_{}_{of_policy}", topology.name),
        DynamicModule,
    )?;
    let hosts = Port::lease()?;
    let priorities = (0..)
        .zip(topology.priorities)
        .map(|(at, health)| priority(&format!("127.2.{at}"), hosts.number(), health));
    let mut priorities = priorities.collect::<Result<Vec<Priority>>>()?;
    (topology.places)(&mut priorities)?;
    let cluster = plain("native", policy, priorities);
    let of_envoy = |cluster: &Cluster| -> Result<Value> {
        let mut message = native(cluster)?;
        (topology.settings)(&mut message);
        Ok(message)
    };

    let by_envoy = Port::lease()?;
    let to_native = [to_cluster("/", "native")];
    let mut bootstrap = Bootstrap::new()
        .observing(DynamicModule, &Value::Null)?
        .listener(http_listener(
            "native",
            by_envoy.number(),
            &to_native,
            vec![],
        ))
        .cluster(of_envoy(&cluster)?)
        .hosts_of(&cluster);
    let mut ports = Vec::new();
    for &way in ways {
        let own = Cluster {
            name: way.cluster().into(),
            ..cluster.clone()
        };
        let port = Port::lease()?;
        let filters = way.filters(of_envoy(&own)?)?;
        let route = match way {
            Way::Wasm => to_cluster_by_header(),
            Way::ModuleList | Way::ModuleSingle => to_cluster("/", way.cluster()),
        };
        bootstrap = bootstrap
            .listener(http_listener(
                way.cluster(),
                port.number(),
                &[route],
                filters,
            ))
            .cluster(way.in_envoy(&own)?);
        ports.push(port);
    }
    let envoy = Envoy::start(&workdir, &bootstrap)?;
    let engine = engine_of(&envoy)?;

    let mut by_envoy = Client::new(by_envoy.local());
    let mut clients: Vec<Client> = ports.iter().map(|port| Client::new(port.local())).collect();
    let (mut reached, mut without) = (BTreeMap::<String, usize>::new(), 0);
    let mut differences = Vec::new();
    let mut keys = BTreeSet::new();
    for number in 0..KEYS {
        let key = format!("user-{number}@example.org");
        let native = ServedAnswer::of(&mut by_envoy, "/", &key)?;
        let core = engine.pick("native", &key)?;
        let mut answers = vec![ServedAnswer {
            status: if core.is_some() { 200 } else { 503 },
            host: core.map(str::to_owned),
        }];
        for client in &mut clients {
            answers.push(ServedAnswer::of(client, "/", &key)?);
        }
        if answers.iter().any(|answer| *answer != native) {
            differences.push((key.clone(), native.clone(), answers));
        }
        match native.host {
            Some(host) => *reached.entry(host).or_default() += 1,
            None => without += 1,
        }
        keys.insert(key);
    }
    ensure!(keys.len() == KEYS, "the keys are not distinct");
    ensure!(
        differences.is_empty(),
        "{} of {KEYS} keys differ, the first (key, Envoy, [core, {ways:?}]): {:?}",
        differences.len(),
        differences.first()
    );
    // All keys went through the filters.
    for way in ways {
        let prefix = format!("spillgate.decisions.cluster.{}.", way.cluster());
        let decided = envoy.total(&prefix)?;
        ensure!(decided == KEYS as u64, "{way:?}: {decided} decisions");
    }
    topology.expected.hold(&reached, without)
}

impl Expected {
    /// The hosts of priority N are at 127.2.N.x.
    fn hold(&self, reached: &BTreeMap<String, usize>, without: usize) -> Result<()> {
        ensure!(self.without.contains(&without), "{without} without a host");
        for (number, expected) in self.hosts.iter().enumerate() {
            let network = format!("127.2.{number}.");
            let hosts = reached
                .keys()
                .filter(|host| host.starts_with(&network))
                .count();
            ensure!(hosts == *expected, "priority {number}: {reached:?}");
        }
        Ok(())
    }
}

/// The engine for the configuration that this Envoy reads, by way of our own reader.
fn engine_of(envoy: &Envoy) -> Result<ReferenceEngine> {
    let text = fs::read_to_string(envoy.config())?;
    let config = envoy::read(&text, Format::Json).map_err(|faults| anyhow!("{faults:?}"))?;
    Ok(ReferenceEngine::new(&config.model))
}
