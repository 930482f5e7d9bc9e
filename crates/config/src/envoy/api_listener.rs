//! Connection managers of clients: gRPC and Envoy Mobile take the routes of their requests from them.

use alloc::{borrow::ToOwned as _, format};

use spillgate_core::route::ConnectionManager;

use super::{
    common::check_version,
    connection::{ChainSecurity, LocalAddress},
    manager::{ManagerPlace, UNSET_HEADERS, read_connection_manager},
    network::CONNECTION_MANAGER_TYPE,
    schema::{CONNECTION_MANAGER, MOBILE_MANAGER},
};
use crate::{
    Diagnostic,
    node::quote,
    proto::{Message, Report},
};

/// The type with which Envoy Mobile wraps its connection manager.
const MOBILE_MANAGER_TYPE: &str =
    "envoy.extensions.filters.network.http_connection_manager.v3.EnvoyMobileHttpConnectionManager";
/// The code of limits about the connection manager.
const CODE: &str = "config/connection-manager-not-modeled";

/// The connection manager of a client.
pub(super) fn api_manager<'n, 'a>(
    api: &Message<'n, 'a>,
    report: &mut Report,
) -> Option<Message<'n, 'a>> {
    let any = api.any("api_listener", report)?;
    match any.type_name {
        CONNECTION_MANAGER_TYPE => any.open(&CONNECTION_MANAGER, report),
        MOBILE_MANAGER_TYPE => {
            let mobile = any.open(&MOBILE_MANAGER, report)?;
            mobile.message("config", &CONNECTION_MANAGER, report)
        }
        other => {
            if check_version(any.node, &any.path, report) {
                let fault = Diagnostic::error("config/unknown-value", "not a connection manager")
                    .at(any.path.field("@type").text(), any.node.position);
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
