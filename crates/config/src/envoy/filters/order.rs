//! The order of HTTP filters: the last one is the router, which sends requests to clusters.

use crate::proto::{Message, Report};

/// The type of the router.
pub(super) const ROUTER: &str = "envoy.extensions.filters.http.router.v3.Router";

/// The place of a filter in the order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FilterRole {
    Router,
    /// It passes requests to the next filter.
    Passing,
    /// A filter that is not known, which can answer all requests.
    Unknown,
}

/// Names an order that Envoy refuses. A list that is left out, as in parts of configurations, is read as one with
/// the router.
pub(super) fn name_order(roles: &[FilterRole], manager: &Message<'_, '_>, report: &mut Report) {
    let is_accepted = match roles {
        [] => true,
        [before @ .., FilterRole::Router | FilterRole::Unknown] => {
            !before.contains(&FilterRole::Router)
        }
        _ => false,
    };
    if let Some(filters) = manager.get("http_filters").filter(|_| !is_accepted) {
        let effect = "the last of http_filters must be the router, and no other one; Envoy 1.40 refuses this order";
        let path = manager.path.field("http_filters");
        report.limit("config/filter-order", effect, &path, filters.position);
    }
}
