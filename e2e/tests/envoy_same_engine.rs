//! The same keys through three engines: Envoy's own policy, our filter in the same Envoy, and
//! `spillgate-core` alone, all from one configuration.
//!
//! A host that the filter did not choose would be a random one (the fallback of the steered
//! cluster), so agreement cannot come about by itself.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use anyhow::{Result, anyhow, ensure};
use serde_json::json;
use spillgate_config::envoy::{self, Format};
use spillgate_config::filter::FilterForm;
use spillgate_core::model::{
    Cluster, HashFunction, MaglevConfig, Policy, Priority, RingHashConfig,
};
use spillgate_e2e::config::{
    Bootstrap, Delivery, hash_policy, http_listener, native, plain, priority, steered, to_cluster,
    to_cluster_by_header,
};
use spillgate_e2e::{Client, Envoy, Port, ReferenceEngine, ServedAnswer, Workdir};

/// Distinct keys.
const KEYS: usize = 2_000;

/// One priority, every host healthy, three weights.
const ONE_PRIORITY: &[&str] = &["hh2hhh3hhhhhh"];
/// Two priorities, both partly unhealthy in several ways. The first takes 70 % (5 healthy of 10 that count, one
/// draining), the second the rest: no load is meant for the degraded ones, which hash
/// policies never serve.
const TWO_PRIORITIES: &[&str] = &["hh3hudxhuhtu", "hdhh2hxhuhh"];
/// The first priority has degraded hosts alone and is meant to take 30 %. Hash policies serve healthy
/// hosts only, so that this part is left without one.
const WITHOUT_HOST: &[&str] = &["ddddduuuuu", "hhhhhuuuuu"];
/// So few healthy hosts that every host serves.
const PANIC: &[&str] = &["huuuuxuuuu", "2uuhu"];

#[test]
fn maglev_of_one_healthy_priority() -> Result<()> {
    let answers = same_host("same_maglev_one", maglev(), ONE_PRIORITY)?;
    ensure!(
        answers.hosts_of_priority(0) == 11 && answers.without_host == 0,
        "{answers:?}"
    );
    Ok(())
}

#[test]
fn maglev_of_two_priorities_of_partial_health() -> Result<()> {
    let answers = same_host("same_maglev_two", maglev(), TWO_PRIORITIES)?;
    answers.serve_healthy_hosts_of_both_priorities()
}

#[test]
fn ring_hash_of_one_healthy_priority() -> Result<()> {
    let answers = same_host("same_ring_one", ring(HashFunction::XxHash), ONE_PRIORITY)?;
    ensure!(
        answers.hosts_of_priority(0) == 11 && answers.without_host == 0,
        "{answers:?}"
    );
    Ok(())
}

#[test]
fn ring_hash_of_two_priorities_of_partial_health() -> Result<()> {
    let answers = same_host("same_ring_two", ring(HashFunction::XxHash), TWO_PRIORITIES)?;
    answers.serve_healthy_hosts_of_both_priorities()
}

#[test]
fn murmur_ring_of_two_priorities_of_partial_health() -> Result<()> {
    let policy = ring(HashFunction::MurmurHash2);
    let answers = same_host("same_murmur_two", policy, TWO_PRIORITIES)?;
    answers.serve_healthy_hosts_of_both_priorities()
}

#[test]
fn load_of_a_degraded_priority_finds_no_host() -> Result<()> {
    let answers = same_host("same_without_host", maglev(), WITHOUT_HOST)?;
    ensure!(
        (500..700).contains(&answers.without_host) && answers.hosts_of_priority(1) == 5,
        "{answers:?}"
    );
    Ok(())
}

#[test]
fn in_panic_every_host_serves() -> Result<()> {
    let answers = same_host("same_panic", maglev(), PANIC)?;
    ensure!(
        answers.hosts_of_priority(0) == 10 && answers.hosts_of_priority(1) == 4,
        "{answers:?}"
    );
    ensure!(answers.without_host == 0, "{answers:?}");
    Ok(())
}

fn maglev() -> Policy {
    Policy::Maglev(MaglevConfig::default())
}

fn ring(hash_function: HashFunction) -> Policy {
    let ring = RingHashConfig::new(1024, 8 * 1024 * 1024, hash_function);
    Policy::RingHash(ring.unwrap_or_default())
}

/// Who answered the keys, the same in all three engines.
#[derive(Debug)]
struct Agreed {
    hosts: BTreeMap<String, usize>,
    without_host: usize,
}

impl Agreed {
    /// The hosts of priority N are at 127.2.N.x.
    fn hosts_of_priority(&self, priority: usize) -> usize {
        let network = format!("127.2.{priority}.");
        self.hosts
            .keys()
            .filter(|host| host.starts_with(&network))
            .count()
    }

    fn serve_healthy_hosts_of_both_priorities(&self) -> Result<()> {
        ensure!(
            self.hosts_of_priority(0) == 5 && self.hosts_of_priority(1) == 7,
            "{self:?}"
        );
        ensure!(self.without_host == 0, "{self:?}");
        Ok(())
    }
}

/// Sends the keys to each of the three and fails unless all answers are the same.
fn same_host(name: &str, policy: Policy, priorities: &[&str]) -> Result<Agreed> {
    let workdir = Workdir::new(name)?;
    let (by_envoy, by_filter, hosts) = (Port::lease()?, Port::lease()?, Port::lease()?);
    let priorities = (0..)
        .zip(priorities)
        .map(|(at, health)| priority(&format!("127.2.{at}"), hosts.number(), health));
    let cluster = plain(
        "shop",
        policy,
        priorities.collect::<Result<Vec<Priority>>>()?,
    );
    let native_cluster = Cluster {
        name: "native".into(),
        ..cluster.clone()
    };

    let delivery = Delivery::new(&workdir)?;
    let configuration = json!({
        "clusters": [native(&cluster)?],
        "target": "shop",
        "hash_policy": hash_policy(),
    });
    delivery.give(&configuration.to_string())?;
    let bootstrap = Bootstrap::new()
        .listener(http_listener(
            "by_envoy",
            by_envoy.number(),
            &[to_cluster("/", "native")],
            vec![],
        ))
        .listener(http_listener(
            "by_filter",
            by_filter.number(),
            &[to_cluster_by_header()],
            delivery.filters(),
        ))
        .cluster(native(&native_cluster)?)
        .cluster(steered(FilterForm::Wasm, &cluster)?)
        .hosts_of(&cluster);
    let envoy = Envoy::start(&workdir, &bootstrap)?;
    let engine = engine_of(&envoy)?;

    let (mut by_envoy, mut by_filter) = (
        Client::new(by_envoy.local()),
        Client::new(by_filter.local()),
    );
    let mut agreed = Agreed {
        hosts: BTreeMap::new(),
        without_host: 0,
    };
    let mut differences = Vec::new();
    let mut keys = BTreeSet::new();
    for number in 0..KEYS {
        let key = format!("user-{number}@example.org");
        let native = ServedAnswer::of(&mut by_envoy, "/", &key)?;
        let filter = ServedAnswer::of(&mut by_filter, "/", &key)?;
        let core = engine.pick("native", &key)?;
        let core = ServedAnswer {
            status: if core.is_some() { 200 } else { 503 },
            host: core.map(str::to_owned),
        };
        if native == filter && native == core {
            match native.host {
                Some(host) => *agreed.hosts.entry(host).or_default() += 1,
                None => agreed.without_host += 1,
            }
        } else {
            differences.push((key.clone(), native, filter, core));
        }
        keys.insert(key);
    }
    ensure!(keys.len() == KEYS, "the keys are not distinct");
    ensure!(
        differences.is_empty(),
        "{} of {KEYS} keys differ, the first (key, Envoy, filter, engine): {:?}",
        differences.len(),
        differences.first()
    );
    // The keys did go through the filter, all of them.
    let decisions = envoy.stats("spillgate.decisions.cluster.shop.")?;
    let decided: u64 = decisions.iter().map(|(_, count)| count).sum();
    ensure!(decided == KEYS as u64, "{decided} decisions: {decisions:?}");
    println!(
        "{name}: {KEYS} of {KEYS} keys reach the same host: {:?}",
        agreed.hosts
    );
    Ok(agreed)
}

/// The engine for the configuration that this Envoy reads, by way of our own reader.
fn engine_of(envoy: &Envoy) -> Result<ReferenceEngine> {
    let text = fs::read_to_string(envoy.config())?;
    let config = envoy::read(&text, Format::Json).map_err(|faults| anyhow!("{faults:?}"))?;
    Ok(ReferenceEngine::new(&config.model))
}
