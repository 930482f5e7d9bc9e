//! Hash policies on headers that a route removes or sets: Envoy hashes the request as it forwards it.

use alloc::{format, string::String};
use spillgate_core::visible::quoted;

use spillgate_core::route::{HashPolicy, HashSource};

use crate::{
    context::{Context, Plain},
    finding::Severity,
    reached::reached_hosts,
    rule::Rule,
    sink::Sink,
    ways::{LostBy, LostHeader, Way},
};

/// A route to a hashing cluster hashes a header that the route or a filter removes, or sets to one
/// value.
///
/// Without another policy, each request gets a random hash, or all requests have the same one.
pub(crate) static LOST: Rule = Rule {
    id: "hash-header-lost",
    severity: Severity::Warning,
    summary: "hash policy on a header that the route or a filter removes or sets",
    check,
};

fn check(context: &Context<'_>, sink: &mut Sink) {
    for way in &context.ways {
        let owners = way.cluster.map(|name| context.owners(name));
        let hashing =
            |owner: &Plain<'_>| owner.plain.policy.hashes() && owner.plain.hash_policies.is_empty();
        let mut owners = owners.unwrap_or_default().into_iter().filter(hashing);
        let Some(owner) = owners.next() else { continue };
        for (at, policy) in way.forward.hash_policies.iter().enumerate() {
            report(context, way, &owner, (at, policy), sink);
        }
    }
}

fn report(
    context: &Context<'_>,
    way: &Way<'_>,
    owner: &Plain<'_>,
    (at, policy): (usize, &HashPolicy),
    sink: &mut Sink,
) {
    let HashSource::Header { name, .. } = &policy.source else {
        return;
    };
    let (Some((lost, by)), Some(place)) = (way.lost(name), &way.route.hash_policy) else {
        return;
    };
    let alone = way.forward.hash_policies.len() == 1;
    let (verb, effect) = match (lost, alone) {
        (LostHeader::Removed, true) => {
            let hosts = reached_hosts(context, owner, way.criteria);
            let effect =
                format!("each request gets a random hash: one client is spread over {hosts} hosts");
            ("removes", effect)
        }
        (LostHeader::Removed, false) => (
            "removes",
            String::from("the policy has no hash: the other policies decide"),
        ),
        (LostHeader::Fixed, true) => (
            "sets",
            String::from("all requests have the same hash: one host gets them all"),
        ),
        (LostHeader::Fixed, false) => (
            "sets",
            String::from("the policy adds the same hash for all requests"),
        ),
    };
    let cause = format!(
        "{} hashes the header {}, which {} {verb} before",
        way.route_name(),
        quoted(name),
        match by {
            LostBy::Route => "it",
            LostBy::Filter => "a filter",
        }
    );
    let fix = "hash a header that the route leaves, or do not change this one";
    sink.add(&place.index(at), cause, effect, fix);
}
