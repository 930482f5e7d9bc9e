//! Typed metadata of endpoints and routes (`envoy.config.core.v3.Metadata`).
//!
//! Only the namespace [`NAMESPACE`] matters to load balancing. Values keep their protobuf type: the
//! number `1` does not match the string `"1"`.

use alloc::{sync::Arc, vec::Vec};
use core::fmt;

use crate::order;

/// The metadata namespace of load balancing.
pub const NAMESPACE: &str = "envoy.lb";

/// A value of a `google.protobuf.Struct`. Values of different types are never equal: `1` equals
/// neither `"1"` nor `true`; `1` and `1.0` are the same number.
#[derive(Debug, Clone)]
pub enum Value {
    /// `null`, an ordinary value.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number. Values from JSON are never NaN.
    Number(f64),
    /// A string.
    Text(Arc<str>),
    /// A list. Its order matters.
    List(Arc<[Value]>),
    /// A struct. The order of its keys does not matter.
    Struct(Metadata),
}

impl Value {
    /// A criterion that no host matches: no host has a number that is NaN.
    pub const UNMATCHED: Self = Self::Number(f64::NAN);
}

impl PartialEq for Value {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Null, Self::Null) => true,
            (Self::Bool(a), Self::Bool(b)) => a == b,
            // Compare bits, so that equal values have equal hashes.
            (Self::Number(a), Self::Number(b)) => a.to_bits() == b.to_bits(),
            (Self::Text(a), Self::Text(b)) => a == b,
            (Self::List(a), Self::List(b)) => a == b,
            (Self::Struct(a), Self::Struct(b)) => a == b,
            _ => false,
        }
    }
}

impl Eq for Value {}

impl core::hash::Hash for Value {
    fn hash<H: core::hash::Hasher>(&self, state: &mut H) {
        core::mem::discriminant(self).hash(state);
        match self {
            Self::Null => {}
            Self::Bool(value) => value.hash(state),
            Self::Number(value) => value.to_bits().hash(state),
            Self::Text(value) => value.hash(state),
            Self::List(values) => values.hash(state),
            Self::Struct(fields) => fields.hash(state),
        }
    }
}

impl fmt::Display for Value {
    /// As in JSON, but strings have no quotes.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => f.write_str("null"),
            Self::Bool(value) => write!(f, "{value}"),
            Self::Number(value) => write_number(f, *value),
            Self::Text(text) => f.write_str(text),
            Self::List(values) => {
                f.write_str("[")?;
                for (at, value) in values.iter().enumerate() {
                    let comma = if at > 0 { ", " } else { "" };
                    write!(f, "{comma}{value}")?;
                }
                f.write_str("]")
            }
            Self::Struct(fields) => write!(f, "{{{fields}}}"),
        }
    }
}

/// Writes at most six decimals. Full float formatting would add too much code to the Wasm modules.
fn write_number(f: &mut fmt::Formatter<'_>, value: f64) -> fmt::Result {
    const LARGEST: f64 = 1e15;
    if !(-LARGEST..=LARGEST).contains(&value) {
        return f.write_str(if value.is_nan() {
            "no value"
        } else if value > 0.0 {
            "a number above 1e15"
        } else {
            "a number below -1e15"
        });
    }
    let millionths = libm::round(libm::fabs(value) * 1e6) as u128;
    let sign = if value < 0.0 { "-" } else { "" };
    write!(f, "{sign}{}", millionths / 1_000_000)?;
    let mut rest = millionths % 1_000_000;
    if rest == 0 {
        return Ok(());
    }
    let mut digits = 6;
    while rest.is_multiple_of(10) {
        rest /= 10;
        digits -= 1;
    }
    write!(f, ".{rest:0digits$}")
}

/// Keys with values, sorted by key: the `envoy.lb` part of a `core.v3.Metadata`.
///
/// Clones share their fields. Empty metadata allocates nothing.
///
/// # Examples
/// ```
/// use spillgate_core::model::{Metadata, Value};
///
/// let text = |value: &str| Value::Text(value.into());
/// let route = Metadata::new([("stage", text("prod")), ("version", text("1.0"))]);
/// let dynamic = Metadata::new([("version", text("1.1"))]);
/// let criteria = route.overridden(&dynamic);
/// assert_eq!(criteria.get("version"), Some(&text("1.1")));
/// assert_eq!(criteria.to_string(), "stage=prod, version=1.1");
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Metadata {
    fields: Option<Arc<[Field]>>,
}

/// One key of a [`Metadata`] with its value.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Field {
    /// The key.
    pub key: Arc<str>,
    /// The value.
    pub value: Value,
}

impl Metadata {
    /// Metadata without fields.
    pub const EMPTY: Self = Self { fields: None };

    /// Sorts the fields. If a key occurs more than once, the last value counts, as in JSON.
    #[must_use]
    pub fn new(fields: impl IntoIterator<Item = (impl Into<Arc<str>>, Value)>) -> Self {
        let fields = fields.into_iter().map(|(key, value)| Field {
            key: key.into(),
            value,
        });
        Self::of(fields.collect())
    }

    fn of(fields: Vec<Field>) -> Self {
        let in_order = |pair: &[Field]| match pair {
            [a, b] => a.key < b.key,
            _ => true,
        };
        let mut sorted = fields;
        if !sorted.windows(2).all(in_order) {
            sorted = order::sorted(sorted, |a, b| a.key.cmp(&b.key));
        }
        sorted.dedup_by(|later, earlier| {
            let same = later.key == earlier.key;
            if same {
                core::mem::swap(later, earlier);
            }
            same
        });
        Self {
            fields: (!sorted.is_empty()).then(|| sorted.into()),
        }
    }

    /// The fields, sorted by key.
    #[must_use]
    pub fn fields(&self) -> &[Field] {
        self.fields.as_deref().unwrap_or_default()
    }

    /// Whether there are no fields.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.fields.is_none()
    }

    /// The value of a key.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Value> {
        let fields = self.fields();
        let at = fields
            .binary_search_by(|field| (*field.key).cmp(key))
            .ok()?;
        fields.get(at).map(|field| &field.value)
    }

    /// The value at a path: each key is looked up in the struct of the key before.
    #[must_use]
    pub fn at(&self, path: &[impl AsRef<str>]) -> Option<&Value> {
        let (first, rest) = path.split_first()?;
        let mut value = self.get(first.as_ref())?;
        for key in rest {
            let Value::Struct(inner) = value else {
                return None;
            };
            value = inner.get(key.as_ref())?;
        }
        Some(value)
    }

    /// These fields, overridden key by key (`MetadataMatchCriteria::mergeMatchCriteria`).
    #[must_use]
    pub fn overridden(&self, by: &Self) -> Self {
        if self.is_empty() || by.is_empty() {
            return if by.is_empty() { self } else { by }.clone();
        }
        let pairs = |metadata: &Self| -> Vec<(Arc<str>, Value)> {
            let fields = metadata.fields().iter();
            fields.map(|f| (f.key.clone(), f.value.clone())).collect()
        };
        Self::new(pairs(self).into_iter().chain(pairs(by)))
    }
}

impl fmt::Display for Metadata {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, field) in self.fields().iter().enumerate() {
            let comma = if at > 0 { ", " } else { "" };
            write!(f, "{comma}{}={}", field.key, field.value)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> Value {
        Value::Text(text.into())
    }

    #[test]
    fn values_of_different_types_differ() {
        let values = [
            Value::Null,
            Value::Bool(true),
            Value::Number(1.0),
            text("1"),
            text("true"),
            Value::List([Value::Number(1.0)].into()),
            Value::Struct(Metadata::new([("a", Value::Number(1.0))])),
        ];
        for (i, a) in values.iter().enumerate() {
            for (j, b) in values.iter().enumerate() {
                assert_eq!(a == b, i == j, "{a:?} {b:?}");
            }
        }
    }

    #[test]
    fn the_last_value_counts_and_the_order_of_keys_does_not() {
        let a = Metadata::new([("x", text("1")), ("y", text("2"))]);
        let b = Metadata::new([("y", text("0")), ("x", text("1")), ("y", text("2"))]);
        assert_eq!(a, b);
        assert_eq!(a.get("y"), Some(&text("2")));
        assert_eq!(a.get("z"), None);
    }

    #[test]
    fn a_path_leads_to_a_nested_value() {
        let inner = Value::Struct(Metadata::new([("b", text("1"))]));
        let metadata = Metadata::new([("a", inner.clone())]);
        assert_eq!(metadata.at(&["a"]), Some(&inner));
        assert_eq!(metadata.at(&["a", "b"]), Some(&text("1")));
        for nowhere in [&["b"][..], &["a", "c"], &["a", "b", "c"], &[]] {
            assert_eq!(metadata.at(nowhere), None, "{nowhere:?}");
        }
    }

    #[test]
    fn overriding_goes_key_by_key() {
        let route = Metadata::new([("stage", text("prod")), ("version", text("1"))]);
        let request = Metadata::new([("version", text("2")), ("xlarge", Value::Bool(true))]);
        let merged = route.overridden(&request);
        assert_eq!(merged.fields().len(), 3);
        assert_eq!(merged.get("version"), Some(&text("2")));
        assert_eq!(merged.get("stage"), Some(&text("prod")));
    }

    #[test]
    fn the_unmatched_value_equals_only_itself() {
        assert_eq!(Value::UNMATCHED, Value::UNMATCHED);
        for other in [Value::Null, Value::Number(0.0), text("NaN"), text("")] {
            assert_ne!(Value::UNMATCHED, other);
        }
        assert_eq!(
            alloc::string::ToString::to_string(&Value::UNMATCHED),
            "no value"
        );
    }
}
