//! The answer in sentences: the most important one first.

use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};
use core::time::Duration;

use spillgate_explain::format::{fixed, plain, plural};
use spillgate_health::outlier::OutlierEjectionType;

use super::{FigureBand, IncidentReport, SettingGoal, ShorterSetting, TimeBand};
use crate::{
    run::{ChangeKind, DetectionCause, TimelineChange},
    script::{HostBehavior, HostEvent},
};

/// A time: `250 ms`, `5 s`, `12.5 s`.
#[must_use]
pub fn time_text(time: Duration) -> String {
    let millis = (time.as_secs_f64() * 1e3 + 0.5) as u64;
    if millis == 0 {
        return "0 s".into();
    }
    if millis < 1_000 {
        return format!("{millis} ms");
    }
    let tenths = (millis + 50) / 100;
    if tenths % 10 == 0 {
        format!("{} s", tenths / 10)
    } else {
        format!("{}.{} s", tenths / 10, tenths % 10)
    }
}

impl IncidentReport {
    /// The one line about the cluster.
    #[must_use]
    pub fn verdict(&self) -> String {
        if self.failing == 0 {
            return "no host fails".into();
        }
        let failed = format!(
            "{} of {} requests fail",
            about(&self.failed),
            rounded(self.requests)
        );
        if self.unnoticed > 0 {
            let unnoticed = format!(
                "Envoy does not notice {} of {}",
                self.unnoticed,
                plural(self.failing, "failing host")
            );
            return plain(&format!("{unnoticed}; {failed}"));
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
            all.push(self.failures());
        }
        all.extend(self.load());
        all.push(self.panics());
        if let Some(text) = self.recovery() {
            all.push(text);
        }
        all.iter().map(|text| plain(text)).collect()
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
            let mut text = format!(
                "Envoy does not notice {} of {}",
                self.unnoticed,
                plural(self.failing, "failing host")
            );
            if let Some(first) = self.detected_first.mean {
                text.push_str(&format!("; the first one after {}{by}", time_text(first)));
            }
            text.push('.');
            return text;
        }
        let first = band_text(&self.detected_first);
        let last = band_text(&self.detected_last);
        if first == last || self.failing == 1 {
            return format!("Envoy notices the failure after {last}{by}.");
        }
        format!("Envoy notices the first failing host after {first} and the last after {last}{by}.")
    }

    fn failures(&self) -> String {
        let until = if self.unnoticed > 0 {
            "Until the end"
        } else {
            "Until then"
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
            rounded(self.requests)
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
        let are = if first.usable == 1 { "is" } else { "are" };
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
        let Some(end) = self.failures_end.filter(|end| *end <= self.end) else {
            return Some("The failures do not end in the simulated time.".into());
        };
        if self.recovered.mean.is_none() {
            return Some(format!(
                "Traffic is not as before at the end: {} after the failures end.",
                time_text(self.end.saturating_sub(end))
            ));
        }
        let missing = match self.recovered.missing {
            0 => String::new(),
            some => format!("; not at all in {some} of {} runs", self.runs),
        };
        Some(format!(
            "Traffic is as before {} after the failures end{missing}.",
            band_text(&self.recovered)
        ))
    }
}

impl ShorterSetting {
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

/// What a change is, in a few words.
#[must_use]
pub fn change_text(change: &TimelineChange, events: &[HostEvent]) -> String {
    let hosts = || match change.hosts {
        1 => change.example.clone(),
        count => plural(count, "host"),
    };
    let event = |index: usize| {
        events
            .get(index)
            .map(ToString::to_string)
            .unwrap_or_default()
    };
    let text = match change.kind {
        ChangeKind::Begins(index) => match events.get(index) {
            Some(event) => format!(
                "{} {} ({})",
                event.hosts,
                behavior_text(event.behavior),
                plural(change.hosts, "host")
            ),
            None => String::new(),
        },
        ChangeKind::Ends(index) => format!("end of: {}", event(index)),
        ChangeKind::Flaps(index) => format!("turn of: {}", event(index)),
        ChangeKind::Load(rps) => format!("{} requests/s", fixed(rps)),
        ChangeKind::ChecksFail => format!("health checks fail: {}", hosts()),
        ChangeKind::ChecksPass => format!("health checks pass: {}", hosts()),
        ChangeKind::Degraded => format!("degraded: {}", hosts()),
        ChangeKind::Ejected(kind) => format!("ejected by {}: {}", kind_text(kind), hosts()),
        ChangeKind::NotEnforced(kind) => {
            format!("not ejected by {}: {}", kind.enforcing_field(), hosts())
        }
        ChangeKind::Overflow(_) => format!("not ejected by max_ejection_percent: {}", hosts()),
        ChangeKind::Returned => format!("ejection ends: {}", hosts()),
        ChangeKind::Left => format!("removed: {}", hosts()),
        ChangeKind::Joined => format!("added: {}", hosts()),
    };
    plain(&text)
}

/// What hosts do.
fn behavior_text(behavior: HostBehavior) -> String {
    match behavior {
        HostBehavior::Refuse => "refuse connections".into(),
        HostBehavior::Errors(part) => format!("answer 500 to {} %", percent_text(part * 100.0)),
        HostBehavior::Slow(delay) => format!("answer after {}", time_text(delay)),
        HostBehavior::Silent => "do not answer".into(),
        HostBehavior::Degraded => "report degraded".into(),
        HostBehavior::Remove => "removed by EDS".into(),
        HostBehavior::Add => "added by EDS".into(),
        HostBehavior::Flap(period) => format!("flap every {}", time_text(period)),
    }
}

const fn cause_text(cause: DetectionCause) -> &'static str {
    match cause {
        DetectionCause::ActiveCheck => "active health checks",
        DetectionCause::Outlier(kind) => kind_text(kind),
    }
}

/// The setting of a kind of ejection.
const fn kind_text(kind: OutlierEjectionType) -> &'static str {
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

/// The mean, and the highest number if they differ.
fn about(band: &FigureBand) -> String {
    let (mean, most) = (rounded(band.mean), rounded(band.most));
    if mean == most {
        mean
    } else {
        format!("{mean} (at most {most})")
    }
}

/// A number of requests: whole from 100 on, else with one decimal if it has one.
fn rounded(number: f64) -> String {
    let tenths = libm::round(number * 10.0) / 10.0;
    if number >= 100.0 || tenths == libm::round(tenths) {
        format!("{:.0}", libm::round(number))
    } else {
        format!("{tenths:.1}")
    }
}

/// A percentage with as many decimals as a small one needs.
fn percent_text(percent: f64) -> String {
    if percent == libm::round(percent) {
        format!("{percent:.0}")
    } else if percent < 1.0 {
        format!("{percent:.3}")
    } else {
        format!("{percent:.2}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_short() {
        for (millis, text) in [
            (0, "0 s"),
            (250, "250 ms"),
            (1_000, "1 s"),
            (12_345, "12.3 s"),
            (59_960, "60 s"),
        ] {
            assert_eq!(time_text(Duration::from_millis(millis)), text);
        }
    }
}
