//! The values of fields that choose no host, so that two configurations can be compared in them.

use alloc::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet},
    vec::Vec,
};
use core::fmt;

use spillgate_core::hash::xxh64;

/// Hashes of the values of unread fields that can change what happens to a request, by message and field.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct UnreadValues {
    by_field: BTreeMap<UnreadField, Vec<PlacedValue>>,
}

/// A field that is not read.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct UnreadField {
    /// The name of its message, or the kind and the name of its document.
    pub message: Cow<'static, str>,
    /// Its name; empty for all of a document.
    pub field: Cow<'static, str>,
    /// Whether it can change which route or host requests get.
    pub can_choose: bool,
}

/// A value, and what it belongs to: equal values of other routes or clusters are other settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct PlacedValue {
    place: UnreadPlace,
    value: u64,
}

/// The part of a configuration that is being read, as hashes of its names and conditions: those do not depend on its
/// position.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct UnreadPlace {
    /// The name of the cluster; 0 outside of clusters.
    cluster: u64,
    /// The listener, the virtual host, the route or the endpoint.
    within: u64,
}

impl fmt::Display for UnreadField {
    /// `FIELD of MESSAGE`, or the document.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.field.is_empty() {
            return f.write_str(&self.message);
        }
        write!(f, "{} of {}", self.field, self.message)
    }
}

impl UnreadPlace {
    /// A cluster.
    pub(crate) fn cluster(name: &str) -> Self {
        Self {
            cluster: hash(name),
            within: 0,
        }
    }

    /// A part of this place, by the hash of its name or conditions.
    pub(super) fn part(self, hash: u64) -> Self {
        Self {
            within: xxh64(&hash.to_le_bytes(), self.within),
            ..self
        }
    }
}

impl UnreadValues {
    /// Adds the hash of a value of a field of a message.
    pub(super) fn add(&mut self, field: UnreadField, place: UnreadPlace, value: u64) {
        let values = self.by_field.entry(field).or_default();
        values.push(PlacedValue { place, value });
    }

    /// Adds the hash of a value of a field of a document, which has its place.
    #[cfg(feature = "mesh")]
    pub(crate) fn add_hash(&mut self, field: UnreadField, value: u64) {
        self.add(field, UnreadPlace::default(), value);
    }

    /// Adds the hash of a value once, however many have it.
    #[cfg(feature = "mesh")]
    pub(crate) fn add_hash_once(&mut self, field: UnreadField, value: u64) {
        let known = self.by_field.get(&field);
        if known.is_none_or(|known| known.iter().all(|of| of.value != value)) {
            self.add_hash(field, value);
        }
    }

    /// The fields whose values differ from those of a newer configuration, in which clusters have other names: pairs of
    /// the old and the new one. Those of clusters that only one side has differ only if they can choose.
    #[must_use]
    pub fn differing(
        &self,
        newer: &Self,
        renamed: &[(&str, &str)],
        one_sided: &[&str],
    ) -> Vec<UnreadField> {
        let one_sided: BTreeSet<u64> = one_sided.iter().map(|name| hash(name)).collect();
        let renamed: BTreeMap<u64, u64> = renamed
            .iter()
            .map(|(old, new)| (hash(old), hash(new)))
            .collect();
        let sorted = |mut values: Vec<PlacedValue>| {
            values.sort_unstable();
            values
        };
        let of = |values: &Self, field: &UnreadField| {
            let found = values.by_field.get(field);
            let mut found = found.cloned().unwrap_or_default();
            found.retain(|of| field.can_choose || !one_sided.contains(&of.place.cluster));
            found
        };
        let renamed = |mut values: Vec<PlacedValue>| {
            for value in &mut values {
                let cluster = &mut value.place.cluster;
                *cluster = renamed.get(cluster).copied().unwrap_or(*cluster);
            }
            values
        };
        let fields = self.by_field.keys().chain(newer.by_field.keys());
        let mut fields: Vec<UnreadField> = fields.cloned().collect();
        fields.sort_unstable();
        fields.dedup();
        fields.retain(|field| sorted(renamed(of(self, field))) != sorted(of(newer, field)));
        fields
    }
}

/// The hash of a text.
pub(super) fn hash(text: &str) -> u64 {
    xxh64(text.as_bytes(), 0)
}
