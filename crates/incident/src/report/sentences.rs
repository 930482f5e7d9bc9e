//! The answer in sentences: the most important one first.

use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};

use spillgate_explain::format::{fixed, plain, plural};
use spillgate_health::outlier::OutlierEjectionType;

use super::{
    IncidentReport, ReportedSessions, SettingGoal, TimeBand, TimeSetting,
    figure_text::{about, percent_text, requests_text},
    time_text,
};
use crate::{
    run::DetectionCause,
    script::{HostBehavior, HostEvent},
};

impl IncidentReport {
    /// The one line about the cluster.
    #[must_use]
    pub fn verdict(&self) -> String {
        let failed = format!(
            "{} of {} requests fail",
            about(&self.failed),
            requests_text(self.requests)
        );
        if self.failing == 0 {
            // Requests also fail without a failing host, such as when all hosts are removed.
            let text = if self.has_failures() {
                failed
            } else {
                "no host fails".into()
            };
            return plain(&text);
        }
        if self.unnoticed > 0 {
            return plain(&format!("{}; {failed}", self.unnoticed_text("in")));
        }
        let last = self.detected_last.most.map_or_else(String::new, time_text);
        plain(&format!(
            "Envoy notices {} within {last}; {failed}",
            plural(self.failing, "failing host")
        ))
    }

    /// The answers.
    #[must_use]
    pub fn sentences(&self) -> Vec<String> {
        let mut all = Vec::new();
        if self.failing > 0 {
            all.push(self.detection());
        }
        if self.failing > 0 || self.has_failures() {
            all.push(self.failures());
        }
        all.extend(self.refusals());
        all.extend(self.retry_refusals());
        all.extend(self.limits());
        all.extend(self.uncounted());
        all.extend(self.load());
        all.push(self.panics());
        if let Some(text) = self.recovery() {
            all.push(text);
        }
        all.extend(self.sessions.iter().map(ReportedSessions::sentence));
        all.iter().map(|text| plain(text)).collect()
    }

    /// Whether some run has failed requests in its figures, which have one decimal.
    #[must_use]
    pub fn has_failures(&self) -> bool {
        self.failed.most >= 0.05
    }

    fn detection(&self) -> String {
        let causes: Vec<&str> = self
            .causes
            .iter()
            .map(|(cause, _)| cause_text(*cause))
            .collect();
        let by = if causes.is_empty() {
            String::new()
        } else {
            format!(", by {}", causes.join(" and "))
        };
        if self.unnoticed > 0 {
            return self.late_detection(&by);
        }
        let first = band_text(&self.detected_first);
        let last = band_text(&self.detected_last);
        if first == last || self.failing == 1 {
            return format!("Envoy notices the failure after {last}{by}.");
        }
        format!("Envoy notices the first failing host after {first} and the last after {last}{by}.")
    }

    /// How many failing hosts Envoy does not notice, and in how many runs unless in all. `preposition` is the word
    /// `in`, as the start of a sentence or not.
    fn unnoticed_text(&self, preposition: &str) -> String {
        let up_to = if self.unnoticed_least < self.unnoticed {
            "up to "
        } else {
            ""
        };
        let text = format!(
            "Envoy does not notice {up_to}{} of {}",
            self.unnoticed,
            plural(self.failing, "failing host")
        );
        if self.unnoticed_runs < self.runs {
            let (some, all) = (self.unnoticed_runs, self.runs);
            format!("{preposition} {some} of {all} runs, {text}")
        } else {
            text
        }
    }

    /// The hosts that Envoy does not notice, and when it notices the first of the others.
    fn late_detection(&self, by: &str) -> String {
        let text = self.unnoticed_text("In");
        let Some(first) = self.detected_first.mean.map(time_text) else {
            return format!("{text}.");
        };
        if self.detected_first.missing == 0 {
            return format!("{text}; the first one after {first}{by}.");
        }
        let some = self.runs.saturating_sub(self.detected_first.missing);
        let all = self.runs;
        format!("{text}; in {some} of {all} runs, it notices the first one after {first}{by}.")
    }

    fn failures(&self) -> String {
        let until = if self.failing == 0 {
            "From the first event to the end"
        } else if self.unnoticed == 0 {
            "Until then"
        } else if self.unnoticed_runs < self.runs {
            "Until then or to the end"
        } else {
            "Until the end"
        };
        let mut text = format!(
            "{until}, {} requests fail and {} are retried",
            about(&self.failed_until_detected),
            about(&self.retried_until_detected)
        );
        if self.failed.mean > self.failed_until_detected.mean + 0.05 {
            text.push_str(&format!("; {} fail in total", about(&self.failed)));
        }
        text.push_str(&format!(
            " ({} % of {} requests)",
            percent_text(self.failed_percent.mean),
            requests_text(self.requests)
        ));
        if self.retried.most > 0.05 {
            text.push_str(&format!(
                ". Without any retry, such as beyond max_retries, {} would fail",
                about(&self.failed_without_retries)
            ));
        }
        text.push('.');
        text
    }

    /// The requests that circuit breakers refuse.
    fn refusals(&self) -> Option<String> {
        let limits = self.breaker_limits.iter().map(|limit| {
            if limit.cluster == self.cluster {
                limit.text.clone()
            } else {
                format!("{} of {}", limit.text, limit.cluster)
            }
        });
        let limits: Vec<String> = limits.collect();
        if self.refused.most < 0.05 {
            return None;
        }
        let refuse = if limits.len() == 1 && !self.breaker_limits.iter().any(|of| of.is_several) {
            "refuses"
        } else {
            "refuse"
        };
        let whose = if self.breaker_limits.iter().any(|limit| limit.concerns_all) {
            "also those to hosts that work"
        } else {
            "those to hosts that answer late"
        };
        Some(format!(
            "{} {refuse} {} of the requests with 503 (UO), {whose}.",
            limits.join(" and "),
            about(&self.refused)
        ))
    }

    /// The requests that are not retried because too many retries are active.
    fn retry_refusals(&self) -> Option<String> {
        let limit = self.retry_limit.as_ref()?;
        (self.retries_refused.most >= 0.05).then(|| {
            format!(
                "{limit} prevents {} retries: too many are active.",
                about(&self.retries_refused)
            )
        })
    }

    /// The limits that allow no ejection. With several clusters, each sentence names its cluster.
    fn limits(&self) -> impl Iterator<Item = String> + '_ {
        self.ejection_limits.iter().map(|limit| {
            let of = if limit.cluster == self.cluster {
                String::new()
            } else {
                format!(" of {}", limit.cluster)
            };
            format!(
                "max_ejection_percent {} allows no ejection of {}{of}.",
                limit.percent,
                plural(limit.hosts, "host")
            )
        })
    }

    /// Why outlier detection does not notice errors.
    fn uncounted(&self) -> Option<String> {
        let statuses = self.uncounted_statuses.iter().map(u16::to_string);
        let statuses: Vec<String> = statuses.collect();
        (!statuses.is_empty()).then(|| {
            let statuses = statuses.join(" and ");
            format!(
                "Outlier detection takes {statuses} for a success: only 500 to 599 are failures."
            )
        })
    }

    fn load(&self) -> Option<String> {
        let highest = self.highest.as_ref()?;
        let rps = fixed(highest.rps.most);
        let ratio = highest.rps.most / highest.before;
        let compared = if highest.before <= 0.0 {
            "it gets none at the start".to_string()
        } else if ratio < 1.005 {
            "not more than at the start".into()
        } else {
            format!("{ratio:.2} times as much as at the start")
        };
        Some(format!(
            "The most loaded host that works is {}: {rps} requests/s, {compared}.",
            highest.address
        ))
    }

    fn panics(&self) -> String {
        let Some(first) = self.panic.first() else {
            if self.panic_seconds.most > 0.0 {
                return "In some runs, a priority is in panic mode.".into();
            }
            return "No priority with load is in panic mode.".into();
        };
        let name = self.priorities.get(first.place).map_or("", String::as_str);
        let until = first.to.map_or("the end".into(), time_text);
        let are = if first.usable == 1 || first.hosts == 1 {
            "is"
        } else {
            "are"
        };
        let mut text = format!(
            "{name} is in panic mode from {} to {until}: {} of {} {are} usable, which is below the panic threshold",
            time_text(first.from),
            first.usable,
            plural(first.hosts, "host"),
        );
        if let more @ 1.. = self.panic.len() - 1 {
            text.push_str(&format!("; {} later", plural(more, "more time")));
        }
        text.push('.');
        text
    }

    fn recovery(&self) -> Option<String> {
        self.first?;
        let ends = |event: &HostEvent| {
            event.behavior.can_fail() || matches!(event.behavior, HostBehavior::Remove)
        };
        if !self.events.iter().any(ends) {
            return None;
        }
        let Some(end) = self.failures_end.filter(|end| *end <= self.end) else {
            return Some("The failures do not end in the simulated time.".into());
        };
        if self.recovered.mean.is_none() {
            return Some(format!(
                "Traffic is not as before at the end: {} after the failures end.",
                time_text(self.end.saturating_sub(end))
            ));
        }
        let traffic = if self.sessions.is_some() {
            "New sessions are balanced"
        } else {
            "Traffic is"
        };
        let missing = match self.recovered.missing {
            0 => String::new(),
            some => format!("; not at all in {some} of {} runs", self.runs),
        };
        Some(format!(
            "{traffic} as before {} after the failures end{missing}.",
            band_text(&self.recovered)
        ))
    }
}

impl TimeSetting {
    /// What it decides, with the formula.
    #[must_use]
    pub fn text(&self) -> String {
        let what = match (self.goal, self.message) {
            (SettingGoal::Detection, "health_checks") => "detection by health checks",
            (SettingGoal::Detection, _) => "detection by outlier detection",
            (SettingGoal::Recovery, "health_checks") => "return by health checks",
            (SettingGoal::Recovery, _) => "return from an ejection",
        };
        match self.most {
            Some(most) => format!("{what} takes up to {}: {}", time_text(most), self.formula),
            None => format!("{what}: {}", self.formula),
        }
    }

    /// The path of the field in its cluster.
    #[must_use]
    pub fn path(&self) -> String {
        match self.check {
            Some(index) => format!("{}[{index}].{}", self.message, self.field),
            None => format!("{}.{}", self.message, self.field),
        }
    }
}

const fn cause_text(cause: DetectionCause) -> &'static str {
    match cause {
        DetectionCause::ActiveCheck => "active health checks",
        DetectionCause::Outlier(kind) => kind_text(kind),
    }
}

/// The setting of a kind of ejection.
pub(super) const fn kind_text(kind: OutlierEjectionType) -> &'static str {
    match kind {
        OutlierEjectionType::Consecutive5xx => "consecutive_5xx",
        OutlierEjectionType::ConsecutiveGatewayFailure => "consecutive_gateway_failure",
        OutlierEjectionType::ConsecutiveLocalOriginFailure => "consecutive_local_origin_failure",
        OutlierEjectionType::SuccessRate => "success rate",
        OutlierEjectionType::SuccessRateLocalOrigin => "success rate of local origin",
        OutlierEjectionType::FailurePercentage => "failure percentage",
        OutlierEjectionType::FailurePercentageLocalOrigin => "failure percentage of local origin",
    }
}

/// The mean, and the longest time if they differ.
fn band_text(band: &TimeBand) -> String {
    let mean = band.mean.map_or("-".into(), time_text);
    match band.most.filter(|_| band.varies()) {
        Some(most) if time_text(most) != mean => format!("{mean} (at most {})", time_text(most)),
        _ => mean,
    }
}
