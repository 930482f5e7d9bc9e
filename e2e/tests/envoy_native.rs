//! Envoy's random and turn-taking policies, against the shares that the engine gives for them.

use std::collections::BTreeMap;

use anyhow::{Result, anyhow, ensure};
use spillgate_core::model::{Model, Policy};
use spillgate_e2e::config::{
    Bootstrap, aggregate, http_listener, native, plain, priority, to_cluster,
};
use spillgate_e2e::{Client, Envoy, Port, ReferenceEngine, ServedAnswer, Workdir, chi_square_p};

/// Requests a policy.
const REQUESTS: u64 = 6_000;
/// Below this probability the shares are wrong.
const SIGNIFICANCE: f64 = 1e-4;

#[test]
fn round_robin_shares_are_the_engines() -> Result<()> {
    shares_agree("native_round_robin", Policy::RoundRobin)
}

#[test]
fn random_shares_are_the_engines() -> Result<()> {
    shares_agree("native_random", Policy::Random)
}

/// Healthy hosts, degraded ones and panic, with weights, over two priorities and in an aggregate.
fn shares_agree(name: &str, policy: Policy) -> Result<()> {
    let workdir = Workdir::new(name)?;
    let (service, hosts) = (Port::lease()?, Port::lease()?);
    let hosts = hosts.number();
    let clusters = [
        // 5 of 9 that count: 77 % of what priority 0 is meant for.
        ("spilling", ["2hh3hhhuuxud", "hhh"]),
        // Too few healthy ones anywhere: degraded hosts take the rest.
        ("degraded", ["hhdduuuuuu", "hddduuuuuu"]),
        // Too few of any kind: every host serves.
        ("panicking", ["huuuuuuuux", "2uuuuu"]),
    ];
    let mut all = Vec::new();
    for (number, (name, priorities)) in (1..).zip(clusters) {
        let priorities = (0..)
            .zip(priorities)
            .map(|(at, health)| priority(&format!("127.{number}.{at}"), hosts, health));
        all.push(plain(name, policy, priorities.collect::<Result<_>>()?));
    }
    all.push(aggregate("aggregate", &["degraded", "spilling"]));

    let mut bootstrap = Bootstrap::new();
    let mut routes = Vec::new();
    for cluster in &all {
        bootstrap = bootstrap.cluster(native(cluster)?).hosts_of(cluster);
        routes.push(to_cluster(&format!("/{}", cluster.name), &cluster.name));
    }
    let bootstrap = bootstrap.listener(http_listener("native", service.number(), &routes, vec![]));
    let _envoy = Envoy::start(&workdir, &bootstrap)?;
    let model = Model::new(all.clone()).map_err(|errors| anyhow!("{errors:?}"))?;
    let engine = ReferenceEngine::new(&model);

    let mut client = Client::new(service.local());
    for cluster in &all {
        let mut counts: BTreeMap<Option<String>, u64> = BTreeMap::new();
        for _ in 0..REQUESTS {
            let answer = ServedAnswer::of(&mut client, &format!("/{}", cluster.name), "any")?;
            *counts.entry(answer.host).or_default() += 1;
        }
        let shares = engine.shares(&cluster.name)?;
        let count = |host: &Option<String>| counts.get(host).copied().unwrap_or(0);
        let mut cells: Vec<(u64, f64)> = shares
            .hosts
            .iter()
            .map(|(host, share)| (count(&Some(host.clone())), *share))
            .collect();
        cells.push((count(&None), shares.no_host));
        ensure!(
            cells.iter().map(|(count, _)| count).sum::<u64>() == REQUESTS,
            "{}: a host that the engine gives nothing was reached: {counts:?}, {shares:?}",
            cluster.name
        );
        let p = chi_square_p(&cells)?;
        ensure!(
            p > SIGNIFICANCE,
            "{}: shares with probability {p:e}: {counts:?}, {shares:?}",
            cluster.name
        );
    }
    Ok(())
}
