//! From a request's criteria to the sets of hosts that are asked for one, in order.

use core::ops::ControlFlow;

use super::{Criteria, SubsetIndex, SubsetTarget};
use crate::model::{Metadata, SelectorFallback, SubsetFallback, Value};

/// What is asked for a host.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SetChoice {
    /// All hosts of the cluster.
    Whole,
    /// One of its sets, by number.
    Set(usize),
    /// One host, whatever its health.
    Host {
        /// Its priority.
        priority: usize,
        /// Its index in the priority.
        host: usize,
    },
    /// A set of a step of the chain.
    Step {
        /// The place of the step, from 0.
        step: usize,
        /// The number of the set among those that the step has in any cluster.
        set: usize,
    },
}

/// Why it is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SubsetReason {
    /// The criteria name a subset (counter `lb_subsets_selected`).
    Selected,
    /// They do not, and the selector of their keys says so.
    SelectorFallback,
    /// They do not, and the cluster's fallback says so (counter `lb_subsets_fallback`).
    Fallback,
    /// The fallback had no host (counter `lb_subsets_fallback_panic`).
    PanicModeAny,
    /// The first step of the chain that meets its minima.
    Step,
    /// No step does, and the last one serves all the same.
    LastResort,
}

/// A subset, or what stands in for one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChosenSubset {
    /// Whose hosts were asked.
    pub choice: SetChoice,
    /// Why these.
    pub reason: SubsetReason,
}

impl ChosenSubset {
    const fn new(choice: SetChoice, reason: SubsetReason) -> Self {
        Self { choice, reason }
    }

    /// The place of the step of the chain that serves.
    #[must_use]
    pub const fn step(&self) -> Option<usize> {
        match self.choice {
            SetChoice::Step { step, .. } => Some(step),
            _ => None,
        }
    }
}

impl SubsetReason {
    /// The name in traces.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Selected => "selected",
            Self::SelectorFallback => "selector_fallback",
            Self::Fallback => "fallback",
            Self::PanicModeAny => "panic_mode_any",
            Self::Step => "step",
            Self::LastResort => "last_resort",
        }
    }
}

impl SubsetIndex {
    /// Whether [`SubsetIndex::choose`] may ask for a second set, once the first one has no host.
    #[must_use]
    pub(crate) const fn asks_again(&self) -> bool {
        self.config().fallback_list || self.config().panic_mode_any
    }

    /// Asks one after the other until `ask` breaks, because it found a host. When it never does,
    /// the request has none (`SubsetLoadBalancer::chooseHost`).
    pub fn choose(
        &self,
        criteria: &Metadata,
        mut ask: impl FnMut(ChosenSubset) -> ControlFlow<()>,
    ) {
        let all = Criteria::new(criteria);
        let list = match self.config().fallback_list {
            true => criteria.get(super::criteria::FALLBACK_LIST),
            false => None,
        };
        let _ = match list {
            None => self.iteration(all, &mut ask),
            Some(Value::List(overrides)) if !overrides.is_empty() => {
                overrides.iter().try_for_each(|by| {
                    let criteria = match by {
                        Value::Struct(by) => all.without_list().overridden(by),
                        // Envoy takes anything else for an empty override.
                        _ => all.without_list(),
                    };
                    self.iteration(criteria, &mut ask)
                })
            }
            Some(_) => self.iteration(all.without_list(), &mut ask),
        };
    }

    fn iteration(
        &self,
        criteria: Criteria<'_>,
        ask: &mut impl FnMut(ChosenSubset) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let mut criteria = criteria;
        // Keys only become fewer from turn to turn: a fallback's are a proper part of a
        // selector's.
        loop {
            let mut used = criteria;
            if self.config().allow_redundant_keys {
                let selectors = self.config().selectors.iter();
                let mut fitting = selectors.map(|selector| selector.keys());
                let keys = fitting.find(|keys| !keys.is_empty() && criteria.have(keys));
                used = keys.map_or(criteria, |keys| criteria.only(keys));
            }
            if let Some(entry) = self.find(used) {
                let choice = match entry.target {
                    SubsetTarget::Set(set) => SetChoice::Set(set),
                    SubsetTarget::Host { priority, host } => SetChoice::Host { priority, host },
                };
                return ask(ChosenSubset::new(choice, SubsetReason::Selected));
            }
            let choice = match self.fallback(used) {
                SelectorFallback::NotDefined => break,
                SelectorFallback::NoFallback => return ControlFlow::Continue(()),
                SelectorFallback::AnyEndpoint => SetChoice::Whole,
                SelectorFallback::DefaultSubset => self.default_choice(),
                SelectorFallback::KeysSubset(keys) => {
                    criteria = used.only(keys);
                    continue;
                }
            };
            return ask(ChosenSubset::new(choice, SubsetReason::SelectorFallback));
        }
        let choice = match self.config().fallback {
            SubsetFallback::NoFallback => return ControlFlow::Continue(()),
            SubsetFallback::AnyEndpoint => SetChoice::Whole,
            SubsetFallback::DefaultSubset => self.default_choice(),
        };
        ask(ChosenSubset::new(choice, SubsetReason::Fallback))?;
        if self.config().panic_mode_any {
            ask(ChosenSubset::new(
                SetChoice::Whole,
                SubsetReason::PanicModeAny,
            ))?;
        }
        ControlFlow::Continue(())
    }

    fn default_choice(&self) -> SetChoice {
        self.default_set().map_or(SetChoice::Whole, SetChoice::Set)
    }
}
