//! One affinity cookie with several paths.

use alloc::{format, string::String, vec::Vec};
use spillgate_core::visible::quoted;

use spillgate_config::envoy::facts::{CookieFacts, SessionCarrierFacts};

use crate::{context::Context, finding::Severity, rule::Rule, sink::Sink, ways::Way};

/// Two routes of a virtual host to one cluster generate a cookie of the same name with different
/// paths: cookies of hash policies with a `ttl`, and cookies of stateful sessions.
///
/// A client keeps a cookie for each path, and so has a host for each.
pub(crate) static TWO_PATHS: Rule = Rule {
    id: "affinity-cookie-paths",
    severity: Severity::Warning,
    summary: "routes to one cluster generate the same cookie with different paths",
    check: two_paths,
};

/// The cookies that Envoy generates on a route and that choose a host.
fn generated<'c>(context: &Context<'c>, way: &Way<'c>) -> Vec<&'c CookieFacts> {
    let owners = way
        .cluster
        .map(|name| context.owners(name))
        .unwrap_or_default();
    let hashes = owners.iter().any(|owner| owner.plain.policy.hashes());
    let cookies = way.route.cookies.iter();
    let hashed = cookies.filter(|cookie| hashes && cookie.ttl.is_some());
    let session = way.route.session.as_ref();
    let kept = session.and_then(|session| match &session.carrier {
        SessionCarrierFacts::Cookie(cookie) => Some(cookie),
        _ => None,
    });
    hashed.chain(kept).collect()
}

/// A path in a message.
fn path_text(cookie: &CookieFacts) -> String {
    match cookie.path.as_str() {
        "" => String::from("no path"),
        path => format!("the path {path}"),
    }
}

/// Finds cookies with two paths.
fn two_paths(context: &Context<'_>, sink: &mut Sink) {
    let by_virtual_host = context
        .ways
        .chunk_by(|a, b| core::ptr::eq(a.virtual_host, b.virtual_host));
    for ways in by_virtual_host {
        let with_cookies = ways.iter().map(|way| (way, generated(context, way)));
        let with_cookies: Vec<_> = with_cookies.filter(|(_, own)| !own.is_empty()).collect();
        for (at, (way, own)) in with_cookies.iter().enumerate() {
            for cookie in own {
                let earlier = with_cookies
                    .iter()
                    .take(at)
                    .filter(|(other, _)| other.cluster.is_some() && other.cluster == way.cluster);
                let other = earlier
                    .flat_map(|(other, cookies)| cookies.iter().map(move |known| (other, known)))
                    .find(|(_, known)| known.name == cookie.name && known.path != cookie.path);
                let Some((other, known)) = other else {
                    continue;
                };
                if sink.has(&cookie.path_place.path) {
                    continue;
                }
                let cause = format!(
                    "{} and {} generate the cookie {}, with {} and {}",
                    other.route_name(),
                    way.route_name(),
                    quoted(&cookie.name),
                    path_text(known),
                    path_text(cookie)
                );
                let effect = format!(
                    "a client has one cookie for each path, and so a host of cluster {} for each",
                    quoted(way.cluster.unwrap_or_default())
                );
                let fix = "use one path that covers both routes, such as /";
                sink.add(&cookie.path_place, cause, effect, fix);
            }
        }
    }
}
