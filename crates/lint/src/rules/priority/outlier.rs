//! Outlier detection that ejects no host, or ejects hosts into panic mode.

use alloc::{format, string::String};
use spillgate_core::visible::quoted;

use spillgate_config::envoy::facts::OutlierFacts;

use super::failover::several_priorities;
use crate::{
    context::{Context, Plain},
    figures::counted,
    finding::Severity,
    losing::Losing,
    rule::Rule,
    sink::Sink,
};

/// Outlier detection cannot eject any host: `max_ejection_percent` (default 10) of the hosts of the
/// cluster, rounded down, is 0 and `always_eject_one_host` is off, or every detector has an `enforcing_*`
/// percentage or a row of failures (`consecutive_5xx`) of 0. Not reported if `outlier-cap-prevents-failover` is, or if the number of hosts is unknown.
///
/// Failing hosts keep their requests.
pub(crate) static EJECTS_NONE: Rule = Rule {
    id: "outlier-ejects-no-host",
    severity: Severity::Warning,
    summary: "outlier detection that cannot eject any host",
    check: ejects_none,
};

/// Outlier detection may eject so many hosts of the only priority that it enters panic mode.
///
/// Then ejected hosts get requests again. A warning for a single host, which outlier detection cannot
/// protect at all; info for more.
pub(crate) static INTO_PANIC: Rule = Rule {
    id: "outlier-ejects-into-panic",
    severity: Severity::Warning,
    summary: "outlier detection may eject hosts until panic mode sends requests to them again",
    check: into_panic,
};

/// The clusters with outlier detection and known hosts.
fn detected<'c>(context: &Context<'c>) -> impl Iterator<Item = (Plain<'c>, &'c OutlierFacts)> {
    let clusters = context
        .plains()
        .filter(|c| c.hosts() > 0 && c.knows_hosts());
    clusters
        .filter_map(|cluster| Some((cluster, cluster.facts.signals.outlier_detection.as_ref()?)))
}

/// Finds outlier detection without ejections.
fn ejects_none(context: &Context<'_>, sink: &mut Sink) {
    for (cluster, outliers) in detected(context) {
        let hosts = cluster.hosts();
        if outliers.enforced && (outliers.most_ejected(hosts) > 0 || several_priorities(&cluster)) {
            continue;
        }
        let effect = match hosts {
            _ if cluster.facts.signals.health_checks.is_some() => {
                String::from("only health checks take hosts out; outlier detection has no effect")
            }
            1 => String::from("the host keeps 100 % of requests when it fails"),
            _ => format!("a failing host of {hosts} keeps its share of requests"),
        };
        if !outliers.enforced {
            let cause = format!(
                "every detector of the outlier detection of cluster {} has an enforcing percentage or a row of \
                 failures of 0",
                quoted(cluster.name())
            );
            let fix = "set enforcing_consecutive_5xx: 100 and consecutive_5xx: 5, or remove outlier_detection";
            let place = outliers.place.field("enforcing_consecutive_5xx");
            let finding = sink.add(&place, cause, effect, fix);
            finding.set(&place.path, "100");
            finding.set(outliers.place.field("consecutive_5xx").path, "5");
            continue;
        }
        let cause = format!(
            "outlier detection of cluster {} ejects at most {} % of {}, which is 0 hosts",
            quoted(cluster.name()),
            outliers.max_ejection_percent,
            counted(hosts, "host")
        );
        let fix = match hosts {
            1 => "add hosts, or remove outlier_detection",
            _ => "raise max_ejection_percent, or set always_eject_one_host: true",
        };
        let place = outliers.place.field("max_ejection_percent");
        let finding = sink.add(&place, cause, effect, fix);
        if hosts > 1 {
            finding.set(outliers.place.field("always_eject_one_host"), "true");
        }
    }
}

/// Whether requests of an aggregate or composite cluster go to the other members instead.
fn fails_over(context: &Context<'_>, cluster: &Plain<'_>) -> bool {
    let mut parents = context.parents(cluster.name()).iter();
    let is_direct = context.ways_to(cluster.name()).next().is_some();
    !is_direct && parents.any(|parent| parent.members().len() > 1)
}

/// Finds ejections that lead to panic mode.
fn into_panic(context: &Context<'_>, sink: &mut Sink) {
    for (cluster, outliers) in detected(context) {
        let most = outliers.most_ejected(cluster.hosts());
        if !outliers.enforced
            || most == 0
            || several_priorities(&cluster)
            || fails_over(context, &cluster)
        {
            continue;
        }
        let mut priorities = cluster.plain.priorities.iter();
        let Some(number) = priorities.position(|priority| !priority.endpoints.is_empty()) else {
            continue;
        };
        let losing = Losing::new(cluster.plain);
        if losing.after(number, 0).panics(number) {
            continue;
        }
        let Some(panic) = losing.panic_point(number).filter(|panic| *panic <= most) else {
            continue;
        };
        let hosts = cluster.hosts();
        let threshold = cluster.plain.panic_threshold.percent();
        let place = outliers.place.field("max_ejection_percent");
        if hosts == 1 {
            let cause = format!(
                "cluster {} has only one host, which outlier detection ejects",
                quoted(cluster.name())
            );
            let effect = "panic mode sends 100 % of requests to the ejected host";
            let fix = "add hosts, or remove outlier_detection";
            sink.add(&place, cause, effect, fix);
            continue;
        }
        let cause = format!(
            "outlier detection of cluster {} ejects up to {most} of {hosts} hosts, and the panic threshold is \
             {threshold} %",
            quoted(cluster.name())
        );
        let effect = format!(
            "with {panic} of {hosts} ejected, panic mode sends requests to the ejected hosts again"
        );
        let fix = "add hosts or a lower priority, reduce max_ejection_percent, or set healthy_panic_threshold";
        sink.add(&place, cause, effect, fix).severity = Severity::Info;
    }
}
