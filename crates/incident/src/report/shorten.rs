//! The settings that decide how long detection and recovery take, as formulas.

use alloc::{format, string::String, vec::Vec};
use core::time::Duration;

use spillgate_health::{
    check::ActiveCheck,
    outlier::{OutlierDetection, OutlierEjectionType as Type},
    times::{
        HostFailure, TimeSum, consecutive_requests, detection_time, ejection_time, recovery_time,
    },
};

use super::time_text;
use crate::{
    run::{DetectionCause, IncidentPlan, IncidentRun},
    script::HostBehavior,
    setup::{IncidentHealth, IncidentSetup},
};

/// A setting that decides a time.
#[derive(Debug, Clone, PartialEq)]
pub struct ShorterSetting {
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

/// The settings of all clusters that decide times of these runs.
pub(super) fn settings(
    setup: &IncidentSetup,
    plan: &IncidentPlan,
    runs: &[IncidentRun],
) -> Vec<ShorterSetting> {
    let failing = || {
        runs.iter()
            .any(|run| !run.detections.is_empty() || !run.unnoticed.is_empty())
    };
    if !failing() {
        return Vec::new();
    }
    let mut found = Vec::new();
    let snapshot = setup.scene.snapshot();
    for (cluster, settings) in &setup.health {
        let name = snapshot.cluster(*cluster).map(|of| of.name.clone());
        let name = name.unwrap_or_default();
        of_checks(&name, settings, plan, &mut found);
        if let Some(outlier) = &settings.outlier {
            let rates = runs.iter().filter_map(|run| run.failing_rps);
            let rate = rates.fold(f64::INFINITY, f64::min);
            of_outliers(&name, outlier, (plan, rate), runs, &mut found);
        }
    }
    found
}

/// How the hosts of a plan fail for active health checks; `None` if their checks pass.
fn failure_of(plan: &IncidentPlan, check: &ActiveCheck) -> Option<HostFailure> {
    let behaviors = plan.events().iter().map(|planned| planned.event.behavior);
    let mut failures = behaviors.filter_map(|behavior| match behavior {
        HostBehavior::Refuse | HostBehavior::Flap(_) => Some(HostFailure::Refused),
        HostBehavior::Silent => Some(HostFailure::Silent),
        HostBehavior::Slow(delay) if delay >= check.timeout => Some(HostFailure::Silent),
        _ => None,
    });
    failures.next()
}

fn of_checks(
    cluster: &str,
    settings: &IncidentHealth,
    plan: &IncidentPlan,
    found: &mut Vec<ShorterSetting>,
) {
    for (index, check) in settings.checks.iter().enumerate() {
        let Some(failure) = failure_of(plan, check) else {
            continue;
        };
        let times = [
            (SettingGoal::Detection, detection_time(check, failure, true)),
            (SettingGoal::Recovery, recovery_time(check, failure, true)),
        ];
        for (goal, range) in times {
            let (field, most, formula) = match range {
                Some(range) => (
                    largest(&range.most),
                    Some(range.most.total()),
                    format!("{}", range.most),
                ),
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
            found.push(ShorterSetting {
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
fn largest(sum: &TimeSum) -> &'static str {
    let terms = sum.terms.iter();
    let most = terms.max_by_key(|term| term.value.saturating_mul(term.times));
    most.map_or("interval", |term| term.field)
}

fn of_outliers(
    cluster: &str,
    outlier: &OutlierDetection,
    (plan, rate): (&IncidentPlan, f64),
    runs: &[IncidentRun],
    found: &mut Vec<ShorterSetting>,
) {
    let mut add = |goal, field, most, formula| {
        found.push(ShorterSetting {
            goal,
            cluster: cluster.into(),
            message: "outlier_detection",
            check: None,
            field,
            most,
            formula,
        });
    };
    let behaviors = || plan.events().iter().map(|planned| planned.event.behavior);
    let is_gateway = !behaviors().any(|of| matches!(of, HostBehavior::Errors(_)));
    let whole = behaviors().all(|of| !matches!(of, HostBehavior::Errors(part) if part < 1.0));
    let split = outlier.split_external_local_origin_errors && is_gateway;
    let row = consecutive_requests(outlier, is_gateway).filter(|_| !split);
    if let Some((field, row)) = row.filter(|_| rate > 0.0 && rate.is_finite()) {
        let each = format!("{field} {row} / {rate:.2} requests/s of a host");
        let time = Duration::try_from_secs_f64(f64::from(row) / rate).ok();
        let text = if whole {
            each
        } else {
            format!(
                "{each}, if all of them fail; rows of errors that are mixed with successes take longer"
            )
        };
        add(SettingGoal::Detection, field, time.filter(|_| whole), text);
    }
    let causes = || {
        runs.iter()
            .flat_map(|run| &run.detections)
            .map(|one| one.cause)
    };
    let by_sweep = |cause| {
        matches!(
            cause,
            DetectionCause::Outlier(
                Type::SuccessRate
                    | Type::FailurePercentage
                    | Type::SuccessRateLocalOrigin
                    | Type::FailurePercentageLocalOrigin
            )
        )
    };
    if causes().any(by_sweep) {
        let text = format!(
            "success rates are compared once in each interval of {}",
            time_text(outlier.interval)
        );
        add(SettingGoal::Detection, "interval", None, text);
    }
    if causes().any(|cause| matches!(cause, DetectionCause::Outlier(_))) {
        let time = ejection_time(outlier, 1);
        let text = format!(
            "base_ejection_time {} x the number of ejections in a row, then up to one interval of {} until the next sweep",
            time_text(outlier.base_ejection_time),
            time_text(outlier.interval),
        );
        add(
            SettingGoal::Recovery,
            "base_ejection_time",
            Some(time.most),
            text,
        );
    }
}
