//! Rules of `envoy.filters.http.header_to_metadata`: headers and cookies that become metadata.

use alloc::{borrow::Cow, boxed::Box, string::String, sync::Arc};

use super::{Headers, RegexRewrite, conditions::joined, cookie::cookie};
use crate::{
    model::Value,
    proto::{decode_base64, read_value},
};

/// The length at which a header value is ignored, in bytes.
const TOO_LONG: usize = 8 * 1024;

/// One request rule (`envoy.extensions.filters.http.header_to_metadata.v3.Config.Rule`).
#[derive(Debug, Clone, PartialEq)]
pub struct HeaderRule {
    /// The source of the value.
    pub source: RuleSource,
    /// The metadata that is set if the value is present (`on_header_present`).
    pub on_present: Option<KeyValue>,
    /// The metadata that is set if the value is missing (`on_header_missing`).
    pub on_missing: Option<KeyValue>,
}

/// The source of a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RuleSource {
    /// A header (`header`); repeated values are joined by commas.
    Header {
        /// The lower-case name.
        name: String,
        /// Whether the header is removed from the request (`remove`).
        remove: bool,
    },
    /// A cookie (`cookie`); a cookie without a value counts as missing.
    Cookie(String),
}

/// A metadata key and its value (`Config.KeyValuePair`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyValue {
    /// The metadata namespace (`metadata_namespace`); load balancing reads `envoy.lb`.
    pub namespace: Arc<str>,
    /// The key.
    pub key: Arc<str>,
    /// A fixed value; if empty, the value of the header (`value`).
    pub value: Box<str>,
    /// A rewrite of the header value (`regex_value_rewrite`).
    pub rewrite: Option<RegexRewrite>,
    /// The type of the metadata value (`type`).
    pub value_type: ValueType,
    /// Whether the value is base64 (`encode: BASE64`).
    pub base64: bool,
}

/// The type of a metadata value (`Config.ValueType`).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ValueType {
    /// `STRING`.
    #[default]
    String,
    /// `NUMBER`: a double.
    Number,
    /// `PROTOBUF_VALUE`: a serialized `google.protobuf.Value`.
    ProtobufValue,
}

impl HeaderRule {
    /// The namespace, key and value that the rule sets; `None` if the value does not have the
    /// required type.
    pub(super) fn field<H: Headers>(&self, headers: &H) -> Option<(Arc<str>, Arc<str>, Value)> {
        let text = match &self.source {
            RuleSource::Header { name, .. } => joined(headers, name),
            RuleSource::Cookie(name) => cookie(headers, name)
                .filter(|value| !value.is_empty())
                .map(Cow::Borrowed),
        };
        let (rule, text) = match text {
            Some(text) => (self.on_present.as_ref()?, text),
            None => (self.on_missing.as_ref()?, Cow::Borrowed(&[][..])),
        };
        let value = rule.value_of(&text)?;
        Some((rule.namespace.clone(), rule.key.clone(), value))
    }
}

impl KeyValue {
    fn value_of(&self, text: &[u8]) -> Option<Value> {
        let mut text = Cow::Borrowed(text);
        if !self.value.is_empty() {
            text = Cow::Borrowed(self.value.as_bytes());
        } else if let Some(rewrite) = &self.rewrite {
            text = Cow::Owned(rewrite.replace_all(&text));
        }
        if text.is_empty() || text.len() >= TOO_LONG {
            return None;
        }
        if self.base64 {
            text = Cow::Owned(decode_base64(&text).filter(|bytes| !bytes.is_empty())?);
        }
        match self.value_type {
            ValueType::String => Some(Value::Text(String::from_utf8_lossy(&text).into())),
            ValueType::Number => number(&text).map(Value::Number),
            ValueType::ProtobufValue => read_value(&text),
        }
    }
}

/// Parses a decimal number, also infinity and NaN, or a hexadecimal integer.
fn number(text: &[u8]) -> Option<f64> {
    let text = core::str::from_utf8(text.trim_ascii()).ok()?;
    let (negative, digits) = match text.strip_prefix(['-', '+']) {
        Some(digits) => (text.starts_with('-'), digits),
        None => (false, text),
    };
    let hexadecimal = digits.strip_prefix("0x").or(digits.strip_prefix("0X"));
    let value = match hexadecimal {
        Some(digits) if digits.starts_with(['-', '+']) => return None,
        Some(digits) => u64::from_str_radix(digits, 16).ok()? as f64,
        None if digits.starts_with(['-', '+']) => return None,
        None => digits.parse().ok()?,
    };
    Some(if negative { -value } else { value })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key_value(value_type: ValueType) -> KeyValue {
        KeyValue {
            namespace: "envoy.lb".into(),
            key: "k".into(),
            value: "".into(),
            rewrite: None,
            value_type,
            base64: false,
        }
    }

    #[test]
    fn numbers_are_read_in_every_notation() {
        let rule = key_value(ValueType::Number);
        for (text, expected) in [
            ("1.5", Some(1.5)),
            (" +3 ", Some(3.0)),
            ("0x10", Some(16.0)),
            ("1e3", Some(1000.0)),
            ("5.", Some(5.0)),
            ("-.5e+2", Some(-50.0)),
            ("1e999", Some(f64::INFINITY)),
            ("inf", Some(f64::INFINITY)),
            ("abc", None),
            ("+-3", None),
            ("0x-1", None),
            ("", None),
        ] {
            let found = rule.value_of(text.as_bytes());
            assert_eq!(found, expected.map(Value::Number), "{text:?}");
        }
    }

    #[test]
    fn long_values_are_ignored() {
        let rule = key_value(ValueType::String);
        assert!(rule.value_of(&[b'a'; TOO_LONG - 1]).is_some());
        assert_eq!(rule.value_of(&[b'a'; TOO_LONG]), None);
        assert_eq!(rule.value_of(b""), None);
    }

    #[test]
    fn a_constant_value_is_decoded_too() {
        let rule = KeyValue {
            value: "aGk=".into(),
            base64: true,
            ..key_value(ValueType::String)
        };
        assert_eq!(rule.value_of(b""), Some(Value::Text("hi".into())));
    }
}
