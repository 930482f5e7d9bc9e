//! The scenario after an edit of its text.

use std::fmt;
use std::sync::Arc;

use spillgate_core::model::Cluster;

use super::{
    keep::keep,
    scope::{MAXIMUM_TEXT_HOSTS, host_count, replaced_clusters},
};
use crate::{EditedScenario, ImportOrigin, ScenarioError, TextPosition, count, link::proposed};

/// Why the scenario does not follow a text without errors.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TextRefusal {
    /// A setting is not modeled; its effect and its position.
    NotModeled(String, Option<TextPosition>),
    /// The hosts of this cluster are not known.
    UnknownHosts(String, Option<TextPosition>),
    /// The scenario has another cluster of this name, which the text does not show.
    NameTaken(String),
    /// The import says about this cluster what the text cannot, by its name.
    NameNeeded(String),
    /// The text has more than [`MAXIMUM_TEXT_HOSTS`] hosts; their number.
    TooLong(usize),
    /// The clusters are no scenario.
    Invalid(ScenarioError),
}

impl TextRefusal {
    /// The position in the text.
    #[must_use]
    pub const fn position(&self) -> Option<TextPosition> {
        match self {
            Self::NotModeled(_, position) | Self::UnknownHosts(_, position) => *position,
            Self::NameTaken(_) | Self::NameNeeded(_) | Self::TooLong(_) | Self::Invalid(_) => None,
        }
    }
}

impl fmt::Display for TextRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotModeled(effect, _) => {
                write!(f, "{effect}; import the text to see it with this limit")
            }
            Self::UnknownHosts(name, _) => {
                write!(
                    f,
                    "the hosts of {name} are unknown; add hosts, or import the text"
                )
            }
            Self::NameTaken(name) => {
                write!(
                    f,
                    "another cluster of the scenario has the name {name}; choose another name"
                )
            }
            Self::NameNeeded(name) => {
                write!(
                    f,
                    "the import has limits of the cluster {name}; keep its name"
                )
            }
            Self::TooLong(hosts) => {
                write!(
                    f,
                    "the text has {} hosts, and may have at most {}; import the text to see all of them",
                    count(*hosts),
                    count(MAXIMUM_TEXT_HOSTS)
                )
            }
            Self::Invalid(error) => error.fmt(f),
        }
    }
}

/// The scenario with the clusters of a text in the place of those that the text had before the edit. Everything that a
/// text cannot express stays, and so does the import of the scenario. `written` is the reading of the text before the
/// edit.
///
/// # Errors
/// If the figures could differ from Envoy, or the page cannot show the clusters.
pub fn with_text(
    scenario: &EditedScenario,
    written: Option<&ImportOrigin>,
    read: &ImportOrigin,
) -> Result<EditedScenario, TextRefusal> {
    let hosts = host_count(&read.clusters);
    if hosts > MAXIMUM_TEXT_HOSTS {
        return Err(TextRefusal::TooLong(hosts));
    }
    check_is_modeled(scenario, written, read)?;
    let places = replaced_clusters(scenario, written, read);
    let then: Vec<&Arc<Cluster>> = places
        .iter()
        .filter_map(|at| scenario.clusters().get(*at))
        .collect();
    check_names(scenario, &then, &read.clusters)?;
    let now = kept(&read.clusters, &then);
    let root = root_of(scenario, &then, &now);
    let mut now = now.into_iter();
    let mut clusters = Vec::new();
    for (at, cluster) in scenario.clusters().iter().enumerate() {
        if places.last() == Some(&at) {
            clusters.extend(now.by_ref());
        } else if places.contains(&at) {
            clusters.extend(now.next());
        } else {
            clusters.push(Arc::clone(cluster));
        }
    }
    let root = clusters.iter().position(|cluster| cluster.name == root);
    let root = root.ok_or(TextRefusal::Invalid(ScenarioError::NoSuchCluster))?;
    let next = EditedScenario::new(clusters, root).map_err(TextRefusal::Invalid)?;
    Ok(next.with_origin(scenario.origin.clone()))
}

/// Figures that could differ from Envoy need a word about it. The earlier limits have theirs.
fn check_is_modeled(
    scenario: &EditedScenario,
    written: Option<&ImportOrigin>,
    read: &ImportOrigin,
) -> Result<(), TextRefusal> {
    let mut unknown = read.unknown_hosts.iter();
    if let Some((at, cluster)) = unknown.find_map(|at| Some((at, read.clusters.get(*at)?))) {
        let place = read.places.get(*at).and_then(|places| places.cluster);
        return Err(TextRefusal::UnknownHosts(cluster.name.clone(), place));
    }
    let earlier = written.into_iter().chain(scenario.origin.as_deref());
    let earlier: Vec<(Option<&str>, &str)> = earlier.flat_map(limits).collect();
    let mut limits = limits(read).zip(&read.limits);
    match limits.find(|(limit, _)| !earlier.contains(limit)) {
        None => Ok(()),
        Some((_, limit)) => Err(TextRefusal::NotModeled(
            limit.effect.clone(),
            limit.position,
        )),
    }
}

/// The limits of a reading: the cluster that each concerns, and its effect without the number of its places.
fn limits(of: &ImportOrigin) -> impl Iterator<Item = (Option<&str>, &str)> {
    of.limits.iter().map(|limit| {
        let cluster = limit.cluster.and_then(|at| of.clusters.get(at));
        let effect = limit.effect.split(" (and in ").next().unwrap_or_default();
        (cluster.map(|cluster| cluster.name.as_str()), effect)
    })
}

fn check_names(
    scenario: &EditedScenario,
    then: &[&Arc<Cluster>],
    now: &[Arc<Cluster>],
) -> Result<(), TextRefusal> {
    let is_then = |name: &str| then.iter().any(|cluster| cluster.name == name);
    let is_now = |name: &str| now.iter().any(|cluster| cluster.name == name);
    let mut others = scenario.clusters().iter();
    if let Some(taken) = others.find(|one| !is_then(&one.name) && is_now(&one.name)) {
        return Err(TextRefusal::NameTaken(taken.name.clone()));
    }
    let Some(origin) = &scenario.origin else {
        return Ok(());
    };
    let limited = origin.limits.iter().filter_map(|limit| limit.cluster);
    let mut limited = limited.chain(origin.unknown_hosts.iter().copied());
    let lost = limited.find_map(|at| {
        let name = &origin.clusters.get(at)?.name;
        (is_then(name) && !is_now(name)).then(|| name.clone())
    });
    lost.map_or(Ok(()), |name| Err(TextRefusal::NameNeeded(name)))
}

/// The clusters of the text with what it cannot express. A renamed cluster has the place of the earlier one.
fn kept(now: &[Arc<Cluster>], then: &[&Arc<Cluster>]) -> Vec<Arc<Cluster>> {
    let is_now = |name: &str| now.iter().any(|cluster| cluster.name == name);
    let with_rest = |(at, cluster): (usize, &Arc<Cluster>)| {
        let same = then.iter().find(|then| then.name == cluster.name);
        let renamed = || {
            let place = then.get(at).filter(|then| !is_now(&then.name));
            place.filter(|_| now.len() == then.len())
        };
        let Some(then) = same.or_else(renamed) else {
            return Arc::clone(cluster);
        };
        let mut with_rest = Cluster::clone(cluster);
        keep(&mut with_rest, then);
        if with_rest == ***then {
            Arc::clone(then)
        } else {
            Arc::new(with_rest)
        }
    };
    now.iter().enumerate().map(with_rest).collect()
}

/// The name of the cluster to show: the same one, the renamed one, or the one that an import would propose. A chosen
/// cluster that the text did not have stays.
fn root_of(scenario: &EditedScenario, then: &[&Arc<Cluster>], now: &[Arc<Cluster>]) -> String {
    let name = scenario.name(scenario.root());
    let mut names = now.iter().map(|cluster| cluster.name.as_str());
    let is_other = then.iter().all(|cluster| cluster.name != name);
    if is_other || names.any(|now| now == name) {
        return name.to_owned();
    }
    let place = then.iter().position(|cluster| cluster.name == name);
    let place = place.filter(|_| now.len() == then.len());
    let root = now.get(place.unwrap_or_else(|| proposed(now)));
    root.map(|cluster| cluster.name.clone()).unwrap_or_default()
}
