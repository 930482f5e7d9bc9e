//! The clusters and hosts of the demo, from the one file that defines them: the filter's configuration.
//! Envoy's endpoint files are made of the same messages.

use std::collections::BTreeSet;

use anyhow::{Context as _, Result, bail};
use serde_json::{Map, Value, json};

/// The filter's configuration of the demo with the health of each host.
#[derive(Debug)]
pub struct DemoTopology {
    config: Value,
}

/// One host of one cluster.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DemoHost {
    /// The name of its cluster.
    pub cluster: String,
    /// As Envoy prints it: `127.0.1.1:8090`.
    pub address: String,
    /// Whether it serves.
    pub healthy: bool,
}

impl DemoTopology {
    /// Reads a filter configuration.
    ///
    /// # Errors
    /// If it is not one, or has no hosts.
    pub fn parse(text: &str) -> Result<Self> {
        let config: Value = serde_json::from_str(text)?;
        let topology = Self { config };
        if topology.hosts()?.is_empty() {
            bail!("the configuration has no hosts");
        }
        Ok(topology)
    }

    /// All hosts in the order of the configuration.
    ///
    /// # Errors
    /// If a cluster has no name, or an endpoint no address.
    pub fn hosts(&self) -> Result<Vec<DemoHost>> {
        let mut hosts = Vec::new();
        for (cluster, assignment) in self.assignments()? {
            for endpoint in endpoints(assignment) {
                hosts.push(DemoHost {
                    cluster: cluster.clone(),
                    address: address(endpoint)?,
                    healthy: endpoint["health_status"] != "UNHEALTHY",
                });
            }
        }
        Ok(hosts)
    }

    /// Marks exactly these hosts (by address) as unhealthy.
    ///
    /// # Errors
    /// If an endpoint has no address.
    pub fn set_killed(&mut self, killed: &BTreeSet<String>) -> Result<()> {
        self.each_endpoint(|address, fields| {
            fields.remove("health_status");
            if killed.contains(address) {
                fields.insert("health_status".into(), "UNHEALTHY".into());
            }
        })
    }

    /// Changes the weight of a host (by address).
    ///
    /// # Errors
    /// If an endpoint has no address.
    pub fn set_weight(&mut self, host: &str, weight: u32) -> Result<()> {
        self.each_endpoint(|address, fields| {
            if address == host {
                fields.insert("load_balancing_weight".into(), weight.into());
            }
        })
    }

    fn each_endpoint(
        &mut self,
        mut change: impl FnMut(&str, &mut Map<String, Value>),
    ) -> Result<()> {
        let clusters = self.config["clusters"].as_array_mut();
        for cluster in clusters.into_iter().flatten() {
            // Indexing would add missing fields; pointers do not.
            let localities = cluster
                .pointer_mut("/load_assignment/endpoints")
                .and_then(Value::as_array_mut);
            for locality in localities.into_iter().flatten() {
                let endpoints = locality
                    .pointer_mut("/lb_endpoints")
                    .and_then(Value::as_array_mut);
                for endpoint in endpoints.into_iter().flatten() {
                    let address = address(endpoint)?;
                    let fields = endpoint
                        .as_object_mut()
                        .context("an endpoint must be an object")?;
                    change(&address, fields);
                }
            }
        }
        Ok(())
    }

    /// The filter's configuration as the filter reads it.
    #[must_use]
    pub fn filter_config(&self) -> String {
        self.config.to_string()
    }

    /// Each cluster with endpoints and the file that Envoy reads them from.
    ///
    /// # Errors
    /// If a cluster has no name.
    pub fn endpoint_files(&self, version: u64) -> Result<Vec<(String, String)>> {
        let mut files = Vec::new();
        for (cluster, assignment) in self.assignments()? {
            let mut resource = assignment.clone();
            let fields = resource
                .as_object_mut()
                .context("load_assignment must be an object")?;
            fields.insert(
                "@type".into(),
                "type.googleapis.com/envoy.config.endpoint.v3.ClusterLoadAssignment".into(),
            );
            let response = json!({"version_info": version.to_string(), "resources": [resource]});
            files.push((cluster, serde_json::to_string_pretty(&response)?));
        }
        Ok(files)
    }

    fn assignments(&self) -> Result<Vec<(String, &Value)>> {
        let clusters = self.config["clusters"].as_array().context("no clusters")?;
        let with_endpoints = clusters
            .iter()
            .filter(|cluster| cluster["load_assignment"].is_object());
        with_endpoints
            .map(|cluster| {
                let name = cluster["name"].as_str().context("a cluster has no name")?;
                Ok((name.to_owned(), &cluster["load_assignment"]))
            })
            .collect()
    }
}

fn endpoints(assignment: &Value) -> impl Iterator<Item = &Value> {
    let localities = assignment["endpoints"].as_array().into_iter().flatten();
    localities.flat_map(|locality| locality["lb_endpoints"].as_array().into_iter().flatten())
}

fn address(endpoint: &Value) -> Result<String> {
    let socket = &endpoint["endpoint"]["address"]["socket_address"];
    let (Some(ip), Some(port)) = (socket["address"].as_str(), socket["port_value"].as_u64()) else {
        bail!("an endpoint has no socket_address: {endpoint}");
    };
    Ok(format!("{ip}:{port}"))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    const CONFIG: &str = r#"{"clusters": [{"name": "a", "load_assignment": {"cluster_name": "a", "endpoints": [{"lb_endpoints": [
        {"endpoint": {"address": {"socket_address": {"address": "127.0.1.1", "port_value": 1}}}},
        {"endpoint": {"address": {"socket_address": {"address": "127.0.1.2", "port_value": 1}}}}]}]}}, {"name": "all"}]}"#;

    #[test]
    fn a_killed_host_is_unhealthy_in_both_files() {
        let mut topology = DemoTopology::parse(CONFIG).unwrap();
        topology
            .set_killed(&BTreeSet::from(["127.0.1.2:1".to_owned()]))
            .unwrap();
        let health: Vec<bool> = topology
            .hosts()
            .unwrap()
            .iter()
            .map(|host| host.healthy)
            .collect();
        assert_eq!(health, [true, false]);
        let files = topology.endpoint_files(1).unwrap();
        assert_eq!(files.len(), 1);
        assert_eq!(files[0].1.matches("UNHEALTHY").count(), 1);
        assert_eq!(topology.filter_config().matches("UNHEALTHY").count(), 1);
    }

    #[test]
    fn a_weight_is_in_both_files() {
        let mut topology = DemoTopology::parse(CONFIG).unwrap();
        topology.set_weight("127.0.1.2:1", 3).unwrap();
        let files = topology.endpoint_files(1).unwrap();
        for text in [&files[0].1, &topology.filter_config()] {
            assert_eq!(text.matches("load_balancing_weight").count(), 1, "{text}");
        }
    }

    #[test]
    fn healing_leaves_no_trace() {
        let mut topology = DemoTopology::parse(CONFIG).unwrap();
        let before = topology.filter_config();
        topology
            .set_killed(&BTreeSet::from(["127.0.1.1:1".to_owned()]))
            .unwrap();
        topology.set_killed(&BTreeSet::new()).unwrap();
        assert_eq!(topology.filter_config(), before);
    }
}
