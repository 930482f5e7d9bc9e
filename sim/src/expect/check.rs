//! Holding an expectation against what a loss does.

use alloc::string::String;

use super::{Comparison, Expectation, Figure, Priorities, Rule};
use crate::{
    Scene, WhatIf,
    fault::{Piece, SpecFault},
    loss::What,
};
use spillgate_explain::report::Shares;

/// Figures that differ by less are equal: shares are sums of fractions.
const TOLERANCE: f64 = 1e-9;

/// What came of an expectation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Checked {
    /// Whether it holds.
    pub ok: bool,
    /// The figure: percent of the requests for loads, shares and `no 503`, a ratio for the
    /// overload, hosts for the panic margin, priorities in panic for `no panic`, failures that are not
    /// survived for `survives`. `None` for an overload of nobody, which meets no expectation, and
    /// for a panic margin without end, which is above any number.
    pub value: Option<f64>,
}

impl Expectation {
    /// Whether it holds after a loss.
    ///
    /// # Errors
    /// When it is about priorities or hosts that there are not.
    pub fn check(&self, scene: &Scene, what_if: &WhatIf) -> Result<Checked, SpecFault> {
        Ok(match &self.rule {
            Rule::Figure {
                figure,
                comparison,
                number,
            } => {
                let value = figure.value(scene, what_if)?;
                let endless = matches!(figure, Figure::PanicMargin).then_some(f64::INFINITY);
                let ok = value.or(endless);
                Checked {
                    ok: ok.is_some_and(|value| comparison.holds(value, *number)),
                    value,
                }
            }
            Rule::NoPanic => none(what_if.after.panicking() as f64),
            Rule::No503 => none(what_if.after.no_host),
            Rule::Survives { two } => {
                let failures = scene.failures(&scene.zones(), *two);
                if failures.is_empty() {
                    return Err(SpecFault::new(
                        "what-if/no-zones",
                        Piece::whole(&self.text),
                        "there are no zones to lose",
                        if *two {
                            "hosts in two zones"
                        } else {
                            "hosts in a zone"
                        },
                    ));
                }
                let fatal = failures.iter().filter(|failure| !failure.state.survives());
                none(fatal.count() as f64)
            }
        })
    }
}

/// A figure that must be 0.
fn none(value: f64) -> Checked {
    Checked {
        ok: value == 0.0,
        value: Some(value),
    }
}

impl Figure {
    fn value(&self, scene: &Scene, what_if: &WhatIf) -> Result<Option<f64>, SpecFault> {
        Ok(match self {
            Self::Load(priorities) => Some(priorities.load(scene, what_if)?),
            Self::Share(selector) => {
                let shares = Shares::of(&what_if.shares_after);
                let hosts = scene.select(selector)?;
                // The sum of nothing would be a negative zero.
                Some(hosts.iter().fold(0.0, |sum, &host| sum + shares.get(host)))
            }
            Self::Overload => what_if.overload.map(|worst| worst.factor()),
            Self::PanicMargin => what_if.panic_margin.map(|hosts| hosts as f64),
        })
    }
}

impl Priorities {
    fn load(&self, scene: &Scene, what_if: &WhatIf) -> Result<f64, SpecFault> {
        let priorities = &what_if.after.priorities;
        match self {
            Self::Place { place, before } => match priorities.get(*place) {
                Some(priority) => Ok(f64::from(priority.load())),
                None => {
                    let text = alloc::format!("P{place}");
                    let at = Piece {
                        text: &text,
                        before: *before,
                    };
                    let names = (0..priorities.len()).map(|place| alloc::format!("P{place}"));
                    let names: alloc::vec::Vec<String> = names.collect();
                    let fault = SpecFault::new(
                        "what-if/no-level",
                        at,
                        "unknown priority",
                        "a cluster with priorities",
                    );
                    Err(fault.one_of(names.iter().map(String::as_str)))
                }
            },
            Self::Of(selector) => {
                // Says which term is wrong, where no host fulfils them all.
                scene.select(selector)?;
                let name = |at| {
                    scene
                        .snapshot()
                        .cluster(at)
                        .map(|owner| owner.name.as_str())
                };
                let meant = priorities.iter().filter(|priority| {
                    selector.terms.iter().all(|term| match term.what {
                        What::Cluster => name(priority.at.cluster) == Some(&term.value),
                        _ => term.value.parse() == Ok(priority.at.priority),
                    })
                });
                Ok(meant.fold(0.0, |sum, priority| sum + f64::from(priority.load())))
            }
        }
    }
}

impl Comparison {
    fn holds(self, value: f64, number: f64) -> bool {
        let difference = value - number;
        let equal = difference.abs() <= TOLERANCE;
        match self {
            Self::Less => difference < 0.0 && !equal,
            Self::LessOrEqual => difference < 0.0 || equal,
            Self::Equal => equal,
            Self::GreaterOrEqual => difference > 0.0 || equal,
            Self::Greater => difference > 0.0 && !equal,
        }
    }
}
