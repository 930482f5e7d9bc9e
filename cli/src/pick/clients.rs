//! Clients that keep the cookies and session headers of earlier answers.

use std::collections::BTreeMap;

use serde_json::Value;
use spillgate_core::route::StatefulSessionCarrier;

/// All that one client keeps.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Client {
    kept: BTreeMap<Carrier, Kept>,
}

/// A header, or a cookie of that name in it.
pub(super) type Carrier = (String, Option<String>);

/// What a cookie or a header of a client names, as far as that is certain.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Kept {
    /// The hosts that it may name, with their probabilities, which sum up to 1; without a host for
    /// a client that may not have it.
    pub(super) hosts: Vec<(f64, Option<String>)>,
    /// The row whose draw decides between them.
    pub(super) origin: Option<Value>,
}

impl Default for Kept {
    fn default() -> Self {
        Self {
            hosts: vec![(1.0, None)],
            origin: None,
        }
    }
}

impl Kept {
    /// One that names a host for certain.
    pub(super) fn certain(host: String) -> Self {
        Self {
            hosts: vec![(1.0, Some(host))],
            origin: None,
        }
    }
}

impl Client {
    /// What it has for a carrier.
    pub(super) fn kept(&self, carrier: &Carrier) -> Kept {
        self.kept.get(carrier).cloned().unwrap_or_default()
    }

    pub(super) fn keep(&mut self, carrier: Carrier, kept: Kept) {
        self.kept.insert(carrier, kept);
    }
}

/// Where a client has it.
pub(super) fn key(carrier: &StatefulSessionCarrier) -> Carrier {
    let (header, cookie) = carrier.header_and_cookie();
    (header.to_owned(), cookie.map(str::to_owned))
}

/// Sums up what a carrier may name after a row.
#[derive(Debug, Default)]
pub(super) struct Tally {
    hosts: BTreeMap<Option<String>, f64>,
    learnt: bool,
}

impl Tally {
    /// The row's answer names a host, with a probability.
    pub(super) fn learn(&mut self, probability: f64, host: &str) {
        self.learnt = true;
        self.add(probability, Some(host.to_owned()));
    }

    /// Nothing changes, with a probability.
    pub(super) fn stay(&mut self, probability: f64, before: &[(f64, Option<String>)]) {
        for (part, host) in before {
            self.add(probability * part, host.clone());
        }
    }

    fn add(&mut self, probability: f64, host: Option<String>) {
        *self.hosts.entry(host).or_default() += probability;
    }

    /// Whether anything came from the row itself.
    pub(super) const fn learns(&self) -> bool {
        self.learnt
    }

    /// What the client has now. `origin` is the row whose draw decides, if anything was drawn.
    pub(super) fn kept(self, before: &Kept, origin: &Value) -> Kept {
        if !self.learnt {
            return before.clone();
        }
        let total: f64 = self.hosts.values().sum();
        let hosts: Vec<(f64, Option<String>)> = self
            .hosts
            .into_iter()
            .filter(|(_, probability)| *probability > 0.0)
            .map(|(host, probability)| (probability / total, host))
            .collect();
        Kept {
            origin: (hosts.len() > 1).then(|| origin.clone()),
            hosts,
        }
    }
}
