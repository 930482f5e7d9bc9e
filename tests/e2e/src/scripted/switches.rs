//! Hosts that stop and begin to listen at the times of their scripts.

use anyhow::{Context as _, Result};

use super::clock::ScriptClock;
use super::host::ScriptedHost;

/// Lets hosts stop and begin to listen, at their times.
///
/// # Errors
/// When a host cannot listen again.
pub(crate) fn run_switches(clock: &ScriptClock, hosts: &mut [Vec<ScriptedHost>]) -> Result<()> {
    let mut switches = Vec::new();
    for (place, of_trial) in hosts.iter().enumerate() {
        for (host, scripted) in of_trial.iter().enumerate() {
            let of_host = scripted.switches().into_iter();
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
