//! One event: hosts, what they do, and when. As text: `zone=a@10s..70s`, `host=10.0.0.1:80:50%@10s..40s`.

use alloc::{vec, vec::Vec};
use core::{fmt, time::Duration};

use spillgate_core::duration::DurationText;
use spillgate_sim::{
    Selector, SpecFault,
    spec::{Piece, number},
};

use super::{ErrorAnswers, HostBehavior, TimeSpan, read_time};

/// The shortest time of a flapping host: each turn is an event for all hosts.
const SHORTEST_FLAP: Duration = Duration::from_millis(100);

/// What happens to some hosts for some time.
#[derive(Debug, Clone, PartialEq)]
pub struct HostEvent {
    /// What they do.
    pub behavior: HostBehavior,
    /// The hosts.
    pub hosts: Selector,
    /// When.
    pub span: TimeSpan,
}

impl HostEvent {
    /// Reads `SELECTOR@SPAN`; for behaviors with an amount `SELECTOR:AMOUNT@SPAN`. The amount in `behavior` is
    /// only its kind.
    ///
    /// # Errors
    /// All faults of the text.
    ///
    /// # Examples
    /// ```
    /// use spillgate_incident::{ErrorAnswers, HostBehavior, HostEvent};
    ///
    /// let event = HostEvent::parse(HostBehavior::Errors(ErrorAnswers::ALL), "host=10.0.0.1:80:50%/503@10s..40s");
    /// let errors = ErrorAnswers { part: 0.5, status: 503 };
    /// assert_eq!(event.unwrap().behavior, HostBehavior::Errors(errors));
    /// ```
    pub fn parse(behavior: HostBehavior, text: &str) -> Result<Self, Vec<SpecFault>> {
        let whole = Piece::whole(text).trimmed();
        let Some((hosts, span)) = whole.rsplit_once('@') else {
            let expected = match amount_of(behavior) {
                Some(amount) => alloc::format!("SELECTOR:{amount}@FROM..TO"),
                None => "SELECTOR@FROM..TO such as zone=a@10s..70s".into(),
            };
            let fault = SpecFault::new("incident/event", whole, "no span of time", expected);
            return Err(vec![fault]);
        };
        let (hosts, behavior) = with_amount(behavior, hosts.trimmed());
        match (
            Selector::read(hosts),
            behavior,
            TimeSpan::read(span.trimmed()),
        ) {
            (Ok(hosts), Ok(behavior), Ok(span)) => Ok(Self {
                behavior,
                hosts,
                span,
            }),
            (hosts, behavior, span) => {
                let mut faults = hosts.err().unwrap_or_default();
                faults.extend(behavior.err());
                faults.extend(span.err().unwrap_or_default());
                Err(faults)
            }
        }
    }
}

impl HostEvent {
    /// Whether flapping hosts fail or work again at this time, after the start of the event.
    pub(crate) fn turns_at(&self, time: Duration) -> bool {
        let HostBehavior::Flap(period) = self.behavior else {
            return false;
        };
        let passed = time.saturating_sub(self.span.from).as_nanos();
        let rest = passed.checked_rem(period.as_nanos());
        self.span.contains(time) && passed > 0 && rest == Some(0)
    }
}

impl fmt::Display for HostEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.behavior.name(), self.hosts)?;
        match self.behavior {
            HostBehavior::Errors(ErrorAnswers { part, status }) => {
                write!(f, ":{}%", rounded_percent(part))?;
                if status != ErrorAnswers::ALL.status {
                    write!(f, "/{status}")?;
                }
            }
            HostBehavior::Slow(time) | HostBehavior::Flap(time) => {
                write!(f, ":{}", DurationText(time))?;
            }
            _ => {}
        }
        write!(f, "@{}", self.span)
    }
}

/// A part in percent, without what its binary form adds: 0.07 is 7 %.
fn rounded_percent(part: f64) -> f64 {
    libm::round(part * 1e11) / 1e9
}

/// An example of the amount of a behavior.
const fn amount_of(behavior: HostBehavior) -> Option<&'static str> {
    match behavior {
        HostBehavior::Errors(_) => Some("50%"),
        HostBehavior::Slow(_) => Some("2s"),
        HostBehavior::Flap(_) => Some("5s"),
        _ => None,
    }
}

/// The selector, and the behavior with its amount or the fault of the amount.
fn with_amount(
    behavior: HostBehavior,
    text: Piece<'_>,
) -> (Piece<'_>, Result<HostBehavior, SpecFault>) {
    let Some(example) = amount_of(behavior) else {
        return (text, Ok(behavior));
    };
    let Some((hosts, amount)) = text.rsplit_once(':') else {
        let expected = alloc::format!("SELECTOR:{example}");
        let fault = SpecFault::new("incident/event", text, "no amount", expected);
        return (text, Err(fault));
    };
    let amount = amount.trimmed();
    let (HostBehavior::Errors(_), Some((rate, status))) = (behavior, amount.rsplit_once('/'))
    else {
        return (hosts, read_amount(behavior, amount));
    };
    let status = read_status(status.trimmed());
    let behavior = read_amount(behavior, rate.trimmed());
    let with_status = behavior.and_then(|behavior| Ok(behavior.with_status(status?)));
    (hosts, with_status)
}

/// The status of errors.
///
/// # Errors
/// If it is no error of HTTP.
pub(super) fn read_status(text: Piece<'_>) -> Result<u16, SpecFault> {
    let status = text.text.parse().ok();
    status
        .filter(|status| (400..=599).contains(status))
        .ok_or_else(|| {
            let expected = "a status from 400 to 599, such as 503";
            SpecFault::new(
                "incident/status",
                text,
                "not the status of an error",
                expected,
            )
        })
}

/// The behavior with the amount of a text.
///
/// # Errors
/// If the amount is not valid.
pub(super) fn read_amount(
    behavior: HostBehavior,
    amount: Piece<'_>,
) -> Result<HostBehavior, SpecFault> {
    match behavior {
        HostBehavior::Errors(_) => {
            let percent = number(amount).ok();
            let legal = percent.filter(|percent| *percent > 0.0 && *percent <= 100.0);
            legal
                .map(|percent| {
                    HostBehavior::Errors(ErrorAnswers {
                        part: percent / 100.0,
                        ..ErrorAnswers::ALL
                    })
                })
                .ok_or_else(|| {
                    let expected = "a percentage above 0, at most 100, such as 50%";
                    SpecFault::new("incident/rate", amount, "not a rate of errors", expected)
                })
        }
        HostBehavior::Slow(_) => read_time(amount).map(HostBehavior::Slow),
        HostBehavior::Flap(_) => {
            let time = read_time(amount)?;
            if time < SHORTEST_FLAP {
                let (message, expected) = ("too short a time", "at least 100ms");
                return Err(SpecFault::new("incident/time", amount, message, expected));
            }
            Ok(HostBehavior::Flap(time))
        }
        other => Ok(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    #[test]
    fn events_are_read_and_written() {
        for (behavior, text, written) in [
            (
                HostBehavior::Refuse,
                "zone=a@10s..70s",
                "fail zone=a@10s..70s",
            ),
            (
                HostBehavior::Errors(ErrorAnswers::ALL),
                "host=10.0.0.1:80:50%@1s..",
                "errors host=10.0.0.1:80:50%@1s..",
            ),
            (
                HostBehavior::Slow(Duration::ZERO),
                "zone=a,priority=0:2s@0s..1m",
                "slow zone=a,priority=0:2s@0s..60s",
            ),
            (
                HostBehavior::Errors(ErrorAnswers::ALL),
                "zone=a:7%@1m30s..",
                "errors zone=a:7%@90s..",
            ),
        ] {
            let event = HostEvent::parse(behavior, text).unwrap();
            assert_eq!(event.to_string(), written);
        }
    }

    #[test]
    fn all_faults_have_columns() {
        let places = |behavior, text| {
            let faults = HostEvent::parse(behavior, text).unwrap_err();
            let places = faults.iter().map(|fault| (fault.column, fault.code));
            places.collect::<Vec<_>>()
        };
        assert_eq!(
            places(HostBehavior::Refuse, "zone=a"),
            [(1, "incident/event")]
        );
        assert_eq!(
            places(HostBehavior::Errors(ErrorAnswers::ALL), "zne=a:0%@x..5s"),
            [
                (1, "what-if/selector"),
                (7, "incident/rate"),
                (10, "incident/time")
            ]
        );
    }
}
