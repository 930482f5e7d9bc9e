//! Starts the Envoys of a fleet and counts who serves their requests.

use std::collections::BTreeMap;

use anyhow::{Context as _, Result, bail, ensure};
use serde_json::{Value, json};
use spillgate_config::write::envoy_json;
use spillgate_testkit::Port;

use super::{CountedLoad, RandomFleet};
use crate::config::{Bootstrap, SERVED_HEADER, http_listener, to_cluster};
use crate::{Client, Envoy, Workdir};

/// The path of all requests.
const PATH: &str = "/";

/// The answers of all hosts of a fleet: each caller sends so many requests. Host by host, zone by zone, and the
/// requests without a host.
///
/// # Errors
/// When an Envoy refuses its configuration, or an answer is of no host.
pub fn serve(
    workdir: &Workdir,
    name: &str,
    fleet: &RandomFleet,
    requests: u64,
) -> Result<Vec<CountedLoad>> {
    let _hosts = Envoy::start(workdir, &Bootstrap::new().hosts_of(&fleet.shop))?;
    let mut counts: BTreeMap<String, u64> = BTreeMap::new();
    let mut none = 0;
    // All of them run at a time, as in a fleet.
    let mut callers = Vec::new();
    for zone in &fleet.callers {
        let port = Port::lease()?;
        let envoy = Envoy::start_with(workdir, |node, admin| {
            configuration(fleet, zone, node, admin, port.number())
        })?;
        callers.push((envoy, port));
    }
    for (_, port) in &callers {
        let mut client = Client::new(port.local());
        for _ in 0..requests {
            let answer = client.get(PATH, &[])?;
            match (answer.status, answer.header(SERVED_HEADER)) {
                (200, Some(host)) => *counts.entry(host.to_owned()).or_default() += 1,
                (503, None) => none += 1,
                (status, _) => bail!("{name}: status {status}: {}", answer.text()),
            }
        }
    }
    compare(name, fleet, requests, &counts, none)
}

fn compare(
    name: &str,
    fleet: &RandomFleet,
    requests: u64,
    counts: &BTreeMap<String, u64>,
    none: u64,
) -> Result<Vec<CountedLoad>> {
    let report = fleet.predicted(requests)?;
    let present = report.present().context("no case")?;
    let all = requests * fleet.callers.len() as u64;
    let load = |what: String, expected, counted| CountedLoad {
        what: format!("{name} {what}"),
        requests: all,
        expected,
        counted,
    };
    let mut zones = vec![0; report.zones.len()];
    let mut found = vec![load("without a host".into(), present.no_host, none)];
    let mut served = 0;
    for (host, expected) in report.hosts.iter().zip(&report.loads) {
        let counted = counts.get(&host.address).copied().unwrap_or(0);
        served += counted;
        if let Some(zone) = zones.get_mut(host.zone) {
            *zone += counted;
        }
        found.push(load(format!("host {}", host.address), *expected, counted));
    }
    ensure!(served + none == all, "{name}: {counts:?}");
    for (at, counted) in zones.into_iter().enumerate() {
        let expected = present.zones.get(at).map_or(0.0, |zone| zone.rps);
        found.push(load(
            format!("zone {}", report.zone_name(at)),
            expected,
            counted,
        ));
    }
    Ok(found)
}

/// The bootstrap of a caller: its clusters as the engine's own writer writes them, and a listener.
fn configuration(
    fleet: &RandomFleet,
    zone: &str,
    node: &str,
    admin: u16,
    port: u16,
) -> Result<String> {
    let written = envoy_json(&fleet.model(zone)?, &[]);
    let written = written.map_err(|faults| anyhow::anyhow!("{faults:?}"))?;
    let mut bootstrap: Value = serde_json::from_str(&written.text)?;
    bootstrap["node"]["id"] = json!(node);
    bootstrap["node"]["cluster"] = json!("e2e");
    bootstrap["admin"] = json!({
        "address": {"socket_address": {"address": "127.0.0.1", "port_value": admin}},
    });
    let route = to_cluster(PATH, RandomFleet::target());
    let listener = http_listener("callers", port, &[route], Vec::new());
    bootstrap["static_resources"]["listeners"] = json!([listener]);
    Ok(serde_json::to_string_pretty(&bootstrap)?)
}
