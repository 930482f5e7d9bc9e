//! The answers, and how they read as JSON.

use serde::Serialize;
use serde_json::Value;

/// What becomes of a request.
#[derive(Debug, Clone, PartialEq)]
pub enum PickAnswer {
    /// One host, for certain.
    Determined {
        /// The cluster that the route names.
        cluster: String,
        /// The host.
        outcome: PickOutcome,
    },
    /// No host, for certain: no route, an answer of the route itself, or nobody to serve.
    NoHost {
        /// The status of the answer.
        status: u16,
        /// The cluster that the route names, if there is one.
        cluster: Option<String>,
    },
    /// What Envoy would do is not known: the request reaches something that is not modelled.
    Unknown {
        /// The name of the route; may be empty.
        route: String,
        /// The field that is not modelled.
        why: &'static str,
    },
    /// Envoy draws.
    Random {
        /// The cluster that the route names; several stand with a `|` between them.
        cluster: String,
        /// Every host that may come out, with its share.
        distribution: Vec<PickOutcome>,
        /// Percent of the draws that find no host.
        no_host: f64,
        /// The statuses of those, each once.
        statuses: Vec<u16>,
        /// The row whose draw decides: this one gets the same host.
        same_as: Option<Value>,
    },
}

/// A host that may come out.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PickOutcome {
    /// The cluster that owns it; under an aggregate one of its members.
    pub owner: String,
    /// Its priority in that cluster.
    pub priority: usize,
    /// Its address.
    pub endpoint: String,
    /// Percent of the draws that choose it.
    pub share: f64,
}

#[derive(Serialize)]
struct DeterminedRow<'a> {
    i: &'a Value,
    status: u16,
    cluster: &'a str,
    owner: &'a str,
    priority: usize,
    endpoint: &'a str,
}

#[derive(Serialize)]
struct NoHostRow<'a> {
    i: &'a Value,
    status: u16,
    cluster: Option<&'a str>,
    endpoint: (),
}

#[derive(Serialize)]
struct UnknownRow<'a> {
    i: &'a Value,
    route: &'a str,
    unknown: &'static str,
}

#[derive(Serialize)]
struct RandomRow<'a> {
    i: &'a Value,
    status: u16,
    cluster: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    same_as: Option<&'a Value>,
    distribution: &'a [PickOutcome],
    no_host: f64,
}

impl PickAnswer {
    /// The answer to row `i` as one JSON object, without a line break.
    #[must_use]
    pub fn to_json(&self, i: &Value) -> String {
        let text = match self {
            Self::Determined { cluster, outcome } => serde_json::to_string(&DeterminedRow {
                i,
                status: 200,
                cluster,
                owner: &outcome.owner,
                priority: outcome.priority,
                endpoint: &outcome.endpoint,
            }),
            Self::NoHost { status, cluster } => serde_json::to_string(&NoHostRow {
                i,
                status: *status,
                cluster: cluster.as_deref(),
                endpoint: (),
            }),
            Self::Unknown { route, why } => serde_json::to_string(&UnknownRow {
                i,
                route,
                unknown: why,
            }),
            Self::Random {
                cluster,
                distribution,
                no_host,
                same_as,
                statuses: _,
            } => serde_json::to_string(&RandomRow {
                i,
                status: 200,
                cluster,
                same_as: same_as.as_ref(),
                distribution,
                no_host: *no_host,
            }),
        };
        // Texts and finite numbers always have a JSON form.
        text.unwrap_or_default()
    }
}
