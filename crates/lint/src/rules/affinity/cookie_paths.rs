//! One affinity cookie with several paths.

use alloc::{collections::BTreeMap, format, string::String, vec::Vec};
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
        // By cluster and name, the first cookies of two paths: each further one differs from one of them.
        let mut paths: BTreeMap<_, Vec<(&Way<'_>, &CookieFacts)>> = BTreeMap::new();
        for way in ways {
            let own = generated(context, way);
            let Some(cluster) = way.cluster.filter(|_| !own.is_empty()) else {
                continue;
            };
            let mut earlier = Vec::new();
            for cookie in &own {
                let known = paths.entry((cluster, cookie.name.as_str())).or_default();
                let mut known = known.iter();
                let other = known.find(|(_, known)| known.path != cookie.path);
                earlier.extend(other.map(|other| (*other, *cookie)));
            }
            for cookie in own {
                let known = paths.entry((cluster, cookie.name.as_str())).or_default();
                if known.len() < 2 && known.iter().all(|(_, known)| known.path != cookie.path) {
                    known.push((way, cookie));
                }
            }
            for ((other, known), cookie) in earlier {
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
                    quoted(cluster)
                );
                let fix = "use one path that covers both routes, such as /";
                sink.add(&cookie.path_place, cause, effect, fix);
            }
        }
    }
}
