//! Clusters that never have more than one host.

use alloc::{format, string::String, vec::Vec};
use core::net::SocketAddr;
use spillgate_core::visible::quoted;

use spillgate_core::model::Policy;

use crate::{
    context::{Context, Plain},
    finding::Severity,
    rule::Rule,
    sink::Sink,
};

/// A `LOGICAL_DNS` cluster has outlier detection or a policy that hashes; info for `LEAST_REQUEST` and
/// `RANDOM`. Not reported for an IP address.
///
/// All addresses of its DNS name are one host: it is ejected as a whole, and requests are not spread.
pub(crate) static ONE_HOST: Rule = Rule {
    id: "logical-dns-one-host",
    severity: Severity::Warning,
    summary: "outlier detection or a policy that needs several hosts in a LOGICAL_DNS cluster",
    check: one_host,
};

/// Finds settings that need several hosts.
fn one_host(context: &Context<'_>, sink: &mut Sink) {
    for cluster in context.plains().filter(|cluster| cluster.facts.one_host) {
        let localities = cluster.facts.localities.iter();
        let mut hosts = localities.flat_map(|locality| &locality.endpoints);
        let Some(name) = hosts.next().map(|host| host.address.as_str()) else {
            continue;
        };
        // Another type has one host for an IP address, too.
        if name.parse::<SocketAddr>().is_ok() {
            continue;
        }
        let policy = &cluster.plain.policy;
        let outliers = cluster.facts.signals.outlier_detection.as_ref();
        let needs = outliers
            .map(|_| "outlier_detection")
            .into_iter()
            .chain((*policy != Policy::RoundRobin).then_some(policy.name()));
        let needs: Vec<&str> = needs.collect();
        let place = match (outliers, needs.is_empty()) {
            (Some(outliers), _) => outliers.place.clone(),
            (None, false) => cluster.policy_place(),
            (None, true) => continue,
        };
        let cause = format!(
            "cluster {} is LOGICAL_DNS with {}, but has only one host",
            quoted(cluster.name()),
            needs.join(" and ")
        );
        let mut effect = String::from("Envoy uses one address of the name at a time: ");
        if outliers.is_some() {
            effect.push_str("outlier detection ejects all or nothing (");
            effect.push_str(ejection(&cluster));
            effect.push_str("), and ");
        }
        effect.push_str("requests are not spread over the instances");
        let fix = "use STRICT_DNS, which makes each address of the name a host";
        let finding = sink.add(&place, cause, effect, fix);
        if outliers.is_none() && !policy.hashes() {
            finding.severity = Severity::Info;
        }
        if let Some(field) = &cluster.facts.one_host_field {
            let value = if field.path == cluster.facts.place.field("type").path {
                "\"STRICT_DNS\""
            } else {
                "false"
            };
            finding.set(field, value);
        }
    }
}

/// What an ejection of the host means.
fn ejection(cluster: &Plain<'_>) -> &'static str {
    let outliers = cluster.facts.signals.outlier_detection.as_ref();
    match outliers {
        Some(outliers) if !outliers.enforced || outliers.most_ejected(1) == 0 => {
            "its settings never eject the host"
        }
        _ if cluster.plain.panic_threshold.percent() == 0 => {
            "without the host, all requests get 503"
        }
        _ => "panic mode sends all requests to the ejected host",
    }
}
