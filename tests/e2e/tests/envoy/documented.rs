//! The rows of Envoy's documentation, on the real Envoy: the figures that the playground must show.

use std::collections::BTreeMap;

use anyhow::{Result, ensure};
use spillgate_core::hash::xxh64;
use spillgate_core::model::{Cluster, MaglevConfig, Policy};
use spillgate_e2e::config::{Bootstrap, http_listener, native, to_cluster};
use spillgate_e2e::documented::{AGGREGATES, PRIORITIES};
use spillgate_e2e::{Client, Envoy, Port, SIGNIFICANCE, ServedAnswer, Workdir, chi_square_p};

/// Requests a row where the choice is random.
const REQUESTS: u64 = 4_200;

#[test]
fn priority_priorities_load_as_documented() -> Result<()> {
    let workdir = Workdir::new("documented_priorities")?;
    let (service, hosts) = (Port::lease()?, Port::lease()?);
    let policy = Policy::Maglev(MaglevConfig::default());
    let rows: Vec<Cluster> = PRIORITIES
        .iter()
        .map(|row| row.cluster(policy, hosts.number()))
        .collect::<Result<_>>()?;
    let _envoy = serve(&workdir, &service, &rows)?;
    let mut client = Client::new(service.local());
    let keys = one_key_a_residue();
    for (row, cluster) in PRIORITIES.iter().zip(&rows) {
        let mut loads = vec![0; row.loads.len()];
        for key in &keys {
            let answer = ServedAnswer::of(&mut client, &format!("/{}", cluster.name), key)?;
            if let Some(priority) = answer.host.as_deref().and_then(priority_of) {
                loads[priority] += 1;
            }
        }
        ensure!(
            loads == row.loads,
            "{}: Envoy loads its priorities with {loads:?} percent, not {:?}",
            cluster.name,
            row.loads
        );
    }
    Ok(())
}

#[test]
fn members_of_aggregates_load_as_documented() -> Result<()> {
    let workdir = Workdir::new("documented_aggregates")?;
    let (service, hosts) = (Port::lease()?, Port::lease()?);
    let mut clusters = Vec::new();
    for row in AGGREGATES {
        clusters.extend(row.clusters(hosts.number())?);
    }
    let _envoy = serve(&workdir, &service, &clusters)?;
    let mut client = Client::new(service.local());
    for row in AGGREGATES {
        let mut counts = BTreeMap::new();
        for _ in 0..REQUESTS {
            let answer = ServedAnswer::of(&mut client, &format!("/{}", row.name()), "any")?;
            *counts
                .entry(answer.host.as_deref().and_then(priority_of))
                .or_default() += 1;
        }
        // The priorities of the members are linearized, the primary's three first.
        let primary = (0..3)
            .filter_map(|priority| counts.get(&Some(priority)))
            .sum();
        let secondary = (3..5)
            .filter_map(|priority| counts.get(&Some(priority)))
            .sum();
        ensure!(
            primary + secondary == REQUESTS,
            "{}: {counts:?}",
            row.name()
        );
        let [of_primary, of_secondary] = row.member_loads.map(f64::from);
        let p = chi_square_p(&[(primary, of_primary), (secondary, of_secondary)])?;
        ensure!(
            p > SIGNIFICANCE,
            "{}: {primary} and {secondary} have probability {p:e} for {:?} percent",
            row.name(),
            row.member_loads
        );
    }
    Ok(())
}

fn serve(workdir: &Workdir, service: &Port, clusters: &[Cluster]) -> Result<Envoy> {
    let mut bootstrap = Bootstrap::new();
    let mut routes = Vec::new();
    for cluster in clusters {
        bootstrap = bootstrap.cluster(native(cluster)?).hosts_of(cluster);
        routes.push(to_cluster(&format!("/{}", cluster.name), &cluster.name));
    }
    let listener = http_listener("native", service.number(), &routes, vec![]);
    Envoy::start(workdir, &bootstrap.listener(listener))
}

/// A priority is chosen by the hash modulo 100: with one key for each remainder the counts are the
/// percentages themselves.
fn one_key_a_residue() -> Vec<String> {
    let mut keys = BTreeMap::new();
    let mut number = 0;
    while keys.len() < 100 {
        let key = format!("key-{number}");
        keys.entry(xxh64(key.as_bytes(), 0) % 100).or_insert(key);
        number += 1;
    }
    keys.into_values().collect()
}

/// The hosts of priority N are at 127.1.N.x.
fn priority_of(host: &str) -> Option<usize> {
    host.split('.').nth(2)?.parse().ok()
}
