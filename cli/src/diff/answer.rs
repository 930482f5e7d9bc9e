//! The answer of `diff` as data.

use std::collections::BTreeSet;

use spillgate_answers::input::Faults;
use spillgate_config::proto::UnreadField;
use spillgate_core::{model::Metadata, visible::visible};
use spillgate_diff::{
    ClusterDiff, ClusterVerdict, DiffReport, RouteDiff, RouteEffect, RoutesStatus, diff,
};
use spillgate_explain::report::Shares;
use spillgate_lint::Finding;
use spillgate_sim::{ChangeExpectation, ChangeFigure, ClusterIndex, Scene, Selector, SpecFault};

use super::args::DiffArgs;
use crate::{
    cluster_names::matching_names,
    sides::{OneSided, Side, StatedLimit, one_sided},
    spec::faults,
};

/// What a change does.
pub(super) struct DiffAnswer<'s> {
    pub(super) old: &'s Side,
    pub(super) new: &'s Side,
    pub(super) report: DiffReport,
    /// Findings of lint that only the new side has, and those that only the old side has.
    pub(super) findings: OneSided<&'s Finding>,
    /// Settings that are not modeled.
    pub(super) limits: OneSided<String>,
    /// Fields that choose no host, and that differ.
    pub(super) not_compared: Vec<String>,
    /// Whether there are answers of other zones, which have these fields in common: they are named once.
    pub(super) is_one_of_several: bool,
    /// The number of limits that both sides have.
    pub(super) shared_limits: usize,
    pub(super) expectations: Vec<ExpectedChange>,
}

/// The result of an expectation.
#[derive(Debug)]
pub(super) struct ExpectedChange {
    pub(super) expr: String,
    pub(super) ok: bool,
    /// The worst value, and its cluster or route.
    pub(super) value: Option<f64>,
    pub(super) worst: Option<String>,
    /// Why the value is not known.
    pub(super) unknown: Option<String>,
}

impl<'s> DiffAnswer<'s> {
    /// Compares two sides.
    ///
    /// # Errors
    /// Every fault of the expectations, and patterns that match no cluster.
    pub(super) fn new(old: &'s Side, new: &'s Side, args: &DiffArgs) -> Result<Self, Faults> {
        let mut wrong = Faults::default();
        let expectations: Vec<ChangeExpectation> = args
            .expect
            .iter()
            .filter_map(|text| {
                let read = ChangeExpectation::parse(text);
                read.map_err(|found| wrong.extend(faults("--expect", text, &found)))
                    .ok()
            })
            .collect();
        let chosen = chosen(old, new, &args.clusters);
        let chosen = chosen.map_err(|found| wrong.extend(found));
        let (true, Ok(chosen)) = (wrong.is_empty(), chosen) else {
            return Err(wrong);
        };
        let mut report = diff(&old.for_diff(), &new.for_diff());
        if !args.clusters.is_empty() {
            // The old name of a renamed cluster chooses it, too.
            let is_chosen = |name: &String| chosen.contains(name);
            report.clusters.retain(|of| {
                is_chosen(&of.name) || of.renamed_from.as_ref().is_some_and(is_chosen)
            });
            report.equal_clusters.retain(|name| chosen.contains(name));
        }
        let (old_limits, new_limits) = (old.limits(), new.limits());
        let limits = one_sided(&old_limits, &new_limits, |limit| limit);
        let gone_texts: BTreeSet<&str> = limits
            .gone
            .iter()
            .map(|limit| limit.text.as_str())
            .collect();
        let new_texts: BTreeSet<&str> =
            limits.new.iter().map(|limit| limit.text.as_str()).collect();
        let renamed = report.clusters.iter();
        let renamed =
            renamed.filter_map(|of| Some((of.renamed_from.as_deref()?, of.name.as_str())));
        let renamed: Vec<(&str, &str)> = renamed.collect();
        let differing = old.unread().differing(new.unread(), &renamed);
        let (choosing, others): (Vec<UnreadField>, Vec<UnreadField>) =
            differing.into_iter().partition(|of| of.can_choose);
        let choosing = choosing.iter().map(|field| {
            let name = visible(&field.to_string()).into_owned();
            if field.field == "listener_filters" {
                format!("{name} differ; connections can take other filter chains")
            } else {
                format!("{name} differs; requests can get other routes or hosts")
            }
        });
        let mut new_limits_stated = stated(&limits.new, &gone_texts);
        new_limits_stated.extend(choosing);
        let mut answer = Self {
            // The place of a finding can have moved.
            findings: one_sided(&old.findings, &new.findings, |of| (of.rule, &of.cause)),
            not_compared: others
                .iter()
                .map(|field| visible(&field.to_string()).into_owned())
                .collect(),
            is_one_of_several: false,
            shared_limits: new_limits.len() - limits.new.len(),
            limits: OneSided {
                new: new_limits_stated,
                gone: stated(&limits.gone, &new_texts),
            },
            expectations: Vec::new(),
            report,
            old,
            new,
        };
        for expectation in &expectations {
            match answer.check(expectation) {
                Ok(checked) => answer.expectations.push(checked),
                Err(fault) => wrong.extend(faults("--expect", &expectation.text, &[fault])),
            }
        }
        if wrong.is_empty() {
            Ok(answer)
        } else {
            Err(wrong)
        }
    }

    /// Whether no request differs, whatever the health of the hosts.
    pub(super) fn is_proved_equal(&self) -> bool {
        self.report.is_equal() && self.limits.is_empty() && self.not_compared.is_empty()
    }

    /// Whether every request gets the same route and host, whatever the health of the hosts.
    pub(super) fn has_equal_choices(&self) -> bool {
        self.report.is_equal() && self.limits.is_empty()
    }

    /// The fields that choose no host and differ, unless they are named elsewhere.
    pub(super) fn own_not_compared(&self) -> &[String] {
        if self.is_one_of_several {
            &[]
        } else {
            &self.not_compared
        }
    }

    fn check(&self, expectation: &ChangeExpectation) -> Result<ExpectedChange, SpecFault> {
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
        // Those of the old side alone leave the figures of the new one exact.
        let new_limit = self.limits.new.first();
        let new_limit = new_limit
            .map(|limit| format!("a setting that is not modeled is new or differs: {limit}"));
        unknown = unknown.or_else(|| new_limit.clone());
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
                    .or(differs);
                let reached = self.new.reached();
                let mut values = self.of_clusters(|cluster| new_503(cluster, &reached));
                values.extend(self.of_routes(|effect| effect.unserved.change().max(0.0)));
                values
            }
            ChangeFigure::ShareChange(selector) => match self.share_changes(selector) {
                // The hosts that are not known can be the selected ones.
                Err(_) if unknown.is_some() => Vec::new(),
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
                    ok: checked.ok && new_limit.is_none() && named.is_none(),
                    value: checked.value,
                    worst: (changed > 0).then_some(name),
                    unknown: unproved
                        .then(|| String::from("the routes differ without an example"))
                        .or(new_limit)
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
            .find(|of| matches!(of.status, ClusterVerdict::Renamed | ClusterVerdict::Removed))?;
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

    /// Why nothing is known about the requests of a route that differs.
    fn unknown_route(&self, is_known: impl Fn(&RouteEffect) -> bool) -> Option<String> {
        let mut routes = self.report.routes.iter();
        let unknown = routes.find(|route| !route.effect.as_ref().is_some_and(&is_known))?;
        Some(match unknown.status {
            RoutesStatus::NoExample => format!(
                "listener {}: {} differ without an example",
                unknown.listener, unknown.matches
            ),
            RoutesStatus::Changed => format!("what becomes of {}", route_name(unknown)),
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
        match fault.filter(|_| !matches) {
            Some(fault) if !self.in_equal_clusters(selector) => Err(fault),
            _ => Ok(found),
        }
    }

    /// Whether a cluster without a difference has selected hosts.
    fn in_equal_clusters(&self, selector: &Selector) -> bool {
        let mut names = self.report.equal_clusters.iter();
        let Some(all) = scene(self.new, names.clone().map(String::as_str)) else {
            return false;
        };
        names.any(|name| {
            let scene = all.of_cluster(name);
            scene.is_some_and(|scene| scene.select(selector).is_ok())
        })
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

/// The texts of settings that are not modeled, sorted. Those that the other side has, too, have another value there.
fn stated(limits: &[&StatedLimit], other: &BTreeSet<&str>) -> Vec<String> {
    let texts = limits.iter().map(|limit| {
        if other.contains(limit.text.as_str()) {
            format!("{} (another value)", limit.text)
        } else {
            limit.text.clone()
        }
    });
    let mut texts: Vec<String> = texts.collect();
    texts.sort();
    texts
}

/// The clusters of a side with these names; `None` without clusters.
fn scene<'n>(side: &Side, names: impl IntoIterator<Item = &'n str>) -> Option<Scene> {
    Scene::of_first(&ClusterIndex::new(&side.model).part(names), Metadata::EMPTY)
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

/// The clusters of both sides that the option names.
fn chosen(old: &Side, new: &Side, texts: &[String]) -> Result<Vec<String>, Faults> {
    let models = [&new.model, &old.model].into_iter();
    let clusters = models.flat_map(|model| model.clusters());
    let mut names: Vec<String> = clusters.map(|cluster| cluster.name.clone()).collect();
    names.sort();
    names.dedup();
    matching_names("diff/unknown-cluster", texts, &names)
        .map_err(|faults| Faults::all(&new.config, &faults))
}

/// The keys of a cluster that move, in percent; without hash tables its requests. Where hashes choose the host on one
/// side only, the requests that get another host than that of their key.
pub(super) fn moved(cluster: &ClusterDiff) -> f64 {
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
