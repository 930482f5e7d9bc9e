//! The HTTP filters of a connection manager that affect balancing.

use alloc::{boxed::Box, format, string::String, vec::Vec};

use spillgate_core::route::{HeaderRule, RequestFilter, SetMetadata, StatefulSession};

#[cfg(feature = "yaml")]
use super::known::admitting_filter;
use super::{
    SpillgateFilter,
    header_mutation::{HEADER_MUTATION_TYPE, MutationFilter, read_mutation_filter},
    header_to_metadata::{HEADER_TO_METADATA_TYPE, RuleScope, read_header_to_metadata},
    known::{ANY_HEADER, HTTP_FILTER_PREFIX, changed_headers, unseen_filter, unseen_override},
    order::{FilterRole, ROUTER, name_order},
    overrides::{
        Change, Override, Overrides, check_switch, enables, read_override, typed_override,
    },
    set_metadata::{SET_METADATA_TYPE, read_set_metadata},
    spillgate::{DYNAMIC_MODULE_TYPE, WASM_TYPE, read_spillgate},
    stateful_session::{STATEFUL_SESSION_TYPE, read_stateful_session},
};
use crate::{
    Diagnostic, Position,
    envoy::{
        common::ByName,
        facts::{FilterFacts, FilterKind, RouteFacts, SpillgateFacts},
        schema::{HTTP_FILTER, TYPED_EXTENSION_CONFIG},
    },
    form::FilterForm,
    node::{Node, NodeValue},
    proto::{Any, HeldLimit, Message, Path, Report},
};

#[cfg(feature = "unread")]
use crate::node::to_json;

/// The code of limits about filters.
const NOT_MODELED: &str = "config/filter-not-modeled";

/// The filters that set metadata or select hosts, in order.
#[derive(Debug, Default)]
pub(crate) struct FilterChain {
    filters: Vec<NamedFilter>,
    /// The limits of filters that run only on routes that enable them, by name.
    held: Vec<(String, Vec<HeldLimit>)>,
    /// Every filter, if lint reads the input.
    pub(crate) facts: Vec<FilterFacts>,
}

#[derive(Debug)]
struct NamedFilter {
    /// The name that routes refer to.
    name: String,
    enabled: bool,
    kind: Kind,
    position: Position,
}

#[derive(Debug)]
enum Kind {
    HeaderMutation(MutationFilter),
    HeaderToMetadata(Vec<HeaderRule>),
    SetMetadata(Vec<SetMetadata>),
    /// `None`: only routes configure sessions.
    StatefulSession(Option<StatefulSession>),
    /// The number among the Spillgate filters of the chain, and its configuration.
    Spillgate(usize, Box<SpillgateFilter>),
}

/// Reads the filters of a connection manager.
pub(crate) fn read_filters(
    manager: &Message<'_, '_>,
    extensions: &ByName<'_, '_>,
    report: &mut Report,
) -> FilterChain {
    let mut chain = FilterChain::default();
    let mut roles = Vec::new();
    #[cfg(feature = "unread")]
    let mut order: Vec<String> = Vec::new();
    for (path, node) in manager.list("http_filters", report) {
        let Some(message) = Message::open(node, path, &HTTP_FILTER, report) else {
            continue;
        };
        let name = message.required_string("name", report).unwrap_or_default();
        let disabled = message.bool("disabled", report).unwrap_or(false);
        let known = chain.filters.len();
        if disabled {
            // Its limits count on routes that enable it.
            let (role, held) = report
                .holding(|report| chain.read_filter(&message, (name, true), extensions, report));
            roles.push(role);
            if !held.is_empty() {
                chain.held.push((name.into(), held));
            }
        } else {
            roles.push(chain.read_filter(&message, (name, false), extensions, report));
        }
        #[cfg(feature = "unread")]
        order.push(chain.order_text(known, node));
        #[cfg(not(feature = "unread"))]
        let _ = known;
    }
    #[cfg(feature = "unread")]
    report.note_text("HttpConnectionManager", "http_filters", &order.join(","));
    name_order(&roles, manager, report);
    chain
}

fn is_empty(node: &Node<'_>) -> bool {
    matches!(&node.value, NodeValue::Map(entries) if entries.is_empty())
}

/// Reports a filter that is known by its name only, as in old configurations.
fn untyped(message: &Message<'_, '_>, report: &mut Report) {
    if message.bool("is_optional", report) != Some(true) {
        let what = "HTTP filter without a type; Envoy 1.40 refuses it";
        let warning = Diagnostic::warning("config/filter-untyped", what);
        let expected = "typed_config with the type of the filter in \"@type\"";
        let warning = warning.at(message.path.text(), message.position);
        report.push(warning.expected(expected));
    }
}

/// The filter from ECDS; without a dump it is unknown.
fn discovered<'n, 'a>(
    message: &Message<'_, '_>,
    name: Option<&str>,
    extensions: &ByName<'n, 'a>,
    report: &mut Report,
) -> Option<Any<'n, 'a>> {
    if let Some((node, path)) = name.and_then(|name| extensions.get(name)) {
        let extension = Message::open(node, path, &TYPED_EXTENSION_CONFIG, report)?;
        return extension.any("typed_config", report);
    }
    let path = message.path.field("config_discovery");
    unseen(
        "with config_discovery (use /config_dump)",
        &path,
        message.position,
        report,
    );
    None
}

fn unseen(what: &str, path: &Path, position: crate::Position, report: &mut Report) {
    report.missing_feature(
        NOT_MODELED,
        &format!("HTTP filter {what}"),
        "assuming that it changes nothing",
        path,
        position,
    );
}

impl FilterChain {
    /// Reads one of the filters, and returns its place in the order.
    fn read_filter(
        &mut self,
        message: &Message<'_, '_>,
        (name, disabled): (&str, bool),
        extensions: &ByName<'_, '_>,
        report: &mut Report,
    ) -> FilterRole {
        if report.is_judged() {
            self.facts
                .push(FilterFacts::of(message, Some(name), disabled));
        }
        let any = if message.has("config_discovery") {
            discovered(message, Some(name), extensions, report)
        } else if message.get("typed_config").is_none_or(is_empty) {
            untyped(message, report);
            None
        } else {
            message.any("typed_config", report)
        };
        let Some(any) = any else {
            return FilterRole::Unknown;
        };
        if let Some(facts) = self.facts.last_mut() {
            facts.found(&any);
        }
        let position = any.node.position;
        let kind = match any.type_name.strip_prefix(HTTP_FILTER_PREFIX) {
            Some(HEADER_MUTATION_TYPE) => match read_mutation_filter(any, report) {
                Some(filter) => Kind::HeaderMutation(filter),
                None => return FilterRole::Unknown,
            },
            Some(HEADER_TO_METADATA_TYPE) => {
                let mut moves = Vec::new();
                let rules = read_header_to_metadata(any, RuleScope::Chain, &mut moves, report);
                self.note(FilterKind::HeaderToMetadata(moves));
                Kind::HeaderToMetadata(rules)
            }
            Some(SET_METADATA_TYPE) => Kind::SetMetadata(read_set_metadata(any, report)),
            Some(STATEFUL_SESSION_TYPE) => {
                let mut facts = None;
                let session = read_stateful_session(any, &mut facts, report);
                self.note(FilterKind::Session(facts));
                Kind::StatefulSession(session)
            }
            Some(WASM_TYPE) if let Some(found) = read_spillgate(&any, FilterForm::Wasm) => {
                let found = SpillgateFilter {
                    discovered: message.has("config_discovery"),
                    ..found
                };
                self.note_spillgate(&found, &any);
                Kind::Spillgate(self.spillgate().count(), Box::new(found))
            }
            Some(DYNAMIC_MODULE_TYPE)
                if let Some(found) = read_spillgate(&any, FilterForm::DynamicModule) =>
            {
                let found = SpillgateFilter {
                    discovered: message.has("config_discovery"),
                    ..found
                };
                self.note_spillgate(&found, &any);
                Kind::Spillgate(self.spillgate().count(), Box::new(found))
            }
            _ => {
                let unseen_name = unseen_filter(&any, HTTP_FILTER_PREFIX);
                if let Some(what) = unseen_name {
                    unseen(what, &any.path, any.node.position, report);
                }
                #[cfg(feature = "yaml")]
                if let Some(what) = admitting_filter(&any) {
                    let effect = format!(
                        "HTTP filter {what} is not modeled; it can refuse or delay requests"
                    );
                    report.limit_over_time(effect, &any.path, any.node.position);
                }
                if let Some((what, headers)) = changed_headers(&any) {
                    let changes = match headers {
                        ANY_HEADER => "can add headers",
                        _ => "changes headers that are read",
                    };
                    let effect = format!("HTTP filter {what} is not modeled; it {changes}");
                    let position = any.node.position;
                    report.limit_if_read(headers, NOT_MODELED, effect, &any.path, position);
                }
                return match unseen_name {
                    _ if any.type_name == ROUTER => FilterRole::Router,
                    None => FilterRole::Passing,
                    Some(_) => FilterRole::Unknown,
                };
            }
        };
        self.filters.push(NamedFilter {
            name: name.into(),
            enabled: !disabled,
            kind,
            position,
        });
        FilterRole::Passing
    }

    /// A filter in the order of all filters: the whole one, unless the comparison of routes has what it does.
    #[cfg(feature = "unread")]
    fn order_text(&self, known: usize, node: &Node<'_>) -> String {
        match self.filters.get(known).map(|filter| &filter.kind) {
            Some(Kind::HeaderMutation(_)) => HEADER_MUTATION_TYPE.into(),
            Some(Kind::HeaderToMetadata(_)) => HEADER_TO_METADATA_TYPE.into(),
            Some(Kind::SetMetadata(_)) => SET_METADATA_TYPE.into(),
            Some(Kind::StatefulSession(_)) => STATEFUL_SESSION_TYPE.into(),
            Some(Kind::Spillgate(..)) | None => to_json(node),
        }
    }

    /// Sets the effect of the last filter for lint.
    fn note(&mut self, kind: FilterKind) {
        if let Some(facts) = self.facts.last_mut() {
            facts.kind = kind;
        }
    }

    fn note_spillgate(&mut self, found: &SpillgateFilter, any: &Any<'_, '_>) {
        if !self.facts.is_empty()
            && let Ok(config) = &found.config
            && let Some(root) = config.roots.first()
            && let Some(mut facts) = SpillgateFacts::read(root, found.form, any)
        {
            facts.steering.discovered = found.discovered;
            self.note(FilterKind::Spillgate(Box::new(facts)));
        }
    }

    /// Adds to a route's facts what the filters do on it under the overrides.
    pub(crate) fn note_route(&self, priorities: &[&Overrides], route: &mut RouteFacts) {
        for filter in &self.facts {
            let changes = || priorities.iter().filter_map(|by| by.get(&filter.name));
            let first = changes().next();
            let mut active = first.map_or(!filter.disabled, |change| change.enabled);
            for change in changes().collect::<Vec<_>>().into_iter().rev() {
                route.removed.extend(change.removed.iter().cloned());
            }
            let is_session =
                |change: &&Override| matches!(change.change, Some(Change::Session(..)));
            let session = match (&filter.kind, changes().find(is_session)) {
                (FilterKind::Session(_), Some(change)) => {
                    active &= change.session.is_some();
                    change.session.as_ref()
                }
                (FilterKind::Session(own), None) => own.as_ref(),
                _ => None,
            };
            route.active.push(active);
            if active && session.is_some() {
                route.session = session.cloned();
            }
        }
    }

    /// The Spillgate filters, in order.
    pub(crate) fn spillgate(&self) -> impl Iterator<Item = SpillgateFilter> {
        self.filters.iter().filter_map(|filter| match &filter.kind {
            Kind::Spillgate(_, found) => Some(SpillgateFilter {
                name: filter.name.clone(),
                ..(**found).clone()
            }),
            _ => None,
        })
    }

    /// Reads `typed_per_filter_config` for these filters.
    pub(crate) fn read_overrides(
        &self,
        message: &Message<'_, '_>,
        report: &mut Report,
    ) -> Overrides {
        let mut overrides = Overrides::new();
        let field = "typed_per_filter_config";
        let Some(NodeValue::Map(entries)) = message.get(field).map(|node| &node.value) else {
            return overrides;
        };
        for entry in entries {
            let name = &*entry.key.name;
            let path = message.path.field(field).field(String::from(name));
            if let Some(any) = typed_override(&entry.node, path.clone())
                && let Some(what) = unseen_override(&any, HTTP_FILTER_PREFIX)
            {
                unseen(what, &path, entry.node.position, report);
            }
            check_switch(&entry.node, &path, report);
            if enables(&entry.node) {
                let held = self.held.iter().filter(|(filter, _)| filter == name);
                held.for_each(|(_, held)| report.release(held));
            }
            let known = self.filters.iter().any(|filter| filter.name == name);
            #[cfg(feature = "unread")]
            if !known || self.spillgate().any(|filter| filter.name == name) {
                report.note_text(
                    "the routes",
                    field,
                    &format!("{name}: {}", to_json(&entry.node)),
                );
            }
            if (known || self.facts.iter().any(|filter| filter.name == name))
                && let Some(read) = read_override(&entry.node, path, report)
            {
                overrides.insert(name.into(), read);
            }
        }
        overrides
    }

    /// The filters with the overrides of `priorities`, the most specific one first.
    pub(crate) fn with(&self, priorities: &[&Overrides]) -> Vec<RequestFilter> {
        let filters = self.filters.iter();
        filters
            .filter_map(|named| named.resolved(priorities).map(|(filter, _)| filter))
            .collect()
    }

    /// The position of the session settings under the overrides; of several filters the last one.
    pub(crate) fn session_position(&self, priorities: &[&Overrides]) -> Option<Position> {
        let mut filters = self.filters.iter().rev();
        filters.find_map(|named| match named.resolved(priorities)? {
            (RequestFilter::StatefulSession(_), position) => Some(position),
            _ => None,
        })
    }
}

impl NamedFilter {
    /// The filter under the overrides and the position of its configuration; `None` if it is off.
    fn resolved(&self, priorities: &[&Overrides]) -> Option<(RequestFilter, Position)> {
        let changes = priorities
            .iter()
            .filter_map(|priority| priority.get(&self.name));
        let enabled = changes.clone().next().map_or(self.enabled, |c| c.enabled);
        if !enabled {
            return None;
        }
        let mut changes = changes.filter_map(|change| change.change.as_ref());
        if let Kind::HeaderMutation(of) = &self.kind {
            let scopes = changes.filter_map(|change| match change {
                Change::Mutations(scope) => Some(scope),
                _ => None,
            });
            let filter = RequestFilter::HeaderMutation(of.with(scopes.collect()));
            return Some((filter, self.position));
        }
        let filter = match (&self.kind, changes.next()) {
            (Kind::HeaderMutation(_), _) => return None,
            (Kind::HeaderToMetadata(_), Some(Change::Rules(rules)))
            | (Kind::HeaderToMetadata(rules), _) => RequestFilter::HeaderToMetadata(rules.clone()),
            (Kind::SetMetadata(values), _) => RequestFilter::SetMetadata(values.clone()),
            (Kind::StatefulSession(_), Some(Change::Session(own, position))) => {
                return Some((RequestFilter::StatefulSession(own.clone()?), *position));
            }
            (Kind::StatefulSession(session), _) => RequestFilter::StatefulSession(session.clone()?),
            (Kind::Spillgate(number, _), _) => RequestFilter::Spillgate(*number),
        };
        Some((filter, self.position))
    }
}
