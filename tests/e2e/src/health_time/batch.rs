//! One Envoy with several trials at a time, from its start to its end, and what it and the hosts recorded.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use anyhow::Result;
use spillgate_testkit::{Client, Port, models::Dice};

use super::bootstrap::{LogFiles, bootstrap};
use super::saved_batch::read;
use super::trial::{HealthTrial, SCRIPT};
use super::trial_record::TrialRecord;
use crate::scripted::{
    HostPhase, HostScript, ScriptClock, ScriptedHost, TrialPorts, open_hosts, run_switches,
};
use crate::{Envoy, EnvoyOptions, Workdir};

/// From one request to each beacon to the next: several in each interval of a detector.
const BEACON_PAUSE: Duration = Duration::from_millis(40);
/// Logs are complete at its end, whatever this interval is; long ones are written before.
const FLUSH: [&str; 2] = ["--file-flush-interval-msec", "500"];

/// Runs trials at the same time, with their logs in a new folder, and another Envoy than that of the tests if one is given.
///
/// # Errors
/// When Envoy refuses the configuration, a host cannot listen, or a log cannot be read.
pub fn run_batch(
    workdir: &Workdir,
    logs: &Path,
    trials: &[HealthTrial],
    seed: u64,
    envoy: Option<&Path>,
) -> Result<Vec<TrialRecord>> {
    let (service, hosts) = (Port::lease()?, Port::lease()?);
    let ports = TrialPorts {
        service: service.number(),
        hosts: hosts.number(),
    };
    let clock = ScriptClock::default();
    let scripts = trials.iter().map(|of| (of.number, of.hosts.clone()));
    let mut running = open_hosts(scripts, ports, &clock, seed)?;
    let fine = HostScript(vec![HostPhase::fine(Duration::ZERO)]);
    let _beacon = ScriptedHost::open(ports.beacon(), fine, clock.clone(), Dice::of(seed, 0))?;
    spillgate_testkit::fresh_dir(logs)?;
    let files = LogFiles::below(logs);
    let options = EnvoyOptions {
        program: envoy,
        arguments: &FLUSH,
        ..EnvoyOptions::default()
    };
    let mut envoy = Envoy::start_as(workdir, options, |node, admin| {
        Ok(bootstrap(trials, ports, &files, node, admin))
    })?;
    play(trials, ports, &clock, &mut running)?;
    envoy.end()?;
    let calls_of = |hosts: &Vec<ScriptedHost>| hosts.iter().map(ScriptedHost::calls).collect();
    let calls = running.iter().map(calls_of).collect();
    read(logs, trials, ports.hosts, calls)
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
        let switched = run_switches(clock, hosts);
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
