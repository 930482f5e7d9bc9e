//! From the criteria of a request to the sets of hosts to try, in order.
//!
//! The rules of Envoy's `SubsetLoadBalancer::chooseHost`:
//!
//! 1. With `fallback_list`, each criteria override of the list is tried in order.
//! 2. If the criteria select a subset, that subset serves, even if its hosts are unhealthy.
//! 3. Otherwise the fallback of the selector with exactly these keys applies, if it has one.
//! 4. Otherwise the fallback of the cluster applies.
//! 5. If that has no host, `panic_mode_any` uses all hosts of the cluster.

use core::ops::ControlFlow;

use super::{Criteria, SubsetEntry, SubsetIndex, SubsetTarget};
use crate::model::{Metadata, SelectorFallback, SubsetFallback, Value};

/// A set of hosts to try.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SetChoice {
    /// All hosts of the cluster.
    Whole,
    /// The set with this number.
    Set(usize),
    /// A single host, whatever its health (`single_host_per_subset`).
    Host {
        /// The priority, from 0.
        priority: usize,
        /// The index in the priority.
        host: usize,
    },
    /// A set of a chain step.
    Step {
        /// The index of the step, from 0.
        step: usize,
        /// The number of the set. It is the same in all clusters.
        set: usize,
    },
}

/// Why a set is tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SubsetReason {
    /// The criteria select a subset (counter `lb_subsets_selected`).
    Selected,
    /// The fallback of a selector applies.
    SelectorFallback,
    /// The fallback of the cluster applies (counter `lb_subsets_fallback`).
    Fallback,
    /// The fallback has no host, and `panic_mode_any` is set (counter `lb_subsets_fallback_panic`).
    PanicModeAny,
    /// The first chain step that meets its minimum.
    Step,
    /// No chain step meets its minimum, and the last one is a last resort.
    LastResort,
}

/// A chosen set of hosts with the reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChosenSubset {
    /// The set.
    pub choice: SetChoice,
    /// Why this set.
    pub reason: SubsetReason,
}

impl ChosenSubset {
    const fn new(choice: SetChoice, reason: SubsetReason) -> Self {
        Self { choice, reason }
    }

    /// The index of the serving chain step; `None` without a chain.
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
    /// Whether [`SubsetIndex::choose`] may try a second set if the first one has no host.
    #[must_use]
    pub(crate) const fn may_try_again(&self) -> bool {
        self.config().fallback_list || self.config().panic_mode_any
    }

    /// Calls `ask` with one set after the other until it breaks because it found a host. If it
    /// never breaks, the request has no host (`SubsetLoadBalancer::chooseHost`).
    pub fn choose(
        &self,
        criteria: &Metadata,
        mut ask: impl FnMut(ChosenSubset) -> ControlFlow<()>,
    ) {
        let all = Criteria::new(criteria);
        let list = if self.config().fallback_list {
            criteria.get(super::criteria::FALLBACK_LIST)
        } else {
            None
        };
        let _ = match list {
            None => self.iteration(all, &mut ask),
            Some(Value::List(overrides)) if !overrides.is_empty() => {
                overrides.iter().try_for_each(|by| {
                    let criteria = match by {
                        Value::Struct(by) => all.without_list().overridden(by),
                        // Envoy treats any other value as an empty override.
                        _ => all.without_list(),
                    };
                    self.iteration(criteria, &mut ask)
                })
            }
            // A value that is no list, or an empty one, still is no criterion.
            Some(_) => self.iteration(all.without_list(), &mut ask),
        };
    }

    /// The subset of the criteria, or of those that `KEYS_SUBSET` keeps, which `keeps` gets. Without one,
    /// the fallback of the selector with the last keys, never `KEYS_SUBSET`.
    #[inline]
    fn look_up<'a>(
        &'a self,
        criteria: Criteria<'a>,
        mut keeps: impl FnMut(Criteria<'a>),
    ) -> Result<&'a SubsetEntry, &'a SelectorFallback> {
        let mut criteria = criteria;
        // Terminates: fallback keys are a proper subset of a selector's keys, so each round has
        // fewer keys.
        loop {
            let mut used = criteria;
            if self.config().allow_redundant_keys {
                let selectors = self.config().selectors.iter();
                let mut fitting = selectors.map(|selector| selector.keys());
                let keys = fitting.find(|keys| !keys.is_empty() && criteria.have(keys));
                used = keys.map_or(criteria, |keys| criteria.only(keys));
            }
            if let Some(entry) = self.find(used) {
                return Ok(entry);
            }
            match self.fallback(used) {
                SelectorFallback::KeysSubset(keys) => criteria = used.only(keys),
                fallback => return Err(fallback),
            }
            keeps(criteria);
        }
    }

    /// The criteria that `KEYS_SUBSET` keeps; `None` if it does not apply to the request.
    #[must_use]
    pub fn kept_criteria(&self, criteria: &Metadata) -> Option<Metadata> {
        // Each override of a list has its own criteria.
        if self.config().fallback_list {
            return None;
        }
        let mut kept = None;
        let _ = self.look_up(Criteria::new(criteria), |criteria| kept = Some(criteria));
        let kept = kept?;
        let fields = kept.iter();
        Some(Metadata::new(
            fields.map(|field| (field.key.clone(), field.value.clone())),
        ))
    }

    fn iteration(
        &self,
        criteria: Criteria<'_>,
        ask: &mut impl FnMut(ChosenSubset) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let choice = match self.look_up(criteria, |_| {}) {
            Ok(entry) => {
                let choice = match entry.target {
                    SubsetTarget::Set(set) => SetChoice::Set(set),
                    SubsetTarget::Host { priority, host } => SetChoice::Host { priority, host },
                };
                // A subset that exists is final, even if its hosts are unhealthy: Envoy falls back only if
                // it has no host at all.
                return ask(ChosenSubset::new(choice, SubsetReason::Selected));
            }
            Err(SelectorFallback::NoFallback) => return ControlFlow::Continue(()),
            Err(SelectorFallback::AnyEndpoint) => Some(SetChoice::Whole),
            Err(SelectorFallback::DefaultSubset) => Some(self.default_choice()),
            // `KEYS_SUBSET` is resolved in `look_up`.
            Err(SelectorFallback::NotDefined | SelectorFallback::KeysSubset(_)) => None,
        };
        if let Some(choice) = choice {
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
        // An empty `default_subset` matches every host.
        self.default_set().map_or(SetChoice::Whole, SetChoice::Set)
    }
}
