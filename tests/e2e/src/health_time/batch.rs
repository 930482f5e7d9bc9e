//! One Envoy with several trials at a time, from its start to its end, and what it and the hosts recorded.

use std::collections::BTreeMap;
use std::fs;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use anyhow::{Context as _, Result};
use spillgate_testkit::{Client, Port, eventually, models::Dice};

use super::attempts::{self, LoggedAttempt};
use super::bootstrap::{LogFiles, TrialPorts, bootstrap};
use super::clock::ScriptClock;
use super::event_log::{self, LoggedCheck, LoggedOutlier};
use super::host::{ReceivedCall, ScriptedHost};
use super::script::{HostPhase, HostScript};
use super::trial::{HealthTrial, SCRIPT};
use crate::{Envoy, EnvoyOptions, Workdir};

/// From one request to each beacon to the next: several in each interval of a detector.
const BEACON_PAUSE: Duration = Duration::from_millis(40);
/// Envoy writes its logs when it ends.
const END_LIMIT: Duration = Duration::from_secs(60);
/// Logs are complete at its end, whatever this interval is; long ones are written before.
const FLUSH: [&str; 2] = ["--file-flush-interval-msec", "500"];

/// Everything about one trial.
#[derive(Debug, Clone)]
pub struct TrialRecord {
    /// The trial.
    pub trial: HealthTrial,
    /// The addresses of its hosts.
    pub addresses: Vec<SocketAddr>,
    /// The log of each checker.
    pub checks: Vec<Vec<LoggedCheck>>,
    /// The log of outlier detection, of this cluster.
    pub outliers: Vec<LoggedOutlier>,
    /// The times of sweeps that the beacon shows.
    pub sweeps: Vec<Duration>,
    /// The attempts, in the order of their ends.
    pub attempts: Vec<LoggedAttempt>,
    /// What each host received.
    pub calls: Vec<Vec<ReceivedCall>>,
}

/// Runs trials at the same time.
///
/// # Errors
/// When Envoy refuses the configuration, a host cannot listen, or a log cannot be read.
pub fn run_batch(workdir: &Workdir, trials: &[HealthTrial], seed: u64) -> Result<Vec<TrialRecord>> {
    let (service, hosts) = (Port::lease()?, Port::lease()?);
    let ports = TrialPorts {
        service: service.number(),
        hosts: hosts.number(),
    };
    let clock = ScriptClock::default();
    let mut running = open(trials, ports, &clock, seed)?;
    let fine = HostScript(vec![HostPhase::fine(Duration::ZERO)]);
    let _beacon = ScriptedHost::open(ports.beacon(), fine, clock.clone(), Dice::of(seed, 0))?;
    let first = trials.first().map_or(0, |trial| trial.number);
    let folder = workdir.path().join(format!("logs-{first}"));
    spillgate_testkit::fresh_dir(&folder)?;
    let files = LogFiles::below(&folder);
    let options = EnvoyOptions {
        arguments: &FLUSH,
        ..EnvoyOptions::default()
    };
    let mut envoy = Envoy::start_as(workdir, options, |node, admin| {
        Ok(bootstrap(trials, ports, &files, node, admin))
    })?;
    play(trials, ports, &clock, &mut running)?;
    Client::new(envoy.admin_address())
        .send("POST", "/quitquitquit", &[], b"")
        .context("Envoy does not end")?;
    eventually("the end of Envoy", END_LIMIT, || {
        Ok((!envoy.is_alive()).then_some(()))
    })?;
    collect(trials, ports, &files, &running)
}

fn open(
    trials: &[HealthTrial],
    ports: TrialPorts,
    clock: &ScriptClock,
    seed: u64,
) -> Result<Vec<Vec<ScriptedHost>>> {
    let hosts_of = |(place, trial): (usize, &HealthTrial)| {
        let scripts = trial.hosts.iter().enumerate();
        let hosts = scripts.map(|(host, script)| {
            let dice = Dice::of(seed ^ trial.number, 1_000 + host as u64);
            ScriptedHost::open(ports.host(place, host), script.clone(), clock.clone(), dice)
        });
        hosts.collect()
    };
    trials.iter().enumerate().map(hosts_of).collect()
}

/// Runs the scripts and the load.
fn play(
    trials: &[HealthTrial],
    ports: TrialPorts,
    clock: &ScriptClock,
    hosts: &mut [Vec<ScriptedHost>],
) -> Result<()> {
    let over = AtomicBool::new(false);
    let service = SocketAddr::from(([127, 0, 0, 1], ports.service));
    clock.start();
    thread::scope(|scope| {
        for trial in trials {
            if let Some(load) = trial.load {
                let (over, path) = (&over, format!("/{}", trial.name()));
                scope.spawn(move || ask(service, &[path], load.pause, over));
            }
        }
        let beacons = trials.iter().filter(|trial| trial.outlier.is_some());
        let beacons: Vec<String> = beacons
            .map(|trial| format!("/{}", trial.beacon()))
            .collect();
        let over = &over;
        scope.spawn(move || ask(service, &beacons, BEACON_PAUSE, over));
        let switched = switch(trials, clock, hosts);
        clock.wait_until(SCRIPT);
        over.store(true, Ordering::Relaxed);
        switched
    })
}

/// Sends requests one after the other until all is over.
fn ask(service: SocketAddr, paths: &[String], pause: Duration, over: &AtomicBool) {
    let mut client = Client::new(service);
    while !over.load(Ordering::Relaxed) {
        for path in paths {
            // Envoy's log has the result.
            client.once("GET", path, &[]).ok();
        }
        thread::sleep(pause);
    }
}

/// Lets hosts stop and begin to listen, at their times.
fn switch(
    trials: &[HealthTrial],
    clock: &ScriptClock,
    hosts: &mut [Vec<ScriptedHost>],
) -> Result<()> {
    let mut switches = Vec::new();
    for (place, trial) in trials.iter().enumerate() {
        for (host, script) in trial.hosts.iter().enumerate() {
            let of_host = script.switches().into_iter();
            switches.extend(of_host.map(|(at, refuses)| (at, place, host, refuses)));
        }
    }
    switches.sort_unstable();
    for (at, place, host, refuses) in switches {
        clock.wait_until(at);
        let host = hosts.get_mut(place).and_then(|hosts| hosts.get_mut(host));
        host.context("no host")?.switch(refuses)?;
    }
    Ok(())
}

fn collect(
    trials: &[HealthTrial],
    ports: TrialPorts,
    files: &LogFiles,
    running: &[Vec<ScriptedHost>],
) -> Result<Vec<TrialRecord>> {
    // Envoy opens the log of a detector only if there is one.
    let text = fs::read_to_string(files.outliers()).unwrap_or_default();
    let mut outliers = by_cluster(event_log::outliers(&text)?, |entry| &entry.cluster);
    let text = fs::read_to_string(files.attempts())?;
    let mut attempts = by_cluster(attempts::read(&text)?, |attempt| &attempt.cluster);
    let mut records = Vec::new();
    for (place, (trial, hosts)) in trials.iter().zip(running).enumerate() {
        let log_of = |checker| {
            let path = files.checks(trial, checker);
            let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
            event_log::checks(&text)
        };
        let checks = (0..trial.checks.len()).map(log_of).collect::<Result<_>>()?;
        let beacon = outliers.remove(&trial.beacon()).unwrap_or_default();
        records.push(TrialRecord {
            addresses: (0..hosts.len())
                .map(|host| ports.host(place, host))
                .collect(),
            checks,
            outliers: outliers.remove(&trial.name()).unwrap_or_default(),
            sweeps: beacon.into_iter().map(|entry| entry.at).collect(),
            attempts: attempts.remove(&trial.name()).unwrap_or_default(),
            calls: hosts.iter().map(ScriptedHost::calls).collect(),
            trial: trial.clone(),
        });
    }
    Ok(records)
}

fn by_cluster<T>(entries: Vec<T>, cluster: impl Fn(&T) -> &String) -> BTreeMap<String, Vec<T>> {
    let mut found: BTreeMap<String, Vec<T>> = BTreeMap::new();
    for entry in entries {
        found
            .entry(cluster(&entry).clone())
            .or_default()
            .push(entry);
    }
    found
}
