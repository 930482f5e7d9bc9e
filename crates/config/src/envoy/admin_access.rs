//! What prevents the queries of a Wasm filter for hosts: a missing cluster, no `admin`, or its `allow_paths`.

use alloc::vec::Vec;

use spillgate_core::{names::Names, route::StringMatch};

use super::{facts::elements, matcher::string_match, schema::STRING_MATCHER};
use crate::proto::{Message, Report, field_of};

/// The paths of the filter's queries, with a cluster of the name `c`.
const HOSTS: &str = "/clusters?filter=%5Ec%24";
const METADATA: &str =
    "/config_dump?include_eds&resource=dynamic_endpoint_configs&name_regex=%5Ec%24";

/// What an input says about the way of a filter's polls to the admin interface.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AdminAccess {
    clusters: Names,
    /// Whether the input has all clusters.
    complete: bool,
    answers: AdminAnswers,
}

/// The answers of the admin interface (`envoy.config.bootstrap.v3.Admin`) to the filter's queries.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum AdminAnswers {
    /// The input does not say.
    #[default]
    Unknown,
    /// There is no admin interface.
    Missing,
    /// Whether it answers the queries for hosts, and those for their metadata, as far as that is known.
    Queries { hosts: bool, metadata: bool },
}

/// Why the polls of a filter fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BlockedPolls {
    /// The cluster in `health.cluster` does not exist.
    NoCluster,
    /// The bootstrap has no `admin`.
    NoAdmin,
    /// `allow_paths` omits this path.
    NotAllowed(&'static str),
}

impl AdminAnswers {
    /// The answers of the admin interface of a bootstrap.
    pub(super) fn of(bootstrap: &Message<'_, '_>, report: &Report) -> Self {
        let Some(node) = bootstrap.get("admin") else {
            return Self::Missing;
        };
        let path = bootstrap.path.field("admin").field("allow_paths");
        let allowed = elements(field_of(node, "allow_paths"));
        let allowed = allowed.iter().enumerate().map(|(at, node)| {
            let unreported = &mut report.attempt();
            let message = Message::open(node, path.index(at), &STRING_MATCHER, unreported)?;
            string_match(&message, unreported).ok()?
        });
        let allowed: Vec<Option<StringMatch>> = allowed.collect();
        // A condition that is not readable can match. Without any, all paths are allowed.
        let answers = |path: &str| {
            let mut conditions = allowed.iter().map(Option::as_ref);
            let allows = |of: &StringMatch| of.matches(path.as_bytes());
            allowed.is_empty() || conditions.any(|of| of.is_none_or(allows))
        };
        Self::Queries {
            hosts: answers(HOSTS),
            metadata: answers(METADATA),
        }
    }
}

impl AdminAccess {
    /// The access in an Envoy with these clusters. `complete`: the input has all clusters.
    pub(super) const fn new(clusters: Names, complete: bool, answers: AdminAnswers) -> Self {
        Self {
            clusters,
            complete,
            answers,
        }
    }

    /// Why the polls through a cluster fail, as far as the input says. `metadata`: the filter also reads the
    /// metadata of hosts.
    #[must_use]
    pub fn blocked(&self, cluster: &str, metadata: bool) -> Option<BlockedPolls> {
        if !self.clusters.contains(cluster) {
            return self.complete.then_some(BlockedPolls::NoCluster);
        }
        match self.answers {
            AdminAnswers::Missing => Some(BlockedPolls::NoAdmin),
            AdminAnswers::Queries { hosts: false, .. } => {
                Some(BlockedPolls::NotAllowed("/clusters"))
            }
            AdminAnswers::Queries {
                metadata: false, ..
            } if metadata => Some(BlockedPolls::NotAllowed("/config_dump")),
            AdminAnswers::Unknown | AdminAnswers::Queries { .. } => None,
        }
    }
}
