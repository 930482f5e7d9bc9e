//! Small JSON values for fix plans.

use alloc::{format, string::String, vec::Vec};

use spillgate_config::node::Writer;
use spillgate_core::model::{Metadata, Value};

/// A string.
pub(crate) fn text(text: &str) -> String {
    let mut writer = Writer::new();
    writer.string(text);
    writer.finish()
}

/// A list of strings.
pub(crate) fn texts<'t>(texts: impl IntoIterator<Item = &'t str>) -> String {
    let items: Vec<String> = texts.into_iter().map(text).collect();
    format!("[{}]", items.join(","))
}

/// A typed value.
pub(crate) fn value(value: &Value) -> String {
    match value {
        Value::Text(string) => text(string),
        Value::List(values) => {
            let items: Vec<String> = values.iter().map(self::value).collect();
            format!("[{}]", items.join(","))
        }
        Value::Struct(fields) => metadata(fields),
        // Null, Booleans and numbers print as JSON.
        plain => format!("{plain}"),
    }
}

/// Values by key.
pub(crate) fn metadata(metadata: &Metadata) -> String {
    let fields = metadata
        .fields()
        .iter()
        .map(|field| format!("{}:{}", text(&field.key), value(&field.value)));
    let fields: Vec<String> = fields.collect();
    format!("{{{}}}", fields.join(","))
}

/// A `core.v3.Metadata` with these values under `envoy.lb`.
pub(crate) fn envoy_lb(values: &Metadata) -> String {
    format!(
        "{{\"filter_metadata\":{{\"envoy.lb\":{}}}}}",
        metadata(values)
    )
}
