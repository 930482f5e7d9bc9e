//! The HTTP filters of a connection manager: those with sessions, and those that change headers.

use alloc::{string::String, vec::Vec};

use super::{FieldPlace, SessionFacts, SpillgateFacts, session, spillgate, view::View};
use crate::{
    envoy::common::ByName,
    form::FilterForm,
    node::{Node, NodeValue},
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
    Spillgate(SpillgateFacts),
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

/// Filters whose effect on headers the configuration does not show.
const OPAQUE: [&str; 2] = ["ext_proc", "ext_authz"];

/// Reads a filter; `extensions` are those from ECDS.
pub(super) fn read(filter: &View<'_, '_>, extensions: &ByName<'_, '_>) -> FilterFacts {
    let discovered = filter.get("config_discovery");
    let sent = discovered.and_then(|_| extensions.get(filter.text("name")?));
    let sent = sent.map(|(node, path)| View::new(node, path));
    let kind = match sent.as_ref().unwrap_or(filter).any("typed_config") {
        Some((type_name, config)) => kind(type_name, &config),
        None => FilterKind::Other {
            opaque: filter.get("config_discovery").is_some(),
            words: String::new(),
        },
    };
    FilterFacts {
        name: filter.text("name").unwrap_or_default().into(),
        place: filter.place(),
        disabled: filter.flag("disabled"),
        kind,
    }
}

fn kind(type_name: &str, config: &View<'_, '_>) -> FilterKind {
    let package = type_name.strip_prefix(PREFIX).unwrap_or_default();
    let package = package.split('.').next().unwrap_or_default();
    match package {
        "stateful_session" => FilterKind::Session(session::read(config)),
        "header_mutation" => FilterKind::HeaderMutation(mutated(config)),
        "header_to_metadata" => FilterKind::HeaderToMetadata(moves(config)),
        "wasm" => spillgate::read(config, FilterForm::Wasm)
            .map_or_else(|| other(false, config), FilterKind::Spillgate),
        "dynamic_modules" => spillgate::read(config, FilterForm::Native)
            .map_or_else(|| other(true, config), FilterKind::Spillgate),
        _ => other(OPAQUE.contains(&package), config),
    }
}

fn other(opaque: bool, config: &View<'_, '_>) -> FilterKind {
    let mut words = String::new();
    gather(config.node, &mut words);
    FilterKind::Other { opaque, words }
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

/// The request headers that a `HeaderMutation` removes or overwrites; it may be a route's own.
pub(super) fn mutated(config: &View<'_, '_>) -> Vec<String> {
    let mutations = config
        .get("mutations")
        .map(|view| view.list("request_mutations"));
    taken(&mutations.unwrap_or_default())
}

/// The request headers that a list of `HeaderMutation`s removes or overwrites.
pub(super) fn taken(mutations: &[View<'_, '_>]) -> Vec<String> {
    let mut headers = Vec::new();
    for mutation in mutations {
        let header = mutation.text("remove").or_else(|| {
            let append = mutation.get("append")?;
            let action = append.text("append_action")?;
            let overwrites = action
                .to_ascii_uppercase()
                .starts_with("OVERWRITE_IF_EXISTS");
            append.get("header")?.text("key").filter(|_| overwrites)
        });
        headers.extend(header.map(str::to_ascii_lowercase));
    }
    headers
}

fn moves(config: &View<'_, '_>) -> Vec<HeaderMove> {
    let rules = config.list("request_rules");
    let read = |rule: &View<'_, '_>| {
        let present = rule.get("on_header_present")?;
        let kind = present.text("type").unwrap_or("STRING");
        Some(HeaderMove {
            place: rule.place(),
            header: rule.text("header")?.to_ascii_lowercase(),
            namespace: present
                .text("metadata_namespace")
                .unwrap_or("envoy.filters.http.header_to_metadata")
                .into(),
            key: present.text("key").unwrap_or_default().into(),
            text: kind.eq_ignore_ascii_case("STRING"),
            remove: rule.flag("remove"),
        })
    };
    rules.iter().filter_map(read).collect()
}
