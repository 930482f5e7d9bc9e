//! Health checks of standby clusters, which wait for `no_traffic_interval`.

use alloc::format;
use spillgate_core::{duration::DurationText, visible::quoted};

use spillgate_core::model::{Cluster, ClusterKind};
use spillgate_health::times::{HostFailure, detection_time};

use crate::{
    context::{Context, Plain},
    finding::Severity,
    rule::Rule,
    sink::Sink,
};

/// A cluster gets requests only when earlier members of an aggregate fail, and its health checks do not state
/// `no_traffic_interval`. Until a cluster has had a request, Envoy waits for that interval (default 60 s) instead of
/// `interval`.
///
/// When the earlier members fail, requests can go to hosts that failed long before. Not reported if it takes less than
/// twice the time that the stated interval takes.
pub(crate) static SLOW: Rule = Rule {
    id: "health-check-standby-slow",
    severity: Severity::Info,
    summary: "health checks of a standby cluster that wait for the default of no_traffic_interval",
    check: slow,
};

/// Whether requests reach the cluster only when earlier members of its aggregates fail.
fn is_standby(context: &Context<'_>, cluster: &Plain<'_>) -> bool {
    let parents = context.parents(cluster.name());
    let waits = |parent: &&Cluster| {
        let gets = |member: &str| context.share_of_member(&parent.name, member) > 0.0;
        let members = parent.members().iter();
        let mut earlier = members.take_while(|name| *name != cluster.name());
        matches!(parent.kind, ClusterKind::Aggregate(_))
            && !gets(cluster.name())
            && earlier.any(|name| gets(name))
    };
    !parents.is_empty()
        && context.ways_perhaps_to(cluster.name()).next().is_none()
        && parents.iter().all(waits)
}

/// Finds checks of standby clusters with the default interval.
fn slow(context: &Context<'_>, sink: &mut Sink) {
    for cluster in context.plains() {
        let Some(health) = cluster.health() else {
            continue;
        };
        for check in &health.checks {
            let settings = &check.settings;
            let time = |traffic| detection_time(settings, HostFailure::Refused, traffic);
            let (Some(used), Some(unused)) = (time(true), time(false)) else {
                continue;
            };
            let (used, wait) = (used.most.total(), unused.most.total());
            let stated = ["no_traffic_interval", "no_traffic_healthy_interval"];
            if stated.iter().any(|field| check.place_of(field).is_some())
                || wait < used.saturating_mul(2)
                || cluster.hosts() == 0
                || !is_standby(context, &cluster)
            {
                continue;
            }
            let place = check.place_of("interval").unwrap_or(&check.place);
            let cause = format!(
                "cluster {} gets no requests while earlier members of its aggregate are healthy, so its checks wait \
                 for no_traffic_interval (default 60s)",
                quoted(cluster.name())
            );
            let effect = format!(
                "before its first request, a failed host is noticed after up to {} instead of {}",
                DurationText(wait),
                DurationText(used)
            );
            let interval = DurationText(settings.interval);
            let fix = format!("set no_traffic_interval: {interval}");
            sink.add(place, cause, effect, fix).set(
                check.place.field("no_traffic_interval"),
                format!("\"{interval}\""),
            );
        }
    }
}
