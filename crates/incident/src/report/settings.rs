//! The settings of all clusters that decide the times of runs, and limits that prevent ejections.

use alloc::{collections::BTreeSet, string::String, vec::Vec};

use spillgate_core::snapshot::ClusterId;

use super::{
    check_times::{TimeSetting, of_checks},
    fails,
    outlier_times::OutlierTimes,
};
use crate::{
    run::{IncidentPlan, IncidentRun},
    script::HostBehavior,
    setup::IncidentSetup,
    traffic::{FirstLimit, is_server_error},
};

/// A `max_ejection_percent` that allows no ejection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EjectionLimit {
    /// The cluster that has the setting.
    pub cluster: String,
    /// `max_ejection_percent`.
    pub percent: u32,
    /// The number of hosts of the cluster.
    pub hosts: usize,
}

/// The limit of a circuit breaker that refuses requests.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BreakerLimit {
    /// The cluster that has the setting.
    pub cluster: String,
    /// The settings with their values.
    pub text: String,
    /// Whether the text names several settings.
    pub is_several: bool,
    /// Whether it refuses requests to any host, not only to those that answer late.
    pub concerns_all: bool,
}

/// The limits of circuit breakers that refuse requests in some run.
pub(super) fn breaker_limits(setup: &IncidentSetup, runs: &[IncidentRun]) -> Vec<BreakerLimit> {
    let limits = setup.health.iter().filter_map(|(cluster, settings)| {
        let limit = settings.breaker?.first_limit();
        let opened = runs.iter().filter_map(|run| run.opened.get(cluster));
        let concerns_all = opened.copied().reduce(|one, other| one || other)?;
        Some(BreakerLimit {
            cluster: name_of(setup, *cluster),
            text: limit.text(),
            is_several: matches!(limit, FirstLimit::Connections { .. }),
            concerns_all,
        })
    });
    limits.collect()
}

/// The limits that allow no ejection in runs with failures.
pub(super) fn ejection_limits(setup: &IncidentSetup, runs: &[IncidentRun]) -> Vec<EjectionLimit> {
    if !runs.iter().any(fails) {
        return Vec::new();
    }
    let limits = setup.health.iter().filter_map(|(cluster, settings)| {
        let outlier = settings.outlier.as_ref()?;
        let hosts = hosts_of(setup, *cluster);
        (hosts > 0 && !outlier.has_room(0, hosts)).then(|| EjectionLimit {
            cluster: name_of(setup, *cluster),
            percent: outlier.max_ejection_percent,
            hosts,
        })
    });
    limits.collect()
}

/// The statuses of errors that outlier detection does not count; none without it.
pub(super) fn uncounted_statuses(setup: &IncidentSetup, plan: &IncidentPlan) -> BTreeSet<u16> {
    let mut of_clusters = setup.health.values();
    if !of_clusters.any(|settings| settings.outlier.is_some()) {
        return BTreeSet::new();
    }
    let behaviors = plan.events().iter().map(|planned| planned.event.behavior);
    let statuses = behaviors.filter_map(|behavior| match behavior {
        HostBehavior::Errors(errors) if !is_server_error(errors.status) => Some(errors.status),
        _ => None,
    });
    statuses.collect()
}

/// The settings of all clusters that decide times of these runs.
pub(super) fn settings(
    setup: &IncidentSetup,
    plan: &IncidentPlan,
    runs: &[IncidentRun],
) -> Vec<TimeSetting> {
    if !runs.iter().any(fails) {
        return Vec::new();
    }
    let mut found = Vec::new();
    for (cluster, settings) in &setup.health {
        if !is_concerned(setup, plan, *cluster) {
            continue;
        }
        let name = name_of(setup, *cluster);
        let is_used = runs.iter().all(|run| run.used_at_start.contains(cluster));
        of_checks(&name, settings, plan, is_used, &mut found);
        let outlier = settings.outlier.as_ref();
        if let Some(outlier) = outlier.filter(|of| of.has_room(0, hosts_of(setup, *cluster))) {
            let times = OutlierTimes {
                cluster: &name,
                outlier,
                settings,
                is_used,
                timeouts: setup.timeouts,
                plan,
                runs,
            };
            found.extend(times.detection());
            found.extend(times.sweep());
            found.extend(times.recovery());
        }
    }
    found
}

/// Whether an event concerns a host of a cluster.
fn is_concerned(setup: &IncidentSetup, plan: &IncidentPlan, cluster: ClusterId) -> bool {
    let mut hosts = setup.scene.hosts().iter().enumerate();
    hosts.any(|(number, at)| at.cluster == cluster && plan.concerns(number))
}

fn name_of(setup: &IncidentSetup, cluster: ClusterId) -> String {
    let found = setup.scene.snapshot().cluster(cluster);
    found.map(|of| of.name.clone()).unwrap_or_default()
}

fn hosts_of(setup: &IncidentSetup, cluster: ClusterId) -> usize {
    let hosts = setup.scene.hosts().iter();
    hosts.filter(|at| at.cluster == cluster).count()
}
