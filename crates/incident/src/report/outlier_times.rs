//! The settings of outlier detection that decide how long detection and ejections take, as formulas.

use alloc::{
    collections::BTreeSet,
    format,
    string::{String, ToString},
    vec::Vec,
};
use core::time::Duration;

use spillgate_health::{
    outlier::{OutlierDetection, OutlierEjectionType as Type},
    times::{HostFailure, consecutive_requests, detection_time, ejection_time},
};

use super::{
    check_times::{SettingGoal, TimeSetting, bounded, failure_of, largest, longest},
    time_text,
};
use crate::{
    run::{DetectionCause, IncidentPlan, IncidentRun},
    script::HostBehavior,
    setup::IncidentHealth,
    traffic::{Outlook, Timeouts, is_gateway_error, is_server_error},
};

/// A cluster with outlier detection whose `max_ejection_percent` allows an ejection, and its runs.
pub(super) struct OutlierTimes<'a> {
    /// The name of the cluster.
    pub(super) cluster: &'a str,
    pub(super) outlier: &'a OutlierDetection,
    pub(super) settings: &'a IncidentHealth,
    /// Whether the cluster gets requests at the start.
    pub(super) is_used: bool,
    pub(super) timeouts: Timeouts,
    pub(super) plan: &'a IncidentPlan,
    pub(super) runs: &'a [IncidentRun],
}

impl OutlierTimes<'_> {
    /// The number of failures in a row that ejects a host; `None` if no request fails, or if no number ejects it.
    pub(super) fn detection(&self) -> Option<TimeSetting> {
        let in_row = |cause| matches!(cause, DetectionCause::Outlier(of) if of.is_consecutive());
        // Where something else always notices first, a row has no part in it.
        if self.causes().next().is_some() && !self.causes().any(in_row) {
            return None;
        }
        let mixed =
            |of: HostBehavior| matches!(of, HostBehavior::Errors(errors) if errors.part < 1.0);
        let is_gateway = !self.behaviors().any(
            |of| matches!(of, HostBehavior::Errors(errors) if !is_gateway_error(errors.status)),
        );
        let outlooks = self
            .behaviors()
            .map(|of| Outlook::new(Some(of), self.timeouts, self.plan.script.service_time));
        let failing = outlooks.filter(|outlook| outlook.fails > 0.0);
        let wait = failing.map(|outlook| outlook.kind.after()).max()?;
        let (field, row) = consecutive_requests(self.outlier, is_gateway)?;
        let answers = self
            .behaviors()
            .any(|of| matches!(of, HostBehavior::Errors(_)));
        let split = self.outlier.split_external_local_origin_errors && !answers;
        let rates = self.runs.iter().filter_map(|run| run.failing_rps);
        let rate = rates.fold(f64::INFINITY, f64::min);
        if split || rate <= 0.0 || !rate.is_finite() {
            return None;
        }
        // The first request arrives after half a spacing to one and a half.
        let spacings = f64::from(row) + 0.5;
        let row_time = Duration::try_from_secs_f64(spacings / rate).ok();
        let mut formula = format!("({field} {row} + 0.5) / {rate:.2} requests/s of a host");
        let most = if wait == Duration::MAX {
            formula.push_str("; requests without a timeout never end, and do not count");
            None
        } else if self.behaviors().any(mixed) {
            formula.push_str(
                ", if all of them fail; rows of errors that are mixed with successes take longer",
            );
            None
        } else {
            if !wait.is_zero() {
                formula.push_str(&format!(" + timeout of requests {}", time_text(wait)));
            }
            let most = row_time.and_then(|time| time.checked_add(wait));
            let is_long = |most: &Duration| wait.is_zero() || self.shortest_failure() >= *most;
            if most.is_some_and(|most| !is_long(&most)) {
                formula.push_str(", while the host fails; later, its answers end rows of timeouts");
            }
            most.filter(is_long)
        };
        let (most, formula) = match most {
            Some(most) => bounded(most, formula, self.plan),
            None => (None, formula),
        };
        Some(self.setting(SettingGoal::Detection, field, most, formula))
    }

    /// The interval of sweeps, if one of them noticed a host.
    pub(super) fn sweep(&self) -> Option<TimeSetting> {
        let by_sweep = |cause| matches!(cause, DetectionCause::Outlier(of) if !of.is_consecutive());
        if !self.causes().any(by_sweep) {
            return None;
        }
        let rates = self.causes().filter_map(|cause| match cause {
            DetectionCause::Outlier(Type::SuccessRate | Type::SuccessRateLocalOrigin) => {
                Some("success rates")
            }
            DetectionCause::Outlier(_) if by_sweep(cause) => Some("failure percentages"),
            _ => None,
        });
        let compared: BTreeSet<&str> = rates.collect();
        let compared: Vec<&str> = compared.into_iter().rev().collect();
        let formula = format!(
            "{} are compared once in each interval of {}",
            compared.join(" and "),
            time_text(self.outlier.interval)
        );
        Some(self.setting(SettingGoal::Detection, "interval", None, formula))
    }

    /// The time of ejections; with health checks that pass, they end it.
    pub(super) fn recovery(&self) -> Option<TimeSetting> {
        let is_outlier = |cause: DetectionCause| matches!(cause, DetectionCause::Outlier(_));
        if !self.causes().any(is_outlier) {
            return None;
        }
        let by_check = self.outlier.successful_active_health_check_uneject_host;
        if by_check && !self.settings.checks.is_empty() {
            return self.passed_check();
        }
        let in_row = self.runs.iter().map(|run| run.ejections_in_row).max();
        let in_row = in_row.unwrap_or_default().max(1);
        let time = ejection_time(self.outlier, in_row);
        let base = time_text(self.outlier.base_ejection_time);
        let mut formula = format!("base_ejection_time {base}");
        if in_row > 1 {
            formula.push_str(&format!(" x {in_row} ejections in a row"));
        }
        if time.is_limited {
            formula.push_str(&format!(
                ", limited to {} by max_ejection_time",
                time_text(time.nominal)
            ));
        }
        let jitter = self.outlier.max_ejection_time_jitter;
        if !jitter.is_zero() {
            formula.push_str(&format!(
                ", plus max_ejection_time_jitter {}",
                time_text(jitter)
            ));
        }
        formula.push_str(&format!(
            ", then up to one interval of {} until the next sweep",
            time_text(self.outlier.interval)
        ));
        let field = "base_ejection_time";
        Some(self.setting(SettingGoal::Recovery, field, Some(time.most), formula))
    }

    /// The wait for the next check, which ends an ejection. Hosts that fail their checks have other times.
    fn passed_check(&self) -> Option<TimeSetting> {
        let checks = &self.settings.checks;
        if checks
            .iter()
            .any(|check| failure_of(self.plan, check).is_some())
        {
            return None;
        }
        let waits = checks.iter().enumerate().filter_map(|(index, check)| {
            // One check after the interval of a healthy host: also the time of an unexpected answer.
            let of = |traffic| detection_time(check, HostFailure::Unexpected, traffic);
            Some((index, longest(self.is_used, of)?))
        });
        let (index, wait) = waits.min_by_key(|(_, wait)| wait.total())?;
        Some(TimeSetting {
            goal: SettingGoal::Recovery,
            cluster: self.cluster.to_string(),
            message: "health_checks",
            check: Some(index),
            field: largest(&wait),
            most: Some(wait.total()),
            formula: format!("{wait}; a check that passes ends an ejection"),
        })
    }

    /// How long the shortest failure lasts.
    fn shortest_failure(&self) -> Duration {
        let events = self.plan.events().iter().map(|planned| &planned.event);
        let failing = events.filter(|event| event.behavior.can_fail());
        let lasts = failing.filter_map(|of| Some(of.span.to?.saturating_sub(of.span.from)));
        lasts.min().unwrap_or(Duration::MAX)
    }

    /// What it counts as failures, and what changes without any.
    fn behaviors(&self) -> impl Iterator<Item = HostBehavior> + '_ {
        let events = self.plan.events().iter();
        let behaviors = events.map(|planned| planned.event.behavior);
        behaviors.filter(
            |of| !matches!(of, HostBehavior::Errors(errors) if !is_server_error(errors.status)),
        )
    }

    fn causes(&self) -> impl Iterator<Item = DetectionCause> + '_ {
        let detections = self.runs.iter().flat_map(|run| &run.detections);
        detections.map(|one| one.cause)
    }

    fn setting(
        &self,
        goal: SettingGoal,
        field: &'static str,
        most: Option<Duration>,
        formula: String,
    ) -> TimeSetting {
        TimeSetting {
            goal,
            cluster: self.cluster.to_string(),
            message: "outlier_detection",
            check: None,
            field,
            most,
            formula,
        }
    }
}
