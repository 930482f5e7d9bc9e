//! Checks an expectation against the loads of a fleet.

use alloc::{format, string::String, vec::Vec};

use super::{
    CaseReport, FleetExpectation, FleetReport,
    expect::{Figure, NamedZone},
    hosts::INGRESS,
};
use crate::{
    expect::{Checked, Comparison, zero},
    fault::{Piece, SpecFault},
};

/// The result of an expectation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CheckedFleet {
    /// Whether it holds, and the figure that is farthest from it.
    pub checked: Checked,
    /// The index of the case with this figure.
    pub case: usize,
}

impl FleetExpectation {
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
        Ok(match &self.figure {
            Figure::Utilization(None) => {
                self.require_capacity(report, case.is_relayed())?;
                // Without a usable host, none is overloaded.
                100.0 * case.highest().unwrap_or(0.0)
            }
            Figure::Utilization(Some(zone)) => {
                let at = find(report, zone)?;
                let of = case.zones.get(at).copied().unwrap_or_default();
                // A lost zone has no host that could be overloaded.
                let is_left = !case.lost.contains(&at);
                self.require_capacity(report, is_left && of.relayed > 0.0)?;
                100.0 * of.highest.unwrap_or(0.0)
            }
            Figure::Load(zone) => {
                let at = find(report, zone)?;
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
                self.require_capacity(report, case.is_relayed())?;
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

    /// The fault of figures of single hosts if their capacities are not known, or their loads, because relays
    /// get requests for them.
    fn require_capacity(&self, report: &FleetReport, relayed: bool) -> Result<(), SpecFault> {
        if relayed {
            let message = "which hosts behind an ingress get its requests is not known";
            let expected =
                "load(zone=...), no 503, no panic or survives n-1, which need no single hosts";
            return Err(self.fault(INGRESS, message, expected));
        }
        let mut hosts = report.hosts.iter().filter(|host| !host.relays);
        if hosts.any(|host| host.capacity.is_none()) {
            let message = "the capacity of a host is not known";
            let expected = "--capacity for all hosts in question";
            return Err(self.fault("fleet/no-capacity", message, expected));
        }
        Ok(())
    }

    fn fault(&self, code: &'static str, message: &'static str, expected: &str) -> SpecFault {
        SpecFault::new(code, Piece::whole(&self.text), message, expected)
    }
}

fn rounded(rps: f64) -> f64 {
    if rps < 1e-9 { 0.0 } else { rps }
}

/// The index of the only zone with a name.
fn find(report: &FleetReport, named: &NamedZone) -> Result<usize, SpecFault> {
    let zones = report.zones.iter().enumerate();
    let found: Vec<usize> = zones
        .filter(|(_, zone)| zone.is_named(&named.name))
        .map(|(at, _)| at)
        .collect();
    let fault = |message| {
        let at = Piece {
            text: &named.name,
            before: named.before,
        };
        SpecFault::new("fleet/unknown-zone", at, message, "a zone")
    };
    match found.as_slice() {
        [only] => Ok(*only),
        [] => {
            let names = report.zones.iter().filter(|zone| !zone.zone.is_empty());
            let names: Vec<String> = names.map(|zone| zone.name_among(&report.zones)).collect();
            Err(fault("unknown zone").one_of(names.iter().map(String::as_str)))
        }
        several => {
            let names: Vec<String> = several.iter().map(|at| report.zone_name(*at)).collect();
            let message = "more than one region has this zone";
            Err(fault(message).one_of(names.iter().map(String::as_str)))
        }
    }
}
