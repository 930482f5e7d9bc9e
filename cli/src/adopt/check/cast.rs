//! The test hosts in place of the hosts of the configuration.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

use super::{
    fields::{at, get, get_mut, items, items_mut, remove, set, text},
    hosts::TestHosts,
    steering::Steering,
};

/// The test hosts of a cluster whose hosts come from EDS.
const EDS_HOSTS: usize = 4;
/// The test hosts of a DNS name.
const DNS_HOSTS: usize = 2;
/// The values of a criterion that EDS hosts have in turn.
const VALUES: [&str; 2] = ["check-a", "check-b"];

/// The hosts of all clusters.
#[derive(Debug)]
pub(super) struct Cast {
    pub(super) hosts: TestHosts,
    /// The `load_assignment` of each cluster.
    pub(super) assignments: BTreeMap<String, Value>,
    /// The metadata of each host under `envoy.lb`.
    pub(super) metadata: Vec<Map<String, Value>>,
    /// The hosts of each cluster.
    pub(super) members: BTreeMap<String, BTreeSet<usize>>,
    /// The test hosts of each address, so that clusters share them as before.
    known: BTreeMap<String, Vec<(usize, u16)>>,
}

impl Cast {
    /// Opens the hosts for the clusters of a configuration.
    pub(super) fn open(old: &Value, steering: &Steering) -> Result<Self, String> {
        let envelope = at(&steering.config, &["affinity", "envelope", "name"])
            .and_then(Value::as_str)
            .map(str::to_lowercase);
        let mut cast = Self {
            hosts: TestHosts::new(envelope),
            assignments: BTreeMap::new(),
            metadata: Vec::new(),
            members: BTreeMap::new(),
            known: BTreeMap::new(),
        };
        let resources = get(old, "static_resources").unwrap_or(&Value::Null);
        for cluster in items(resources, "clusters") {
            let name = text(cluster, "name").unwrap_or_default();
            let is_own_type = get(cluster, "cluster_type").is_some();
            if is_own_type || Some(name) == steering.admin_cluster() {
                continue;
            }
            let assignment = match text(cluster, "type").unwrap_or("STATIC") {
                "ORIGINAL_DST" => continue,
                "EDS" => cast.discovered(name, &wanted_metadata(cluster, &steering.config))?,
                kind => {
                    let copies = if kind == "STRICT_DNS" { DNS_HOSTS } else { 1 };
                    let given = get(cluster, "load_assignment")
                        .cloned()
                        .unwrap_or_else(|| json!({"cluster_name": name}));
                    cast.replaced(name, given, copies)?
                }
            };
            cast.assignments.insert(name.to_owned(), assignment);
        }
        Ok(cast)
    }

    /// The clusters that check the health of their hosts, each with these hosts.
    pub(super) fn checked(&self, config: &Value) -> Vec<(String, BTreeSet<usize>)> {
        let resources = get(config, "static_resources").unwrap_or(&Value::Null);
        let clusters = items(resources, "clusters")
            .iter()
            .filter(|cluster| !items(cluster, "health_checks").is_empty());
        let members = clusters.filter_map(|cluster| {
            let name = text(cluster, "name")?;
            Some((name.to_owned(), self.members.get(name)?.clone()))
        });
        members.collect()
    }

    /// An assignment with test hosts in place of its hosts.
    fn replaced(&mut self, name: &str, mut given: Value, copies: usize) -> Result<Value, String> {
        remove(&mut given, "named_endpoints");
        for locality in items_mut(&mut given, "endpoints") {
            let mut hosts = Vec::new();
            for host in items(locality, "lb_endpoints") {
                let address = at(host, &["endpoint", "address"]).unwrap_or(&Value::Null);
                let key = format!("{copies} {address}");
                let metadata = at(host, &["metadata", "filter_metadata", "envoy.lb"])
                    .and_then(Value::as_object)
                    .cloned()
                    .unwrap_or_default();
                let ports = match self.known.get(&key) {
                    Some(ports) => ports.clone(),
                    None => self.add(copies, &metadata)?,
                };
                for (number, port) in &ports {
                    self.join(name, *number);
                    let mut copy = host.clone();
                    set(&mut copy, "endpoint", endpoint(*port));
                    hosts.push(copy);
                }
                self.known.insert(key, ports);
            }
            if get(locality, "lb_endpoints").is_some() {
                set(locality, "lb_endpoints", hosts.into());
            }
        }
        Ok(given)
    }

    /// An assignment for a cluster whose hosts are not in the configuration.
    fn discovered(
        &mut self,
        name: &str,
        wanted: &BTreeMap<String, Vec<String>>,
    ) -> Result<Value, String> {
        let mut hosts = Vec::new();
        for at in 0..EDS_HOSTS {
            let metadata = wanted.iter().filter_map(|(key, values)| {
                let value = values.get(at % values.len().max(1))?;
                Some((key.clone(), Value::from(value.as_str())))
            });
            let metadata: Map<String, Value> = metadata.collect();
            for (number, port) in self.add(1, &metadata)? {
                self.join(name, number);
                hosts.push(json!({
                    "endpoint": endpoint(port),
                    "metadata": {"filter_metadata": {"envoy.lb": metadata}},
                }));
            }
        }
        Ok(json!({"cluster_name": name, "endpoints": [{"lb_endpoints": hosts}]}))
    }

    fn add(
        &mut self,
        count: usize,
        metadata: &Map<String, Value>,
    ) -> Result<Vec<(usize, u16)>, String> {
        let mut added = Vec::new();
        for _ in 0..count {
            added.push(self.hosts.add()?);
            self.metadata.push(metadata.clone());
        }
        Ok(added)
    }

    fn join(&mut self, cluster: &str, host: usize) {
        let members = self.members.entry(cluster.to_owned()).or_default();
        members.insert(host);
    }

    /// The configuration of the filter with the test hosts.
    pub(super) fn in_filter(&self, config: &Value) -> Value {
        let mut config = config.clone();
        for cluster in items_mut(&mut config, "clusters") {
            let own = text(cluster, "name").and_then(|name| self.assignments.get(name));
            let (Some(own), Some(given)) = (own.cloned(), get_mut(cluster, "load_assignment"))
            else {
                continue;
            };
            if get(given, "endpoints").is_some() {
                *given = own;
            }
        }
        config
    }
}

fn endpoint(port: u16) -> Value {
    json!({"address": {"socket_address": {"address": "127.0.0.1", "port_value": port}}})
}

/// The metadata keys that select hosts, and their values: the constant of the filter, or two.
fn wanted_metadata(cluster: &Value, filter: &Value) -> BTreeMap<String, Vec<String>> {
    let mut keys = BTreeSet::new();
    let subsets = get(cluster, "lb_subset_config").unwrap_or(&Value::Null);
    let selectors = items(subsets, "subset_selectors").iter();
    for own in selectors.chain(items(filter, "subset_chain")) {
        keys.extend(items(own, "keys").iter().filter_map(Value::as_str));
    }
    let criteria = items(filter, "criteria");
    keys.extend(criteria.iter().filter_map(|one| text(one, "key")));
    let of_key = |key: &&str| {
        let own = || criteria.iter().filter(|one| text(one, "key") == Some(key));
        let by_header = own().any(|one| get(one, "header").is_some());
        let constant = own().find_map(|one| text(one, "value"));
        let values = match (by_header, constant) {
            (false, Some(constant)) => vec![constant.to_owned()],
            _ => VALUES.map(str::to_owned).to_vec(),
        };
        ((*key).to_owned(), values)
    };
    keys.iter().map(of_key).collect()
}
