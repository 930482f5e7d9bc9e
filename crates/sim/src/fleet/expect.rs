//! Expectations about a fleet: `utilization n-1 <= 100%`, `cost <= 5`, `no overload`.

use alloc::{format, string::String, vec, vec::Vec};

use super::{CaseReport, FleetReport, FleetZone};
use crate::{
    expect::{Checked, Comparison, compared, number, zero},
    fault::{Piece, SpecFault},
};

/// A condition on the loads of a fleet.
#[derive(Debug, Clone, PartialEq)]
pub struct FleetExpectation {
    /// The text.
    pub text: String,
    /// The cases that must meet it.
    pub scope: FleetScope,
    figure: Figure,
    /// How it must compare; `None` for a figure that must be 0.
    comparison: Option<(Comparison, f64)>,
}

/// The cases that an expectation is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FleetScope {
    /// All zones are there.
    Present,
    /// After the loss of any single zone.
    Singles,
    /// After the loss of any two zones.
    Pairs,
}

/// The result of an expectation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CheckedFleet {
    /// Whether it holds, and the figure that is farthest from it.
    pub checked: Checked,
    /// The index of the case with this figure.
    pub case: usize,
}

/// A figure of a case.
#[derive(Debug, Clone, PartialEq)]
enum Figure {
    /// The highest utilization of a host, of one zone or of all, in percent.
    Utilization(Option<String>),
    /// The requests per second of a zone.
    Load(String),
    /// The highest load of a host in relation to the mean.
    Imbalance,
    /// GB per hour between different zones.
    CrossZone,
    /// Cost per hour.
    Cost,
    /// The number of zones with a host that gets more than its capacity.
    Overload,
    /// The requests per second without a host.
    No503,
    /// The number of priorities in panic mode.
    NoPanic,
    /// The number of cases with a request without a host, panic mode, or an overload.
    Survives,
}

/// The forms without a number.
const PLAIN: [(&str, Figure, FleetScope); 9] = [
    ("no overload", Figure::Overload, FleetScope::Present),
    ("no overload n-1", Figure::Overload, FleetScope::Singles),
    ("no overload n-2", Figure::Overload, FleetScope::Pairs),
    ("no 503", Figure::No503, FleetScope::Present),
    ("no 503 n-1", Figure::No503, FleetScope::Singles),
    ("no panic", Figure::NoPanic, FleetScope::Present),
    ("no panic n-1", Figure::NoPanic, FleetScope::Singles),
    ("survives n-1", Figure::Survives, FleetScope::Singles),
    ("survives n-2", Figure::Survives, FleetScope::Pairs),
];

/// Examples of figures, for messages.
const FIGURES: [&str; 6] = [
    "utilization",
    "utilization(zone=a)",
    "load(zone=a)",
    "imbalance",
    "cross_zone",
    "cost",
];

impl FleetScope {
    /// The number of zones that are lost together.
    #[must_use]
    pub const fn lost(self) -> u8 {
        match self {
            Self::Present => 0,
            Self::Singles => 1,
            Self::Pairs => 2,
        }
    }
}

impl FleetExpectation {
    /// Reads `utilization <= 80%`, `utilization(zone=b) n-1 <= 100`, `load(zone=b) <= 5000`, `imbalance <= 1.5`,
    /// `cross_zone <= 100`, `cost <= 5`, `no overload n-1`, `no 503`, `no panic` or `survives n-1`. Behind a figure,
    /// `n-1` and `n-2` mean the loss of any one or two zones.
    ///
    /// # Errors
    /// All faults of the text.
    ///
    /// # Examples
    /// ```
    /// use spillgate_sim::fleet::{FleetExpectation, FleetScope};
    ///
    /// let read = FleetExpectation::parse("utilization n-1 <= 80%").unwrap();
    /// assert_eq!(read.scope, FleetScope::Singles);
    /// assert!(FleetExpectation::parse("utilisation <= 80%").is_err());
    /// ```
    pub fn parse(text: &str) -> Result<Self, Vec<SpecFault>> {
        let whole = Piece::whole(text).trimmed();
        let words = || whole.text.split_whitespace();
        let mut plain = PLAIN.iter();
        if let Some((_, figure, scope)) = plain.find(|(plain, ..)| plain.split(' ').eq(words())) {
            return Ok(Self {
                text: whole.text.into(),
                scope: *scope,
                figure: figure.clone(),
                comparison: None,
            });
        }
        let Some((figure, comparison, value)) = compared(whole) else {
            let names = FIGURES
                .iter()
                .copied()
                .chain(PLAIN.iter().map(|(plain, ..)| *plain));
            let fault = SpecFault::new("fleet/expectation", whole, "invalid expectation", "");
            let mut fault = fault.one_of(names);
            fault.expected = "utilization n-1 <= 100%, load(zone=a) <= 5000, imbalance <= 1.5, \
                              cross_zone <= 100, cost <= 5, no overload n-1, no 503, no panic or survives n-1"
                .into();
            return Err(vec![fault]);
        };
        let (figure, scope) = scoped(figure.trimmed());
        match (read_figure(figure), number(value.trimmed())) {
            (Ok(figure), Ok(number)) => Ok(Self {
                text: whole.text.into(),
                scope,
                figure,
                comparison: Some((comparison, number)),
            }),
            (figure, number) => Err(figure.err().into_iter().chain(number.err()).collect()),
        }
    }

    /// The result: that of the case that is farthest from it.
    ///
    /// # Errors
    /// If the figure needs a capacity, a size, a price or a zone that the fleet does not have, or if there
    /// are too few zones.
    pub fn check(&self, report: &FleetReport) -> Result<CheckedFleet, SpecFault> {
        let lost = usize::from(self.scope.lost());
        let cases = report.cases.iter().enumerate();
        let cases: Vec<(usize, &CaseReport)> =
            cases.filter(|(_, case)| case.lost.len() == lost).collect();
        if self.figure == Figure::Survives && !cases.is_empty() {
            let fatal = cases.iter().filter(|(_, case)| !case.survives());
            let first = fatal.clone().next().map_or(0, |(at, _)| *at);
            let checked = zero(fatal.count() as f64);
            return Ok(CheckedFleet {
                checked,
                case: first,
            });
        }
        let mut worst: Option<CheckedFleet> = None;
        for (at, case) in cases {
            let value = self.value(report, case)?;
            let found = CheckedFleet {
                checked: self.compare(value),
                case: at,
            };
            let is_worse = |known: &CheckedFleet| self.is_worse(&found, known);
            if worst.as_ref().is_none_or(is_worse) {
                worst = Some(found);
            }
        }
        worst.ok_or_else(|| {
            let expected = format!("hosts in at least {lost} zones");
            self.fault("fleet/no-zones", "not enough zones to lose", &expected)
        })
    }

    fn compare(&self, value: f64) -> Checked {
        match self.comparison {
            None => zero(value),
            Some((comparison, number)) => Checked {
                ok: comparison.holds(value, number),
                value: Some(value),
            },
        }
    }

    fn is_worse(&self, found: &CheckedFleet, known: &CheckedFleet) -> bool {
        if found.checked.ok != known.checked.ok {
            return !found.checked.ok;
        }
        let bounded_below = matches!(
            self.comparison,
            Some((Comparison::Greater | Comparison::GreaterOrEqual, _))
        );
        if bounded_below {
            found.checked.value < known.checked.value
        } else {
            found.checked.value > known.checked.value
        }
    }

    fn value(&self, report: &FleetReport, case: &CaseReport) -> Result<f64, SpecFault> {
        let no_capacity = || {
            let expected = "--capacity for all hosts in question";
            self.fault(
                "fleet/no-capacity",
                "the capacity of a host is not known",
                expected,
            )
        };
        Ok(match &self.figure {
            Figure::Utilization(None) => {
                100.0 * self.known(report, case.highest()).ok_or_else(no_capacity)?
            }
            Figure::Utilization(Some(zone)) => {
                let at = self.zone(report, zone)?;
                let of = case.zones.get(at).and_then(|of| of.highest);
                let is_lost = case.lost.contains(&at);
                // A lost zone has no host that could be overloaded.
                let of = if is_lost {
                    Some(0.0)
                } else {
                    self.known(report, of)
                };
                100.0 * of.ok_or_else(no_capacity)?
            }
            Figure::Load(zone) => {
                let at = self.zone(report, zone)?;
                case.zones.get(at).map_or(0.0, |of| of.rps)
            }
            // Without a request, no host gets more than another one.
            Figure::Imbalance => case.imbalance.unwrap_or(1.0),
            Figure::CrossZone => case.crossing_gb().ok_or_else(|| {
                self.fault(
                    "fleet/no-size",
                    "the size of requests is not known",
                    "--bytes",
                )
            })?,
            Figure::Cost => case.cost().ok_or_else(|| {
                let expected = "--cost for all zones, and --bytes";
                self.fault(
                    "fleet/no-price",
                    "a price or the size of requests is not known",
                    expected,
                )
            })?,
            Figure::Overload => {
                self.known(report, case.highest()).ok_or_else(no_capacity)?;
                let over = case
                    .zones
                    .iter()
                    .filter(|zone| zone.highest.is_some_and(|of| of > 1.0 + 1e-9));
                over.count() as f64
            }
            Figure::No503 => rounded(case.no_host),
            Figure::NoPanic => case.panicking() as f64,
            Figure::Survives => f64::from(u8::from(!case.survives())),
        })
    }

    /// A utilization; 0 if no usable host is left, `None` if the capacity of a host is not known.
    fn known(&self, report: &FleetReport, of: Option<f64>) -> Option<f64> {
        let relayed = report.cases.iter().any(CaseReport::is_relayed);
        let all = report.hosts.iter().all(|host| host.capacity.is_some());
        let all = all && !relayed;
        all.then(|| of.unwrap_or(0.0))
    }

    fn zone(&self, report: &FleetReport, name: &str) -> Result<usize, SpecFault> {
        let mut zones = report.zones.iter();
        zones.position(|zone| zone.is_named(name)).ok_or_else(|| {
            let named = report
                .zones
                .iter()
                .map(|zone: &FleetZone| zone.zone.as_str());
            let message = "unknown zone";
            let fault = SpecFault::new("fleet/unknown-zone", Piece::whole(name), message, "a zone");
            fault.one_of(named.filter(|name| !name.is_empty()))
        })
    }

    fn fault(&self, code: &'static str, message: &'static str, expected: &str) -> SpecFault {
        SpecFault::new(code, Piece::whole(&self.text), message, expected)
    }
}

fn rounded(rps: f64) -> f64 {
    if rps < 1e-9 { 0.0 } else { rps }
}

/// The figure without `n-1` or `n-2` behind it.
fn scoped(figure: Piece<'_>) -> (Piece<'_>, FleetScope) {
    for (sign, scope) in [("n-1", FleetScope::Singles), ("n-2", FleetScope::Pairs)] {
        if let Some(rest) = figure.text.strip_suffix(sign) {
            let rest = Piece {
                text: rest,
                ..figure
            };
            return (rest.trimmed(), scope);
        }
    }
    (figure, FleetScope::Present)
}

fn read_figure(text: Piece<'_>) -> Result<Figure, SpecFault> {
    let of_zone = |name| -> Option<String> {
        let within = text.after(name)?.trimmed().after("(")?.until_end(')')?;
        let zone = within.trimmed().after("zone")?.trimmed().after("=")?;
        Some(zone.trimmed().text.into())
    };
    Ok(match text.text {
        "utilization" => Figure::Utilization(None),
        "imbalance" => Figure::Imbalance,
        "cross_zone" => Figure::CrossZone,
        "cost" => Figure::Cost,
        _ => match (of_zone("utilization"), of_zone("load")) {
            (Some(zone), _) => Figure::Utilization(Some(zone)),
            (None, Some(zone)) => Figure::Load(zone),
            (None, None) => {
                let fault = SpecFault::new("fleet/expectation", text, "unknown figure", "");
                return Err(fault.one_of(FIGURES));
            }
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_forms_are_read() {
        for (text, scope) in [
            ("utilization <= 80%", FleetScope::Present),
            ("utilization n-1<=100", FleetScope::Singles),
            ("utilization( zone = a ) n-2 < 1", FleetScope::Pairs),
            ("load(zone=eu/a) <= 5000", FleetScope::Present),
            ("imbalance <= 1.5", FleetScope::Present),
            ("cross_zone <= 10", FleetScope::Present),
            ("cost n-1 < 5", FleetScope::Singles),
            (" no  overload n-1", FleetScope::Singles),
            ("survives n-2", FleetScope::Pairs),
        ] {
            assert_eq!(
                FleetExpectation::parse(text).unwrap().scope,
                scope,
                "{text}"
            );
        }
    }

    #[test]
    fn faults_have_columns() {
        let faults = |text| {
            let faults = FleetExpectation::parse(text).unwrap_err();
            faults
                .iter()
                .map(|of| (of.column, of.message))
                .collect::<Vec<_>>()
        };
        assert_eq!(faults("no overlod"), [(1, "invalid expectation")]);
        assert_eq!(
            faults("utilisation n-1 <= x"),
            [(1, "unknown figure"), (20, "not a number")]
        );
    }
}
