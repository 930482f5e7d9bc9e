//! The overrides of HTTP filters (`typed_per_filter_config`).

use alloc::{collections::BTreeMap, string::String, vec::Vec};

use spillgate_core::route::{HeaderMutation, HeaderRule, StatefulSession};

use super::{
    header_mutation::read_mutations_of_route,
    header_to_metadata::{HEADER_TO_METADATA_TYPE, RuleScope, read_header_to_metadata},
    known::HTTP_FILTER_PREFIX,
    stateful_session::{STATEFUL_SESSION_PER_ROUTE_TYPE, read_session_per_route},
};
use crate::{
    Diagnostic, Position,
    envoy::{
        facts::{SessionFacts, mutated_by},
        schema::FILTER_CONFIG,
    },
    node::{Node, NodeValue},
    proto::{Any, Path, Report, field_of},
};

/// The message type of a filter override with a switch.
pub(crate) const FILTER_CONFIG_TYPE: &str = "envoy.config.route.v3.FilterConfig";
/// The type of a route's header changes, after the prefix.
const HEADER_MUTATION_PER_ROUTE_TYPE: &str = "header_mutation.v3.HeaderMutationPerRoute";

/// The overrides of a route configuration, virtual host or route, by filter name.
pub(crate) type Overrides = BTreeMap<String, Override>;

/// The override of one filter.
#[derive(Debug, Default)]
pub(crate) struct Override {
    /// Whether the filter runs.
    pub(super) enabled: bool,
    /// The replacement of its config.
    pub(super) change: Option<Change>,
    /// For lint: the session settings in it.
    pub(super) session: Option<SessionFacts>,
    /// For lint: the request headers that it removes or overwrites.
    pub(super) removed: Vec<String>,
}

#[derive(Debug)]
pub(super) enum Change {
    /// Further header changes.
    Mutations(Vec<HeaderMutation>),
    /// Other rules.
    Rules(Vec<HeaderRule>),
    /// Other session settings or none, and their position.
    Session(Option<StatefulSession>, Position),
}

/// A bare config, or one wrapped with a switch.
pub(super) fn read_override(node: &Node<'_>, path: Path, report: &mut Report) -> Option<Override> {
    let any = Any::of(node, path.clone())?;
    let mut read = Override {
        enabled: true,
        ..Override::default()
    };
    if any.type_name == FILTER_CONFIG_TYPE {
        let wrapped = any.open(&FILTER_CONFIG, report)?;
        read.enabled = !wrapped.bool("disabled", report).unwrap_or(false);
    }
    if let Some(any) = typed_override(node, path) {
        if report.is_judged() {
            read.removed = mutated_by(&any);
        }
        let position = any.node.position;
        read.change = match any.type_name.strip_prefix(HTTP_FILTER_PREFIX) {
            Some(HEADER_MUTATION_PER_ROUTE_TYPE) => {
                Some(Change::Mutations(read_mutations_of_route(any, report)))
            }
            Some(HEADER_TO_METADATA_TYPE) => Some(Change::Rules(read_header_to_metadata(
                any,
                RuleScope::Route,
                &mut Vec::new(),
                report,
            ))),
            Some(STATEFUL_SESSION_PER_ROUTE_TYPE) => Some(Change::Session(
                read_session_per_route(any, &mut read.session, report),
                position,
            )),
            _ => None,
        };
    }
    Some(read)
}

/// Reports a switch that is on without a config, which Envoy rejects; an empty config is one.
pub(super) fn check_switch(node: &Node<'_>, path: &Path, report: &mut Report) {
    let Some(any) = Any::of(node, path.clone()).filter(|any| any.type_name == FILTER_CONFIG_TYPE)
    else {
        return;
    };
    let config = field_of(any.node, "config").map(|node| &node.value);
    if enables(node) && matches!(config, None | Some(NodeValue::Null)) {
        let what = "FilterConfig without a config";
        let fault = Diagnostic::error("config/missing", what)
            .at(any.path.field("config").text(), any.node.position);
        report.push(fault.expected("a config, or disabled: true"));
    }
}

/// Whether an override makes the filter run, even if it is disabled elsewhere.
pub(super) fn enables(node: &Node<'_>) -> bool {
    Any::of(node, Path::root()).is_some_and(|any| {
        let disabled = field_of(any.node, "disabled").map(|node| &node.value);
        any.type_name != FILTER_CONFIG_TYPE || disabled != Some(&NodeValue::Bool(true))
    })
}

/// The config of an override; that inside of a switch.
pub(super) fn typed_override<'n, 'a>(node: &'n Node<'a>, path: Path) -> Option<Any<'n, 'a>> {
    let any = Any::of(node, path)?;
    if any.type_name != FILTER_CONFIG_TYPE {
        return Some(any);
    }
    Any::of(field_of(any.node, "config")?, any.path.field("config"))
}
