//! HTTP filters that affect balancing, and their activation on routes.

use alloc::{format, string::String, vec::Vec};
use core::time::Duration;

use spillgate_core::route::{
    Forward, HeaderRule, KeyValue, RequestFilter, Route, RouteAction, RouteTable, RouteTarget,
    RuleSource, SessionStateKind, SetMetadata, StatefulSession, StatefulSessionCookie, ValueType,
    WeightedCluster,
};

use super::{
    super::{
        duration::duration,
        names::name_of,
        tree::{Fields, within},
    },
    hash_policy::regex_rewrite,
    headers::mutation_list,
    metadata::structure,
};
use crate::envoy::{
    COOKIE_STATE_TYPE, ENCODING, FILTER_CONFIG_TYPE, HEADER_MUTATION_TYPE, HEADER_STATE_TYPE,
    HEADER_TO_METADATA_TYPE, HTTP_FILTER_PREFIX, SET_METADATA_TYPE, STATE_NAME, STATE_TYPE,
    STATEFUL_SESSION_TYPE, VALUE_TYPE, WASM_TYPE,
};

/// The filters of a table and of its routes with other filters. All are in one chain; a route
/// enables its own filters and disables those of the table.
pub(super) struct FilterLists<'m> {
    table: &'m [RequestFilter],
    own: Vec<&'m [RequestFilter]>,
}

impl<'m> FilterLists<'m> {
    pub(super) fn of(table: &'m RouteTable) -> Self {
        let hosts = table.virtual_hosts.iter();
        let mut own: Vec<&[RequestFilter]> = Vec::new();
        for filters in hosts.flat_map(|host| &host.routes).flat_map(own_filters) {
            if !own.contains(&filters) {
                own.push(filters);
            }
        }
        Self {
            table: &table.filters,
            own,
        }
    }

    /// The chain, without the router at its end.
    pub(super) fn http_filters(&self) -> Vec<Fields> {
        let table = written(self.table).map(|(at, filter)| http_filter(table_name(at), filter));
        let own = self.own.iter().enumerate().flat_map(|(list, own)| {
            written(own).map(move |(at, filter)| {
                http_filter(own_name(list, at), filter).with("disabled", true)
            })
        });
        table.chain(own).collect()
    }

    /// The overrides of a route (`typed_per_filter_config`).
    pub(super) fn of_route(&self, route: &Route) -> Fields {
        match route.filters.as_deref() {
            Some(own) => self.overrides(own, None),
            None => Fields::new(),
        }
    }

    /// The overrides of a weighted cluster, relative to its route.
    pub(super) fn of_weighted(
        &self,
        weighted: &WeightedCluster,
        route: Option<&[RequestFilter]>,
    ) -> Fields {
        match weighted.filters.as_deref() {
            Some(own) => self.overrides(own, route),
            None => Fields::new(),
        }
    }

    /// Enables the filters of a list and disables those of the list around it.
    fn overrides(&self, own: &[RequestFilter], around: Option<&[RequestFilter]>) -> Fields {
        let number = |filters| {
            let list = self.own.iter().position(|own| *own == filters);
            list.unwrap_or_default()
        };
        let mut overrides = Fields::new();
        let off = || Fields::of_type(FILTER_CONFIG_TYPE).with("disabled", true);
        match around {
            None => {
                for (at, _) in written(self.table) {
                    overrides = overrides.with(table_name(at), off());
                }
            }
            Some(around) => {
                for (at, _) in written(around) {
                    overrides = overrides.with(own_name(number(around), at), off());
                }
            }
        }
        for (at, _) in written(own) {
            let on = Fields::of_type(FILTER_CONFIG_TYPE).with("config", Fields::new());
            overrides = overrides.with(own_name(number(own), at), on);
        }
        overrides
    }
}

/// The filters of a list that do not depend on the configuration text of a plugin, with their index
/// in the list.
fn written(filters: &[RequestFilter]) -> impl Iterator<Item = (usize, &RequestFilter)> {
    let filters = filters.iter().enumerate();
    filters.filter(|(_, filter)| !matches!(filter, RequestFilter::Spillgate(_)))
}

/// The lists of a route and of its weighted clusters.
fn own_filters(route: &Route) -> impl Iterator<Item = &[RequestFilter]> {
    let weighted = match &route.action {
        RouteAction::Forward(Forward {
            target: RouteTarget::Weighted(clusters),
            ..
        }) => clusters.clusters(),
        _ => &[],
    };
    let weighted = weighted.iter().map(|one| one.filters.as_deref());
    core::iter::once(route.filters.as_deref())
        .chain(weighted)
        .flatten()
}

fn table_name(at: usize) -> String {
    format!("envoy_lb_{at}")
}

fn own_name(list: usize, at: usize) -> String {
    format!("envoy_lb_of_routes_{list}_{at}")
}

fn http_filter(name: String, filter: &RequestFilter) -> Fields {
    let (type_name, config) = match filter {
        RequestFilter::HeaderMutation(mutations) => {
            let mutations = Fields::new().with_list("request_mutations", mutation_list(mutations));
            (
                HEADER_MUTATION_TYPE,
                Fields::new().with("mutations", mutations),
            )
        }
        RequestFilter::HeaderToMetadata(rules) => (
            HEADER_TO_METADATA_TYPE,
            Fields::new().with_list("request_rules", rules.iter().map(rule)),
        ),
        RequestFilter::SetMetadata(values) => (
            SET_METADATA_TYPE,
            Fields::new().with_list("metadata", values.iter().map(set_metadata)),
        ),
        RequestFilter::StatefulSession(session) => {
            (STATEFUL_SESSION_TYPE, stateful_session(session))
        }
        RequestFilter::Spillgate(_) => (WASM_TYPE, Fields::new()),
    };
    let config = Fields::of_type(&format!("{HTTP_FILTER_PREFIX}{type_name}")).and(config);
    within("name", name).with("typed_config", config)
}

fn stateful_session(of: &StatefulSession) -> Fields {
    let (name, type_name, config) = match &of.carrier {
        SessionStateKind::Cookie(cookie) => {
            let cookie = within("cookie", session_cookie(cookie));
            ("cookie", COOKIE_STATE_TYPE, cookie)
        }
        SessionStateKind::Header(header) => {
            let header = within("name", header.as_str());
            ("header", HEADER_STATE_TYPE, header)
        }
    };
    let config = Fields::of_type(&format!("{STATE_TYPE}{type_name}")).and(config);
    let state = within("name", format!("{STATE_NAME}{name}")).with("typed_config", config);
    within("session_state", state)
        .with_flag("strict", of.strict)
        .with_unless(
            "status_on_strict_destination_not_found",
            of.status_not_found,
            StatefulSession::UNAVAILABLE,
        )
}

fn session_cookie(of: &StatefulSessionCookie) -> Fields {
    let ttl = (of.ttl > 0).then(|| duration(Duration::from_secs(of.ttl)));
    within("name", of.name.as_str())
        .with_some("ttl", ttl)
        .with_text("path", &of.path)
}

fn set_metadata(of: &SetMetadata) -> Fields {
    within("metadata_namespace", &*of.namespace)
        .with("value", structure(&of.value))
        .with_flag("allow_overwrite", of.allow_overwrite)
}

fn rule(of: &HeaderRule) -> Fields {
    let (source, remove) = match &of.source {
        RuleSource::Header { name, remove } => (within("header", name.as_str()), *remove),
        RuleSource::Cookie(name) => (within("cookie", name.as_str()), false),
    };
    source
        .with_some("on_header_present", of.on_present.as_ref().map(key_value))
        .with_some("on_header_missing", of.on_missing.as_ref().map(key_value))
        .with_flag("remove", remove)
}

fn key_value(of: &KeyValue) -> Fields {
    within("metadata_namespace", &*of.namespace)
        .with("key", &*of.key)
        .with_text("value", &of.value)
        .with_some(
            "regex_value_rewrite",
            of.rewrite.as_ref().map(regex_rewrite),
        )
        .with_unless(
            "type",
            name_of(&VALUE_TYPE, &of.value_type),
            name_of(&VALUE_TYPE, &ValueType::default()),
        )
        .with_unless(
            "encode",
            name_of(&ENCODING, &of.base64),
            name_of(&ENCODING, &false),
        )
}
