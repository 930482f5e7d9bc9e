//! What the filter is told to do.

use alloc::{string::String, vec::Vec};
use core::time::Duration;

use spillgate_core::{model::Model, route::HashPolicy};

use super::Target;
use crate::Diagnostic;

/// A whole filter configuration, legal in itself.
#[derive(Debug)]
pub struct FilterConfig {
    /// The clusters (`clusters`).
    pub model: Model,
    /// Which cluster is balanced (`target` or `targets`); each name is one of the model's.
    pub target: Target,
    /// How the request hash is made (`hash_policy`).
    pub hash_policies: Vec<HashPolicy>,
    /// Which headers carry the decision (`output`).
    pub output: Output,
    /// Further names that are dropped from the client's request (`reserved_headers`), lower case.
    pub reserved_headers: Vec<String>,
    /// The trace header, where it is on (`trace`).
    pub trace: Option<TraceConfig>,
    /// How often a worker looks at shared state (`tick`); at least a millisecond.
    pub tick: Duration,
    /// What is legal and yet without the effect it seems to have, for the log.
    pub warnings: Vec<Diagnostic>,
}

/// The headers of a decision (`output`). Names are lower case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Output {
    /// The host list for Envoy's `override_host` policy (`output.host_header`).
    pub host_header: String,
    /// The member cluster of an aggregate (`output.cluster_header`).
    pub cluster_header: String,
    /// The most hosts in the list (`output.candidates`), at least one.
    pub candidates: usize,
}

impl Default for Output {
    fn default() -> Self {
        Self {
            host_header: "x-spillgate-host".into(),
            cluster_header: "x-spillgate-cluster".into(),
            candidates: 3,
        }
    }
}

/// The trace header (`trace`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TraceConfig {
    /// The response header that carries the decision; lower case.
    pub header: String,
    /// Who gets it.
    pub when: TraceCondition,
    /// Whether the steps of the decision go with it.
    pub steps: bool,
}

/// The secret that a caller presents to see a trace (`trace.when`).
#[derive(Clone, PartialEq, Eq)]
pub struct TraceCondition {
    /// The request header; lower case.
    pub header: String,
    /// The value that it must have.
    pub value: String,
}

impl core::fmt::Debug for TraceCondition {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        // The value is a secret and stays out of logs.
        f.debug_struct("TraceCondition")
            .field("header", &self.header)
            .finish_non_exhaustive()
    }
}
