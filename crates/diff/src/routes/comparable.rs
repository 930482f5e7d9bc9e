//! A route table in which routes with the same effect have the same text.

use spillgate_core::route::{RouteAction, RouteTable, RouteTarget, SplitBy, WeightedClusters};

/// The same table without the numbers of its routes, which their order decides, with the domains in lowercase, as Envoy
/// compares them, and with the smallest weights that have the same ratios. The random number of a request also decides about
/// the fractions of routes: after one, the total weight decides which numbers a cluster gets.
pub(super) fn comparable(table: &RouteTable) -> RouteTable {
    let mut table = table.clone();
    for host in &mut table.virtual_hosts {
        for domain in &mut host.domains {
            domain.make_ascii_lowercase();
        }
        let has_fractions = host.routes.iter().any(|of| of.matcher.fraction.is_some());
        for route in &mut host.routes {
            route.id = 0;
            if let RouteAction::Forward(forward) = &mut route.action
                && !has_fractions
                && let RouteTarget::Weighted(weighted) = &forward.target
                && let Some(smaller) = reduced(weighted)
            {
                forward.target = RouteTarget::Weighted(smaller);
            }
        }
    }
    table
}

/// The clusters with smaller weights of the same ratios; `None` if they are already the smallest, or if a number of the request, modulo
/// the total weight, selects the cluster.
fn reduced(weighted: &WeightedClusters) -> Option<WeightedClusters> {
    if weighted.has_later() || *weighted.by() != SplitBy::Random {
        return None;
    }
    let weights = weighted.clusters().iter().map(|one| one.weight);
    let divisor = weights.fold(0, greatest_common_divisor);
    if divisor < 2 {
        return None;
    }
    let mut clusters = weighted.clusters().to_vec();
    for one in &mut clusters {
        one.weight /= divisor;
    }
    WeightedClusters::new(clusters, SplitBy::Random).ok()
}

/// Euclid's algorithm.
const fn greatest_common_divisor(mut a: u32, mut b: u32) -> u32 {
    while b > 0 {
        (a, b) = (b, a % b);
    }
    a
}
