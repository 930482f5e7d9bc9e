//! Random requests and routes.

use spillgate_modulehost::{ClusterSpecifier, HostRequest, HostRoute, RouteCluster};

use crate::{
    configurations::{CLUSTERS, COOKIE, SESSION_HEADER, Sessions, TRACE_SECRET},
    dice::Dice,
    random_hosts::field,
};

/// The header of routes with `cluster_header`.
pub(crate) const CLUSTER_HEADER: &str = "x-spillgate-cluster";
/// The header of the host list, which the module never writes.
pub(crate) const HOST_HEADER: &str = "x-spillgate-host";

const NAMES: [&str; 9] = [
    HOST_HEADER,
    CLUSTER_HEADER,
    "x-user",
    "x-version",
    "x-debug",
    "x-spillgate-trace",
    "X-SpillGate-Host",
    "cookie",
    SESSION_HEADER,
];
const VALUES: [&str; 6] = [
    "10.0.0.1:80",
    "near",
    "u1",
    "v1",
    TRACE_SECRET,
    "session=; session=x; a=b",
];

/// The token that a request carries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SentToken {
    /// None, or one among other headers that may replace it.
    Unknown,
    /// A changed one, and no other.
    Forged,
}

/// A request.
pub(crate) fn request(
    dice: &mut Dice,
    sessions: Sessions,
    tokens: &[Vec<u8>],
) -> (HostRequest, SentToken) {
    let mut request = HostRequest::get(dice.pick(&["/", "/a", "/a/b?x=1"]));
    let token = dice.place(tokens).map(|at| tokens[at].clone());
    if let Some(token) = &token
        && dice.one_in(3)
        && matches!(sessions, Sessions::Cookie | Sessions::Header)
    {
        let forged = forged(dice, token);
        return (with_token(request, sessions, &forged), SentToken::Forged);
    }
    if let Some(token) = token {
        request = with_token(request, sessions, &token);
    }
    let many = if dice.one_in(30) { 300 } else { 6 };
    for _ in 0..dice.below(many) {
        let name = match dice.below(20) {
            0 => dice.bytes(20),
            1 => Vec::new(),
            _ => dice.pick(&NAMES).as_bytes().to_vec(),
        };
        request = request.header(name, dice.text(&VALUES));
    }
    (request, SentToken::Unknown)
}

/// A route.
pub(crate) fn route(dice: &mut Dice) -> HostRoute {
    let name = dice.pick(&CLUSTERS);
    let cluster = match dice.below(4) {
        0 => RouteCluster::Named(name.to_owned()),
        1 => RouteCluster::Header(CLUSTER_HEADER.to_owned()),
        _ => RouteCluster::Specifier(ClusterSpecifier::read(dice.pick(&["", name]))),
    };
    let mut route = HostRoute::by(cluster);
    if dice.one_in(4) {
        route = route.with("envoy.lb", "stage", field(dice));
    }
    if dice.one_in(4) {
        let key = dice.pick(&["target", "disabled", "unknown"]);
        route = if dice.one_in(2) {
            route.with("spillgate", key, dice.pick(&["all", "near", "nowhere"]))
        } else {
            route.with("spillgate", key, field(dice))
        };
    }
    route
}

fn with_token(request: HostRequest, sessions: Sessions, token: &[u8]) -> HostRequest {
    match sessions {
        Sessions::Cookie => request.header("cookie", [COOKIE.as_bytes(), b"=", token].concat()),
        _ => request.header(SESSION_HEADER, token),
    }
}

/// Another text than any token that was issued.
fn forged(dice: &mut Dice, token: &[u8]) -> Vec<u8> {
    let mut forged = token.to_vec();
    let at = dice.below(forged.len());
    match dice.below(4) {
        0 => forged.truncate(at),
        1 => forged.insert(at, b'A'),
        2 => forged[at] = if forged[at] == b'B' { b'C' } else { b'B' },
        // Neither a separator of cookies nor white space around a value.
        _ => forged[at] = 0x80 | dice.below(0x80) as u8,
    }
    forged
}
