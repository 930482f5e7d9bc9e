//! One Envoy with several trials at a time, from its start to its end, and what its log says.

use std::net::SocketAddr;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Result, anyhow};
use spillgate_testkit::Port;

use super::bootstrap::{HostSource, bootstrap, requests_log};
use super::counts::{RequestCounts, read};
use super::eds;
use super::load::OpenLoad;
use super::pauses::Pauses;
use super::sessions::Sessions;
use super::trial::{RequestTrial, SCRIPT};
use crate::scripted::{ScriptClock, ScriptedHost, TrialPorts, now, open_hosts, run_switches};
use crate::{Envoy, EnvoyOptions, Workdir};

/// Requests of a connection go to one worker.
const WORKERS: u32 = 2;

/// What happened in a trial.
#[derive(Debug, Clone)]
pub(super) struct CountedTrial {
    /// The trial.
    pub(super) trial: RequestTrial,
    /// Its place in the batch.
    pub(super) place: usize,
    /// The requests from the first failure on.
    pub(super) counts: RequestCounts,
    /// How late they were.
    pub(super) pauses: Pauses,
}

/// When and where a batch ran.
#[derive(Debug, Clone)]
pub(super) struct BatchRun {
    /// The addresses.
    pub(super) ports: TrialPorts,
    /// The start of the scripts, since 1970.
    pub(super) started: Duration,
    /// Requests without an answer, of each trial.
    pub(super) unanswered: Vec<usize>,
}

/// Runs trials at the same time, with their logs in a new folder.
///
/// # Errors
/// When Envoy refuses the configuration, a host cannot listen, or a log cannot be read.
pub(super) fn run_batch(
    workdir: &Workdir,
    logs: &Path,
    trials: &[RequestTrial],
    seed: u64,
) -> Result<BatchRun> {
    let (service, hosts) = (Port::lease()?, Port::lease()?);
    let ports = TrialPorts {
        service: service.number(),
        hosts: hosts.number(),
    };
    let clock = ScriptClock::default();
    let scripts = trials.iter().map(|of| {
        let hosts = (0..of.hosts()).map(|host| of.host_script(host));
        (of.number, hosts.collect())
    });
    let mut running = open_hosts(scripts, ports, &clock, seed)?;
    spillgate_testkit::fresh_dir(logs)?;
    eds::write_all(trials, ports, logs)?;
    let options = EnvoyOptions {
        workers: WORKERS,
        ..EnvoyOptions::default()
    };
    let mut envoy = Envoy::start_as(workdir, options, |node, admin| {
        Ok(bootstrap(
            trials,
            (ports, HostSource::Files),
            logs,
            node,
            admin,
        ))
    })?;
    let (started, unanswered) = play(trials, (ports, seed, logs), &clock, &mut running)?;
    envoy.end()?;
    Ok(BatchRun {
        ports,
        started,
        unanswered,
    })
}

/// What the log of a batch says.
///
/// # Errors
/// When it cannot be read.
pub(super) fn counted(
    logs: &Path,
    trials: &[RequestTrial],
    run: &BatchRun,
) -> Result<Vec<CountedTrial>> {
    let mut requests = read(&requests_log(logs))?;
    let places = trials.iter().zip(&run.unanswered).enumerate();
    let counted = places.map(|(place, (trial, unanswered))| {
        let of_trial = requests.remove(&path(trial)).unwrap_or_default();
        let from = run.started + trial.onset();
        CountedTrial {
            counts: RequestCounts::of(&of_trial, from, run.started + SCRIPT),
            pauses: Pauses::of(trial, run.started, &of_trial, *unanswered),
            trial: trial.clone(),
            place,
        }
    });
    Ok(counted.collect())
}

fn path(trial: &RequestTrial) -> String {
    format!("/{}", trial.name())
}

/// Runs the scripts and the load; returns when they started, and the requests without an answer.
fn play(
    trials: &[RequestTrial],
    (ports, seed, logs): (TrialPorts, u64, &Path),
    clock: &ScriptClock,
    hosts: &mut [Vec<ScriptedHost>],
) -> Result<(Duration, Vec<usize>)> {
    let service = SocketAddr::from(([127, 0, 0, 1], ports.service));
    clock.start();
    let (started, start) = (now(), Instant::now());
    thread::scope(|scope| {
        let loads = trials.iter().enumerate().map(|(place, trial)| {
            let load = OpenLoad {
                to: service,
                path: path(trial),
                rps: trial.rps,
                connections: trial.connections,
                sessions: Sessions::of(trial, place, ports, seed),
                lasts: SCRIPT,
            };
            scope.spawn(move || load.send(start))
        });
        let loads: Vec<_> = loads.collect();
        let discovery = scope.spawn(|| eds::run(trials, ports, logs, clock));
        run_switches(clock, hosts)?;
        discovery
            .join()
            .map_err(|_| anyhow!("the service discovery panicked"))??;
        let unanswered = loads.into_iter().map(|load| {
            let ended = load.join();
            ended.map_err(|_| anyhow!("a client panicked"))?
        });
        Ok((started, unanswered.collect::<Result<_>>()?))
    })
}
