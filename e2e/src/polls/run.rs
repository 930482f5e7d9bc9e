//! The samples.

use std::thread::sleep;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use serde_json::{Value, json};

use super::config::{Cluster, INTERVAL_MS, TICK_MS};
use crate::config::SERVED_HEADER;
use crate::cost::cpu_time;
use crate::{Client, Envoy, Port, Upstream, Workdir, eventually};

const LIMIT: Duration = Duration::from_secs(60);
/// How long a sample takes, and how many there are.
const SAMPLE: Duration = Duration::from_secs(3);
const SAMPLES: usize = 7;
/// How often a host is taken away and brought back.
const FLIPS: usize = 10;

/// One figure, in milliseconds, and what it may be.
pub struct Figure {
    name: String,
    samples: Vec<f64>,
    limit: f64,
}

impl Figure {
    /// As one line for whoever started the measurement.
    #[must_use]
    pub fn json(&self) -> Value {
        let mut sorted = self.samples.clone();
        sorted.sort_by(f64::total_cmp);
        let median = sorted.get(sorted.len() / 2).copied();
        json!({
            "name": self.name, "median_ms": median, "limit_ms": self.limit,
            "low_ms": sorted.first(), "high_ms": sorted.last(),
        })
    }
}

/// Measures with a thousand hosts and with ten thousand.
///
/// # Errors
/// When Envoy does not start, or a host is not steered away from in a minute.
pub fn run() -> Result<Vec<Figure>> {
    let mut figures = Vec::new();
    for (hosts, limit) in [(1_000, 3.0), (10_000, 35.0)] {
        figures.extend(measure(hosts, limit)?);
    }
    Ok(figures)
}

fn measure(hosts: usize, limit: f64) -> Result<[Figure; 2]> {
    let workdir = Workdir::new(&format!("polls-{hosts}"))?;
    let port = Port::lease()?;
    let live = [1, 2].map(|host| format!("127.0.9.{host}:{}", port.number()));
    let _upstreams = live
        .iter()
        .map(|host| Upstream::open(host))
        .collect::<Result<Vec<_>>>()?;
    let cluster = Cluster::new(&workdir, live.clone(), hosts);
    cluster.write(None)?;
    let listener = Port::lease()?;
    let idle = Envoy::start_with(&workdir, |node, admin| cluster.bootstrap(node, admin, None))?;
    let polling = Envoy::start_with(&workdir, |node, admin| {
        cluster.bootstrap(node, admin, Some(listener.number()))
    })?;
    let mut client = Client::new(listener.local());
    let mut served = || -> Result<Option<String>> {
        let answer = client.get("/", &[])?;
        Ok(answer.header(SERVED_HEADER).map(str::to_owned))
    };
    eventually("both hosts", LIMIT, || {
        let (one, other) = (served()?, served()?);
        Ok((one != other && one.is_some() && other.is_some()).then_some(()))
    })?;

    let mut costs = Vec::new();
    for _ in 0..SAMPLES {
        let before = polls(&polling)?;
        let start = (cpu_time(polling.id())?, cpu_time(idle.id())?);
        sleep(SAMPLE);
        let end = (cpu_time(polling.id())?, cpu_time(idle.id())?);
        let count = polls(&polling)? - before;
        ensure!(count > 0, "nobody polls");
        let more = (end.0 - start.0) as f64 - (end.1 - start.1) as f64;
        costs.push(more / 1e6 / count as f64);
    }
    // Each VM with the filter in it builds once: the worker's and the main thread's.
    let built = polling.stat("wasmcustom.spillgate.health.rebuilds")?;
    ensure!(built <= 2, "{built} builds, though nothing has changed");

    let mut flips = Vec::new();
    for flip in 0..FLIPS {
        let sick = flip % live.len();
        cluster.write(Some(sick))?;
        let start = Instant::now();
        let mut last = Duration::ZERO;
        let mut away = 0;
        // The turns go over both hosts, so ten answers of the other one in a row are no chance.
        while away < 10 {
            ensure!(start.elapsed() < LIMIT, "{} still serves", live[sick]);
            if served()?.as_deref() == Some(&live[sick]) {
                last = start.elapsed();
                away = 0;
            } else {
                away += 1;
            }
            sleep(Duration::from_millis(1));
        }
        flips.push(last.as_secs_f64() * 1e3);
        cluster.write(None)?;
        eventually("the host again", LIMIT, || {
            Ok((served()?.as_deref() == Some(&live[sick])).then_some(()))
        })?;
    }
    let soon = (INTERVAL_MS + TICK_MS + 100) as f64;
    Ok([
        Figure {
            name: format!("CPU of a poll, {hosts} hosts"),
            samples: costs,
            limit,
        },
        Figure {
            name: format!("a change of health steers, {hosts} hosts"),
            samples: flips,
            limit: soon,
        },
    ])
}

fn polls(envoy: &Envoy) -> Result<u64> {
    envoy.stat("wasmcustom.spillgate.health.polls")
}
