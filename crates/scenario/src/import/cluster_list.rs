//! The clusters of an import to choose from: the worst first, those with the searched words.

use std::{cmp::Reverse, collections::BTreeMap, rc::Rc};

use spillgate_core::model::{Cluster, ClusterKind};

use super::{ImportOrigin, Imported};
use crate::{ResultVerdict, ScenarioError, link::ClusterLimits, plural};

/// The maximum number of clusters that are listed at once.
pub const LISTED_CLUSTERS: usize = 50;

/// The clusters of an import in the order of their verdicts.
#[derive(Debug)]
pub struct ClusterList {
    origin: Rc<ImportOrigin>,
    /// The clusters by their index in the import: the worst first, those of one severity in the order of the text,
    /// and those without a verdict last.
    order: Vec<usize>,
    /// Those that the playground cannot show, with the reason.
    refusals: BTreeMap<usize, ScenarioError>,
}

/// A cluster in the list.
#[derive(Debug)]
pub struct ListedCluster<'a> {
    /// Its index in the import.
    pub at: usize,
    /// Its name.
    pub name: &'a str,
    /// Its policy and the numbers of its priorities and hosts, or its members.
    pub summary: String,
    /// The worst that is true of it; `None` if it was not computed.
    pub verdict: Option<ResultVerdict>,
    /// Why the playground cannot show it.
    pub refusal: Option<&'a ScenarioError>,
}

/// The clusters with the searched words.
#[derive(Debug)]
pub struct FoundClusters<'a> {
    /// The first [`LISTED_CLUSTERS`] of them, and the chosen one if it has the words.
    pub shown: Vec<ListedCluster<'a>>,
    /// The number of all of them.
    pub count: usize,
}

impl ClusterList {
    /// The list of an import.
    #[must_use]
    pub fn new(imported: &Imported) -> Self {
        let origin = Rc::clone(&imported.origin);
        let limits = ClusterLimits::new(&origin.clusters);
        let places = 0..origin.clusters.len();
        let refusals = places
            .clone()
            .filter_map(|at| Some((at, limits.check(at).err()?)));
        let refusals = refusals.collect();
        let mut order: Vec<usize> = places.collect();
        order.sort_by_key(|at| Reverse(verdict(&origin, *at).map(|verdict| verdict.severity)));
        Self {
            origin,
            order,
            refusals,
        }
    }

    /// The number of clusters.
    #[must_use]
    pub fn len(&self) -> usize {
        self.order.len()
    }

    /// Whether there are no clusters.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.order.is_empty()
    }

    /// The cluster to choose at first: the proposed one, or the worst one if the playground cannot show that.
    #[must_use]
    pub fn first(&self, proposed: usize) -> Option<usize> {
        let mut candidates = [proposed].into_iter().chain(self.order.iter().copied());
        candidates.find(|at| !self.refusals.contains_key(at))
    }

    /// The chosen cluster if it has all words in its name or its verdict, else the first one that has them and that
    /// the playground can show.
    #[must_use]
    pub fn choose(&self, words: &str, chosen: Option<usize>) -> Option<usize> {
        let words = lower_case(words);
        let mut candidates = chosen.into_iter().chain(self.order.iter().copied());
        candidates.find(|at| !self.refusals.contains_key(at) && self.has(*at, &words))
    }

    /// The clusters with all words in their name or their verdict, whatever their case.
    #[must_use]
    pub fn find(&self, words: &str, chosen: Option<usize>) -> FoundClusters<'_> {
        let words = lower_case(words);
        let all = self.order.iter().copied();
        let found: Vec<usize> = all.filter(|at| self.has(*at, &words)).collect();
        let listed = found.iter().take(LISTED_CLUSTERS);
        let mut further = found.iter().skip(LISTED_CLUSTERS);
        let chosen = further.find(|at| Some(**at) == chosen);
        FoundClusters {
            shown: listed
                .chain(chosen)
                .filter_map(|at| self.row(*at))
                .collect(),
            count: found.len(),
        }
    }

    /// The name of a cluster; empty for an invalid index.
    #[must_use]
    pub fn name(&self, at: usize) -> &str {
        let cluster = self.origin.clusters.get(at);
        cluster.map_or("", |cluster| &cluster.name)
    }

    fn has(&self, at: usize, words: &[String]) -> bool {
        let label = verdict(&self.origin, at).map_or("", |verdict| verdict.label);
        let [name, label] = [self.name(at), label].map(str::to_lowercase);
        let mut words = words.iter();
        words.all(|word| name.contains(word.as_str()) || label.contains(word.as_str()))
    }

    fn row(&self, at: usize) -> Option<ListedCluster<'_>> {
        let cluster = self.origin.clusters.get(at)?;
        Some(ListedCluster {
            at,
            name: &cluster.name,
            summary: describe(cluster),
            verdict: verdict(&self.origin, at),
            refusal: self.refusals.get(&at),
        })
    }
}

fn lower_case(words: &str) -> Vec<String> {
    words.split_whitespace().map(str::to_lowercase).collect()
}

fn verdict(origin: &ImportOrigin, at: usize) -> Option<ResultVerdict> {
    let verdict = origin.verdicts.get(at).copied().flatten()?;
    ResultVerdict::ALL.get(verdict).copied()
}

fn describe(cluster: &Cluster) -> String {
    match &cluster.kind {
        ClusterKind::Plain(plain) => {
            let hosts: usize = plain.priorities.iter().map(|p| p.endpoints.len()).sum();
            let priorities = match plain.priorities.len() {
                1 => "1 priority".to_owned(),
                more => format!("{more} priorities"),
            };
            let policy = plain.policy.name();
            format!("{policy}, {priorities}, {}", plural(hosts, "host"))
        }
        ClusterKind::Aggregate(aggregate) => {
            format!("aggregate of {}", aggregate.members.join(", "))
        }
        ClusterKind::Composite(composite) => {
            format!("composite of {}", composite.members.join(", "))
        }
        ClusterKind::OriginalDst(_) => "ORIGINAL_DST".to_owned(),
    }
}
