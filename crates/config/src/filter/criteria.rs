//! `criteria` and `metadata_match`: the metadata that a request requires of its host.

use alloc::{string::String, sync::Arc, vec::Vec};

use spillgate_core::model::Value;

use crate::header_name::read_header_name;
use crate::{
    Diagnostic,
    envoy::{envoy_lb, read_value},
    proto::{Message, Report, Schema},
};

/// One criterion: a key with a constant or a header, or the metadata of the route.
pub(super) static CRITERION: Schema = Schema::new("criteria[]", "key value header route_metadata");

/// The source of a criterion. Of several for one key, the last one is used.
#[derive(Debug, Clone, PartialEq)]
pub enum Criterion {
    /// Required for every request.
    Constant {
        /// The key in the host's `envoy.lb` metadata.
        key: Arc<str>,
        /// The required value.
        value: Value,
    },
    /// Required for requests with this header; an absent or empty header requires nothing. Copies
    /// with different values, and a value that is not UTF-8, match no host.
    Header {
        /// The key in the host's `envoy.lb` metadata.
        key: Arc<str>,
        /// The request header, lowercase.
        header: String,
    },
    /// The route's metadata under `envoy.lb`.
    RouteMetadata,
}

impl Criterion {
    /// Whether it can require a value under this key.
    pub(super) fn can_give(&self, wanted: &str) -> bool {
        match self {
            Self::Constant { key, .. } | Self::Header { key, .. } => **key == *wanted,
            Self::RouteMetadata => true,
        }
    }
}

/// Reads both fields, `metadata_match` first.
pub(super) fn read_criteria(parent: &Message<'_, '_>, report: &mut Report) -> Vec<Criterion> {
    let constants = envoy_lb(parent, "metadata_match", report);
    let constant = |field: &spillgate_core::model::Field| Criterion::Constant {
        key: field.key.clone(),
        value: field.value.clone(),
    };
    let mut criteria: Vec<Criterion> = constants.fields().iter().map(constant).collect();
    for (path, node) in parent.list("criteria", report) {
        let message = Message::open(node, path, &CRITERION, report);
        criteria.extend(message.and_then(|message| read_criterion(&message, report)));
    }
    criteria
}

fn read_criterion(message: &Message<'_, '_>, report: &mut Report) -> Option<Criterion> {
    message.one_of(&["value", "header", "route_metadata"], report);
    if message.has("route_metadata") {
        message.one_of(&["key", "route_metadata"], report);
        let on = message.bool("route_metadata", report)?;
        return on.then_some(Criterion::RouteMetadata);
    }
    let key: Option<Arc<str>> = message.required_string("key", report).map(Into::into);
    if let Some(node) = message.get("value") {
        let value = read_value(node, &message.path.field("value"), report);
        return Some(Criterion::Constant {
            key: key?,
            value: value?,
        });
    }
    if message.has("header") {
        let header = read_header_name(message, "header", report);
        return Some(Criterion::Header {
            key: key?,
            header: header?,
        });
    }
    Diagnostic::error("config/missing", "criterion without a value")
        .at(message.path.text(), message.position)
        .expected("{key, value}, {key, header} or {route_metadata: true}")
        .push_to(report);
    None
}
