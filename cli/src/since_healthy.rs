//! `--since-healthy`: how long hosts have been healthy, for slow start.

use spillgate_core::visible::quoted;
use std::time::Duration;

use spillgate_answers::{input::Faults, time_of::time_of};
use spillgate_config::{Diagnostic, nearest};
use spillgate_core::model::{ClusterKind, CoarseHealth, HealthyFor, Model};

use crate::{command::Done, config::Config};

/// The times since hosts became healthy.
#[derive(Debug, Clone, Default, clap::Args)]
pub(crate) struct SinceArgs {
    /// Host H became healthy TIME ago, for slow start; repeatable.
    #[arg(long, value_name = "H=TIME", value_parser = since)]
    pub(crate) since_healthy: Vec<(String, Duration)>,
}

/// Parses `IP:PORT=TIME`.
fn since(text: &str) -> Result<(String, Duration), String> {
    let parts = text.rsplit_once('=').and_then(|(address, time)| {
        let address: std::net::SocketAddr = address.parse().ok()?;
        Some((address.to_string(), time_of(time)?))
    });
    parts.ok_or_else(|| "expected IP:PORT=TIME, such as 10.0.0.1:80=15s".into())
}

impl SinceArgs {
    /// Gives the hosts of a configuration their times.
    ///
    /// # Errors
    /// An unknown host, or a host that is not healthy.
    pub(crate) fn apply(&self, config: &mut Config, done: &mut Done) -> Result<(), Faults> {
        if self.since_healthy.is_empty() {
            return Ok(());
        }
        let mut faults = Faults::default();
        for (address, time) in &self.since_healthy {
            match set(&mut config.envoy.model, address, *time) {
                Ok(warning) => done.warn(&option(address), warning.as_slice()),
                Err(fault) => faults.push(&option(address), &fault),
            }
        }
        if faults.is_empty() {
            Ok(())
        } else {
            Err(faults)
        }
    }
}

fn option(address: &str) -> String {
    format!("--since-healthy {address}")
}

/// Sets the time of a host in all clusters that have it.
#[allow(clippy::result_large_err, reason = "called once for each option")]
fn set(model: &mut Model, address: &str, time: Duration) -> Result<Option<Diagnostic>, Diagnostic> {
    let (mut found, mut slow) = (Vec::new(), false);
    for (index, cluster) in model.clusters().iter().enumerate() {
        let ClusterKind::Plain(plain) = &cluster.kind else {
            continue;
        };
        for (priority, of) in plain.priorities.iter().enumerate() {
            let mut hosts = of.endpoints.iter().enumerate();
            let Some((host, endpoint)) = hosts.find(|(_, host)| host.address == address) else {
                continue;
            };
            if endpoint.health.coarse() != CoarseHealth::Healthy {
                let fault = Diagnostic::error("since-healthy/not-healthy", "host is not healthy");
                return Err(fault.expected("a healthy host: slow start begins with health"));
            }
            slow |= plain.slow_start.is_some();
            let of = HealthyFor {
                priority,
                host,
                time,
            };
            found.push((index, of));
        }
    }
    if found.is_empty() {
        let all = model
            .clusters()
            .iter()
            .flat_map(|cluster| cluster.priorities())
            .flat_map(|priority| &priority.endpoints);
        let addresses: Vec<&str> = all.map(|host| host.address.as_str()).collect();
        let fault = Diagnostic::error("since-healthy/unknown-host", "no cluster has this host");
        return Err(fault
            .found(quoted(address))
            .suggest(nearest(address, addresses.into_iter())));
    }
    for (index, of) in found {
        if let Some(times) = model.healthy_for_mut(index) {
            times.push(of);
        }
    }
    let without = || {
        let what = "no cluster with this host has slow_start_config, so the time changes nothing";
        Diagnostic::warning("since-healthy/no-slow-start", what)
    };
    Ok((!slow).then(without))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_has_an_address_and_a_time() {
        let time = Duration::from_secs(15);
        assert_eq!(since("10.0.0.1:80=15s"), Ok(("10.0.0.1:80".into(), time)));
        assert_eq!(since("[::1]:80=15s"), Ok(("[::1]:80".into(), time)));
        assert!(since("10.0.0.1=15s").is_err());
        assert!(since("10.0.0.1:80=15").is_err());
    }
}
