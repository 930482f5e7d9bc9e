//! The time of `spillgate split --admin`, next to that of curl for the same two responses.
//!
//! Both processes read the same Envoy in turn. Envoy needs most of the time: its main thread writes the
//! responses.

use std::env;
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context as _, Result, ensure};
use serde_json::{Value, json};

use crate::{Envoy, Workdir};

/// Hosts, and the limit of the median in milliseconds.
const SIZES: [(usize, u64); 2] = [(1_000, 1_000), (40_000, 5_000)];
const CLUSTERS: usize = 10;
const SAMPLES: usize = 7;

/// Measures with each number of hosts, which EDS sends. Returns one JSON object for each figure.
///
/// # Errors
/// If Envoy or a process fails.
pub fn run() -> Result<Vec<Value>> {
    let program = env::var_os("SPILLGATE_COMMAND").context("SPILLGATE_COMMAND is not set")?;
    let mut figures = Vec::new();
    for (hosts, limit) in SIZES {
        let workdir = Workdir::new(&format!("admin_cost_{hosts}"))?;
        let envoy = start(&workdir, hosts)?;
        let url = format!("http://{}", envoy.admin_address());
        let (mut curls, mut splits) = (Vec::new(), Vec::new());
        for _ in 0..SAMPLES {
            let paths =
                ["/config_dump?include_eds", "/clusters"].map(|path| format!("{url}{path}"));
            let mut curl = Command::new("curl");
            curl.args(["--silent", "--fail", "--show-error"])
                .args(paths);
            curls.push(time(&mut curl)?);
            let mut split = Command::new(&program);
            split.args(["split", "--admin", &url, "--format", "json"]);
            splits.push(time(&mut split)?);
        }
        let ratio = median(&splits) / median(&curls);
        figures.push(figure(&format!("curl, {hosts} hosts"), &curls, None, None));
        let name = format!("spillgate split --admin, {hosts} hosts");
        figures.push(figure(&name, &splits, Some(limit), Some(ratio)));
    }
    Ok(figures)
}

fn figure(name: &str, samples: &[f64], limit: Option<u64>, ratio: Option<f64>) -> Value {
    let low = samples.iter().copied().fold(f64::INFINITY, f64::min);
    let high = samples.iter().copied().fold(0.0, f64::max);
    json!({
        "name": name, "median_ms": median(samples), "low_ms": low, "high_ms": high, "limit_ms": limit,
        "ratio": ratio,
    })
}

fn median(samples: &[f64]) -> f64 {
    let mut sorted = samples.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied().unwrap_or(f64::NAN)
}

/// The time of a process in milliseconds.
fn time(command: &mut Command) -> Result<f64> {
    let start = Instant::now();
    let status = command.stdout(Stdio::null()).status()?;
    ensure!(status.success(), "{command:?}: {status}");
    Ok(start.elapsed().as_secs_f64() * 1e3)
}

/// An Envoy with clusters whose hosts have localities and metadata.
fn start(workdir: &Workdir, hosts: usize) -> Result<Envoy> {
    let each = hosts / CLUSTERS;
    let mut clusters = Vec::new();
    for number in 0..CLUSTERS {
        let name = format!("shop-{number}");
        let localities = ["a", "b", "c"].iter().enumerate().map(|(zone, name)| {
            let hosts = (0..each).filter(|host| host % 3 == zone).map(|host| {
                let address = format!("10.{number}.{}.{}", host / 250, host % 250 + 1);
                json!({
                    "endpoint": {"address": {"socket_address": {"address": address, "port_value": 80}}},
                    "metadata": {"filter_metadata": {"envoy.lb": {"stage": "prod", "version": format!("v{}", host % 4)}}},
                })
            });
            json!({"locality": {"zone": name}, "lb_endpoints": hosts.collect::<Vec<_>>()})
        });
        let resource = json!({
            "@type": "type.googleapis.com/envoy.config.endpoint.v3.ClusterLoadAssignment",
            "cluster_name": name, "endpoints": localities.collect::<Vec<_>>(),
        });
        let response = json!({"version_info": "1", "resources": [resource]}).to_string();
        let path = workdir.write(&format!("{name}.json"), &response)?;
        clusters.push(json!({
            "name": name, "type": "EDS", "connect_timeout": "1s",
            "eds_cluster_config": {"eds_config": {
                "resource_api_version": "V3", "path_config_source": {"path": path.display().to_string()},
            }},
        }));
    }
    Envoy::start_with(workdir, |node, port| {
        let address = json!({"socket_address": {"address": "127.0.0.1", "port_value": port}});
        let bootstrap = json!({
            "node": {"id": node, "cluster": "c"}, "admin": {"address": address},
            "static_resources": {"clusters": clusters},
        });
        Ok(bootstrap.to_string())
    })
}
