//! The outcome of an example request.

use spillgate_config::secret_metadata::without_secrets;
use spillgate_core::{
    model::Metadata,
    route::{
        Connection, HashPolicy, HeaderList, HeaderMutations, RequestFilter, RequestRewrite,
        RetryPolicy, RouteAction, RouteOutcome, RouteTable,
    },
};
use spillgate_explain::format;

use spillgate_sim::ClusterIndex;

use crate::renames::Renames;

/// What happens with a part of the requests.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Outcome {
    /// The part, from 0 to 1.
    pub(super) part: f64,
    pub(super) result: RouteResult,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum RouteResult {
    /// To clusters.
    Forward(Box<Forwarding>),
    /// An answer of the route itself, with this status.
    Respond(u16),
    /// An answer of the connection manager, with this status.
    Refused(u16),
    NotFound,
    /// The field that is not modeled.
    Unknown(&'static str),
}

/// The clusters, and everything else that decides about the host and the request there.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Forwarding {
    pub(super) clusters: Vec<Target>,
    hash_policies: Vec<HashPolicy>,
    retry: RetryPolicy,
    filters: Vec<RequestFilter>,
    rewrite: RequestRewrite,
    headers: HeaderMutations,
    pub(super) cluster_not_found: u16,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Target {
    pub(super) cluster: Option<String>,
    /// Whether the side has a cluster with this name.
    pub(super) exists: bool,
    pub(super) criteria: Metadata,
    /// The share of the requests, from 0 to 1.
    pub(super) share: f64,
}

impl Outcome {
    /// The outcome of requests that match no route.
    pub(crate) const NOT_FOUND: [Self; 1] = [Self {
        part: 1.0,
        result: RouteResult::NotFound,
    }];

    /// The outcomes of a request on a side with these clusters; several if routes have fractions.
    pub(crate) fn of(
        table: &RouteTable,
        clusters: &ClusterIndex<'_>,
        headers: &[(String, String)],
    ) -> Vec<Self> {
        let list = HeaderList(headers);
        let received = table.receive(&list, Connection::default());
        let alternatives = table.alternatives(&received).into_iter();
        let found = alternatives.map(|alternative| Self {
            part: alternative.numbers.share(),
            result: match &alternative.outcome {
                RouteOutcome::Respond { status, .. } => RouteResult::Respond(*status),
                RouteOutcome::Refused { status } => RouteResult::Refused(*status),
                RouteOutcome::NotFound => RouteResult::NotFound,
                RouteOutcome::Unknown { why, .. } => RouteResult::Unknown(why),
                RouteOutcome::Forward(routed) => {
                    let targets = routed.destinations().map(|destination| Target {
                        cluster: destination.cluster.map(str::to_owned),
                        exists: destination
                            .cluster
                            .is_some_and(|name| clusters.get(name).is_some()),
                        criteria: destination.criteria.clone(),
                        share: destination.share,
                    });
                    let rewrite = match &routed.route.action {
                        RouteAction::Forward(forward) => forward.rewrite.clone(),
                        _ => RequestRewrite::default(),
                    };
                    let filters = routed.route.filters.as_ref().unwrap_or(&table.filters);
                    RouteResult::Forward(Box::new(Forwarding {
                        clusters: targets.collect(),
                        hash_policies: routed.hash_policies().to_vec(),
                        retry: routed.retry().clone(),
                        filters: filters.clone(),
                        rewrite,
                        headers: routed.route.headers.clone(),
                        cluster_not_found: routed.cluster_not_found(),
                    }))
                }
            },
        });
        found.collect()
    }

    /// Whether requests choose their hosts in the same way in both cases, so that they move only if the shares of hosts
    /// differ.
    pub(crate) fn choose_alike(before: &[Self], after: &[Self]) -> bool {
        let by = |outcomes: &[Self]| {
            let each = outcomes.iter().map(|outcome| match &outcome.result {
                RouteResult::Forward(of) => Some((of.hash_policies.clone(), of.filters.clone())),
                _ => None,
            });
            each.collect::<Vec<_>>()
        };
        let (before, after) = (by(before), by(after));
        let forwards = |of: &[Option<_>]| of.iter().any(Option::is_some);
        before == after || !forwards(&before) || !forwards(&after)
    }

    /// Both outcomes as texts, with the names that each side has; `None` if they are the same. The texts name what
    /// differs.
    pub(crate) fn texts(
        before: &[Self],
        after: &[Self],
        renames: &Renames,
    ) -> Option<(String, String)> {
        if before == after {
            return None;
        }
        let old = text(&with_old_names(before, renames));
        let new = text(after);
        if text(before) != new {
            return Some((old, new));
        }
        let what = differing(before, after).unwrap_or("other settings");
        Some((old, format!("{new}, but {what}")))
    }
}

/// The same answers of routes on both sides, apart from their targets or bodies, as texts.
pub(super) fn answer_texts(old: &[Outcome], new: &[Outcome]) -> (String, String) {
    let new = text(new);
    let what = if new.contains("redirect") {
        "another target"
    } else {
        "another body"
    };
    (text(old), format!("{new}, but {what}"))
}

fn with_old_names(outcomes: &[Outcome], renames: &Renames) -> Vec<Outcome> {
    let mut outcomes = outcomes.to_vec();
    for outcome in &mut outcomes {
        if let RouteResult::Forward(forwarding) = &mut outcome.result {
            let names = forwarding.clusters.iter_mut();
            for name in names.filter_map(|target| target.cluster.as_mut()) {
                if let Some(old) = renames.old_name(name) {
                    old.clone_into(name);
                }
            }
        }
    }
    outcomes
}

fn text(outcomes: &[Outcome]) -> String {
    let parts = outcomes.iter().map(|outcome| {
        let text = outcome.result.text();
        if outcome.part < 1.0 {
            format!("{}: {text}", percent(outcome.part))
        } else {
            text
        }
    });
    parts.collect::<Vec<String>>().join("; ")
}

impl RouteResult {
    fn text(&self) -> String {
        match self {
            Self::Respond(status @ (301 | 302 | 303 | 307 | 308)) => format!("redirect {status}"),
            Self::Respond(status) => format!("direct response {status}"),
            Self::Refused(status) => format!("refused with {status}"),
            Self::NotFound => String::from("no route (404)"),
            Self::Unknown(why) => format!("unknown, because of {why}"),
            Self::Forward(forwarding) => {
                let missing = forwarding.cluster_not_found;
                let targets = forwarding.clusters.iter();
                let texts = targets.map(|target| target.text(missing));
                texts.collect::<Vec<String>>().join(", ")
            }
        }
    }
}

impl Target {
    /// Its text; requests to a missing cluster get this status.
    fn text(&self, missing: u16) -> String {
        let cluster = match &self.cluster {
            Some(name) if self.exists => format!("cluster {name}"),
            Some(name) => format!("missing cluster {name} ({missing})"),
            None => format!("no cluster ({missing})"),
        };
        let criteria = if self.criteria.is_empty() {
            String::new()
        } else {
            format!(" {}", without_secrets(&self.criteria))
        };
        let share = if self.share < 1.0 {
            format!("{} ", percent(self.share))
        } else {
            String::new()
        };
        format!("{share}{cluster}{criteria}")
    }
}

fn percent(part: f64) -> String {
    format::plain(&format::percent(part * 100.0))
}

/// What differs between outcomes with the same text.
fn differing(before: &[Outcome], after: &[Outcome]) -> Option<&'static str> {
    let mut pairs = before.iter().zip(after);
    pairs.find_map(|pair| match (&pair.0.result, &pair.1.result) {
        (RouteResult::Forward(old), RouteResult::Forward(new)) => {
            let differing = [
                (
                    old.hash_policies != new.hash_policies,
                    "other hash policies",
                ),
                (old.retry != new.retry, "another retry policy"),
                (old.filters != new.filters, "other HTTP filters"),
                (old.rewrite != new.rewrite, "another rewrite"),
                (old.headers != new.headers, "other request headers"),
                (
                    old.cluster_not_found != new.cluster_not_found,
                    "another status if the cluster does not exist",
                ),
            ];
            let found = differing.into_iter().find(|(differs, _)| *differs);
            found.map(|(_, what)| what)
        }
        _ => None,
    })
}
