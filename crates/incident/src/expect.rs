//! Expectations about an incident: `detect <= 5s`, `failed <= 0.5%`, `no panic`, `recovered <= 60s`.

use alloc::{string::String, vec, vec::Vec};

use spillgate_sim::{
    SpecFault,
    spec::{Comparison, Piece, compared, number},
};

use crate::{report::IncidentReport, script::read_time};

/// A condition on an incident. It must hold in every run, so in the worst one.
#[derive(Debug, Clone, PartialEq)]
pub struct IncidentExpectation {
    /// The text.
    pub text: String,
    rule: ExpectedRule,
}

/// The condition.
#[derive(Debug, Clone, Copy, PartialEq)]
enum ExpectedRule {
    /// A time in seconds.
    Time(TimeFigure, Comparison, f64),
    /// A percentage of the requests.
    Part(PartFigure, Comparison, f64),
    /// Requests per second of a host that works.
    Load(Comparison, f64),
    NoPanic,
    NoUnavailable,
}

/// A time of an incident.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TimeFigure {
    /// From a failure to its detection, of the last host.
    Detect,
    /// The same of the first host.
    FirstDetect,
    /// From the end of the failures until traffic is as before.
    Recovered,
}

/// A part of the requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PartFigure {
    Failed,
    Retried,
}

/// The result of an expectation.
#[derive(Debug, Clone, PartialEq)]
pub struct ExpectedIncident {
    /// The text.
    pub expr: String,
    /// Whether it holds in every run. Times of detection hold if no host fails.
    pub ok: bool,
    /// The worst value: seconds, percent, requests per second, or for `no panic` the seconds in panic mode; `None`
    /// for an event that does not happen in the simulated time.
    pub value: Option<f64>,
    /// The unit of the value: `s`, `%`, `requests/s` or `requests`.
    pub unit: &'static str,
}

const TIMES: [(&str, TimeFigure); 3] = [
    ("detect", TimeFigure::Detect),
    ("first_detect", TimeFigure::FirstDetect),
    ("recovered", TimeFigure::Recovered),
];

const PARTS: [(&str, PartFigure); 2] = [
    ("failed", PartFigure::Failed),
    ("retried", PartFigure::Retried),
];

const PLAIN: [(&str, ExpectedRule); 2] = [
    ("no panic", ExpectedRule::NoPanic),
    ("no 503", ExpectedRule::NoUnavailable),
];

/// The name of the load of a host.
const HIGHEST: &str = "highest_load";

impl IncidentExpectation {
    /// Reads `detect <= 5s`, `first_detect <= 2s`, `recovered <= 60s`, `failed <= 0.5%`, `retried <= 5%`,
    /// `highest_load <= 50`, `no panic` or `no 503`.
    ///
    /// # Errors
    /// All faults of the text.
    ///
    /// # Examples
    /// ```
    /// use spillgate_incident::IncidentExpectation;
    ///
    /// assert!(IncidentExpectation::parse("detect <= 5s").is_ok());
    /// let faults = IncidentExpectation::parse("detects <= soon").unwrap_err();
    /// assert_eq!(faults[1].column, 12);
    /// ```
    pub fn parse(text: &str) -> Result<Self, Vec<SpecFault>> {
        let whole = Piece::whole(text).trimmed();
        let words = || whole.text.split_whitespace();
        let mut plain = PLAIN.iter();
        if let Some((_, rule)) = plain.find(|(plain, _)| plain.split(' ').eq(words())) {
            return Ok(Self::new(whole, *rule));
        }
        let Some((figure, comparison, value)) = compared(whole) else {
            let fault = SpecFault::new("incident/expectation", whole, "invalid expectation", "");
            let mut fault = fault.one_of(names().chain(PLAIN.map(|(plain, _)| plain)));
            fault.expected =
                "detect <= 5s, recovered <= 60s, failed <= 0.5%, highest_load <= 50, no panic \
                              or no 503"
                    .into();
            return Err(vec![fault]);
        };
        let (figure, value) = (figure.trimmed(), value.trimmed());
        let rule = if let Some((_, of)) = TIMES.iter().find(|(name, _)| *name == figure.text) {
            let seconds = read_time(value).map(|time| time.as_secs_f64());
            seconds.map(|seconds| ExpectedRule::Time(*of, comparison, seconds))
        } else if let Some((_, of)) = PARTS.iter().find(|(name, _)| *name == figure.text) {
            let percent = percentage(value, *of);
            percent.map(|percent| ExpectedRule::Part(*of, comparison, percent))
        } else if figure.text == HIGHEST {
            number(value).map(|rps| ExpectedRule::Load(comparison, rps))
        } else {
            let message = "unknown figure";
            let fault = SpecFault::new("incident/expectation", figure, message, "");
            let of_value = number(value).err().filter(|_| read_time(value).is_err());
            let faults = [fault.one_of(names())].into_iter().chain(of_value);
            return Err(faults.collect());
        };
        rule.map(|rule| Self::new(whole, rule))
            .map_err(|fault| vec![fault])
    }

    fn new(text: Piece<'_>, rule: ExpectedRule) -> Self {
        Self {
            text: text.text.into(),
            rule,
        }
    }

    /// The result.
    #[must_use]
    pub fn check(&self, report: &IncidentReport) -> ExpectedIncident {
        let (value, comparison, bound) = match self.rule {
            ExpectedRule::Time(figure, comparison, seconds) => {
                let band = match figure {
                    TimeFigure::Detect => &report.detected_last,
                    TimeFigure::FirstDetect => &report.detected_first,
                    TimeFigure::Recovered => &report.recovered,
                };
                let mut value = band.worst(rises(comparison));
                if figure == TimeFigure::Detect && rises(comparison) {
                    // Runs come close to the longest time, but need not have it.
                    value = value.map(|time| time.max(report.longest_check().unwrap_or_default()));
                }
                (value.map(|time| time.as_secs_f64()), comparison, seconds)
            }
            ExpectedRule::Part(figure, comparison, percent) => {
                let band = match figure {
                    PartFigure::Failed => &report.failed_percent,
                    PartFigure::Retried => &report.retried_percent,
                };
                (Some(band.worst(rises(comparison))), comparison, percent)
            }
            ExpectedRule::Load(comparison, rps) => {
                let band = report.highest.as_ref().map(|highest| &highest.rps);
                let value = band.map(|band| band.worst(rises(comparison)));
                (Some(value.unwrap_or(0.0)), comparison, rps)
            }
            ExpectedRule::NoPanic => (Some(report.panic_seconds.most), Comparison::Equal, 0.0),
            ExpectedRule::NoUnavailable => {
                let own = report.no_host.most + report.refused.most;
                (Some(own), Comparison::Equal, 0.0)
            }
        };
        // Without a failing host, Envoy has nothing to notice.
        let is_void = report.failing == 0
            && matches!(
                self.rule,
                ExpectedRule::Time(TimeFigure::Detect | TimeFigure::FirstDetect, ..)
            );
        ExpectedIncident {
            unit: self.rule.unit(),
            expr: self.text.clone(),
            // An event that does not happen takes longer than any time.
            ok: is_void || comparison.holds(value.unwrap_or(f64::INFINITY), bound),
            value,
        }
    }
}

impl ExpectedRule {
    /// The unit of its value.
    const fn unit(self) -> &'static str {
        match self {
            Self::Time(..) | Self::NoPanic => "s",
            Self::Part(..) => "%",
            Self::Load(..) => "requests/s",
            Self::NoUnavailable => "requests",
        }
    }
}

/// The names of all figures.
fn names() -> impl Iterator<Item = &'static str> {
    let times = TIMES.into_iter().map(|(name, _)| name);
    let parts = PARTS.into_iter().map(|(name, _)| name);
    times.chain(parts).chain([HIGHEST])
}

/// Whether a larger value is farther from the expectation.
const fn rises(comparison: Comparison) -> bool {
    !matches!(comparison, Comparison::Greater | Comparison::GreaterOrEqual)
}

/// Parts are not negative, and at most all requests fail; a request can have several retries.
fn percentage(value: Piece<'_>, of: PartFigure) -> Result<f64, SpecFault> {
    let percent = number(value)?;
    let (is_possible, expected) = match of {
        PartFigure::Failed => (
            (0.0..=100.0).contains(&percent),
            "a percentage from 0 to 100",
        ),
        PartFigure::Retried => (percent >= 0.0, "a percentage from 0"),
    };
    if is_possible {
        Ok(percent)
    } else {
        let code = "incident/expectation";
        Err(SpecFault::new(code, value, "out of range", expected))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_documented_forms_are_read() {
        for text in [
            "detect <= 5s",
            "first_detect<500ms",
            "recovered <= 1m",
            "failed <= 0.5%",
            "retried <= 5",
            "highest_load <= 50",
            "no  panic",
            "no 503",
        ] {
            assert!(IncidentExpectation::parse(text).is_ok(), "{text}");
        }
    }

    #[test]
    fn faults_have_columns() {
        let faults = |text: &str| {
            let found = IncidentExpectation::parse(text).unwrap_err();
            let places = found.iter().map(|fault| (fault.column, fault.message));
            places.collect::<Vec<_>>()
        };
        assert_eq!(faults("no panik"), [(1, "invalid expectation")]);
        assert_eq!(faults("detect <= x"), [(11, "not a time")]);
        assert_eq!(faults("failed <= x"), [(11, "not a number")]);
        assert_eq!(faults("failed <= 200%"), [(11, "out of range")]);
        assert_eq!(faults("retried <= -1%"), [(12, "out of range")]);
        assert_eq!(faults("failled <= 1"), [(1, "unknown figure")]);
    }
}
