//! Envoy's random and turn-taking policies, and the dynamic module with the same policies, against the
//! shares that the engine gives for them.

use std::collections::BTreeMap;

use anyhow::{Result, anyhow, ensure};
use rstest::rstest;
use serde_json::{Value, json};
use spillgate_config::filter::FilterForm::DynamicModule;
use spillgate_core::model::{ClusterKind, Model, Policy};
use spillgate_e2e::config::{
    Bootstrap, aggregate, http_listener, isolated, native, our_filters, plain, priority,
    to_cluster, to_cluster_of_module,
};
use spillgate_e2e::{
    Client, Envoy, Port, ReferenceEngine, SIGNIFICANCE, ServedAnswer, Workdir, chi_square_p,
};

/// Requests a policy.
const REQUESTS: u64 = 8_400;

/// Who chooses the hosts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Chooser {
    Envoy,
    Module,
}

#[rstest]
fn shares_are_the_engines(
    #[values(Policy::RoundRobin, Policy::Random)] policy: Policy,
    #[values(Chooser::Envoy, Chooser::Module)] chooser: Chooser,
) -> Result<()> {
    let name = format!("shares_{}_{chooser:?}", policy.name());
    shares_agree(&name, policy, chooser)
}

/// Healthy hosts, degraded ones and panic, with weights, over two priorities and in an aggregate.
fn shares_agree(name: &str, policy: Policy, chooser: Chooser) -> Result<()> {
    let workdir = Workdir::in_form(name, DynamicModule)?;
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
        let priorities = (0..).zip(priorities).map(|(at, health)| {
            let health = match chooser {
                Chooser::Envoy => health.to_owned(),
                // The module cannot distinguish draining hosts from others that begin as unhealthy.
                Chooser::Module => health.replace('x', "u"),
            };
            priority(&format!("127.{number}.{at}"), hosts, &health)
        });
        all.push(plain(name, policy, priorities.collect::<Result<_>>()?));
    }
    all.push(aggregate("aggregate", &["degraded", "spilling"]));

    let mut bootstrap = Bootstrap::new().observing(DynamicModule, &Value::Null)?;
    let mut routes = Vec::new();
    let mut known = Vec::new();
    for cluster in &all {
        known.push(native(cluster)?);
        let is_plain = matches!(cluster.kind, ClusterKind::Plain(_));
        let in_envoy = match chooser {
            // A request that the filter has not decided gets 503.
            Chooser::Module if is_plain => isolated(DynamicModule, cluster)?,
            _ => native(cluster)?,
        };
        bootstrap = bootstrap.cluster(in_envoy).hosts_of(cluster);
        routes.push(match chooser {
            Chooser::Envoy => to_cluster(&format!("/{}", cluster.name), &cluster.name),
            Chooser::Module => {
                let mut route = to_cluster_of_module("");
                route["match"] = json!({"prefix": format!("/{}", cluster.name)});
                route["metadata"] =
                    json!({"filter_metadata": {"spillgate": {"target": cluster.name}}});
                route
            }
        });
    }
    let filters = match chooser {
        Chooser::Envoy => vec![],
        Chooser::Module => our_filters(
            DynamicModule,
            &json!({
                "clusters": known, "target": "spilling", "route_settings": true, "output": {"candidates": 1},
            }),
        )?,
    };
    let bootstrap = bootstrap.listener(http_listener("native", service.number(), &routes, filters));
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
