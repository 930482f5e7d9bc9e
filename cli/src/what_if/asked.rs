//! The options as values, before they are resolved in a cluster.

use std::collections::{BTreeMap, BTreeSet};

use spillgate_answers::input::Faults;
use spillgate_core::model::{Metadata, Model};
use spillgate_sim::{Addition, Amount, Expectation, Loss, Scene, Selector, Setting, SpecFault};

use super::WhatIfArgs;
use crate::spec::{criteria, faults};

/// The value of an option, and its text for errors.
#[derive(Debug, Clone)]
pub(crate) struct Given<T> {
    pub(crate) text: String,
    pub(crate) value: T,
}

/// The values of all options about hosts, clusters and expectations.
#[derive(Debug, Clone)]
pub(crate) struct Asked {
    pub(crate) losses: Vec<Given<Loss>>,
    pub(crate) additions: Vec<Given<Addition>>,
    pub(crate) settings: Vec<Given<Setting>>,
    pub(crate) sweep: Option<Given<Selector>>,
    pub(crate) expectations: Vec<Expectation>,
    /// The subset criteria of the requests.
    pub(crate) criteria: Metadata,
    /// The number of zones that are lost together (`--n-minus`), 1 or 2.
    pub(crate) n_minus: Option<u8>,
}

/// Which selectors match hosts of any cluster. One that matches none is an error.
#[derive(Debug, Default)]
pub(super) struct Matched {
    found: BTreeSet<(&'static str, String)>,
    missing: BTreeMap<(&'static str, String), SpecFault>,
}

impl Asked {
    /// Reads the arguments.
    ///
    /// # Errors
    /// Every error in their texts.
    pub(super) fn read(model: &Model, args: &WhatIfArgs) -> Result<Self, Faults> {
        let mut wrong = Faults::default();
        let losses = read(&mut wrong, "--lose", &args.lose, Loss::parse);
        let additions = read(&mut wrong, "--add", &args.add, Addition::parse);
        let settings = read(&mut wrong, "--set", &args.set, Setting::parse);
        let sweep = args.sweep.as_slice();
        let sweep = read(&mut wrong, "--sweep", sweep, Selector::parse);
        let expectations = read(&mut wrong, "--expect", &args.expect, Expectation::parse);
        let criteria = criteria(model, args.criteria.as_deref())
            .map_err(|found| wrong.extend(found))
            .ok();
        let (Some(criteria), true) = (criteria, wrong.is_empty()) else {
            return Err(wrong);
        };
        Ok(Self {
            losses,
            additions,
            settings,
            sweep: sweep.into_iter().next(),
            expectations: expectations.into_iter().map(|of| of.value).collect(),
            criteria,
            n_minus: args.n_minus,
        })
    }

    /// What of it concerns one of several clusters: losses of hosts that it has, at most as many as are
    /// usable, and the expectations about it or about all clusters.
    pub(super) fn within(&self, scene: &Scene, members: &[&str], matched: &mut Matched) -> Self {
        let mut own = self.clone();
        own.losses.retain_mut(|loss| {
            let fault = scene.lost(std::slice::from_ref(&loss.value)).err();
            let fault = fault.and_then(|faults| faults.into_iter().next());
            matched.note("--lose", &loss.text, fault);
            let Ok(hosts) = scene.select(&loss.value.selector) else {
                return false;
            };
            // More hosts than are usable are an error only if no cluster has so many.
            if let Amount::Hosts(count) = &mut loss.value.amount {
                *count = scene.loss_order(&hosts).len().min(*count);
            }
            true
        });
        if let Some(sweep) = &own.sweep {
            let fault = scene.select(&sweep.value).err();
            let is_missing = fault.is_some();
            matched.note("--sweep", &sweep.text, fault);
            if is_missing {
                own.sweep = None;
            }
        }
        own.expectations.retain(|expectation| {
            let named = expectation.cluster();
            named.is_none_or(|name| members.contains(&name))
        });
        own
    }
}

impl Matched {
    pub(super) fn note(&mut self, option: &'static str, text: &str, fault: Option<SpecFault>) {
        let key = (option, text.to_owned());
        match fault {
            None => {
                self.found.insert(key);
            }
            Some(fault) => {
                let known = self.missing.remove(&key);
                let fault = match known {
                    Some(known) => known.or(&fault),
                    None => fault,
                };
                self.missing.insert(key, fault);
            }
        }
    }

    /// The errors of selectors that match in no cluster.
    pub(super) fn faults(&self) -> Faults {
        let mut wrong = Faults::default();
        let missing = self.missing.iter();
        for ((option, text), fault) in missing.filter(|(key, _)| !self.found.contains(*key)) {
            wrong.extend(faults(option, text, std::slice::from_ref(fault)));
        }
        wrong
    }
}

/// Reads all values of an option and collects their errors.
fn read<T>(
    wrong: &mut Faults,
    option: &str,
    texts: &[String],
    parse: impl Fn(&str) -> Result<T, Vec<SpecFault>>,
) -> Vec<Given<T>> {
    let mut all = Vec::new();
    for text in texts {
        match parse(text) {
            Ok(value) => all.push(Given {
                text: text.clone(),
                value,
            }),
            Err(found) => wrong.extend(faults(option, text, &found)),
        }
    }
    all
}
