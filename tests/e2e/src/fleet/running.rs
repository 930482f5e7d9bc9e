//! Starts the Envoys of a fleet and counts who serves their requests.

use anyhow::{Result, bail};
use serde_json::{Value, json};
use spillgate_config::write::envoy_json;
use spillgate_testkit::Port;

use super::{RandomFleet, ServedFleet, served::Answers};
use crate::config::{Bootstrap, SERVED_HEADER, http_listener, to_cluster};
use crate::{Client, Envoy, Workdir};

/// The path of all requests.
const PATH: &str = "/";

/// Runs a fleet: each caller sends so many requests.
///
/// # Errors
/// When an Envoy refuses its configuration, an answer is of no host, or the fleet cannot be predicted.
pub fn serve(
    workdir: &Workdir,
    name: &str,
    fleet: &RandomFleet,
    requests: u64,
) -> Result<ServedFleet> {
    let answers = answers(workdir, name, fleet, requests)?;
    ServedFleet::new(name, fleet, requests, &answers)
}

fn answers(workdir: &Workdir, name: &str, fleet: &RandomFleet, requests: u64) -> Result<Answers> {
    let _hosts = Envoy::start(workdir, &Bootstrap::new().hosts_of(&fleet.shop))?;
    let mut answers = Answers::default();
    // All of them run at a time, as in a fleet.
    let mut callers = Vec::new();
    for &zone in &fleet.callers {
        let port = Port::lease()?;
        let envoy = Envoy::start_with(workdir, |node, admin| {
            configuration(fleet, zone, node, admin, port.number())
        })?;
        callers.push((envoy, zone, port));
    }
    for (_, zone, port) in &callers {
        let mut client = Client::new(port.local());
        for _ in 0..requests {
            let answer = client.get(PATH, &[])?;
            match (answer.status, answer.header(SERVED_HEADER)) {
                (200, Some(host)) => {
                    *answers.hosts.entry((*zone, host.to_owned())).or_default() += 1;
                }
                (503, None) => *answers.none.entry(*zone).or_default() += 1,
                (status, _) => bail!("{name}: status {status}: {}", answer.text()),
            }
        }
    }
    Ok(answers)
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
