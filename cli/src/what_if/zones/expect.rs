//! Expectations on the traffic of all zones.

use spillgate_mesh::traffic::TrafficMatrix;
use spillgate_sim::{Expectation, SpecFault, TrafficExpectation};

use crate::what_if::loss_report::Expected;

/// An expectation after the loss.
#[derive(Debug)]
pub(super) enum ZonesExpectation {
    /// `zone(a)->zone(b) <= 20`.
    Traffic(TrafficExpectation),
    /// `no 503`: every request of every zone finds a host.
    No503,
    /// `survives n-1`, `survives n-2`: also after the loss of one or two whole zones.
    Survives(String, u8),
}

impl ZonesExpectation {
    /// Reads an expectation.
    pub(super) fn parse(text: &str) -> Result<Self, Vec<SpecFault>> {
        if let Some(read) = TrafficExpectation::parse(text) {
            return read.map(Self::Traffic);
        }
        let words: Vec<&str> = text.split_whitespace().collect();
        match words.as_slice() {
            ["no", "503"] => Ok(Self::No503),
            ["survives", "n-1"] => Ok(Self::Survives(text.trim().into(), 1)),
            ["survives", "n-2"] => Ok(Self::Survives(text.trim().into(), 2)),
            _ => {
                // Another expectation is about the priorities of one proxy.
                Expectation::parse(text)?;
                Err(vec![SpecFault {
                    code: "what-if/needs-view",
                    column: 1,
                    message: "this expectation is about the clusters of one proxy",
                    found: format!("{text:?}"),
                    expected: "--as ZONE or --proxy NAME|FILE, or zone(a)->zone(b) <= 20, \
                               no 503, survives n-1"
                        .into(),
                    choices: Vec::new(),
                }])
            }
        }
    }
}

/// The worst share of an expectation over all destinations, which must all meet it.
pub(super) fn check_traffic(
    expectation: &TrafficExpectation,
    matrices: &[TrafficMatrix],
) -> Result<Expected, SpecFault> {
    let mut worst: Option<Expected> = None;
    for matrix in matrices {
        let from = name_in(&expectation.from, matrix.rows.iter().map(|row| &row.from));
        let to = name_in(&expectation.to, matrix.zones.iter());
        let share = from.zip(to).and_then(|(from, to)| matrix.share(from, to));
        let Some(share) = share else { continue };
        let expected = Expected::of(&expectation.text, expectation.check(share));
        if worst.as_ref().is_none_or(|known| known.ok) {
            worst = Some(expected);
        }
    }
    worst.ok_or_else(|| {
        let mut zones: Vec<String> = Vec::new();
        for zone in matrices.iter().flat_map(|matrix| &matrix.zones) {
            if !zones.contains(zone) {
                zones.push(zone.clone());
            }
        }
        SpecFault {
            code: "what-if/unknown-zone",
            column: 1,
            message: "unknown zone",
            found: format!("{:?} and {:?}", expectation.from, expectation.to),
            expected: format!("two of {}", zones.join(", ")),
            choices: zones,
        }
    })
}

/// A zone by its name, or by its name without the region if only one zone has it.
fn name_in<'z>(name: &str, mut zones: impl Iterator<Item = &'z String> + Clone) -> Option<&'z str> {
    if let Some(exact) = zones.clone().find(|zone| *zone == name) {
        return Some(exact);
    }
    let short = |zone: &&String| zone.split_once('/').is_some_and(|(_, zone)| zone == name);
    let first = zones.by_ref().find(short)?;
    zones.find(short).is_none().then_some(first.as_str())
}
