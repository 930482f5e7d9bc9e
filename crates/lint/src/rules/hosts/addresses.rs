//! Duplicate addresses.

use alloc::{format, string::String, vec::Vec};

use spillgate_config::envoy::facts::{ClusterFacts, Discovery, EndpointFacts};
use spillgate_core::names::Names;

use crate::{context::Context, figures::percent, finding::Severity, rule::Rule, sink::Sink};

/// An address appears twice in a priority.
///
/// A STATIC cluster uses it twice; EDS keeps the first.
pub(crate) static DUPLICATE: Rule = Rule {
    id: "endpoint-duplicate",
    severity: Severity::Info,
    summary: "duplicate address in a priority",
    check: |context, sink| repeated(context, sink, usize::eq),
};

/// An address appears in two priorities.
///
/// EDS keeps only the first. In a STATIC cluster both priorities lose the host at the same time.
pub(crate) static TWO_PRIORITIES: Rule = Rule {
    id: "endpoint-in-two-priorities",
    severity: Severity::Warning,
    summary: "one address in two priorities",
    check: |context, sink| repeated(context, sink, usize::ne),
};

/// Reports duplicates whose priorities compare so.
fn repeated(context: &Context<'_>, sink: &mut Sink, compare: fn(&usize, &usize) -> bool) {
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
                if compare(&priority, &locality.priority) {
                    let priorities = (priority, locality.priority);
                    let plain = context.plain(&cluster.name);
                    let share = plain.map(|plain| {
                        let shares = shares.get_or_insert_with(|| plain.shares());
                        plain.share_of(shares, &endpoint.address)
                    });
                    report(context, cluster, (first, endpoint), priorities, share, sink);
                }
            }
        }
    }
}

/// Reports a duplicate address.
fn report(
    context: &Context<'_>,
    cluster: &ClusterFacts,
    (first, second): (&EndpointFacts, &EndpointFacts),
    priorities: (usize, usize),
    share: Option<f64>,
    sink: &mut Sink,
) {
    let address = &second.address;
    let line = context.sources().refer(first.place.position);
    let cause = match priorities {
        (a, b) if a == b => {
            format!("duplicate address {address} in priority {a}, first defined at {line}")
        }
        (a, b) => format!("{address} is in priority {b} and, at {line}, in priority {a}"),
    };
    let gets = share.map_or_else(String::new, |share| {
        format!("gets {} of requests", percent(share))
    });
    let effect = match (cluster.discovery, priorities) {
        (Discovery::Eds, (a, b)) if a == b && gets.is_empty() => {
            String::from("EDS keeps the first")
        }
        (Discovery::Eds, (a, b)) if a == b => format!("EDS keeps the first, which {gets}"),
        (Discovery::Eds, (a, _)) => {
            format!("EDS keeps only the one in priority {a}")
        }
        (_, (a, b)) if a == b => format!("it is used twice and {gets}"),
        _ => String::from("if the host fails, both priorities lose it"),
    };
    sink.add(&second.place, cause, effect, "remove one of them")
        .remove(&second.place.path);
}
