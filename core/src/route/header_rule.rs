//! Headers and cookies that become metadata (`envoy.filters.http.header_to_metadata`).

use alloc::{borrow::Cow, boxed::Box, string::String, sync::Arc};

use super::{Headers, RegexRewrite, conditions::joined, cookie::cookie};
use crate::{
    model::Value,
    proto::{decode_base64, read_value},
};

/// The first length at which a header becomes no metadata any more.
const TOO_LONG: usize = 8 * 1024;

/// One of the filter's `request_rules`.
#[derive(Debug, Clone, PartialEq)]
pub struct HeaderRule {
    /// Where the value comes from.
    pub source: RuleSource,
    /// What is set when it is there.
    pub on_present: Option<KeyValue>,
    /// What is set when it is not there.
    pub on_missing: Option<KeyValue>,
}

/// Where a value comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RuleSource {
    /// A header, all its values joined by commas.
    Header {
        /// The lower-case name.
        name: String,
        /// Takes the header out of the request.
        remove: bool,
    },
    /// A cookie; one without a value is missing.
    Cookie(String),
}

/// A key and how its value is made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyValue {
    /// Where it is set; balancers look under `envoy.lb`.
    pub namespace: Arc<str>,
    /// The key there.
    pub key: Arc<str>,
    /// The value, whatever the header says; empty: what the header says.
    pub value: Box<str>,
    /// Changes what the header says.
    pub rewrite: Option<RegexRewrite>,
    /// The kind of value that is made of the text.
    pub value_type: ValueType,
    /// The text is decoded first (`encode: BASE64`).
    pub base64: bool,
}

/// The kinds of values.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ValueType {
    /// The text itself.
    #[default]
    String,
    /// The number that it is.
    Number,
    /// A `google.protobuf.Value` in its binary form.
    ProtobufValue,
}

impl HeaderRule {
    /// What the rule sets in a namespace; nothing where the text does not give the wanted kind of
    /// value.
    pub(super) fn field<H: Headers>(
        &self,
        headers: &H,
        namespace: &str,
    ) -> Option<(Arc<str>, Value)> {
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
        if *rule.namespace != *namespace {
            return None;
        }
        rule.value_of(&text).map(|value| (rule.key.clone(), value))
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

/// A decimal number, infinite or not; or a whole hexadecimal one.
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
    fn numbers_in_every_spelling() {
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
    fn texts_have_a_longest_length() {
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
