//! What a change of a configuration does to its traffic.
//!
//! [`diff`] compares the clusters and the routes of two configurations. Its figures are those of the engine, and
//! exact. Where nothing changes, it says so only with a proof: the compiled decisions of both sides are the
//! same, so that no request of any content differs. Where something changes, it says what requests experience:
//! shares of priorities, localities and hosts, requests without a host, panic mode, moved keys, lost sessions,
//! zone failures that are no longer survived, and the routes that requests take, each with an example request.
//!
//! A cluster has two kinds of equality. With [`Equal`](ClusterVerdict::Equal) decisions, nothing differs whatever
//! the health of the hosts. With [`EqualNow`](ClusterVerdict::EqualNow), nothing differs as long as the health of
//! the hosts is as configured; a threshold or a factor that does not matter yet has changed.
#![forbid(unsafe_code)]

mod canonical;
mod clusters;
mod decisions;
mod effects;
mod host_sets;
mod host_sources;
mod hosts;
mod indexed_side;
mod key_choice;
#[cfg(feature = "unmodeled")]
mod limit_values;
mod moved;
mod one_sided;
mod pairs;
mod renames;
mod report;
mod routes;
mod settings;
mod side;
mod traffic;
#[cfg(feature = "unmodeled")]
mod unmodeled;
mod words;
mod zones;

pub use host_sources::HostSources;
use indexed_side::IndexedSide;
pub use key_choice::KeyChoiceDiff;
pub use moved::{KeysDiff, keys_diff};
pub use one_sided::{OneSided, one_sided};
use renames::Renames;
pub use report::{
    ClusterDiff, ClusterVerdict, DiffReport, HostDiff, HostsDiff, MarginDiff, RequestsDiff,
    RouteDiff, RouteEffect, RoutesStatus, SettingDiff, ShareDiff, ZoneDiff,
};
pub use side::{ClusterRequests, DiffSide, RoutedRequests};
pub use traffic::{OwnerShare, TrafficChange, TrafficFlow, TrafficOwner, traffic_change};
#[cfg(feature = "unmodeled")]
pub use unmodeled::{SideSettings, StatedLimit, UnmodeledDiff};
pub use words::{
    DiffRow, change_counts, cluster_effect, cluster_heading, cluster_rows, route_counts,
    route_heading, route_rows, shown_example,
};

/// Compares two configurations.
#[must_use]
pub fn diff(old: &DiffSide<'_>, new: &DiffSide<'_>) -> DiffReport {
    let renames = Renames::new(old, new);
    let side = renames.old_side(old);
    let (old, new) = (IndexedSide::new(&side), IndexedSide::new(new));
    let (routes, equal_listeners) = routes::diff(&old, &new, &renames);
    DiffReport {
        routes,
        equal_listeners,
        ..of_clusters(&old, &new, &renames)
    }
}

/// Compares the clusters of two configurations. The report has no routes; those of the sides decide only which
/// requests reach a cluster.
#[must_use]
pub fn diff_clusters(old: &DiffSide<'_>, new: &DiffSide<'_>) -> DiffReport {
    diff_clusters_for((old, old.requests()), (new, new.requests()))
}

/// As [`diff_clusters`], with the requests that reach the clusters instead of the routes.
#[must_use]
pub fn diff_clusters_for(
    (old, old_requests): (&DiffSide<'_>, RoutedRequests<'_>),
    (new, new_requests): (&DiffSide<'_>, RoutedRequests<'_>),
) -> DiffReport {
    let renames = Renames::new(old, new);
    let side = renames.old_side(old);
    of_clusters(
        &IndexedSide::with_requests(&side, renames.requests(old_requests)),
        &IndexedSide::with_requests(new, new_requests),
        &renames,
    )
}

fn of_clusters(old: &IndexedSide<'_>, new: &IndexedSide<'_>, renames: &Renames) -> DiffReport {
    let (clusters, equal_clusters) = clusters::diff(old, new, renames);
    DiffReport {
        clusters,
        equal_clusters,
        routes: Vec::new(),
        equal_listeners: 0,
    }
}
