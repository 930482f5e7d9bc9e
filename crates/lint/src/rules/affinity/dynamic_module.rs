//! Clusters whose settings do not fit the dynamic module.

use alloc::{format, string::String, vec::Vec};
use spillgate_core::visible::quoted;

use spillgate_config::{
    envoy::facts::{FilterKind, HostDelivery, SpillgateFacts},
    filter::FilterForm,
};
use spillgate_core::model::{HealthStatus, OverrideHostSource};

use super::host_list::chosen_clusters;
use crate::{
    context::{Context, Plain},
    finding::Severity,
    json,
    rule::Rule,
    sink::Sink,
};

/// The dynamic module's filter chooses hosts of a cluster that does not use the module's load-balancing policy,
/// or uses that of another file.
///
/// The hosts are unknown to the filter. It rejects requests with 503, or passes them through.
pub(crate) static NO_POLICY: Rule = Rule {
    id: "dynamic-module-policy-missing",
    severity: Severity::Warning,
    summary: "cluster of the dynamic module's filter does not use the module's policy",
    check: without_policy,
};

/// The dynamic module's filter has a host list (`output.candidates` above 1), but the module's policy is not
/// the fallback of an `override_host` that reads it.
///
/// Envoy ignores the list, and the policy chooses the host.
pub(crate) static LIST_IGNORED: Rule = Rule {
    id: "dynamic-module-list-ignored",
    severity: Severity::Warning,
    summary: "no override_host policy reads the host list of the dynamic module",
    check: with_ignored_list,
};

/// The dynamic module's filter chooses a single host (`output.candidates: 1`), and `override_host_status` omits a
/// status of a host that it may choose.
///
/// Envoy ignores such a host, and the module's policy chooses another one or refuses.
pub(crate) static STATUS: Rule = Rule {
    id: "dynamic-module-status-unlisted",
    severity: Severity::Warning,
    summary: "override_host_status omits a status of hosts that the dynamic module may choose",
    check: with_unlisted_status,
};

/// The clusters of the module's filters, each with the first filter that chooses its hosts.
fn chosen<'c>(context: &Context<'c>) -> impl Iterator<Item = (Plain<'c>, &'c SpillgateFacts)> {
    context.plains().filter_map(|cluster| {
        let filters = context.ways_perhaps_to(cluster.name()).find_map(|way| {
            let ours = way
                .active_filters()
                .filter_map(|(_, kind)| match kind {
                    FilterKind::Spillgate(ours) if ours.form == FilterForm::DynamicModule => {
                        Some(&**ours)
                    }
                    _ => None,
                })
                .last()?;
            let mut clusters = chosen_clusters(context, way, ours);
            clusters
                .any(|one| one.name() == cluster.name())
                .then_some(ours)
        });
        Some((cluster, filters?))
    })
}

/// Finds clusters without the policy.
fn without_policy(context: &Context<'_>, sink: &mut Sink) {
    for (cluster, ours) in chosen(context) {
        let what = match (&cluster.facts.policy.module, &ours.steering.module) {
            _ if cluster.undecided().is_none() => String::from("does not use the module's policy"),
            (Some(policy), Some(filter)) if policy != filter => {
                format!(
                    "uses the policy of another file ({}, not {})",
                    quoted(policy),
                    quoted(filter)
                )
            }
            _ => continue,
        };
        let cause = format!(
            "the dynamic module's filter chooses hosts of cluster {}, which {what}",
            quoted(cluster.name())
        );
        let effect = "the filter does not know the hosts: requests get 503 or pass through without a decision";
        let fix = "use the module's policy, in the same file (spillgate explain-code dynamic-module-policy-missing)";
        sink.add(&cluster.policy_place(), cause, effect, fix);
    }
}

/// Finds clusters in which nothing reads the list.
fn with_ignored_list(context: &Context<'_>, sink: &mut Sink) {
    for (cluster, ours) in chosen(context) {
        let HostDelivery::List(hosts @ 2..) = ours.delivery else {
            continue;
        };
        let mut sources = cluster.facts.policy.overrides.iter();
        if cluster.undecided().is_none() || sources.any(|source| reads_list(&source.value)) {
            continue;
        }
        let cause = format!(
            "the dynamic module's filter chooses up to {hosts} hosts of cluster {} for a request, but no \
             override_host policy reads metadata spillgate, key host",
            quoted(cluster.name())
        );
        let effect = "Envoy ignores the chosen hosts; the module's policy refuses or chooses without criteria";
        let fix = "use override_host around the module's policy, or set output.candidates to 1";
        sink.add(&cluster.policy_place(), cause, effect, fix);
    }
}

/// Whether a source is the metadata with the list.
fn reads_list(source: &OverrideHostSource) -> bool {
    matches!(source, OverrideHostSource::Metadata { namespace, path }
        if namespace == "spillgate" && matches!(&**path, [key] if key == "host"))
}

/// Finds clusters in which Envoy ignores single hosts.
fn with_unlisted_status(context: &Context<'_>, sink: &mut Sink) {
    for (cluster, ours) in chosen(context) {
        let listed = cluster.plain.override_statuses;
        let all = HealthStatus::ALL.into_iter();
        let missing = all.filter(|status| !listed.contains(*status));
        let missing: Vec<&str> = missing.map(HealthStatus::name).collect();
        let single = ours.delivery == HostDelivery::List(1);
        if missing.is_empty() || !single || cluster.undecided().is_none() {
            continue;
        }
        let cause = format!(
            "override_host_status of cluster {} omits {}",
            quoted(cluster.name()),
            missing.join(", ")
        );
        let effect = "Envoy ignores the dynamic module's choice of such a host, also in panic mode";
        let fix = "list all six statuses";
        let stated = &cluster.facts.signals.override_host_status;
        let place = match stated {
            Some(stated) => &stated.place,
            None => &cluster.facts.place,
        };
        let all = json::texts(HealthStatus::ALL.map(HealthStatus::name));
        let finding = sink.add(place, cause, effect, fix);
        match stated {
            Some(stated) => finding.set(stated.place.field("statuses"), all),
            None => {
                let common = place.field("common_lb_config");
                let path = common.field("override_host_status").path;
                finding.set(path, format!(r#"{{"statuses":{all}}}"#))
            }
        };
    }
}
