//! Routes: the places of their parts, and their changes to filters and headers.

use alloc::{string::String, vec::Vec};

use super::{CookieFacts, FieldPlace, SessionFacts, elements::elements, scalar::ReadScalar};
use crate::{
    envoy::{common::name_of, plugin::module_name, retry_time::RetryTime},
    node::NodeValue,
    proto::{Message, field_of},
};

/// One route.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RouteFacts {
    /// Its position.
    pub place: FieldPlace,
    /// Its name in messages: its `name`, or its path condition.
    pub name: String,
    /// Whether it is a TCP proxy, which balances connections.
    pub is_tcp: bool,
    /// Its `RouteAction`, or the TCP proxy.
    pub action: FieldPlace,
    /// Its `hash_policy`.
    pub hash_policy: Option<FieldPlace>,
    /// Its `metadata_match`.
    pub metadata_match: Option<FieldPlace>,
    /// Its `weighted_clusters`, entry by entry.
    pub weighted: Vec<WeightedFacts>,
    /// The cookies of its hash policies that Envoy generates.
    pub cookies: Vec<CookieFacts>,
    /// Request headers that the router removes on this route, lowercase.
    pub removed: Vec<String>,
    /// By filter of the connection manager: whether it runs on this route.
    pub active: Vec<bool>,
    /// The file of the dynamic module whose cluster specifier the route uses.
    pub specifier: Option<String>,
    /// The session settings of this route.
    pub session: Option<SessionFacts>,
    /// Whether it has `HIGH` priority, which has its own circuit breakers.
    pub high_priority: bool,
    /// The retries of its requests.
    pub retries: Option<RetryFacts>,
    /// The time of the retries, for its marks.
    pub(in crate::envoy) retry_time: RetryTime,
    /// The scalars of the metadata in it, for [`ConfigFacts::scalars`](super::ConfigFacts).
    pub(in crate::envoy) scalars: Vec<ReadScalar>,
}

/// A retry policy with conditions (`RetryPolicy.retry_on`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RetryFacts {
    /// Its position.
    pub place: FieldPlace,
    /// The maximum number of retries; default 1 (`RetryPolicy.num_retries`).
    pub count: u64,
}

/// An entry of `weighted_clusters`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WeightedFacts {
    /// Its position.
    pub place: FieldPlace,
    /// Its own `metadata_match`.
    pub metadata_match: Option<FieldPlace>,
}

impl RouteFacts {
    /// A route of which only the place is known yet.
    pub(in crate::envoy) fn new(place: FieldPlace) -> Self {
        Self {
            name: String::new(),
            is_tcp: false,
            action: place.clone(),
            place,
            hash_policy: None,
            metadata_match: None,
            weighted: Vec::new(),
            cookies: Vec::new(),
            removed: Vec::new(),
            active: Vec::new(),
            specifier: None,
            session: None,
            high_priority: false,
            retries: None,
            retry_time: RetryTime::default(),
            scalars: Vec::new(),
        }
    }

    /// A route before its action is read.
    pub(in crate::envoy) fn of(route: &Message<'_, '_>, name: &str) -> Self {
        let name = match name {
            "" => path_of(route).unwrap_or_default(),
            name => name,
        };
        Self {
            name: name.into(),
            ..Self::new(FieldPlace::of(route))
        }
    }

    /// A TCP proxy as a route for all connections.
    pub(in crate::envoy) fn of_tcp(proxy: &Message<'_, '_>) -> Self {
        let mut facts = Self::new(FieldPlace::of(proxy));
        facts.is_tcp = true;
        facts.found_action(proxy);
        facts
    }

    /// Adds the places in a `RouteAction`.
    pub(in crate::envoy) fn found_action(&mut self, action: &Message<'_, '_>) {
        self.action = FieldPlace::of(action);
        self.hash_policy = FieldPlace::of_field(action, "hash_policy");
        self.metadata_match = FieldPlace::of_field(action, "metadata_match");
        let specifier = action
            .get("inline_cluster_specifier_plugin")
            .and_then(|plugin| field_of(plugin, "extension"))
            .and_then(|extension| field_of(extension, "typed_config"));
        self.specifier = specifier.and_then(module_name).map(String::from);
    }
}

impl WeightedFacts {
    pub(in crate::envoy) fn of(entry: &Message<'_, '_>) -> Self {
        Self {
            place: FieldPlace::of(entry),
            metadata_match: FieldPlace::of_field(entry, "metadata_match"),
        }
    }
}

/// The path condition of a route, which names it in messages.
fn path_of<'n>(route: &Message<'n, '_>) -> Option<&'n str> {
    const PATHS: [&str; 4] = ["prefix", "path", "path_separated_prefix", "safe_regex"];
    let matcher = route.get("match")?;
    let path = PATHS.iter().find_map(|field| field_of(matcher, field))?;
    match &path.value {
        NodeValue::String(path) => Some(path),
        _ => name_of(path, "regex"),
    }
}

/// The request headers that a message removes (`request_headers_to_remove`), lowercase.
pub(in crate::envoy) fn removed_by(message: &Message<'_, '_>) -> Vec<String> {
    lowercase_names(message, "request_headers_to_remove")
}

/// The strings of a list in lowercase.
pub(super) fn lowercase_names(message: &Message<'_, '_>, field: &'static str) -> Vec<String> {
    let names = elements(message.get(field)).iter();
    names
        .filter_map(|node| match &node.value {
            NodeValue::String(name) => Some(name.to_ascii_lowercase()),
            _ => None,
        })
        .collect()
}
