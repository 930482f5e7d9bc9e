//! `--expect`: whether a change does what it should.

use std::collections::BTreeSet;

use spillgate_core::model::Metadata;
use spillgate_diff::{ClusterDiff, ClusterVerdict, RouteDiff, RouteEffect, RoutesStatus};
use spillgate_explain::report::Shares;
use spillgate_sim::{ChangeExpectation, ChangeFigure, ClusterIndex, Scene, Selector, SpecFault};

use super::answer::{DiffAnswer, ExpectedChange};
use crate::sides::Side;

impl DiffAnswer<'_> {
    /// Whether an expectation holds.
    ///
    /// # Errors
    /// A selector that matches no host.
    pub(super) fn check(
        &self,
        expectation: &ChangeExpectation,
    ) -> Result<ExpectedChange, SpecFault> {
        let mut unknown = self
            .report
            .clusters
            .iter()
            .filter(|cluster| cluster.status == ClusterVerdict::Unknown);
        let mut unknown = unknown.next().map(|cluster| {
            format!(
                "cluster {}: the hosts of a side are not known",
                cluster.name
            )
        });
        let named = self.named_by_header();
        let new_limit = self.limits.new.first();
        let new_limit = new_limit
            .map(|limit| format!("a setting that is not modeled is new or differs: {limit}"));
        // Those of the old side alone leave the figures of the new one exact, and its differences unknown.
        let gone_limit = self.limits.gone.first();
        let gone_limit =
            gone_limit.map(|limit| format!("a setting that is not modeled is gone: {limit}"));
        unknown = unknown.or_else(|| new_limit.clone());
        if !matches!(
            expectation.figure,
            ChangeFigure::New503 | ChangeFigure::NewPanic
        ) {
            unknown = unknown.or_else(|| gone_limit.clone());
        }
        let values: Vec<(f64, String)> = match &expectation.figure {
            ChangeFigure::Moved => {
                unknown = unknown
                    .or(named)
                    .or_else(|| self.one_sided_cluster())
                    .or_else(|| self.unknown_route(|effect| effect.moved.is_some()));
                let mut values = self.of_clusters(moved);
                values.extend(self.of_routes(|effect| effect.moved.unwrap_or(0.0)));
                values
            }
            ChangeFigure::NewPanic => {
                unknown = unknown.or_else(|| self.unknown_route(|_| true));
                let mut values = self.of_clusters(new_panic);
                values.extend(self.of_routes(|effect| effect.new_panic.len() as f64));
                values
            }
            ChangeFigure::New503 => {
                let field = self.not_compared.first();
                let differs = field.map(|field| format!("{field} differs, and is not compared"));
                unknown = unknown
                    .or(named)
                    .or_else(|| self.unknown_route(|_| true))
                    .or_else(|| self.found_cluster())
                    .or(differs);
                let reached = self.new.reached();
                let mut values = self.of_clusters(|cluster| new_503(cluster, &reached));
                values.extend(self.of_routes(|effect| effect.unserved.change().max(0.0)));
                values
            }
            ChangeFigure::ShareChange(selector) => match self.share_changes(selector) {
                // The hosts that are not known can be the selected ones.
                Err(_) if self.has_unknown_hosts() => Vec::new(),
                changes => changes?,
            },
            ChangeFigure::RouteChange => {
                let routes = self.report.routes.iter();
                let unproved = routes
                    .clone()
                    .any(|of| of.status == RoutesStatus::NoExample);
                let changed = routes.len();
                let first = self.report.routes.first();
                let name = first.map_or_else(String::new, |route| route.matches.clone());
                let checked = expectation.check(changed as f64);
                return Ok(ExpectedChange {
                    expr: expectation.text.clone(),
                    ok: checked.ok
                        && new_limit.is_none()
                        && gone_limit.is_none()
                        && named.is_none(),
                    value: checked.value,
                    worst: (changed > 0).then_some(name),
                    unknown: unproved
                        .then(|| String::from("the routes differ without an example"))
                        .or(new_limit)
                        .or(gone_limit)
                        .or(named),
                });
            }
        };
        let worst = values.into_iter().max_by(|a, b| a.0.total_cmp(&b.0));
        let checked = expectation.check(worst.as_ref().map_or(0.0, |(value, _)| *value));
        Ok(ExpectedChange {
            expr: expectation.text.clone(),
            ok: checked.ok && unknown.is_none(),
            value: checked.value,
            worst: worst
                .filter(|(value, _)| *value > 0.0)
                .map(|(_, name)| name),
            unknown,
        })
    }

    /// Why nothing is known about requests that name their cluster in a header, if a cluster has another name or is gone.
    fn named_by_header(&self) -> Option<String> {
        let mut clusters = self.report.clusters.iter();
        let gone = clusters
            .find(|of| of.renamed_from.is_some() || of.status == ClusterVerdict::Removed)?;
        let header = self.old.cluster_header()?;
        let name = gone.renamed_from.as_ref().unwrap_or(&gone.name);
        Some(format!(
            "cluster {name} is gone, and requests name their cluster in the header {header}"
        ))
    }

    /// Why nothing is known about the requests of a cluster that only one side has, if routes of this side reach it.
    fn one_sided_cluster(&self) -> Option<String> {
        let (old, new) = (self.old.reached(), self.new.reached());
        let is_reached = |of: &&ClusterDiff| match of.status {
            ClusterVerdict::Added => new.contains(of.name.as_str()),
            ClusterVerdict::Removed => old.contains(of.name.as_str()),
            _ => false,
        };
        let cluster = self.report.clusters.iter().find(is_reached)?;
        Some(format!(
            "cluster {}: only one side has it, and routes reach it",
            cluster.name
        ))
    }

    /// Why nothing is known about requests that find their cluster on the new side only, if it does not have a host for
    /// all of them.
    fn found_cluster(&self) -> Option<String> {
        let added = self.report.clusters.iter();
        let added = added.filter(|of| of.status == ClusterVerdict::Added);
        let names: Vec<&str> = added.map(|of| of.name.as_str()).collect();
        let reached = if names.is_empty() {
            BTreeSet::new()
        } else {
            self.old.reached()
        };
        let mut found = names.into_iter().filter(|name| reached.contains(name));
        let cluster = found.find(|name| !serves_all(self.new, name))?;
        Some(format!(
            "cluster {cluster}: only the new side has it, routes of the old side name it, and it has no host for some requests"
        ))
    }

    /// Why nothing is known about the requests of a route that differs.
    fn unknown_route(&self, is_known: impl Fn(&RouteEffect) -> bool) -> Option<String> {
        let mut routes = self.report.routes.iter();
        let unknown = routes.find(|route| !route.effect.as_ref().is_some_and(&is_known))?;
        Some(match unknown.status {
            RoutesStatus::NoExample => format!(
                "listener {}: {} differ without an example",
                unknown.listener, unknown.matches
            ),
            RoutesStatus::Changed => format!(
                "{}: the hosts of its requests are not known",
                route_name(unknown)
            ),
        })
    }

    /// The changed routes with a figure of their effects.
    fn of_routes(&self, value: impl Fn(&RouteEffect) -> f64) -> Vec<(f64, String)> {
        let routes = self.report.routes.iter();
        let known = routes.filter_map(|route| {
            let effect = route.effect.as_ref()?;
            Some((value(effect), route_name(route)))
        });
        known.collect()
    }

    fn of_clusters(&self, value: impl Fn(&ClusterDiff) -> f64) -> Vec<(f64, String)> {
        let clusters = self.report.clusters.iter();
        clusters.map(|of| (value(of), of.name.clone())).collect()
    }

    /// The change of the share of the selected hosts, in percentage points, by cluster.
    fn share_changes(&self, selector: &Selector) -> Result<Vec<(f64, String)>, SpecFault> {
        let mut found = Vec::new();
        let mut fault = None;
        let mut matches = false;
        let clusters = || self.report.clusters.iter();
        let old = scene(self.old, clusters().map(old_name));
        let new = scene(self.new, clusters().map(|of| of.name.as_str()));
        for cluster in clusters() {
            let before = old
                .as_ref()
                .and_then(|side| share(side, old_name(cluster), selector));
            let after = new
                .as_ref()
                .and_then(|side| share(side, &cluster.name, selector));
            let of = |share: &Option<Result<f64, SpecFault>>| match share {
                Some(Ok(share)) => *share,
                _ => 0.0,
            };
            found.push(((of(&after) - of(&before)).abs(), cluster.name.clone()));
            for share in [before, after].into_iter().flatten() {
                match share {
                    Ok(_) => matches = true,
                    Err(wrong) => fault = fault.or(Some(wrong)),
                }
            }
        }
        if matches {
            return Ok(found);
        }
        match self.selected_in_equal(selector) {
            Ok(true) => Ok(found),
            Ok(false) => fault.map_or(Ok(found), Err),
            // A zone of a mesh can see no host that other zones see.
            Err(wrong) if fault.is_some() || !self.new.config.of_mesh => {
                Err(fault.unwrap_or(wrong))
            }
            Err(_) => Ok(found),
        }
    }

    /// Whether a cluster without a difference has selected hosts; false without such clusters.
    ///
    /// # Errors
    /// If they have none.
    fn selected_in_equal(&self, selector: &Selector) -> Result<bool, SpecFault> {
        let names = self.report.equal_clusters.iter();
        let Some(all) = scene(self.new, names.clone().map(String::as_str)) else {
            return Ok(false);
        };
        let mut fault = None;
        for scene in names.filter_map(|name| all.of_cluster(name)) {
            match scene.select(selector) {
                Ok(_) => return Ok(true),
                Err(wrong) => fault = fault.or(Some(wrong)),
            }
        }
        fault.map_or(Ok(false), Err)
    }

    /// Whether the hosts of a cluster are not known.
    fn has_unknown_hosts(&self) -> bool {
        let mut clusters = self.report.clusters.iter();
        !self.old.sources.unknown.is_empty()
            || !self.new.sources.unknown.is_empty()
            || clusters.any(|of| of.status == ClusterVerdict::Unknown)
    }
}

/// A route in a sentence.
fn route_name(route: &RouteDiff) -> String {
    match route.matches.trim() {
        "" => format!("listener {}", route.listener),
        matches => format!("route {matches}"),
    }
}

/// The name of a cluster on the old side.
fn old_name(cluster: &ClusterDiff) -> &str {
    cluster.renamed_from.as_deref().unwrap_or(&cluster.name)
}

/// The clusters of a side with these names; `None` without clusters.
fn scene<'n>(side: &Side, names: impl IntoIterator<Item = &'n str>) -> Option<Scene> {
    Scene::of_first(&ClusterIndex::new(&side.model).part(names), Metadata::EMPTY)
}

/// Whether a cluster has a host for each request.
fn serves_all(side: &Side, cluster: &str) -> bool {
    let all = scene(side, [cluster]);
    let scene = all.as_ref().and_then(|all| all.of_cluster(cluster));
    scene.is_some_and(|scene| scene.shares(scene.snapshot()).no_host <= 0.0)
}

/// The share of the selected hosts of a cluster; `None` for an unknown cluster.
fn share(side: &Scene, cluster: &str, selector: &Selector) -> Option<Result<f64, SpecFault>> {
    let scene = side.of_cluster(cluster)?;
    let share = scene.select(selector).map(|hosts| {
        let shares = Shares::of(&scene.shares(scene.snapshot()));
        hosts.iter().fold(0.0, |sum, &host| sum + shares.get(host))
    });
    Some(share)
}

/// The keys of a cluster that move, in percent; without hash tables its requests. Where hashes choose the host on one
/// side only, the requests that get another host than that of their key.
fn moved(cluster: &ClusterDiff) -> f64 {
    let of_requests = cluster.requests.iter().map(|kind| match &kind.keys {
        Some(keys) => keys.moved,
        None => kind.key_choice.map_or(kind.moved, |choice| choice.moved),
    });
    of_requests.fold(0.0, f64::max)
}

/// The percentage of requests that no longer find a host: all of those that routes still send to a removed cluster.
fn new_503(cluster: &ClusterDiff, reached: &BTreeSet<&str>) -> f64 {
    if cluster.status == ClusterVerdict::Removed && reached.contains(cluster.name.as_str()) {
        return 100.0;
    }
    let of_requests = cluster.requests.iter().map(|kind| kind.no_host.change());
    of_requests.fold(0.0, f64::max)
}

fn new_panic(cluster: &ClusterDiff) -> f64 {
    let of_requests = cluster.requests.iter().map(|kind| kind.new_panic.len());
    of_requests.max().unwrap_or(0) as f64
}
