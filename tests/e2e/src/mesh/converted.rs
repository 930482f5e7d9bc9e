//! What `spillgate convert --to envoy` writes, with the health of the hosts.

use std::collections::BTreeSet;

use anyhow::{Context as _, Result, anyhow, bail, ensure};
use serde_json::{Value, json};
use spillgate_config::envoy::{Format, read};

use super::{MeshFiles, Reading};
use crate::config::Bootstrap;

const TYPES: &str = "type.googleapis.com/envoy";

/// The form that `convert` writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MeshForm {
    /// For Envoy.
    Envoy,
    /// For Envoy and gRPC (`--portable`).
    Portable,
}

/// A converted configuration.
#[derive(Debug, Clone, PartialEq)]
pub struct ConvertedMesh(Value);

impl ConvertedMesh {
    /// Converts documents.
    ///
    /// # Errors
    /// If `convert` rejects them.
    pub fn new(files: &MeshFiles, reading: Reading, form: MeshForm) -> Result<Self> {
        let mut more = vec!["--to", "envoy", "--format", "json"];
        if form == MeshForm::Portable {
            more.push("--portable");
        }
        let text = files.run("convert", reading, &more)?;
        Ok(Self(serde_json::from_str(&text)?))
    }

    /// The same with `health_status: UNHEALTHY` for these hosts.
    ///
    /// # Errors
    /// If one of them is not in the configuration.
    pub fn with_lost(&self, lost: &BTreeSet<String>) -> Result<Self> {
        let mut changed = self.clone();
        let mut found = BTreeSet::new();
        for endpoint in changed.clusters_mut()?.iter_mut().flat_map(endpoints_mut) {
            if let Some(address) = address(endpoint).filter(|address| lost.contains(address)) {
                endpoint["health_status"] = json!("UNHEALTHY");
                found.insert(address);
            }
        }
        ensure!(&found == lost, "found {found:?} of {lost:?}");
        Ok(changed)
    }

    /// The addresses of all hosts.
    ///
    /// # Errors
    /// If the configuration has no clusters.
    pub fn hosts(&self) -> Result<BTreeSet<String>> {
        let mut copy = self.clone();
        let endpoints = copy.clusters_mut()?.iter_mut().flat_map(endpoints_mut);
        Ok(endpoints.filter_map(|endpoint| address(endpoint)).collect())
    }

    /// The same without panic mode, which gRPC does not have.
    ///
    /// # Errors
    /// If the configuration has no clusters.
    pub fn without_panic_mode(&self) -> Result<Self> {
        let mut changed = self.clone();
        for cluster in changed.clusters_mut()? {
            cluster["common_lb_config"]["healthy_panic_threshold"] = json!({"value": 0});
        }
        Ok(changed)
    }

    /// The same without a weight for the localities of failover priorities, as the control plane
    /// writes them.
    ///
    /// # Errors
    /// If the configuration has no such weight.
    pub fn without_failover_weights(&self) -> Result<Self> {
        let mut changed = self.clone();
        let mut removed = 0;
        for group in changed.clusters_mut()?.iter_mut().flat_map(groups_mut) {
            let failover = group["priority"].as_u64() > Some(0);
            if let Some(group) = group.as_object_mut().filter(|_| failover) {
                removed += usize::from(group.remove("load_balancing_weight").is_some());
            }
        }
        ensure!(removed > 0, "no weight in {}", self.text());
        Ok(changed)
    }

    /// The configuration as JSON.
    #[must_use]
    pub fn text(&self) -> String {
        self.0.to_string()
    }

    /// A bootstrap with these clusters and the listener at this port. All hosts answer, also the
    /// unhealthy ones.
    ///
    /// # Errors
    /// If there is no listener, or the configuration cannot be read.
    pub fn bootstrap(&self, port: u16) -> Result<Bootstrap> {
        let mut listener = self.listener()?.clone();
        listener["address"]["socket_address"]["port_value"] = port.into();
        // A port in use must be an error, not a share of another process's connections.
        listener["enable_reuse_port"] = false.into();
        let mut bootstrap = Bootstrap::new().listener(listener);
        for cluster in self.clusters()? {
            bootstrap = bootstrap.cluster(cluster.clone());
        }
        let config = read(&self.text(), Format::Json).map_err(|faults| anyhow!("{faults:?}"))?;
        let clusters = config.model.clusters().iter();
        Ok(clusters.fold(bootstrap, |bootstrap, cluster| bootstrap.hosts_of(cluster)))
    }

    /// The xDS resources of the same configuration for gRPC's client, which gets hosts only by
    /// EDS. `target` is the name that the client resolves.
    ///
    /// # Errors
    /// If there is no listener, or a cluster has no hosts.
    pub fn resources(&self, target: &str) -> Result<Vec<Value>> {
        let connection_manager = self
            .listener()?
            .pointer("/filter_chains/0/filters/0/typed_config")
            .context("a listener without a connection manager")?;
        let mut resources = vec![json!({
            "@type": format!("{TYPES}.config.listener.v3.Listener"),
            "name": target,
            "api_listener": {"api_listener": connection_manager},
        })];
        for cluster in self.clusters()? {
            let mut cluster = cluster.clone();
            let fields = cluster.as_object_mut().context("a cluster is an object")?;
            let mut assignment = fields.remove("load_assignment").context("no hosts")?;
            assignment["@type"] =
                format!("{TYPES}.config.endpoint.v3.ClusterLoadAssignment").into();
            cluster["@type"] = format!("{TYPES}.config.cluster.v3.Cluster").into();
            cluster["type"] = "EDS".into();
            cluster["eds_cluster_config"] = json!({"eds_config": {"ads": {}}});
            resources.extend([cluster, assignment]);
        }
        Ok(resources)
    }

    fn listener(&self) -> Result<&Value> {
        let listeners = &self.0["static_resources"]["listeners"];
        match listeners.as_array().map(Vec::as_slice) {
            Some([listener]) => Ok(listener),
            _ => bail!("not one listener: {listeners}"),
        }
    }

    fn clusters(&self) -> Result<&Vec<Value>> {
        let clusters = &self.0["static_resources"]["clusters"];
        clusters.as_array().context("no clusters")
    }

    fn clusters_mut(&mut self) -> Result<&mut Vec<Value>> {
        let clusters = &mut self.0["static_resources"]["clusters"];
        clusters.as_array_mut().context("no clusters")
    }
}

/// The localities of a cluster.
fn groups_mut(cluster: &mut Value) -> impl Iterator<Item = &mut Value> {
    let groups = cluster.pointer_mut("/load_assignment/endpoints");
    groups.and_then(Value::as_array_mut).into_iter().flatten()
}

/// The endpoints of all localities.
fn endpoints_mut(cluster: &mut Value) -> impl Iterator<Item = &mut Value> {
    groups_mut(cluster)
        .filter_map(|group| group.get_mut("lb_endpoints")?.as_array_mut())
        .flatten()
}

fn address(endpoint: &Value) -> Option<String> {
    let address = endpoint.pointer("/endpoint/address/socket_address")?;
    let ip = address.get("address")?.as_str()?;
    let port = address.get("port_value")?.as_u64()?;
    Some(format!("{ip}:{port}"))
}
