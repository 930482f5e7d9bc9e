//! Checks an expectation against the effects of a loss.

use alloc::string::String;

use spillgate_core::snapshot::HostRef;
use spillgate_explain::report::Shares;

use super::{Comparison, Expectation, Figure, Priorities, Rule};
use crate::{
    LoadState, Scene, WhatIf, ZoneLoss,
    fault::{Piece, SpecFault},
    loss::What,
};

/// Smaller differences count as equal: shares are sums of fractions.
const TOLERANCE: f64 = 1e-9;

/// The result of an expectation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Checked {
    /// Whether it holds.
    pub ok: bool,
    /// The figure: percent of the requests for loads, shares and `no 503`; a ratio for the
    /// overload; a number of hosts for the panic margin, of priorities in panic mode for `no
    /// panic`, and of fatal losses for `survives`. `None` for an overload without a surviving host,
    /// which meets no expectation, and for an unlimited panic margin, which exceeds every number.
    pub value: Option<f64>,
}

impl Expectation {
    /// Checks the expectation after a loss.
    ///
    /// # Errors
    /// If it names priorities or hosts that do not exist.
    pub fn check(&self, scene: &Scene, what_if: &WhatIf) -> Result<Checked, SpecFault> {
        self.check_with(scene, what_if, &|lost| scene.state(lost))
    }

    /// As [`Expectation::check`], with other loads without hosts than Envoy's.
    ///
    /// # Errors
    /// If it names priorities or hosts that do not exist.
    pub fn check_with(
        &self,
        scene: &Scene,
        what_if: &WhatIf,
        state: &dyn Fn(&[HostRef]) -> LoadState,
    ) -> Result<Checked, SpecFault> {
        Ok(match &self.rule {
            Rule::Figure {
                figure,
                comparison,
                number,
            } => {
                let value = figure.value(scene, what_if)?;
                let unlimited = matches!(figure, Figure::PanicMargin).then_some(f64::INFINITY);
                let ok = value.or(unlimited);
                Checked {
                    ok: ok.is_some_and(|value| comparison.holds(value, *number)),
                    value,
                }
            }
            Rule::NoPanic => zero(what_if.after.panicking() as f64),
            Rule::No503 => zero(what_if.after.no_host),
            Rule::Survives(loss) => {
                let failures = scene.failures_with(&scene.zones(), *loss, state);
                if failures.is_empty() {
                    return Err(SpecFault::new(
                        "what-if/no-zones",
                        Piece::whole(&self.text),
                        "not enough zones to lose",
                        match loss {
                            ZoneLoss::Single => "hosts in a zone",
                            ZoneLoss::Pairs => "hosts in two zones",
                        },
                    ));
                }
                let fatal = failures.iter().filter(|failure| !failure.state.survives());
                zero(fatal.count() as f64)
            }
        })
    }
}

impl Expectation {
    /// The cluster that it names, if it names one: `load(cluster=c) < 10`, `share(cluster=c) > 0`.
    #[must_use]
    pub fn cluster(&self) -> Option<&str> {
        let Rule::Figure {
            figure: Figure::Share(selector) | Figure::Load(Priorities::Of(selector)),
            ..
        } = &self.rule
        else {
            return None;
        };
        let mut terms = selector.terms.iter();
        let term = terms.find(|term| term.what == What::Cluster)?;
        Some(&term.value)
    }

    /// The fault if it names none of these clusters; `None` if it names no cluster, or one of them.
    #[must_use]
    pub fn unknown_cluster<'n>(
        &self,
        known: impl IntoIterator<Item = &'n str>,
    ) -> Option<SpecFault> {
        let name = self.cluster()?;
        let message = "the answer is not about this cluster";
        let fault = SpecFault::new("what-if/no-host", Piece::whole(name), message, "a cluster");
        let fault = fault.one_of(known);
        (!fault.choices.iter().any(|choice| choice == name)).then_some(fault)
    }

    /// The zones that must be lost without an effect, for `survives n-1` and `survives n-2`.
    #[must_use]
    pub const fn survived(&self) -> Option<ZoneLoss> {
        match self.rule {
            Rule::Survives(loss) => Some(loss),
            _ => None,
        }
    }

    /// The result in a cluster without the hosts or the priority that it names: they get nothing. `None`
    /// if it names neither.
    #[must_use]
    pub fn check_absent(&self) -> Option<Checked> {
        match &self.rule {
            Rule::Figure {
                figure: Figure::Load(_) | Figure::Share(_),
                comparison,
                number,
            } => Some(Checked {
                ok: comparison.holds(0.0, *number),
                value: Some(0.0),
            }),
            _ => None,
        }
    }
}

/// A figure that must be 0.
pub(crate) fn zero(value: f64) -> Checked {
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
                // `sum` of an empty list would be -0.
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
                        "what-if/no-priority",
                        at,
                        "unknown priority",
                        "a cluster with priorities",
                    );
                    Err(fault.one_of(names.iter().map(String::as_str)))
                }
            },
            Self::Of(selector) => {
                // Reports the wrong term if no host matches.
                scene.select(selector)?;
                let name = |at| {
                    scene
                        .snapshot()
                        .cluster(at)
                        .map(|owner| owner.name.as_str())
                };
                let matching = priorities.iter().filter(|priority| {
                    selector.terms.iter().all(|term| match term.what {
                        What::Cluster if term.value == scene.name() => true,
                        What::Cluster => name(priority.at.cluster) == Some(&term.value),
                        _ => term.value.parse() == Ok(priority.at.priority),
                    })
                });
                Ok(matching.fold(0.0, |sum, priority| sum + f64::from(priority.load())))
            }
        }
    }
}

impl Comparison {
    /// Whether a value compares so to a number. Differences below 10^-9 count as equal.
    #[must_use]
    pub fn holds(self, value: f64, number: f64) -> bool {
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
