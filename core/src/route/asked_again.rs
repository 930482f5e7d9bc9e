//! A weighted route that the dynamic module asks for its cluster again.
//!
//! If the route has not chosen the filter's cluster, the module makes Envoy refresh the cluster
//! (`refreshRouteCluster`). Envoy 1.40 then chooses among the weighted clusters that the request has not
//! used, by the same number. If that is another cluster, too, the module makes Envoy choose the route
//! again, which leads to the first one.

use alloc::{vec, vec::Vec};

use super::{CHOSEN_CLUSTER, Destination, Headers, RouteTarget, Routed, retried::Refreshed};

impl<'r, H: Headers> Routed<'r, H> {
    /// The clusters that the request may go to after the module has asked; otherwise as
    /// [`destinations`](Self::destinations).
    pub(super) fn destinations_asked_again(&self) -> Vec<Destination<'r>> {
        let first: Vec<Destination<'r>> = self.destinations().collect();
        let RouteTarget::Weighted(clusters) = &self.forward.target else {
            return first;
        };
        let wanted = self
            .received
            .first(CHOSEN_CLUSTER)
            .and_then(|name| core::str::from_utf8(name).ok());
        let Some(wanted) = wanted.filter(|_| !clusters.has_later()) else {
            return first;
        };
        let entries = clusters.clusters();
        let of = |entry: usize| entries.get(entry).map(|one| self.weighted(one, 0.0));
        let is_wanted = |entry: &usize| of(*entry).is_some_and(|to| to.cluster == Some(wanted));
        let wanted: Vec<usize> = (0..entries.len()).filter(is_wanted).collect();
        let mut all: Vec<Destination<'r>> = Vec::new();
        for to in first {
            let entry = entries
                .iter()
                .position(|one| to.weighted.is_some_and(|own| core::ptr::eq(own, one)));
            let Some(entry) = entry.filter(|entry| !wanted.contains(entry)) else {
                add(&mut all, to);
                continue;
            };
            let mut fit = vec![0.0; entries.len()];
            if let Some(fit) = fit.get_mut(entry) {
                *fit = 1.0;
            }
            let refreshed = Refreshed {
                weights: entries.iter().map(|one| u64::from(one.weight)).collect(),
                fits: vec![fit],
            };
            let parts = refreshed.parts(self.number_of(clusters));
            let sum: f64 = parts.iter().sum();
            let mut left = to.share;
            for &at in &wanted {
                let part = parts.get(at).copied().unwrap_or(0.0);
                if part > 0.0
                    && let Some(one) = entries.get(at)
                {
                    let share = to.share * part / sum;
                    left -= share;
                    add(&mut all, self.weighted(one, share));
                }
            }
            // Rounding leaves less than any weight.
            if left > to.share * 1e-9 {
                let mut rest = to;
                rest.share = left;
                add(&mut all, rest);
            }
        }
        all
    }
}

/// Adds a destination, or its share to the same one.
fn add<'r>(all: &mut Vec<Destination<'r>>, to: Destination<'r>) {
    let mut same = all
        .iter_mut()
        .filter(|have| match (have.weighted, to.weighted) {
            (Some(have), Some(own)) => core::ptr::eq(have, own),
            _ => false,
        });
    match same.next() {
        Some(have) => have.share += to.share,
        None => all.push(to),
    }
}
