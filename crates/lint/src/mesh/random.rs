//! RANDOM with weighted endpoints, for both meshes.

use alloc::{format, string::String};

use spillgate_core::model::{Endpoint, PlainCluster};

use super::sight::Sight;
use crate::figures::{alone, percent, shares};

/// The effect of RANDOM on the heaviest endpoint of a priority with different weights.
pub(super) fn ignored_weight(sight: &Sight) -> Option<String> {
    let priorities = sight.plain.priorities.iter().enumerate();
    for (number, priority) in priorities {
        let mut weights = priority.endpoints.iter().map(|endpoint| endpoint.weight);
        let first = weights.next()?;
        if weights.all(|weight| weight == first) {
            continue;
        }
        let endpoints = priority.endpoints.iter().enumerate();
        let (index, heavy) = endpoints.max_by_key(|(_, endpoint)| endpoint.weight.get())?;
        let weight = |endpoint: &Endpoint| u64::from(endpoint.weight.get());
        let sum: u64 = priority.endpoints.iter().map(weight).sum();
        let by_itself = PlainCluster {
            priorities: [priority.clone()].into(),
            ..sight.plain.clone()
        };
        let shares = shares(&alone("", by_itself)).shares.into_iter();
        let own = shares.filter(|share| share.host == index);
        let share = own.map(|share| share.share).sum();
        return Some(format!(
            "{} has weight {} of {sum}, but gets {} of the requests from {} to \
             priority {number}",
            heavy.address,
            heavy.weight.get(),
            percent(share),
            sight.zone
        ));
    }
    None
}
