//! `--utilization`: what hosts report of their load, for `load_aware_locality`.

use spillgate_core::visible::quoted;
mod shares;

use std::net::SocketAddr;

use spillgate_config::{Affects, Diagnostic, nearest};
use spillgate_core::{
    model::{ClusterKind, LocalityLb, ModelError},
    route::RouteAction,
};

use self::shares::{Reported, locality_weights};
use crate::config::Config;
use spillgate_answers::input::Faults;

/// The code of the limit that the utilization of hosts is not in the input.
const LIMIT: &str = "config/reported-utilization";

/// Parses `IP:PORT=U`.
pub(crate) fn utilization(text: &str) -> Result<(String, f64), String> {
    let parts = text.rsplit_once('=').and_then(|(address, value)| {
        let address: SocketAddr = address.parse().ok()?;
        let value: f64 = value.parse().ok()?;
        (value.is_finite() && value >= 0.0).then(|| (address.to_string(), value))
    });
    parts.ok_or_else(|| "expected IP:PORT=U of at least 0, such as 10.0.0.1:80=0.5".into())
}

/// Gives the localities of all clusters with `load_aware_locality` the weights that follow from these
/// utilizations, in priorities whose hosts Envoy chooses by them.
///
/// # Errors
/// Every address that no such cluster has.
pub(crate) fn apply(given: &[(String, f64)], config: &mut Config) -> Result<(), Faults> {
    let envoy = &mut config.envoy;
    let reported: Reported<'_> = given
        .iter()
        .map(|(host, of)| (host.as_str(), *of))
        .collect();
    let mut found = Vec::new();
    let mut model = envoy.model.clone();
    for (at, cluster) in envoy.model.clusters().iter().enumerate() {
        let marks = envoy.marks.cluster(&cluster.name);
        let (Some(settings), ClusterKind::Plain(plain)) =
            (marks.and_then(|marks| marks.load_aware), &cluster.kind)
        else {
            continue;
        };
        let hosts = plain.priorities.iter().flat_map(|of| &of.endpoints);
        let addresses: Vec<String> = hosts.map(|host| host.address.clone()).collect();
        let is_given = addresses
            .iter()
            .any(|host| reported.contains_key(host.as_str()));
        let local = envoy.model.local().locality.as_ref();
        let weights = locality_weights(&cluster.name, plain, local, settings, &reported);
        let limit = match &weights {
            Err(why) => Some(format!(
                "{why}: the shares of localities under load_aware_locality are not modeled"
            )),
            Ok(_) if !is_given => Some(String::from(
                "the utilization that hosts report is not in the input (--utilization); all hosts \
                 count as idle here",
            )),
            Ok(_) => None,
        };
        if let Ok(weights) = weights {
            let changed = model.change(at, |kind| set_weights(kind, weights));
            changed.map_err(|errors| rejected(&errors))?;
        }
        found.push((cluster.name.clone(), addresses, limit));
    }
    check_addresses(given, &found)?;
    if found.is_empty() {
        return Ok(());
    }
    let avoids = avoids_hosts(config);
    let envoy = &mut config.envoy;
    envoy.model = model;
    for (name, _, limit) in found {
        settle(&mut envoy.warnings, name, limit, avoids);
    }
    Ok(())
}

fn rejected(errors: &[ModelError]) -> Faults {
    let errors = errors.iter();
    let faults: Vec<Diagnostic> = errors
        .map(|error| Diagnostic::error("config/unusable", error.to_string()))
        .collect();
    Faults::all("--utilization", &faults)
}

fn set_weights(kind: &mut ClusterKind, weights: Vec<Vec<Option<u32>>>) {
    let ClusterKind::Plain(plain) = kind else {
        return;
    };
    plain.locality_lb = LocalityLb::Weighted;
    for (priority, weights) in plain.priorities.iter_mut().zip(weights) {
        for (locality, weight) in priority.localities.iter_mut().zip(weights) {
            locality.weight = weight;
        }
    }
}

/// Replaces the limit of the reader by the one that remains.
fn settle(warnings: &mut Vec<Diagnostic>, name: String, limit: Option<String>, avoids: bool) {
    let of_cluster = Affects::Cluster(name);
    let retries = "retries that avoid hosts draw a locality again, which is not modeled here";
    let limit = limit.or_else(|| avoids.then(|| retries.to_owned()));
    let is_own = |one: &Diagnostic| one.code == LIMIT && one.affects == of_cluster;
    match limit {
        Some(limit) => {
            for warning in warnings.iter_mut().filter(|one| is_own(one)) {
                warning.message.clone_from(&limit);
            }
        }
        None => warnings.retain(|one| !is_own(one)),
    }
}

/// Whether retries of a route avoid hosts.
fn avoids_hosts(config: &Config) -> bool {
    let listeners = config.envoy.listeners.iter();
    let hosts = listeners.flat_map(|listener| &listener.routes.virtual_hosts);
    let mut routes = hosts.flat_map(|host| &host.routes);
    routes.any(|route| match &route.action {
        RouteAction::Forward(forward) => !forward.retry.predicates.is_empty(),
        _ => false,
    })
}

/// The clusters with the policy, their hosts and their limits.
type Found = [(String, Vec<String>, Option<String>)];

fn check_addresses(given: &[(String, f64)], found: &Found) -> Result<(), Faults> {
    let mut faults = Faults::default();
    for (address, _) in given {
        let known = || found.iter().flat_map(|(_, hosts, _)| hosts);
        if known().any(|host| host == address) {
            continue;
        }
        let what = "no cluster with load_aware_locality has this host";
        let fault = Diagnostic::error("utilization/unknown-host", what)
            .found(quoted(address))
            .suggest(nearest(address, known().map(String::as_str)));
        faults.push(&format!("--utilization {address}"), &fault);
    }
    if faults.is_empty() {
        Ok(())
    } else {
        Err(faults)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_has_an_address_and_a_utilization() {
        assert_eq!(
            utilization("10.0.0.1:80=1.5"),
            Ok(("10.0.0.1:80".into(), 1.5))
        );
        assert_eq!(utilization("[::1]:80=0"), Ok(("[::1]:80".into(), 0.0)));
        for text in [
            "10.0.0.1=1",
            "10.0.0.1:80=-1",
            "10.0.0.1:80=x",
            "10.0.0.1:80=inf",
        ] {
            assert!(utilization(text).is_err(), "{text}");
        }
    }
}
