//! The settings of health checks that decide how long detection and recovery take, as formulas.

use alloc::{format, string::String, vec::Vec};
use core::time::Duration;

use spillgate_health::{
    check::ActiveCheck,
    times::{HostFailure, TimeRange, TimeSum, detection_time, recovery_time},
};

use super::time_text;
use crate::{
    run::{IncidentPlan, fails_check},
    script::HostBehavior,
    setup::IncidentHealth,
};

/// A setting that decides a time.
#[derive(Debug, Clone, PartialEq)]
pub struct TimeSetting {
    /// The time.
    pub goal: SettingGoal,
    /// The cluster that has the setting.
    pub cluster: String,
    /// The message: `health_checks` or `outlier_detection`.
    pub message: &'static str,
    /// The index of the health check; `None` for outlier detection.
    pub check: Option<usize>,
    /// The field with the largest part of the time.
    pub field: &'static str,
    /// The longest time; `None` if requests decide, or if it never ends.
    pub most: Option<Duration>,
    /// The formula.
    pub formula: String,
}

/// The time that a setting decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SettingGoal {
    /// From a failure until Envoy notices it.
    Detection,
    /// From the end of the failure, or of an ejection from its start, until the host returns.
    Recovery,
}

/// The shortest time for which a flapping host of a plan fails.
fn shortest_flap(plan: &IncidentPlan) -> Option<Duration> {
    let flaps = plan
        .events()
        .iter()
        .filter_map(|of| match of.event.behavior {
            HostBehavior::Flap(period) => Some(period),
            _ => None,
        });
    flaps.min()
}

/// The longest time of a detection and its formula. A host that works again before has no bound.
pub(super) fn bounded(
    most: Duration,
    formula: String,
    plan: &IncidentPlan,
) -> (Option<Duration>, String) {
    match shortest_flap(plan).filter(|period| *period <= most) {
        Some(period) => {
            let turn = time_text(period);
            let text = format!("{formula}, longer than {turn}, after which a flapping host works");
            (None, text)
        }
        None => (Some(most), formula),
    }
}

/// How the hosts of a plan fail for active health checks; `None` if their checks pass.
pub(super) fn failure_of(plan: &IncidentPlan, check: &ActiveCheck) -> Option<HostFailure> {
    let behaviors = plan.events().iter().map(|planned| planned.event.behavior);
    let mut failures = behaviors.filter_map(|behavior| match behavior {
        HostBehavior::Refuse | HostBehavior::Flap(_) => Some(HostFailure::Refused),
        HostBehavior::Silent | HostBehavior::Slow(_) => {
            fails_check(behavior, check).then_some(HostFailure::Silent)
        }
        _ => None,
    });
    failures.next()
}

/// The longest time of checks. In a cluster without requests at the start, requests can begin at any time, so it is
/// the longer one of both cases.
pub(super) fn longest(is_used: bool, of: impl Fn(bool) -> Option<TimeRange>) -> Option<TimeSum> {
    let with_traffic = of(true)?.most;
    if is_used {
        return Some(with_traffic);
    }
    let without = of(false)?.most;
    Some(if without.total() > with_traffic.total() {
        without
    } else {
        with_traffic
    })
}

/// The settings of the checks of a cluster. `is_used` is whether it gets requests at the start.
pub(super) fn of_checks(
    cluster: &str,
    settings: &IncidentHealth,
    plan: &IncidentPlan,
    is_used: bool,
    found: &mut Vec<TimeSetting>,
) {
    for (index, check) in settings.checks.iter().enumerate() {
        let Some(failure) = failure_of(plan, check) else {
            continue;
        };
        let times = [
            (
                SettingGoal::Detection,
                longest(is_used, |traffic| detection_time(check, failure, traffic)),
            ),
            (
                SettingGoal::Recovery,
                longest(is_used, |traffic| recovery_time(check, failure, traffic)),
            ),
        ];
        for (goal, time) in times {
            let (field, most, formula) = match time {
                Some(time) => {
                    let (total, formula) = (time.total(), format!("{time}"));
                    let (most, formula) = match goal {
                        SettingGoal::Detection => bounded(total, formula, plan),
                        SettingGoal::Recovery => (Some(total), formula),
                    };
                    (largest(&time), most, formula)
                }
                None => (
                    if goal == SettingGoal::Detection {
                        "unhealthy_threshold"
                    } else {
                        "healthy_threshold"
                    },
                    None,
                    "a threshold of 0 is never reached".into(),
                ),
            };
            found.push(TimeSetting {
                goal,
                cluster: cluster.into(),
                message: "health_checks",
                check: Some(index),
                field,
                most,
                formula,
            });
        }
    }
}

/// The field with the largest part of a sum.
pub(super) fn largest(sum: &TimeSum) -> &'static str {
    let terms = sum.terms.iter();
    let most = terms.max_by_key(|term| term.value.saturating_mul(term.times));
    most.map_or("interval", |term| term.field)
}
