//! Hosts that come, go and change their health by EDS from a watched file.

use std::path::PathBuf;

use anyhow::{Context as _, Result};
use serde_json::{Value, json};
use spillgate_config::filter::FilterForm;

use crate::config::{Unlisted, eds};
use crate::{Port, Upstream, Workdir};

/// The `ip:port` of that many hosts: `{network}.1`, `{network}.2` and so on.
#[must_use]
pub fn addresses(network: &str, port: &Port, count: usize) -> Vec<String> {
    let number = port.number();
    (1..=count)
        .map(|host| format!("{network}.{host}:{number}"))
        .collect()
}

/// Hosts that serve at these addresses.
///
/// # Errors
/// When an address is taken.
pub fn opened<'a>(addresses: impl IntoIterator<Item = &'a String>) -> Result<Vec<Upstream>> {
    addresses
        .into_iter()
        .map(|host| Upstream::open(host))
        .collect()
}

/// The hosts of one cluster, and the file that Envoy reads them from.
#[derive(Debug)]
pub struct EdsHosts<'w> {
    workdir: &'w Workdir,
    cluster: String,
    hosts: Vec<(String, &'static str)>,
}

impl<'w> EdsHosts<'w> {
    /// Healthy hosts at these addresses.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn new(workdir: &'w Workdir, cluster: &str, addresses: &[String]) -> Result<Self> {
        let hosts = addresses.iter();
        let all = Self {
            workdir,
            cluster: cluster.to_owned(),
            hosts: hosts.map(|host| (host.clone(), "HEALTHY")).collect(),
        };
        all.publish()?;
        Ok(all)
    }

    /// Gives hosts another status (`EndpointStatus`); those that are not there join.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn set(&mut self, addresses: &[String], status: &'static str) -> Result<()> {
        for address in addresses {
            match self.hosts.iter_mut().find(|(host, _)| host == address) {
                Some((_, old)) => *old = status,
                None => self.hosts.push((address.clone(), status)),
            }
        }
        self.publish()
    }

    /// Takes a host out.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn remove(&mut self, address: &str) -> Result<()> {
        self.hosts.retain(|(host, _)| host != address);
        self.publish()
    }

    /// The name of the cluster.
    #[must_use]
    pub fn cluster(&self) -> &str {
        &self.cluster
    }

    /// The cluster in an Envoy with this form of the filter, isolated: only hosts of the filter's list serve.
    #[must_use]
    pub fn steered(&self, form: FilterForm) -> Value {
        eds(form, &self.cluster, &self.path(), Unlisted::Refused)
    }

    /// The same cluster, available: any host serves requests without a list.
    #[must_use]
    pub fn available(&self) -> Value {
        eds(
            self.workdir.form(),
            &self.cluster,
            &self.path(),
            Unlisted::Served,
        )
    }

    /// A cluster of another name with the same hosts, balanced by Envoy at random.
    #[must_use]
    pub fn native(&self, name: &str) -> Value {
        json!({
            "name": name,
            "type": "EDS",
            "connect_timeout": "2s",
            "lb_policy": "RANDOM",
            "eds_cluster_config": {
                "service_name": self.cluster,
                "eds_config": {
                    "resource_api_version": "V3",
                    "path_config_source": {"path": self.path()},
                },
            },
        })
    }

    fn path(&self) -> PathBuf {
        self.workdir.path().join(self.file())
    }

    fn file(&self) -> String {
        format!("eds-{}.json", self.cluster)
    }

    /// The hosts as a `ClusterLoadAssignment`.
    ///
    /// # Errors
    /// When an address is not `ip:port`.
    pub fn assignment(&self) -> Result<Value> {
        let hosts = self.hosts.iter().map(|(host, status)| {
            let (ip, port) = host.rsplit_once(':').context("a host is not ip:port")?;
            let port: u16 = port.parse()?;
            Ok(json!({
                "endpoint": {"address": {"socket_address": {"address": ip, "port_value": port}}},
                "health_status": status,
            }))
        }).collect::<Result<Vec<_>>>()?;
        Ok(json!({"cluster_name": self.cluster, "endpoints": [{"lb_endpoints": hosts}]}))
    }

    fn publish(&self) -> Result<()> {
        let mut resource = self.assignment()?;
        resource["@type"] =
            json!("type.googleapis.com/envoy.config.endpoint.v3.ClusterLoadAssignment");
        let resource = json!({"resources": [resource]});
        self.workdir.write(&self.file(), &resource.to_string())?;
        Ok(())
    }
}
