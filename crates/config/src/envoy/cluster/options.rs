//! Spillgate's own options in a cluster's metadata, which Envoy does not read.

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

/// The options of a cluster; by default, the behavior is Envoy's.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct OurOptions {
    /// A policy that Envoy does not have; replaces the cluster's.
    policy: Option<Policy>,
    /// Whether an aggregate includes the members of nested aggregates.
    pub(crate) flatten: bool,
}

/// Reads the options. Unlike other metadata they are checked: an unknown option is an error.
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
    /// The policy with these options. Rendezvous hashing has neither locality weights nor slow
    /// start.
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
