//! Chains that serve requests without the header that selects their hosts.

use alloc::{format, string::String};
use spillgate_core::visible::quoted;

use spillgate_config::{
    envoy::facts::{FieldPlace, FilterKind, OpenChain, SpillgateFacts},
    undecided::UndecidedRequests,
};

use super::host_list::{is_open, steered};
use crate::{
    context::{Context, Plain},
    finding::Severity,
    rule::Rule,
    sink::Sink,
    ways::Way,
};

/// The `subset_chain` of a Spillgate filter ends with `any`, a request header alone selects the hosts of all
/// steps before, and other settings show that requests must not reach other hosts: `on_stale` or
/// `on_unknown` with `refuse` (warning), or a cluster that is isolated (info). Envoy does not set the header
/// itself.
///
/// A client that removes the header, also with `connection`, reaches all hosts.
pub(crate) static ANY: Rule = Rule {
    id: "steered-chain-open",
    severity: Severity::Warning,
    summary: "subset_chain ends with any, and clients can remove the header that selects the hosts",
    check,
};

fn check(context: &Context<'_>, sink: &mut Sink) {
    for way in &context.ways {
        let found = way.active_filters().find_map(|(at, kind)| match kind {
            FilterKind::Spillgate(ours) => Some((at, ours, ours.open_chain.as_ref()?)),
            _ => None,
        });
        let Some((at, ours, chain)) = found else {
            continue;
        };
        let place = way.listener.filters.get(at).map(|filter| &filter.place);
        let isolates = chain.refuses || steered(context, way, ours).any(|one| is_isolated(&one));
        if let Some(place) = place
            && isolates
            && !sink.has(&place.path)
            && !is_set(way, at, &chain.header)
        {
            report(sink, place, chain, ours);
        }
    }
}

fn report(sink: &mut Sink, place: &FieldPlace, chain: &OpenChain, ours: &SpillgateFacts) {
    let OpenChain { key, header, .. } = chain;
    let cause = format!(
        "the subset_chain ends with any, and the steps before it need the key {}, which only the \
         header {header} gives",
        quoted(key)
    );
    let effect = format!(
        "requests without the header reach all hosts of {}; an HTTP/1.1 client can also remove the header \
         of a proxy in front, with \"connection: {header}\"",
        match ours.clusters.as_slice() {
            [one] => format!("cluster {}", quoted(one)),
            _ => String::from("the filter's clusters"),
        }
    );
    let fix = "end the chain with a match of the hosts that serve everyone, or without any: then these \
               requests get 503";
    let finding = sink.add(place, cause, effect, fix);
    if !chain.refuses {
        finding.severity = Severity::Info;
    }
}

/// Whether the configuration of a cluster says that only hosts of the filter's list serve.
fn is_isolated(cluster: &Plain<'_>) -> bool {
    match cluster.undecided() {
        Some(undecided) => undecided == UndecidedRequests::Refuse,
        None => !is_open(cluster),
    }
}

/// Whether Envoy or a filter before this one may set the header, after Envoy has removed what
/// `connection` names.
fn is_set(way: &Way<'_>, before: usize, header: &str) -> bool {
    let has = |names: &[String]| names.iter().any(|name| name == header);
    let mut filters = way.active_filters().take_while(|(at, _)| *at < before);
    has(&way.listener.stripped)
        || way.sets_early(header)
        || filters.any(|(_, kind)| match kind {
            FilterKind::HeaderMutation(names) => has(names),
            FilterKind::Other { opaque, words } => *opaque || words.contains(header),
            _ => false,
        })
}
