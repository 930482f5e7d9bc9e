//! The samples.

use std::thread::sleep;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};

use super::config::{Cluster, INTERVAL_MS, TICK_MS};
use super::figure::{PollFigure, median, sorted};
use super::{native, targets};
use crate::config::SERVED_HEADER;
use crate::cost::cpu_time;
use crate::{Client, Envoy, Port, Upstream, Workdir, eventually};

const LIMIT: Duration = Duration::from_secs(60);
/// The duration of a sample, and the number of samples.
const SAMPLE: Duration = Duration::from_secs(3);
const SAMPLES: usize = 7;
/// The number of our requests in that time, at the poller's pace.
const QUESTIONS: u32 = (SAMPLE.as_millis() / INTERVAL_MS as u128) as u32;
/// The request of the poller.
const QUESTION: &str = "/clusters?filter=%5Eshop%24";
/// How often a host is taken away and brought back.
const FLIPS: usize = 10;

/// Measures with a thousand hosts and with ten thousand, then the time until the first steered
/// request after a start, and polls of ten clusters and of a hundred.
///
/// # Errors
/// When Envoy does not start, a host is not steered away from in a minute, or the cost of many
/// clusters grows faster than their number.
pub fn run() -> Result<Vec<PollFigure>> {
    let mut figures = Vec::new();
    for hosts in [1_000, 10_000] {
        figures.extend(measure(hosts)?);
    }
    figures.extend(super::startup::measure()?);
    figures.extend(targets::run()?);
    figures.extend(native::measure()?);
    Ok(figures)
}

fn measure(hosts: usize) -> Result<[PollFigure; 3]> {
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

    let mut asking = Client::new(idle.admin_address());
    let (mut costs, mut answers) = (Vec::new(), Vec::new());
    for _ in 0..SAMPLES {
        let before = polls(&polling)?;
        let start = (cpu_time(polling.id())?, cpu_time(idle.id())?);
        sleep(SAMPLE);
        let end = (cpu_time(polling.id())?, cpu_time(idle.id())?);
        let count = polls(&polling)? - before;
        ensure!(count > 0, "the filter makes no polls");
        let idling = (end.1 - start.1) as f64;
        let more = (end.0 - start.0) as f64 - idling;
        costs.push(more / 1e6 / count as f64);
        let answering = answer(&mut asking, &idle, hosts)? - idling;
        answers.push(answering / 1e6 / QUESTIONS as f64);
    }
    // Each VM with the filter in it builds once: the worker's and the main thread's.
    let built = polling.stat("spillgate.health.rebuilds")?;
    ensure!(built <= 2, "{built} builds without a change");

    let mut flips = Vec::new();
    for flip in 0..FLIPS {
        let failed = flip % live.len();
        cluster.write(Some(failed))?;
        let start = Instant::now();
        let mut last = Duration::ZERO;
        let mut away = 0;
        // The turns go over both hosts, so ten answers of the other one in a row are no chance.
        while away < 10 {
            ensure!(start.elapsed() < LIMIT, "{} still serves", live[failed]);
            if served()?.as_deref() == Some(&live[failed]) {
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
            Ok((served()?.as_deref() == Some(&live[failed])).then_some(()))
        })?;
    }
    let soon = (INTERVAL_MS + TICK_MS + 100) as f64;
    let whole = median(&sorted(&costs));
    let own = median(&sorted(&answers));
    Ok([
        PollFigure {
            name: format!("CPU of a poll, {hosts} hosts"),
            samples: costs,
            limit: None,
            ratio: whole.zip(own).map(|(whole, own)| whole / own),
        },
        PollFigure {
            name: format!("the same answer to a client alone, {hosts} hosts"),
            samples: answers,
            limit: None,
            ratio: None,
        },
        PollFigure {
            name: format!("a change of health steers, {hosts} hosts"),
            samples: flips,
            limit: Some(soon),
            ratio: None,
        },
    ])
}

/// The CPU time of an Envoy in nanoseconds for a sample of our requests at the poller's pace.
fn answer(asking: &mut Client, envoy: &Envoy, hosts: usize) -> Result<f64> {
    let begun = Instant::now();
    let start = cpu_time(envoy.id())?;
    for question in 1..=QUESTIONS {
        let answer = asking.get(QUESTION, &[])?;
        // Without a line for each host it is not the poller's answer.
        let lines = answer.body.iter().filter(|byte| **byte == b'\n').count();
        ensure!(answer.status == 200 && lines > hosts, "{lines} lines");
        let next = Duration::from_millis(u64::from(question) * INTERVAL_MS);
        sleep(next.saturating_sub(begun.elapsed()));
    }
    Ok((cpu_time(envoy.id())? - start) as f64)
}

fn polls(envoy: &Envoy) -> Result<u64> {
    envoy.stat("spillgate.health.polls")
}
