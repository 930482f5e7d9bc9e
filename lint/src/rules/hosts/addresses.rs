//! Addresses that stand more than once.

use alloc::{format, string::String, vec::Vec};

use spillgate_config::envoy::facts::{ClusterFacts, Discovery, EndpointFacts};
use spillgate_core::names::Names;

use crate::{
    context::Context,
    figures::percent,
    finding::Severity,
    rule::{Rule, Sink},
};

/// An address stands twice in a priority.
///
/// A STATIC cluster counts it twice; EDS keeps the first.
pub(crate) static DUPLICATE: Rule = Rule {
    id: "endpoint-duplicate",
    severity: Severity::Info,
    summary: "the same address twice in a priority",
    check: |context, sink| repeated(context, sink, true),
};

/// An address stands in two priorities.
///
/// EDS keeps the first only. In a STATIC cluster both priorities lose the host at the same time.
pub(crate) static TWO_PRIORITIES: Rule = Rule {
    id: "endpoint-in-two-priorities",
    severity: Severity::Warning,
    summary: "the same address in two priorities",
    check: |context, sink| repeated(context, sink, false),
};

fn repeated(context: &Context<'_>, sink: &mut Sink<'_>, same_priority: bool) {
    for cluster in &context.facts.clusters {
        let mut seen = Names::default();
        let mut shares = None;
        let mut places: Vec<(usize, &EndpointFacts)> = Vec::new();
        for locality in &cluster.localities {
            for endpoint in locality.endpoints.iter().filter(|e| !e.address.is_empty()) {
                let first = seen.get(&endpoint.address).and_then(|at| places.get(at));
                let Some(&(priority, first)) = first else {
                    seen.insert(&endpoint.address, places.len());
                    places.push((locality.priority, endpoint));
                    continue;
                };
                if (priority == locality.priority) == same_priority {
                    let priorities = (priority, locality.priority);
                    let plain = context.plain(&cluster.name);
                    let share = plain.map_or(0.0, |plain| {
                        let shares = shares.get_or_insert_with(|| plain.shares());
                        plain.share_of(shares, &endpoint.address)
                    });
                    report(cluster, (first, endpoint), priorities, share, sink);
                }
            }
        }
    }
}

/// Reports an address that appears again.
fn report(
    cluster: &ClusterFacts,
    (first, second): (&EndpointFacts, &EndpointFacts),
    priorities: (usize, usize),
    share: f64,
    sink: &mut Sink<'_>,
) {
    let address = &second.address;
    let line = first.place.position.line;
    let cause = match priorities {
        (a, b) if a == b => format!("{address} already stands in priority {a}, at line {line}"),
        (a, b) => format!("{address} is in priority {b} and, at line {line}, in priority {a}"),
    };
    let share = percent(share);
    let effect = match (cluster.discovery, priorities) {
        (Discovery::Eds, (a, b)) if a == b => {
            format!("EDS keeps the first, which gets {share} of the traffic")
        }
        (Discovery::Eds, (a, b)) => {
            format!("EDS keeps the one in priority {a}, and priority {b} does not have it")
        }
        (_, (a, b)) if a == b => {
            format!("it counts twice and gets {share} of the traffic")
        }
        _ => String::from("when the host is down, both priorities lose it at the same time"),
    };
    sink.add(&second.place, cause, effect, "keep one of the two")
        .remove(&second.place.path);
}
