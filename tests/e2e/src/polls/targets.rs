//! What polls of many clusters cost.

use std::thread::sleep;
use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use serde_json::{Value, json};

use super::figure::{PollFigure, median, sorted};
use crate::config::{admin_cluster, poller};
use crate::cost::cpu_time;
use crate::{Envoy, Workdir, eventually};

/// The hosts of each cluster.
const HOSTS: usize = 10;
const INTERVAL: Duration = Duration::from_secs(1);
/// The duration of a sample, and the number of samples.
const SAMPLE: Duration = Duration::from_secs(5);
const SAMPLES: usize = 5;
const LIMIT: Duration = Duration::from_secs(30);
/// The numbers of polled clusters.
const COUNTS: [usize; 2] = [10, 100];
/// How much more the higher number may cost; ten times is linear, a hundred times quadratic.
const HIGHEST_GROWTH: f64 = 20.0;

/// Measures the CPU time of an interval with ten polled clusters and with a hundred.
pub(super) fn run() -> Result<Vec<PollFigure>> {
    let mut figures = Vec::new();
    let mut medians = Vec::new();
    for count in COUNTS {
        let samples = measure(count)?;
        medians.push(median(&sorted(&samples)).context("no samples")?);
        let name = format!("CPU per second, {count} clusters of {HOSTS} hosts");
        figures.push(PollFigure::new(name, samples));
    }
    if let [few, many] = medians[..] {
        let growth = many / few;
        ensure!(
            growth <= HIGHEST_GROWTH,
            "{few} ms, then {many} ms: {growth:.1} times"
        );
    }
    Ok(figures)
}

/// The additional CPU time in milliseconds of an Envoy that polls, for each interval.
fn measure(count: usize) -> Result<Vec<f64>> {
    let workdir = Workdir::new(&format!("poll-targets-{count}"))?;
    let idle = Envoy::start_with(&workdir, |node, admin| bootstrap(count, node, admin, &[]))?;
    let interval = format!("{}s", INTERVAL.as_secs());
    let poll = json!({"cluster": "admin", "targets": names(count), "interval": interval});
    let extensions = [poller(&json!({"poll": [poll]}))?];
    let polling = Envoy::start_with(&workdir, |node, admin| {
        bootstrap(count, node, admin, &extensions)
    })?;
    let polls = || polling.stat("spillgate.health.polls");
    eventually("polls", LIMIT, || Ok((polls()? >= 3).then_some(())))?;
    let mut samples = Vec::new();
    for _ in 0..SAMPLES {
        let before = polls()?;
        let start = (cpu_time(polling.id())?, cpu_time(idle.id())?);
        sleep(SAMPLE);
        let end = (cpu_time(polling.id())?, cpu_time(idle.id())?);
        let intervals = SAMPLE.as_secs_f64() / INTERVAL.as_secs_f64();
        let sent = (polls()? - before) as f64;
        // One request reads all clusters.
        let expected = intervals;
        ensure!(
            (sent / expected - 1.0).abs() < 0.3,
            "{sent} polls, not {expected}"
        );
        let more = (end.0 - start.0) as f64 - (end.1 - start.1) as f64;
        samples.push(more / 1e6 / intervals);
    }
    let failures = polling.stat("spillgate.health.poll_failures")?;
    ensure!(failures == 0, "{failures} polls failed");
    Ok(samples)
}

fn names(count: usize) -> Vec<String> {
    (0..count).map(|number| format!("shop-{number}")).collect()
}

fn bootstrap(count: usize, node: &str, admin: u16, extensions: &[Value]) -> Result<String> {
    let cluster = |(number, name): (usize, &String)| {
        let hosts = (1..=HOSTS).map(|host| {
            let address = json!({"address": format!("10.1.{number}.{host}"), "port_value": 80});
            json!({"endpoint": {"address": {"socket_address": address}}})
        });
        let hosts: Vec<Value> = hosts.collect();
        json!({
            "name": name, "type": "STATIC", "connect_timeout": "1s",
            "load_assignment": {"cluster_name": name, "endpoints": [{"lb_endpoints": hosts}]},
        })
    };
    let mut clusters: Vec<Value> = names(count).iter().enumerate().map(cluster).collect();
    clusters.push(admin_cluster(admin));
    let bootstrap = json!({
        "node": {"id": node, "cluster": node},
        "admin": {"address": {"socket_address": {"address": "127.0.0.1", "port_value": admin}}},
        "bootstrap_extensions": extensions,
        "static_resources": {"clusters": clusters},
    });
    Ok(bootstrap.to_string())
}
