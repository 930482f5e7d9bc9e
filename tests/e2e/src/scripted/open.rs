//! Opens the hosts of several trials.

use anyhow::Result;
use spillgate_testkit::models::Dice;

use super::clock::ScriptClock;
use super::host::ScriptedHost;
use super::ports::TrialPorts;
use super::script::HostScript;

/// Opens the hosts of each trial, which has a number and the scripts of its hosts.
///
/// # Errors
/// When a host cannot listen.
pub(crate) fn open_hosts(
    trials: impl Iterator<Item = (u64, Vec<HostScript>)>,
    ports: TrialPorts,
    clock: &ScriptClock,
    seed: u64,
) -> Result<Vec<Vec<ScriptedHost>>> {
    let of_trial = |(place, (number, scripts)): (usize, (u64, Vec<HostScript>))| {
        let hosts = scripts.into_iter().enumerate().map(|(host, script)| {
            let dice = Dice::of(seed ^ number, 1_000 + host as u64);
            ScriptedHost::open(ports.host(place, host), script, clock.clone(), dice)
        });
        hosts.collect()
    };
    trials.enumerate().map(of_trial).collect()
}
