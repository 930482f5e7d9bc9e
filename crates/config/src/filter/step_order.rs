//! Steps of a subset fallback chain that come too late.

use alloc::{sync::Arc, vec::Vec};

use spillgate_core::model::{ChainHosts, ChainStep, Value};

use super::Criterion;

/// What a step requires of its hosts, sorted by key: a value, or `None` for the value of the request.
type Required<'c> = Vec<(&'c str, Option<&'c Value>)>;

fn required<'c>(step: &'c ChainStep, criteria: &'c [Criterion]) -> Required<'c> {
    match &step.hosts {
        ChainHosts::Any => Vec::new(),
        ChainHosts::Match(wanted) => {
            let fields = wanted.fields().iter();
            fields
                .map(|field| (&*field.key, Some(&field.value)))
                .collect()
        }
        ChainHosts::Keys(keys) => {
            let keys = keys.iter();
            keys.map(|key| (&**key, constant(criteria, key))).collect()
        }
    }
}

/// The value that every request requires under a key.
fn constant<'c>(criteria: &'c [Criterion], wanted: &Arc<str>) -> Option<&'c Value> {
    let last = criteria
        .iter()
        .rev()
        .find(|criterion| criterion.can_give(wanted));
    match last {
        Some(Criterion::Constant { value, .. }) => Some(value),
        Some(Criterion::Header { .. } | Criterion::RouteMetadata) | None => None,
    }
}

/// Whether a step serves whenever a later one would. A last resort with fewer hosts is a restriction that
/// acts only once all hosts are down, so there it counts that the earlier step serves before.
pub(super) fn hides(before: &ChainStep, step: &ChainStep, criteria: &[Criterion]) -> bool {
    let (wide, narrow) = (required(before, criteria), required(step, criteria));
    let is_same = wide == narrow;
    let mut rest = narrow.iter();
    wide.iter().all(|one| rest.any(|other| other == one))
        && !(is_same && step.last_resort)
        && before.min_healthy_hosts <= step.min_healthy_hosts
        && if is_same {
            before.min_healthy_percent <= step.min_healthy_percent
        } else {
            before.min_healthy_percent == 0
        }
}
