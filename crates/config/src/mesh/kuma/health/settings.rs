//! The settings that a `default` states, by their path, and how the settings of several policies merge.

use alloc::{
    collections::{BTreeMap, btree_map},
    string::String,
    vec::Vec,
};
use core::time::Duration;

use spillgate_core::route::HeaderMatch;
use spillgate_mesh::kuma::KumaMerge;

use crate::mesh::{place::ValuePlace, value::TextMap};

/// The settings of a `default`, by paths such as `http.numRetries`. Objects that are present have an entry, too.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct KumaSettings(BTreeMap<String, KumaSetting>);

/// A setting and its place.
#[derive(Debug, Clone, PartialEq)]
pub struct KumaSetting {
    /// The value.
    pub value: KumaValue,
    /// Where a document states it; `None` for a policy that no document has.
    pub place: Option<ValuePlace>,
}

/// The value of a setting.
#[derive(Debug, Clone, PartialEq)]
pub enum KumaValue {
    /// A duration.
    Time(Duration),
    /// An integer.
    Number(u32),
    /// A number that may have decimals.
    Decimal(f64),
    /// True or false.
    Flag(bool),
    /// A list of texts or of statuses, as texts.
    Texts(Vec<String>),
    /// Conditions on headers; `None` for one with a regular expression.
    Headers(Vec<Option<HeaderMatch>>),
    /// The hosts that retries leave out.
    Hosts(Vec<KumaHostSelection>),
    /// An object, or a setting whose value has no part in answers.
    Present,
}

/// An entry of `hostSelection`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct KumaHostSelection {
    /// `OmitPreviousHosts`, `OmitHostsWithTags` or `OmitPreviousPriorities`.
    pub predicate: String,
    /// The tags of hosts that are left out.
    pub tags: TextMap,
    /// The number of attempts after which the loads of priorities are computed again.
    pub update_frequency: u32,
}

impl KumaMerge for KumaSettings {
    /// Objects merge field by field (RFC 7396); lists are replaced.
    fn merge(&mut self, over: &Self) {
        let stronger = over.0.iter();
        let stronger = stronger.map(|(path, setting)| (path.clone(), setting.clone()));
        self.0.extend(stronger);
    }
}

impl KumaSettings {
    /// Adds a setting.
    pub fn set(&mut self, path: &str, value: KumaValue, place: Option<ValuePlace>) {
        self.0.insert(path.into(), KumaSetting { value, place });
    }

    /// Whether a setting or an object is there.
    #[must_use]
    pub fn has(&self, path: &str) -> bool {
        self.0.contains_key(path)
    }

    /// All settings, by path.
    pub fn iter(&self) -> btree_map::Iter<'_, String, KumaSetting> {
        self.0.iter()
    }

    /// Whether nothing is set.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The place of a setting in a document.
    #[must_use]
    pub fn place(&self, path: &str) -> Option<&ValuePlace> {
        self.0.get(path)?.place.as_ref()
    }

    /// The place of a setting, or of the nearest object around it.
    #[must_use]
    pub fn nearest_place(&self, path: &str) -> Option<&ValuePlace> {
        let mut path = path;
        loop {
            if let Some(place) = self.place(path) {
                return Some(place);
            }
            let Some((outer, _)) = path.rsplit_once('.') else {
                return self.place("");
            };
            path = outer;
        }
    }

    /// A duration.
    #[must_use]
    pub fn time(&self, path: &str) -> Option<Duration> {
        match self.value(path)? {
            KumaValue::Time(time) => Some(*time),
            _ => None,
        }
    }

    /// An integer.
    #[must_use]
    pub fn number(&self, path: &str) -> Option<u32> {
        match self.value(path)? {
            KumaValue::Number(number) => Some(*number),
            _ => None,
        }
    }

    /// A number that may have decimals.
    #[must_use]
    pub fn decimal(&self, path: &str) -> Option<f64> {
        match self.value(path)? {
            KumaValue::Decimal(number) => Some(*number),
            _ => None,
        }
    }

    /// Whether a flag is set.
    #[must_use]
    pub fn flag(&self, path: &str) -> Option<bool> {
        match self.value(path)? {
            KumaValue::Flag(flag) => Some(*flag),
            _ => None,
        }
    }

    /// A list of texts; empty if it is absent.
    #[must_use]
    pub fn texts(&self, path: &str) -> &[String] {
        match self.value(path) {
            Some(KumaValue::Texts(texts)) => texts,
            _ => &[],
        }
    }

    /// The value of a setting.
    #[must_use]
    pub fn value(&self, path: &str) -> Option<&KumaValue> {
        self.0.get(path).map(|setting| &setting.value)
    }
}

impl<'s> IntoIterator for &'s KumaSettings {
    type Item = (&'s String, &'s KumaSetting);
    type IntoIter = btree_map::Iter<'s, String, KumaSetting>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}
