//! The HTTP filters of a connection manager: those with sessions, and those that change headers.

use alloc::{boxed::Box, string::String, vec::Vec};

use spillgate_core::route::{HeaderRule, RuleSource, ValueType};

use super::{FieldPlace, SessionFacts, SpillgateFacts, elements::elements};
use crate::{
    Position,
    envoy::common::name_of,
    node::{Node, NodeValue},
    proto::{Any, Message, Path, field_of},
};

/// One filter.
#[derive(Debug, Clone, PartialEq)]
pub struct FilterFacts {
    /// The name that routes refer to.
    pub name: String,
    /// Its position.
    pub place: FieldPlace,
    /// Whether it runs only on routes that enable it.
    pub disabled: bool,
    /// Its effect.
    pub kind: FilterKind,
}

/// The effect of a filter, as far as rules use it.
#[derive(Debug, Clone, PartialEq)]
pub enum FilterKind {
    /// Stateful sessions; `None` if only routes configure them.
    Session(Option<SessionFacts>),
    /// A Spillgate filter.
    Spillgate(Box<SpillgateFacts>),
    /// `header_mutation`: the request headers that it removes or overwrites, lowercase.
    HeaderMutation(Vec<String>),
    /// `header_to_metadata`: its rules.
    HeaderToMetadata(Vec<HeaderMove>),
    /// Another filter.
    Other {
        /// Whether its effect on headers is unknown because a service or a file decides.
        opaque: bool,
        /// The strings of its configuration in lowercase, to find the headers that it mentions.
        words: String,
    },
}

/// A rule of `header_to_metadata`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeaderMove {
    /// Its position.
    pub place: FieldPlace,
    /// The header, lowercase.
    pub header: String,
    /// The namespace of the value.
    pub namespace: String,
    /// The key of the value.
    pub key: String,
    /// Whether the value becomes a string.
    pub text: bool,
    /// Whether the rule removes the header from the request.
    pub remove: bool,
}

const PREFIX: &str = "envoy.extensions.filters.http.";
const HEADER_MUTATION: &str = "header_mutation";

/// Filters whose effect on headers the configuration does not show.
const OPAQUE: [&str; 3] = ["dynamic_modules", "ext_authz", "ext_proc"];

impl FilterFacts {
    /// A filter of which only the place in the chain is known yet.
    pub(in crate::envoy) fn of(
        filter: &Message<'_, '_>,
        name: Option<&str>,
        disabled: bool,
    ) -> Self {
        Self {
            name: name.unwrap_or_default().into(),
            place: FieldPlace::of(filter),
            disabled,
            kind: FilterKind::Other {
                opaque: filter.has("config_discovery"),
                words: String::new(),
            },
        }
    }

    /// Adds the effect of the filter as far as its type shows it.
    pub(in crate::envoy) fn found(&mut self, any: &Any<'_, '_>) {
        let package = package(any.type_name);
        self.kind = match package {
            HEADER_MUTATION => FilterKind::HeaderMutation(mutated(any.node)),
            _ => {
                let mut words = String::new();
                gather(any.node, &mut words);
                let opaque = OPAQUE.contains(&package);
                FilterKind::Other { opaque, words }
            }
        };
    }
}

impl HeaderMove {
    /// The facts of a rule, if it reads a header.
    pub(in crate::envoy) fn of(rule: &HeaderRule, path: &Path, position: Position) -> Option<Self> {
        let RuleSource::Header { name, remove } = &rule.source else {
            return None;
        };
        let value = rule.on_present.as_ref()?;
        Some(Self {
            place: FieldPlace::new(path, position),
            header: name.clone(),
            namespace: String::from(&*value.namespace),
            key: String::from(&*value.key),
            text: value.value_type == ValueType::String,
            remove: *remove,
        })
    }
}

/// The package of a filter's type.
fn package(type_name: &str) -> &str {
    let package = type_name.strip_prefix(PREFIX).unwrap_or_default();
    package.split('.').next().unwrap_or_default()
}

fn gather(node: &Node<'_>, words: &mut String) {
    match &node.value {
        NodeValue::String(text) => {
            words.push_str(&text.to_ascii_lowercase());
            words.push('\n');
        }
        NodeValue::List(items) => items.iter().for_each(|item| gather(item, words)),
        NodeValue::Map(entries) => entries.iter().for_each(|entry| gather(&entry.node, words)),
        _ => {}
    }
}

/// The request headers that a route's own `HeaderMutation` removes or overwrites; none for another
/// message.
pub(in crate::envoy) fn mutated_by(any: &Any<'_, '_>) -> Vec<String> {
    match package(any.type_name) {
        HEADER_MUTATION => mutated(any.node),
        _ => Vec::new(),
    }
}

/// The request headers that a `HeaderMutation` removes or overwrites; it may be a route's own.
fn mutated(config: &Node<'_>) -> Vec<String> {
    let mutations =
        field_of(config, "mutations").and_then(|node| field_of(node, "request_mutations"));
    taken(mutations)
}

/// The request headers that a list of `HeaderMutation`s removes or overwrites.
pub(in crate::envoy) fn taken(mutations: Option<&Node<'_>>) -> Vec<String> {
    const OVERWRITES: &str = "OVERWRITE_IF_EXISTS";
    let overwritten = |mutation| {
        let append = field_of(mutation, "append")?;
        let action = name_of(append, "append_action")?.to_ascii_uppercase();
        let key = name_of(field_of(append, "header")?, "key");
        key.filter(|_| action.starts_with(OVERWRITES))
    };
    let removed = |mutation| name_of(mutation, "remove").filter(|name| !name.is_empty());
    let headers = elements(mutations).iter();
    headers
        .filter_map(|mutation| removed(mutation).or_else(|| overwritten(mutation)))
        .map(str::to_ascii_lowercase)
        .collect()
}
