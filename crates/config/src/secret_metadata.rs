//! Metadata in messages and answers, without the values that can be secrets.

use alloc::{
    format,
    string::{String, ToString as _},
};

use spillgate_core::model::{Metadata, Value};

use crate::{
    secret_names::is_secret_name,
    secret_text::{described, looks_secret},
};

/// The same metadata, with kind and length in place of each value that can be a secret, by its key or by its look.
///
/// # Examples
/// ```
/// use spillgate_config::secret_metadata::without_secrets;
/// use spillgate_core::model::{Metadata, Value};
///
/// let text = |text: &str| Value::Text(text.into());
/// let metadata = Metadata::new([("api_key", text("abc")), ("stage", text("prod"))]);
/// let shown = without_secrets(&metadata).to_string();
/// assert_eq!(shown, "api_key=a string of 3 characters, stage=prod");
/// ```
#[must_use]
pub fn without_secrets(metadata: &Metadata) -> Metadata {
    shown_fields(metadata, false)
}

/// As [`without_secrets`], of the value of a key.
#[must_use]
pub fn shown_value(key: &str, value: &Value) -> Value {
    shown(value, is_secret_name(key))
}

/// As [`shown_value`], of a text such as the value of a header.
#[must_use]
pub fn shown_text(key: &str, text: &str) -> String {
    shown_value(key, &Value::Text(text.into())).to_string()
}

fn shown_fields(metadata: &Metadata, is_secret: bool) -> Metadata {
    let fields = metadata.fields().iter().map(|field| {
        let is_secret = is_secret || is_secret_name(&field.key);
        (field.key.clone(), shown(&field.value, is_secret))
    });
    Metadata::new(fields)
}

fn shown(value: &Value, is_secret: bool) -> Value {
    let description = match value {
        Value::Text(text) if is_secret || looks_secret(text) => described(format!("\"{text}\"")),
        Value::Number(_) if is_secret => described(value.to_string()),
        Value::List(values) => {
            let values = values.iter().map(|value| shown(value, is_secret));
            return Value::List(values.collect());
        }
        Value::Struct(fields) => return Value::Struct(shown_fields(fields, is_secret)),
        Value::Null | Value::Bool(_) | Value::Text(_) | Value::Number(_) => return value.clone(),
    };
    Value::Text(description.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_below_a_secret_key_and_values_that_look_secret_are_described() {
        let text = |text: &str| Value::Text(text.into());
        let inner = Metadata::new([("id", text("abcd")), ("on", Value::Bool(true))]);
        let metadata = Metadata::new([
            ("apiKey", Value::Struct(inner)),
            ("pins", Value::List([Value::Number(7.0), text("a")].into())),
            (
                "token",
                Value::List([Value::Number(123456.0), text("ab")].into()),
            ),
            ("version", text("ghp_16C7e42F292c6912E7710c838347Ae178B4a")),
        ]);
        let shown = without_secrets(&metadata).to_string();
        for secret in ["abcd", "123456", "ghp_"] {
            assert!(!shown.contains(secret), "{shown}");
        }
        for harmless in ["pins", "7", "true", "a string of 40 characters"] {
            assert!(shown.contains(harmless), "{shown}");
        }
    }
}
