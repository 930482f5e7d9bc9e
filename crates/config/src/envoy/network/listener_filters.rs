//! Listener filters: what they find out about a connection before its filter chain is chosen.

use alloc::format;

use crate::{
    envoy::{connection::LocalAddress, schema::LISTENER_FILTER},
    node::{NodeValue, quote},
    proto::{Message, Report, field_of},
};
#[cfg(feature = "unread")]
use crate::{
    node::Node,
    proto::{Any, Path},
};

/// The result of the listener filters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::envoy) struct ListenerFilters {
    /// Whether one finds TLS server names.
    pub(in crate::envoy) inspects_tls: bool,
    /// Whether one can restore the original destination.
    pub(in crate::envoy) local: LocalAddress,
    /// Whether the listener hands connections to others (`use_original_dst`).
    pub(in crate::envoy) hands_off: bool,
    /// Whether only other listeners can pass connections to it (`bind_to_port`).
    pub(in crate::envoy) unbound: bool,
}

/// Reads the listener filters, with the one that `use_original_dst` adds.
pub(in crate::envoy) fn read_listener_filters(
    listener: &Message<'_, '_>,
    report: &mut Report,
) -> ListenerFilters {
    let hands_off = listener.bool("use_original_dst", report).unwrap_or(false);
    let unbound = !is_bound(listener, report);
    let mut found = ListenerFilters {
        // QUIC has the name itself.
        inspects_tls: listener.has("udp_listener_config"),
        local: if hands_off || unbound {
            LocalAddress::MayBeRestored
        } else {
            LocalAddress::OfListener
        },
        hands_off,
        unbound,
    };
    for (path, node) in listener.list("listener_filters", report) {
        // A UDP proxy is read as the filter that balances.
        #[cfg(feature = "unread")]
        if !is_udp_proxy(node) {
            report.note_part("Listener", "listener_filters", node);
        }
        let filter = Message::open(node, path, &LISTENER_FILTER, report);
        let Some(filter) = filter else { continue };
        match kind(&filter, report) {
            "tls_inspector" => found.inspects_tls = true,
            "original_dst" => found.local = LocalAddress::MayBeRestored,
            "proxy_protocol" => {
                found.local = LocalAddress::MayBeRestored;
                name_rules(&filter, report);
            }
            "http_inspector" | "local_ratelimit" | "original_src" | "udp_proxy" => {}
            _ => {
                found.local = LocalAddress::MayBeRestored;
                let name = filter.string("name", report).unwrap_or_default();
                let name = quote(name);
                let effect = format!(
                    "the listener filter {name} is not modeled; connections can go elsewhere"
                );
                report.limit(FILTER_CODE, effect, &filter.path, filter.position);
            }
        }
    }
    found
}

#[cfg(feature = "unread")]
fn is_udp_proxy(filter: &Node<'_>) -> bool {
    let config = field_of(filter, "typed_config");
    let any = config.and_then(|config| Any::of(config, Path::root()));
    any.is_some_and(|any| any.type_name == super::udp_proxy::UDP_PROXY_TYPE)
}

/// The code of limits about filters.
const FILTER_CODE: &str = "config/filter-not-modeled";

/// Whether the listener has a port of its own.
fn is_bound(listener: &Message<'_, '_>, report: &mut Report) -> bool {
    let bound = listener.bool("bind_to_port", report).unwrap_or(true);
    let old = listener.get("deprecated_v1");
    let old = old.and_then(|old| field_of(old, "bind_to_port"));
    bound && old.is_none_or(|old| old.value != NodeValue::Bool(false))
}

/// The kind of a listener filter, such as `original_dst`; empty if it is unknown.
fn kind<'n>(filter: &Message<'n, '_>, report: &mut Report) -> &'n str {
    let typed = filter.get("typed_config");
    let text = match typed.and_then(|config| config.get("@type")) {
        Some(_) => filter.any("typed_config", report).and_then(|any| {
            let rest = any.type_name;
            let udp = rest.strip_prefix("envoy.extensions.filters.udp.");
            rest.strip_prefix("envoy.extensions.filters.listener.")
                .or(udp)
        }),
        // Older versions of Envoy find filters without a type by their names.
        None => filter.string("name", report).and_then(|name| {
            let old = || name.strip_prefix("envoy.listener.");
            name.strip_prefix("envoy.filters.listener.").or_else(old)
        }),
    };
    text.and_then(|text| text.split('.').next())
        .unwrap_or_default()
}

/// Names the rules of `proxy_protocol`.
fn name_rules(filter: &Message<'_, '_>, report: &mut Report) {
    let config = filter.get("typed_config");
    if let Some(rules) = config.and_then(|config| field_of(config, "rules")) {
        let effect = "rules of proxy_protocol are not modeled; they can set metadata, which selects \
                      subsets";
        let path = filter.path.field("typed_config").field("rules");
        report.limit(FILTER_CODE, effect, &path, rules.position);
    }
}
