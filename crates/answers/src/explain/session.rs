//! `spillgate explain --session`: puts a session value into the cookie or header of the route.

use crate::{input::Faults, pick::PickRequest, steered::SteeringFilters};
use spillgate_config::Diagnostic;
use spillgate_core::route::{HeaderList, RouteOutcome, RouteTable, StatefulSession};

/// Adds the session value to the cookie or header that the filter or the route of the request
/// reads.
///
/// # Errors
/// If the route has no session. The value can be a secret, so the error does not repeat it.
pub fn add_session(
    request: &mut PickRequest,
    routes: &RouteTable,
    filters: &SteeringFilters,
    value: &str,
) -> Result<(), Faults> {
    let Some((header, cookie)) = carrier(request, routes, filters) else {
        let fault = Diagnostic::error(
            "explain/no-session",
            "the route of this request has no session",
        )
        .expected("a route with stateful_session or affinity");
        return Err(Faults::one("--session", &fault));
    };
    let value = match cookie {
        Some(name) => format!("{name}={value}"),
        None => value.to_owned(),
    };
    // It precedes other headers of this name.
    request.headers.insert(0, (header, value));
    Ok(())
}

/// The session header of a request, and the cookie in it. Of several filters, the last one takes
/// precedence.
fn carrier(
    request: &PickRequest,
    routes: &RouteTable,
    filters: &SteeringFilters,
) -> Option<(String, Option<String>)> {
    let headers = HeaderList(&request.headers);
    let received = routes.receive(&headers, request.connection(&[]));
    let ours = filters.session_carrier(routes, &received);
    if ours.is_some() {
        return ours;
    }
    let last = |sessions: Vec<(&StatefulSession, _)>| {
        let (session, _) = sessions.last()?;
        let (header, cookie) = session.carrier.header_and_cookie();
        Some((header.to_owned(), cookie.map(str::to_owned)))
    };
    let alternatives = routes.alternatives(&received).into_iter();
    let mut found = alternatives.filter_map(|alternative| match alternative.outcome {
        RouteOutcome::Forward(routed) => routed
            .destinations()
            .find_map(|destination| last(routed.sessions(&destination, 0))),
        _ => None,
    });
    found.next()
}
