//! A whole bootstrap.

use std::collections::BTreeSet;

use anyhow::Result;
use serde_json::{Value, json};
use spillgate_config::filter::FilterForm;
use spillgate_core::model::{Cluster, ClusterKind};

use super::address::socket_address;
use super::filter::module_extension;
use super::{poller::poller, test_hosts::hosts_listener};

/// Collects what one Envoy serves.
#[derive(Debug, Default)]
pub struct Bootstrap {
    listeners: Vec<Value>,
    clusters: Vec<Value>,
    extensions: Vec<Value>,
    hosts: BTreeSet<String>,
}

impl Bootstrap {
    /// One that serves nothing.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a listener.
    #[must_use]
    pub fn listener(mut self, listener: Value) -> Self {
        self.listeners.push(listener);
        self
    }

    /// Adds a cluster.
    #[must_use]
    pub fn cluster(mut self, cluster: Value) -> Self {
        self.clusters.push(cluster);
        self
    }

    /// Adds a bootstrap extension.
    #[must_use]
    pub fn extension(mut self, extension: Value) -> Self {
        self.extensions.push(extension);
        self
    }

    /// Adds the extension from which the filter learns about hosts: the poller of the Wasm filter, whose
    /// configuration is `poll`, or the dynamic module, which reads the number of draining hosts.
    ///
    /// # Errors
    /// When `SPILLGATE_FILTER_WASM` is not set.
    pub fn observing(self, form: FilterForm, poll: &Value) -> Result<Self> {
        Ok(self.extension(match form {
            FilterForm::Wasm => poller(poll)?,
            FilterForm::DynamicModule => module_extension(),
        }))
    }

    /// Lets the hosts of a cluster answer, whatever their configured health.
    #[must_use]
    pub fn hosts_of(mut self, cluster: &Cluster) -> Self {
        if let ClusterKind::Plain(plain) = &cluster.kind {
            let endpoints = plain
                .priorities
                .iter()
                .flat_map(|priority| &priority.endpoints);
            let addresses = endpoints.map(|endpoint| endpoint.address.clone());
            self.hosts.extend(addresses);
        }
        self
    }

    /// The text for an Envoy of that node id, with its admin at that port of 127.0.0.1.
    ///
    /// # Errors
    /// When a host is not `ip:port`.
    pub fn to_json(&self, node: &str, admin: u16) -> Result<String> {
        let mut listeners = self.listeners.clone();
        if !self.hosts.is_empty() {
            listeners.push(hosts_listener(&self.hosts)?);
        }
        let bootstrap = json!({
            "node": {"id": node, "cluster": "e2e"},
            "admin": {"address": socket_address("127.0.0.1", admin)},
            "bootstrap_extensions": self.extensions,
            "static_resources": {"listeners": listeners, "clusters": self.clusters},
        });
        Ok(serde_json::to_string_pretty(&bootstrap)?)
    }
}
