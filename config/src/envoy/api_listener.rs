//! Listeners of clients: gRPC and Envoy Mobile take the routes of their requests from them.

use alloc::{borrow::ToOwned as _, format};

use spillgate_core::route::ConnectionManager;

use super::{
    common::check_version,
    connection::{ChainSecurity, LocalAddress},
    listener::{ListenerConfig, ListenerContext, ManagerOwner, read_routes_of},
    manager::{ManagerPlace, UNSET_HEADERS, read_connection_manager},
    network::{CONNECTION_MANAGER_TYPE, ListenerProtocol},
    schema::{API_LISTENER, CONNECTION_MANAGER, MOBILE_MANAGER},
};
use crate::{
    Diagnostic,
    node::{Node, quote},
    proto::{Message, Report},
};

/// The type with which Envoy Mobile wraps its connection manager.
const MOBILE_MANAGER_TYPE: &str =
    "envoy.extensions.filters.network.http_connection_manager.v3.EnvoyMobileHttpConnectionManager";
/// The code of limits about the connection manager.
const CODE: &str = "config/connection-manager-not-modelled";

/// Reads the routes of a client. Its other filter chains serve nothing, as in Envoy.
pub(super) fn read_api_listener(
    listener: &Message<'_, '_>,
    node: &Node<'_>,
    context: &ListenerContext<'_, '_, '_>,
    report: &mut Report,
) -> ListenerConfig {
    for field in ["filter_chains", "default_filter_chain"] {
        if listener.has(field) {
            let effect = "filter chains next to api_listener serve no connections";
            let path = listener.path.field(field);
            report.limit(
                "config/not-modelled",
                effect,
                &path,
                listener.position_of(field),
            );
        }
    }
    let path = listener.path.field("api_listener");
    let api = Message::open(node, path, &API_LISTENER, report);
    let manager = api.and_then(|api| manager_of(&api, report));
    let read = manager.and_then(|manager| {
        let owner = (listener, ManagerOwner::Client);
        read_routes_of(&manager, owner, context, report)
    });
    read.unwrap_or(ListenerConfig {
        protocol: ListenerProtocol::Unknown,
        ..ListenerConfig::default()
    })
}

/// The connection manager of a client.
fn manager_of<'n, 'a>(api: &Message<'n, 'a>, report: &mut Report) -> Option<Message<'n, 'a>> {
    let any = api.any("api_listener", report)?;
    match any.type_name {
        CONNECTION_MANAGER_TYPE => any.open(&CONNECTION_MANAGER, report),
        MOBILE_MANAGER_TYPE => {
            let mobile = any.open(&MOBILE_MANAGER, report)?;
            mobile.message("config", &CONNECTION_MANAGER, report)
        }
        other => {
            if check_version(any.node, &any.path, report) {
                let fault = Diagnostic::error("config/unknown-value", "not a connection manager");
                let fault = fault.at(any.path.field("@type").text(), any.node.position);
                report.tolerate(fault.found(quote(other)).expected(CONNECTION_MANAGER_TYPE));
            }
            None
        }
    }
}

/// Names what a connection manager changes in a proxy: gRPC ignores it, and Envoy Mobile does not.
pub(super) fn name_settings(manager: &Message<'_, '_>, report: &mut Report) {
    let place = ManagerPlace {
        security: ChainSecurity::Plain,
        addresses: LocalAddress::OfListener,
    };
    let settings = read_connection_manager(manager, place, report);
    if settings != ConnectionManager::default() {
        let effect = "the request is routed as the application sends it, as in gRPC; Envoy Mobile applies the \
                      settings of this connection manager first"
            .to_owned();
        report.limit(CODE, effect, &manager.path, manager.position);
    }
    for header in UNSET_HEADERS {
        let effect = format!(
            "whether the client of this api_listener sends the header {} is not known",
            quote(header)
        );
        report.limit_if_read(header, CODE, effect, &manager.path, manager.position);
    }
}
