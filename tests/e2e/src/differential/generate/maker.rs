//! The state of a scenario in the making.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::super::features::{Features, known};
use super::super::runtime::StaticValue;
use super::super::scenario::Surroundings;
use spillgate_testkit::models::Dice;

/// The key that metadata, selectors and criteria are about.
pub(super) const KEYS: [&str; 4] = ["stage", "version", "type", "shard"];

/// A cluster that routes lead to.
#[derive(Debug, Clone)]
pub(super) struct Entry {
    pub(super) name: String,
    /// Whether criteria mean anything to it.
    pub(super) subsets: bool,
    /// Whether the request hash does.
    pub(super) hashes: bool,
}

/// A scenario in the making.
#[derive(Debug)]
pub(super) struct Maker<'f> {
    pub(super) dice: Dice,
    pub(super) surroundings: &'f Surroundings,
    pub(super) used: BTreeSet<&'static str>,
    pub(super) clusters: Vec<Value>,
    /// Further fields of the virtual host.
    pub(super) virtual_host: Map<String, Value>,
    /// The scenario's own runtime values.
    pub(super) runtime: Vec<StaticValue>,
    /// Whether hosts are chosen in turn and requests are retried: other requests must move the
    /// turn, because its position counts as uniform.
    pub(super) turns: bool,
    features: &'f Features,
    addresses: BTreeSet<[u8; 3]>,
    port: u16,
}

impl<'f> Maker<'f> {
    pub(super) fn new(
        mut dice: Dice,
        features: &'f Features,
        surroundings: &'f Surroundings,
    ) -> Self {
        // Nothing listens there; the length of the text matters to tables.
        let port = dice.one(&[1, 19, 511, 1011]);
        Self {
            dice,
            surroundings,
            used: surroundings.features.clone(),
            clusters: Vec::new(),
            virtual_host: Map::new(),
            runtime: Vec::new(),
            turns: false,
            features,
            addresses: BTreeSet::new(),
            port,
        }
    }

    /// Whether to use a feature, with that probability in percent if it may be used.
    pub(super) fn uses(&mut self, feature: &'static str, percent: usize) -> bool {
        // The draw is made in any case, so that removing a feature changes little else.
        let wanted = self.dice.chance(percent);
        let used = wanted && self.features.has(known(feature));
        if used {
            self.used.insert(feature);
        }
        used
    }

    /// Whether the scenario or its surroundings use one of these features.
    pub(super) fn used_any(&self, features: &[&'static str]) -> bool {
        features.iter().any(|name| self.used.contains(known(name)))
    }

    /// Whether a feature may be used.
    pub(super) fn may(&self, feature: &'static str) -> bool {
        self.features.has(known(feature))
    }

    /// One of the addresses that hosts of the scenario have.
    pub(super) fn known_address(&mut self) -> String {
        let all: Vec<[u8; 3]> = self.addresses.iter().copied().collect();
        if all.is_empty() {
            String::new()
        } else {
            let [a, b, c] = self.dice.one(&all);
            format!("127.{a}.{b}.{c}:{}", self.port)
        }
    }

    /// A loopback address that no other host of the scenario has, and the port of them all.
    pub(super) fn address(&mut self) -> (String, u16) {
        loop {
            let part = |dice: &mut Dice| dice.between(1, 250) as u8;
            let parts = [
                part(&mut self.dice),
                part(&mut self.dice),
                part(&mut self.dice),
            ];
            if self.addresses.insert(parts) {
                let [a, b, c] = parts;
                return (format!("127.{a}.{b}.{c}"), self.port);
            }
        }
    }
}
