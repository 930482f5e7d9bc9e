//! A session that is given by its value alone.

use spillgate_config::Diagnostic;
use spillgate_core::route::{
    Connection, HeaderList, RouteOutcome, RouteTable, StatefulSession, StatefulSessionCarrier,
};

use crate::{input::Faults, pick::PickRequest};

/// Puts the value of a session where the route of the request looks for it.
///
/// # Errors
/// When the request reaches no route that keeps sessions. The value may be a secret, so it is not
/// repeated.
pub(super) fn add_session(
    request: &mut PickRequest,
    routes: &RouteTable,
    value: &str,
) -> Result<(), Faults> {
    let Some(carrier) = carrier(request, routes) else {
        let fault = Diagnostic::error(
            "explain/no-session",
            "the route of this request keeps no sessions",
        );
        let fault = fault.expected("a route behind the filter stateful_session");
        return Err(Faults::one("--session", &fault));
    };
    let (header, cookie) = carrier.header_and_cookie();
    let value = match cookie {
        Some(name) => format!("{name}={value}"),
        None => value.to_owned(),
    };
    // It comes before what else there is of its name.
    request.headers.insert(0, (header.to_owned(), value));
    Ok(())
}

/// What carries the sessions of a request; of several filters that of the last one, which has the
/// last word.
fn carrier(request: &PickRequest, routes: &RouteTable) -> Option<StatefulSessionCarrier> {
    let headers = HeaderList(&request.headers);
    let connection = Connection {
        remote: &request.source,
        local: &request.local,
        ..Connection::default()
    };
    let RouteOutcome::Forward(routed) = routes.route(&headers, connection) else {
        return None;
    };
    let last = |sessions: Vec<(&StatefulSession, _)>| {
        let (session, _) = sessions.last()?;
        Some(session.carrier.clone())
    };
    let mut found = routed
        .destinations()
        .filter_map(|destination| last(routed.sessions(&destination, 0)));
    found.next()
}
