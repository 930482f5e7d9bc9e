//! The criteria of a request for a subset lookup.

use alloc::sync::Arc;
use core::hash::{Hash as _, Hasher};

use super::short_text::{WordHasher, same_text};
use crate::model::{Field, Metadata, Value};

/// The criterion with a list of overrides.
pub(super) const FALLBACK_LIST: &str = "fallback_list";

/// The criteria of a request, sorted by key. Overriding and filtering copy nothing, so a lookup
/// allocates nothing.
#[derive(Debug, Clone, Copy)]
pub struct Criteria<'a> {
    base: &'a [Field],
    over: &'a [Field],
    without_list: bool,
    only: Option<&'a [Arc<str>]>,
}

impl<'a> Criteria<'a> {
    /// All fields as criteria.
    #[must_use]
    pub fn new(metadata: &'a Metadata) -> Self {
        Self {
            base: metadata.fields(),
            over: &[],
            without_list: false,
            only: None,
        }
    }

    /// Without the list of overrides.
    pub(super) fn without_list(self) -> Self {
        Self {
            without_list: true,
            ..self
        }
    }

    /// With these fields; they replace criteria with the same key.
    pub(super) fn overridden(self, by: &'a Metadata) -> Self {
        Self {
            over: by.fields(),
            ..self
        }
    }

    /// Only the criteria with these keys, which are sorted.
    pub(super) fn only(self, keys: &'a [Arc<str>]) -> Self {
        Self {
            only: Some(keys),
            ..self
        }
    }

    /// The fields, if they need no merging or filtering. This is the common case.
    pub(super) fn plain(self) -> Option<&'a [Field]> {
        let plain = self.over.is_empty() && !self.without_list && self.only.is_none();
        plain.then_some(self.base)
    }

    /// The criteria, sorted by key.
    pub fn iter(self) -> impl Iterator<Item = &'a Field> {
        let (mut base, mut over) = (self.base.iter().peekable(), self.over.iter().peekable());
        core::iter::from_fn(move || {
            loop {
                let from_base = match (base.peek(), over.peek()) {
                    (Some(low), Some(high)) => low.key < high.key,
                    (low, _) => low.is_some(),
                };
                if !from_base {
                    let field = over.next()?;
                    // The override replaces the criterion of the route.
                    base.next_if(|low| low.key == field.key);
                    return Some(field);
                }
                let field = base.next()?;
                if !self.without_list || &*field.key != FALLBACK_LIST {
                    return Some(field);
                }
            }
        })
        .filter(move |field| match self.only {
            Some(keys) => keys.binary_search(&field.key).is_ok(),
            None => true,
        })
    }

    /// Whether the criteria contain all of these keys, which are sorted.
    ///
    /// A cluster may have many selectors and a request many criteria, so a key is searched by halving.
    pub(super) fn have(self, keys: &[Arc<str>]) -> bool {
        keys.iter().all(|key| self.has(key))
    }

    fn has(self, key: &Arc<str>) -> bool {
        let is_in = |fields: &[Field]| fields.binary_search_by(|field| field.key.cmp(key)).is_ok();
        let in_base = || !(self.without_list && **key == *FALLBACK_LIST) && is_in(self.base);
        let is_kept = |keys: &[Arc<str>]| keys.binary_search(key).is_ok();
        (in_base() || is_in(self.over)) && self.only.is_none_or(is_kept)
    }

    /// A hash of keys and values, and the number of criteria.
    pub(super) fn hashed(self) -> (u64, usize) {
        match self.plain() {
            Some(fields) => hash_fields(fields.iter()),
            None => hash_fields(self.iter()),
        }
    }

    /// Whether the criteria equal these fields.
    pub(super) fn are(self, fields: &[Field]) -> bool {
        match self.plain() {
            Some(own) => own.len() == fields.len() && own.iter().zip(fields).all(same_field),
            None => self.iter().eq(fields),
        }
    }

    /// A hash of the keys, and the number of criteria.
    pub(super) fn hashed_keys(self) -> (u64, usize) {
        hash_keys(self.iter().map(|field| &field.key))
    }
}

/// Hashes whole values and only the ends of keys. Selectors are few, and a lookup compares the
/// texts after the hash.
pub(super) fn hash_fields<'f>(fields: impl Iterator<Item = &'f Field>) -> (u64, usize) {
    let (mut hasher, mut count) = (WordHasher::default(), 0);
    for field in fields {
        hasher.write_end(field.key.as_bytes());
        match &field.value {
            Value::Text(text) => hasher.write(text.as_bytes()),
            value => value.hash(&mut hasher),
        }
        count += 1;
    }
    (hasher.finish(), count)
}

fn same_field((a, b): (&Field, &Field)) -> bool {
    let values = match (&a.value, &b.value) {
        (Value::Text(a), Value::Text(b)) => same_text(a, b),
        (a, b) => a == b,
    };
    values && same_text(&a.key, &b.key)
}

pub(super) fn hash_keys<'k>(keys: impl Iterator<Item = &'k Arc<str>>) -> (u64, usize) {
    let (mut hasher, mut count) = (WordHasher::default(), 0);
    for key in keys {
        hasher.write(key.as_bytes());
        count += 1;
    }
    (hasher.finish(), count)
}

#[cfg(test)]
mod tests {
    use alloc::{string::String, vec::Vec};

    use super::*;
    use crate::model::Value;

    fn metadata(pairs: &[(&str, f64)]) -> Metadata {
        Metadata::new(
            pairs
                .iter()
                .map(|(key, value)| (*key, Value::Number(*value))),
        )
    }

    fn shown(criteria: Criteria<'_>) -> String {
        let parts: Vec<String> = criteria
            .iter()
            .map(|field| match field.value {
                Value::Number(number) => alloc::format!("{}={number}", field.key),
                _ => String::from("?"),
            })
            .collect();
        parts.join(" ")
    }

    #[test]
    fn overriding_and_filtering_behave_like_copies() {
        let base = metadata(&[("a", 1.0), ("c", 3.0), ("fallback_list", 0.0), ("x", 9.0)]);
        let over = metadata(&[("b", 20.0), ("c", 30.0), ("z", 40.0)]);
        let criteria = Criteria::new(&base);
        assert_eq!(shown(criteria), "a=1 c=3 fallback_list=0 x=9");
        assert_eq!(shown(criteria.without_list()), "a=1 c=3 x=9");
        let merged = criteria.without_list().overridden(&over);
        assert_eq!(shown(merged), "a=1 b=20 c=30 x=9 z=40");
        let keys: [Arc<str>; 3] = ["b".into(), "c".into(), "y".into()];
        assert_eq!(shown(merged.only(&keys)), "b=20 c=30");
        assert!(merged.have(&keys[..2]));
        assert!(!merged.have(&keys));
        let copy = metadata(&[
            ("a", 1.0),
            ("b", 20.0),
            ("c", 30.0),
            ("x", 9.0),
            ("z", 40.0),
        ]);
        assert_eq!(merged.hashed(), Criteria::new(&copy).hashed());
    }
}
