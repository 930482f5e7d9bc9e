//! Hosts fail and come back: filter and Envoy follow, and no request fails meanwhile.

use std::collections::BTreeMap;

use anyhow::{Context as _, Result, ensure};

use super::super::DemoChange;
use super::Check;
use super::probe::{Probe, USERS};

pub(super) const CHECKS: [Check; 3] = [
    (
        "with 5 of 10 hosts failed, shop-primary keeps 70 % of the requests",
        half_failed,
    ),
    (
        "with all of shop-primary failed, shop-secondary gets everything",
        all_failed,
    ),
    (
        "healed, every user is back on the host it came from",
        healed,
    ),
];

/// 1000 draws at 70 %: one standard deviation is 1.45 points.
const DRAWS: usize = 1000;
/// 4.5 standard deviations on either side; chance exceeds it once in 150,000 runs.
const TOLERANCE: f64 = 6.5;

fn half_failed(probe: &mut Probe<'_>) -> Result<()> {
    let primary = probe.hosts_of("shop-primary");
    let (failed, alive) = primary.split_at(primary.len() / 2);
    probe.change(DemoChange::Kill, failed)?;
    wait_until_unused(probe, failed)?;
    let listed = unhealthy_in_envoy(probe)?;
    ensure!(
        listed == failed.len(),
        "Envoy lists {listed} unhealthy hosts, {} were killed",
        failed.len()
    );

    let served = probe.sample(DRAWS)?;
    let mut on_primary = 0;
    for (user, host) in &served {
        ensure!(
            !failed.contains(host),
            "{user} was served by the failed host {host}"
        );
        on_primary += usize::from(probe.cluster_of(host)? == "shop-primary");
    }
    let percent = on_primary as f64 * 100.0 / DRAWS as f64;
    ensure!(
        (percent - 70.0).abs() <= TOLERANCE,
        "shop-primary got {percent:.1} % of {DRAWS} requests, expected 70 %"
    );
    for host in alive.iter().chain(&probe.hosts_of("shop-secondary")) {
        ensure!(
            served.values().any(|seen| seen == host),
            "{host} is well and got nothing"
        );
    }
    a_user_has_one_host_a_cluster(probe)
}

/// The cluster of a request may be random; its host in that cluster is not.
fn a_user_has_one_host_a_cluster(probe: &Probe<'_>) -> Result<()> {
    let mut seen: BTreeMap<(String, String), String> = BTreeMap::new();
    for _ in 0..4 {
        for (user, host) in probe.sample(40)? {
            let cluster = probe.cluster_of(&host)?.to_owned();
            let first = seen
                .entry((user.clone(), cluster))
                .or_insert_with(|| host.clone());
            ensure!(*first == host, "{user} was served by {first} and by {host}");
        }
    }
    Ok(())
}

fn all_failed(probe: &mut Probe<'_>) -> Result<()> {
    probe.change(DemoChange::Kill, &["shop-primary"])?;
    wait_until_unused(probe, &probe.hosts_of("shop-primary"))?;
    for (user, host) in probe.sample(USERS)? {
        let cluster = probe.cluster_of(&host)?;
        ensure!(
            cluster == "shop-secondary",
            "{user} was served by {host} of {cluster}"
        );
    }
    Ok(())
}

fn healed(probe: &mut Probe<'_>) -> Result<()> {
    probe.change(DemoChange::Heal, &["all"])?;
    probe.wait_until("shop-secondary gets no more requests", || {
        let served = probe.sample(60)?;
        all_on(probe, &served, "shop-primary")
    })?;
    let after = probe.sample(USERS)?;
    ensure!(
        all_on(probe, &after, "shop-primary")?,
        "shop-secondary still gets requests"
    );
    let moved = probe
        .original()
        .iter()
        .zip(&after)
        .find(|(before, after)| before != after);
    ensure!(
        moved.is_none(),
        "(user, host) was {:?}, is {:?}",
        moved.map(|m| m.0),
        moved.map(|m| m.1)
    );
    ensure!(
        unhealthy_in_envoy(probe)? == 0,
        "Envoy still lists unhealthy hosts"
    );
    Ok(())
}

fn all_on(probe: &Probe<'_>, served: &BTreeMap<String, String>, cluster: &str) -> Result<bool> {
    for host in served.values() {
        if probe.cluster_of(host)? != cluster {
            return Ok(false);
        }
    }
    Ok(true)
}

fn wait_until_unused(probe: &Probe<'_>, failed: &[String]) -> Result<()> {
    probe.wait_until("failed hosts get no more requests", || {
        let served = probe.sample(60)?;
        Ok(!served.values().any(|host| failed.contains(host)))
    })
}

/// How many hosts Envoy itself holds for unhealthy, as the playground reads it.
fn unhealthy_in_envoy(probe: &Probe<'_>) -> Result<usize> {
    let answer = probe.page().get("/live/clusters?format=json", &[])?;
    let clusters: serde_json::Value = serde_json::from_str(&answer.text())?;
    let statuses = clusters["cluster_statuses"]
        .as_array()
        .context("no cluster_statuses")?;
    let hosts = statuses
        .iter()
        .flat_map(|one| one["host_statuses"].as_array().into_iter().flatten());
    Ok(hosts
        .filter(|host| host["health_status"]["eds_health_status"] == "UNHEALTHY")
        .count())
}
