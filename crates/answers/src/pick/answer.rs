//! The answers of `pick` and their JSON (docs/schemas/pick.schema.json).

use serde::Serialize;
use serde_json::Value;

use super::OwnReply;
use crate::{
    limits::Limits,
    split::no_json,
    status::{CLOSED, UNAVAILABLE},
};

/// The answer to a request.
#[derive(Debug, Clone, PartialEq)]
pub enum PickOutput {
    /// A deterministic choice: one host.
    Determined {
        /// The routed cluster.
        cluster: String,
        /// The host.
        outcome: PickOutcome,
    },
    /// No host: no route, a direct response or redirect of the route, or no available host.
    NoHost {
        /// The status of the response.
        status: u16,
        /// The routed cluster, if the route selects one.
        cluster: Option<String>,
        /// The responses of this status by reason.
        replies: Vec<OwnReply>,
    },
    /// An unknown result: the request reaches a setting that is not modeled, or a cluster whose hosts
    /// are not known.
    Unknown {
        /// The name of the route; can be empty.
        route: String,
        /// The field that is not modeled, or the reason.
        why: &'static str,
        /// The cluster whose hosts are not known.
        cluster: Option<String>,
    },
    /// A random choice.
    Random {
        /// The routed clusters, separated by `|`.
        cluster: String,
        /// Every possible host with its share.
        distribution: Vec<PickOutcome>,
        /// The share of requests without a host, in percent.
        no_host: f64,
        /// The responses to these requests.
        replies: Vec<OwnReply>,
        /// The row whose random choice decides: this row has the same host.
        same_as: Option<Value>,
    },
}

/// A possible host.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PickOutcome {
    /// The cluster that owns it: under an aggregate, one of the members.
    pub owner: String,
    /// Its priority in that cluster.
    pub priority: usize,
    /// Its address, `ip:port`.
    pub endpoint: String,
    /// Its share in percent.
    pub share: f64,
}

/// The JSON of a deterministic choice.
#[derive(Serialize)]
struct DeterminedRow<'a> {
    i: &'a Value,
    status: u16,
    cluster: &'a str,
    owner: &'a str,
    priority: usize,
    endpoint: &'a str,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    arithmetic: &'a [String],
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    depends_on: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    limits: Option<&'a Value>,
}

/// The JSON of a request without a host.
#[derive(Serialize)]
struct NoHostRow<'a> {
    i: &'a Value,
    status: u16,
    cluster: Option<&'a str>,
    endpoint: (),
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'static str>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    replies: &'a [OwnReply],
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    arithmetic: &'a [String],
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    depends_on: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    limits: Option<&'a Value>,
}

/// The JSON of an unknown result.
#[derive(Serialize)]
struct UnknownRow<'a> {
    i: &'a Value,
    route: &'a str,
    unknown: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    cluster: Option<&'a str>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    depends_on: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    limits: Option<&'a Value>,
}

/// The JSON of a random choice.
#[derive(Serialize)]
struct RandomRow<'a> {
    i: &'a Value,
    status: u16,
    cluster: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    same_as: Option<&'a Value>,
    distribution: &'a [PickOutcome],
    no_host: f64,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    replies: &'a [OwnReply],
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    depends_on: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    limits: Option<&'a Value>,
}

impl PickOutput {
    /// Whether every request has this result.
    #[must_use]
    pub const fn is_certain(&self) -> bool {
        matches!(self, Self::Determined { .. } | Self::NoHost { .. })
    }

    /// The answer for a connection: without a host, Envoy sends no response and closes it.
    #[must_use]
    pub fn of_connection(self) -> Self {
        let closed = |replies: Vec<OwnReply>| {
            let replies = replies.into_iter();
            replies.map(OwnReply::of_connection).collect()
        };
        match self {
            Self::NoHost {
                cluster, replies, ..
            } => Self::NoHost {
                status: CLOSED,
                cluster,
                replies: closed(replies),
            },
            Self::Random {
                cluster,
                distribution,
                no_host,
                replies,
                same_as,
            } => Self::Random {
                cluster,
                distribution,
                no_host,
                replies: closed(replies),
                same_as,
            },
            other => other,
        }
    }

    /// The answer to row `i` as one JSON object, without a line break. `limits` are those that concern
    /// the request.
    #[must_use]
    pub fn to_json(&self, i: &Value, limits: &Limits) -> String {
        self.to_json_with(i, &[], &[], limits)
    }

    /// As [`PickOutput::to_json`], with the arithmetic of a certain result, and the texts of the unstated
    /// addresses that it depends on.
    #[must_use]
    pub fn to_json_with(
        &self,
        i: &Value,
        arithmetic: &[String],
        depends_on: &[String],
        limits: &Limits,
    ) -> String {
        let limits = (!limits.is_empty()).then(|| limits.value());
        let limits = limits.as_ref();
        let text = match self {
            Self::Determined { cluster, outcome } => serde_json::to_string(&DeterminedRow {
                i,
                status: 200,
                cluster,
                owner: &outcome.owner,
                priority: outcome.priority,
                endpoint: &outcome.endpoint,
                arithmetic,
                depends_on,
                limits,
            }),
            Self::NoHost {
                status,
                cluster,
                replies,
            } => {
                let (reason, replies) = match replies.as_slice() {
                    [one] => (Some(one.reason.name()), &[][..]),
                    several => (None, several),
                };
                serde_json::to_string(&NoHostRow {
                    i,
                    status: *status,
                    cluster: cluster.as_deref(),
                    endpoint: (),
                    reason,
                    replies,
                    arithmetic,
                    depends_on,
                    limits,
                })
            }
            Self::Unknown {
                route,
                why,
                cluster,
            } => serde_json::to_string(&UnknownRow {
                i,
                route,
                unknown: why,
                cluster: cluster.as_deref(),
                depends_on,
                limits,
            }),
            Self::Random {
                cluster,
                distribution,
                no_host,
                replies,
                same_as,
            } => serde_json::to_string(&RandomRow {
                i,
                status: match distribution.as_slice() {
                    [] => most_frequent(replies),
                    _ => 200,
                },
                cluster,
                same_as: same_as.as_ref(),
                distribution,
                no_host: *no_host,
                replies,
                depends_on,
                limits,
            }),
        };
        text.unwrap_or_else(no_json)
    }
}

/// The status of the response with the largest share.
fn most_frequent(replies: &[OwnReply]) -> u16 {
    let largest = replies.iter().max_by(|a, b| a.share.total_cmp(&b.share));
    largest.map_or(UNAVAILABLE, |reply| reply.status)
}
