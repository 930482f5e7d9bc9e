//! Our own filter in a chain: the configuration that its plugin gets.

use alloc::{format, string::String, sync::Arc, vec::Vec};

use crate::{
    Diagnostic, Position,
    filter::{self, FilterConfig},
    node::{self, Node, Value},
    proto::{Any, Path, Report, field_of},
};

/// The type of filters that run WebAssembly, below the prefix of HTTP filters.
pub(crate) const WASM_TYPE: &str = "wasm.v3.Wasm";

const STRING_VALUE: &str = "google.protobuf.StringValue";

/// A Spillgate filter of a listener.
#[derive(Debug, Clone)]
pub struct SpillgateFilter {
    /// Its name in the chain.
    pub name: String,
    /// What it is configured to do.
    pub config: Arc<FilterConfig>,
    /// Where its configuration begins in the text.
    pub position: Position,
}

/// Reads the configuration of a Wasm filter; `None` where it is another filter than ours, or where
/// ours refuses it, which is reported.
pub(super) fn read_spillgate(any: &Any<'_, '_>, report: &mut Report) -> Option<FilterConfig> {
    let path = any.path.field("config").field("configuration");
    let configuration = field_of(any.node, "config")?;
    let configuration = field_of(configuration, "configuration")?;
    let type_url = field_of(configuration, "@type").map(|node| &node.value);
    let is_text = matches!(type_url, Some(Value::String(url)) if url.ends_with(STRING_VALUE));
    let value = field_of(configuration, "value").unwrap_or(configuration);
    let read = match &value.value {
        Value::String(text) if is_text => {
            let document = node::read_json(text).ok()?;
            if !is_ours(document.roots.first()?) {
                return None;
            }
            anchored(filter::read(text), value, &path)
        }
        _ if is_ours(value) => filter::read_node(value, path.clone()),
        _ => return None,
    };
    match read {
        Ok(config) => Some(config),
        Err(faults) => {
            report.push(refused(&faults, configuration, &path));
            None
        }
    }
}

/// Whether a plugin's configuration is ours: other plugins do not say what they balance and by
/// which clusters or headers.
fn is_ours(configuration: &Node<'_>) -> bool {
    let has = |name| configuration.get(name).is_some();
    (has("target") || has("targets") || has("weighted")) && (has("clusters") || has("output"))
}

/// Faults of a text within the text, with the place of the inner one.
fn anchored(
    read: Result<FilterConfig, Vec<Diagnostic>>,
    value: &Node<'_>,
    path: &Path,
) -> Result<FilterConfig, Vec<Diagnostic>> {
    let anchor = |mut faults: Vec<Diagnostic>| {
        for fault in &mut faults {
            fault.path = match fault.path.is_empty() {
                true => path.text(),
                false => format!("{path}.{}", fault.path),
            };
            fault.position = Some(value.position);
        }
        faults
    };
    match read {
        Ok(config) => Ok(FilterConfig {
            warnings: anchor(config.warnings),
            ..config
        }),
        Err(faults) => Err(anchor(faults)),
    }
}

/// Envoy refuses the listener or the update, so the filter steers nothing by this configuration.
fn refused(faults: &[Diagnostic], node: &Node<'_>, path: &Path) -> Diagnostic {
    let first = faults.first();
    let text = first.map_or_else(String::new, |fault| {
        format!("{}: {}: {}", fault.code, fault.path, fault.message)
    });
    let message = match faults.len() {
        1 => format!("the Spillgate filter rejects its configuration: {text}"),
        many => {
            format!("the Spillgate filter rejects its configuration for {many} reasons: {text}")
        }
    };
    let position = first.and_then(|fault| fault.position);
    Diagnostic::warning("config/filter-rejected", message)
        .at(path.text(), position.unwrap_or(node.position))
        .expected("a configuration that `docs/filter-config.schema.json` describes")
}
