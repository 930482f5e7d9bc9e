//! What is ours and not Envoy's: options in a cluster's own metadata, which Envoy carries unread.

use spillgate_core::model::{LocalityLb, Policy};

use crate::{
    envoy::{
        common::namespace,
        policy::ReadPolicy,
        schema::{METADATA, OUR_OPTIONS},
    },
    proto::{Message, Report},
};

/// The namespace in `Cluster.metadata.filter_metadata`.
const NAMESPACE: &str = "spillgate";

const LB_POLICY: [(&str, i64, Policy); 1] = [("RENDEZVOUS", 0, Policy::Rendezvous)];

/// The options of a cluster; without them everything is as in Envoy.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct OurOptions {
    /// A policy that Envoy does not have, in place of the cluster's.
    policy: Option<Policy>,
    /// Whether an aggregate takes the members of its aggregates for its own.
    pub(crate) flatten: bool,
}

/// Reads the options. Unlike other metadata they are checked: a misspelt one is an error.
pub(crate) fn our_options(cluster: &Message<'_, '_>, report: &mut Report) -> OurOptions {
    let mut options = OurOptions::default();
    let Some(metadata) = cluster.message("metadata", &METADATA, report) else {
        return options;
    };
    let Some((path, node)) = namespace(&metadata, NAMESPACE, report) else {
        return options;
    };
    if let Some(message) = Message::open(node, path, &OUR_OPTIONS, report) {
        options.policy = message.enumeration("lb_policy", &LB_POLICY, report);
        options.flatten = message.bool("flatten_aggregates", report).unwrap_or(false);
    }
    options
}

impl OurOptions {
    /// The policy with what is ours. Rendezvous hashing knows neither localities nor slow start.
    pub(crate) fn replace(self, read: ReadPolicy) -> ReadPolicy {
        match self.policy {
            None => read,
            Some(policy) => ReadPolicy {
                policy,
                locality_lb: LocalityLb::default(),
                slow_start: None,
                ..read
            },
        }
    }
}
