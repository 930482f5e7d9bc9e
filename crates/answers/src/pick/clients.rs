//! Clients that keep the cookies and session headers of earlier responses.

use std::collections::BTreeMap;

use serde_json::Value;
use spillgate_core::route::SessionStateKind;

/// What one client keeps.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Client {
    kept: BTreeMap<Carrier, Kept>,
}

/// A header, and the name of a cookie in it.
pub(super) type Carrier = (String, Option<String>);

/// The possible hosts of a cookie or header of a client.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Kept {
    /// The hosts with their probabilities, which add up to 1. `None` means that the client has no
    /// cookie or header.
    pub(super) hosts: Vec<(f64, Option<String>)>,
    /// The row whose random choice decides between them.
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
    /// A known host.
    pub(super) fn certain(host: String) -> Self {
        Self {
            hosts: vec![(1.0, Some(host))],
            origin: None,
        }
    }
}

impl Client {
    /// What the client keeps for a carrier.
    pub(super) fn kept(&self, carrier: &Carrier) -> Kept {
        self.kept.get(carrier).cloned().unwrap_or_default()
    }

    /// Keeps the session of a carrier.
    pub(super) fn keep(&mut self, carrier: Carrier, kept: Kept) {
        self.kept.insert(carrier, kept);
    }
}

/// The header, and the cookie in it, that carries a session.
pub(super) fn key(carrier: &SessionStateKind) -> Carrier {
    let (header, cookie) = carrier.header_and_cookie();
    (header.to_owned(), cookie.map(str::to_owned))
}

/// Adds up the possible hosts of a carrier after a row.
#[derive(Debug, Default)]
pub(super) struct Tally {
    hosts: BTreeMap<Option<String>, f64>,
    learned: bool,
}

impl Tally {
    /// The response names a host, with a probability.
    pub(super) fn learn(&mut self, probability: f64, host: &str) {
        self.learned = true;
        self.add(probability, Some(host.to_owned()));
    }

    /// The response changes nothing, with a probability.
    pub(super) fn stay(&mut self, probability: f64, before: &[(f64, Option<String>)]) {
        for (part, host) in before {
            self.add(probability * part, host.clone());
        }
    }

    /// Adds the probability of a host.
    fn add(&mut self, probability: f64, host: Option<String>) {
        *self.hosts.entry(host).or_default() += probability;
    }

    /// Whether the response can name a host.
    pub(super) const fn learns(&self) -> bool {
        self.learned
    }

    /// What the client keeps after the row. `origin` is the row whose random choice decides.
    pub(super) fn kept(mut self, before: &Kept, origin: &Value) -> Kept {
        if !self.learned {
            return before.clone();
        }
        // Responses without this carrier change nothing.
        let total: f64 = self.hosts.values().sum();
        if total < 1.0 {
            self.stay(1.0 - total, &before.hosts);
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
