//! HTTP filters before the router that affect load balancing.

use alloc::{sync::Arc, vec::Vec};

use super::{HeaderMutation, HeaderRule, StatefulSession};
use crate::model::Metadata;

/// An HTTP filter that changes headers, sets dynamic metadata or an override host.
#[derive(Debug, Clone, PartialEq)]
pub enum RequestFilter {
    /// `envoy.filters.http.header_mutation`: its changes of the request and then those of the
    /// route and its parents, in order.
    HeaderMutation(Vec<HeaderMutation>),
    /// `envoy.filters.http.header_to_metadata`: its request rules, in order.
    HeaderToMetadata(Vec<HeaderRule>),
    /// `envoy.filters.http.set_metadata`: its values, in order.
    SetMetadata(Vec<SetMetadata>),
    /// `envoy.filters.http.stateful_session`.
    StatefulSession(StatefulSession),
    /// The Spillgate filter with this number in the listener. The caller runs the filter first and
    /// routes the request that it changed.
    Spillgate(usize),
}

/// Metadata of `envoy.filters.http.set_metadata`, the same for every request.
#[derive(Debug, Clone, PartialEq)]
pub struct SetMetadata {
    /// The metadata namespace (`metadata_namespace`); load balancing reads `envoy.lb`.
    pub namespace: Arc<str>,
    /// The metadata (`value`, `typed_value`).
    pub value: Metadata,
    /// Whether the metadata is also set if the namespace has a value: structs are merged, lists are
    /// concatenated (`allow_overwrite`).
    pub allow_overwrite: bool,
}
