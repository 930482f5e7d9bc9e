//! A shop whose routes, cluster, hosts and filter come from files, which a test changes while Envoy runs.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Result;
use serde_json::{Value, json};
use spillgate_core::model::{Cluster, Policy};

use crate::config::{
    Bootstrap, Delivery, Unlisted, assignment, eds, hash_policy, http_listener, plain, priority,
    to_cluster_of_module,
};
use crate::{Envoy, EnvoyOptions, Port, Responder, Upstream, Workdir, eventually};

/// Far more than a change takes.
const LIMIT: Duration = Duration::from_secs(30);
/// Looks at the counters without a wait.
const LOOKS: usize = 20;
const HEALTHY: &str = "hhhhh";
const CLUSTER: &str = "shop";
const NETWORK: &str = "127.44.0";

/// Something that Envoy discovers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Discovered {
    /// The route (RDS).
    Routes,
    /// The cluster (CDS).
    Clusters,
    /// Its hosts (EDS).
    Hosts,
    /// The filter's configuration (ECDS).
    Filter,
}

/// Where Envoy finds the hosts of the cluster.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HostsFrom {
    /// In the cluster.
    Cluster,
    /// In a file of their own. Envoy then closes a watch with each change of the cluster, and the
    /// kernel may need a second for that.
    File,
}

/// A running Envoy with the dynamic module and the cluster `shop`, whose hosts are at 127.44.0.x.
#[derive(Debug)]
pub struct DiscoveredShop<'w> {
    /// The process.
    pub envoy: Envoy,
    files: Files<'w>,
    service: Port,
}

/// The files that Envoy watches.
#[derive(Debug)]
struct Files<'w> {
    workdir: &'w Workdir,
    delivery: Delivery<'w>,
    unlisted: Unlisted,
    from: HostsFrom,
    hosts: Port,
}

impl Discovered {
    /// Envoy's counters of these updates begin so.
    const fn counters(self) -> &'static str {
        match self {
            Self::Routes => "http.service.rds.service",
            Self::Clusters => "cluster_manager.cds",
            Self::Hosts => "cluster.shop",
            Self::Filter => "extension_config_discovery.http_filter.spillgate",
        }
    }
}

impl<'w> DiscoveredShop<'w> {
    /// Opens with five healthy hosts.
    ///
    /// # Errors
    /// When Envoy does not start.
    pub fn open(
        workdir: &'w Workdir,
        options: EnvoyOptions<'_>,
        from: HostsFrom,
        unlisted: Unlisted,
    ) -> Result<Self> {
        let files = Files::new(workdir, from, unlisted)?;
        let hosts = files.cluster(&"h".repeat(9))?;
        Self::start(options, files, |bootstrap| bootstrap.hosts_of(&hosts))
    }

    /// Likewise, with hosts that answer in their own way.
    ///
    /// # Errors
    /// When Envoy does not start.
    pub fn open_with_hosts(
        workdir: &'w Workdir,
        from: HostsFrom,
        answers: &Arc<dyn Responder>,
    ) -> Result<(Self, Vec<Upstream>)> {
        let files = Files::new(workdir, from, Unlisted::Refused)?;
        let hosts = (1..=HEALTHY.len())
            .map(|number| {
                let address = files.host(number).parse()?;
                Upstream::answering(address, answers.clone())
            })
            .collect::<Result<_>>()?;
        let shop = Self::start(EnvoyOptions::default(), files, |bootstrap| bootstrap)?;
        Ok((shop, hosts))
    }

    fn start(
        options: EnvoyOptions<'_>,
        files: Files<'w>,
        add: impl FnOnce(Bootstrap) -> Bootstrap,
    ) -> Result<Self> {
        let service = Port::lease()?;
        let bootstrap = add(files.bootstrap(&service)?);
        let bootstrap = |node: &str, admin| -> Result<String> {
            let text = bootstrap.to_json(node, admin)?;
            let mut bootstrap: Value = serde_json::from_str(&text)?;
            bootstrap["dynamic_resources"]["cds_config"] = files.source(Discovered::Clusters);
            Ok(bootstrap.to_string())
        };
        Ok(Self {
            envoy: Envoy::start_as(files.workdir, options, bootstrap)?,
            files,
            service,
        })
    }

    /// The listener with the filter.
    #[must_use]
    pub const fn service(&self) -> SocketAddr {
        self.service.local()
    }

    /// Changes something without an effect on decisions. Another number is another change.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn change(&self, of: Discovered, number: u64) -> Result<()> {
        self.files.write(of, number)
    }

    /// Changes the hosts.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn change_hosts(&self, health: &str) -> Result<()> {
        self.files.write_hosts(health)
    }

    /// Replaces the cluster by one of the same name that has no hosts, if its hosts are in the cluster.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn replace_by_empty_cluster(&self) -> Result<()> {
        self.files.write_cluster(0, "")
    }

    /// The number of updates that Envoy has accepted, and that it has refused.
    ///
    /// # Errors
    /// When the admin does not answer.
    pub fn updates(&self, of: Discovered) -> Result<(u64, u64)> {
        let counters = of.counters();
        let refused = match of {
            Discovered::Filter => "config_fail",
            _ => "update_rejected",
        };
        // The admin answers this faster than all statistics.
        let text = self.envoy.admin(&format!(
            "/stats?filter=^{counters}\\.(update_success|{refused})$"
        ))?;
        let value = |name: &str| -> Result<u64> {
            let mut lines = text.lines().filter_map(|line| line.split_once(": "));
            let found = lines.find(|(known, _)| known.strip_prefix(counters) == Some(name));
            found.map_or(Ok(0), |(_, value)| Ok(value.parse()?))
        };
        Ok((value(".update_success")?, value(&format!(".{refused}"))?))
    }

    /// Makes a change, and waits until Envoy has accepted or refused it. Returns whether it was accepted.
    ///
    /// # Errors
    /// When Envoy does neither.
    pub fn changed(&self, of: Discovered, number: u64) -> Result<bool> {
        let (accepted, refused) = self.updates(of)?;
        self.change(of, number)?;
        let outcome = || -> Result<Option<bool>> {
            let now = self.updates(of)?;
            Ok(match (now.0 > accepted, now.1 > refused) {
                (false, false) => None,
                (accepted, _) => Some(accepted),
            })
        };
        // Most changes take less time than `eventually` waits between two looks.
        for _ in 0..LOOKS {
            if let Some(accepted) = outcome()? {
                return Ok(accepted);
            }
        }
        eventually(&format!("change {number} of {of:?}"), LIMIT, outcome)
    }

    /// The `ip:port` of a host.
    #[must_use]
    pub fn host(&self, number: usize) -> String {
        self.files.host(number)
    }
}

impl<'w> Files<'w> {
    /// Writes all of them.
    fn new(workdir: &'w Workdir, from: HostsFrom, unlisted: Unlisted) -> Result<Self> {
        let files = Self {
            workdir,
            delivery: Delivery::new(workdir)?,
            unlisted,
            from,
            hosts: Port::lease()?,
        };
        for of in [Discovered::Routes, Discovered::Clusters, Discovered::Filter] {
            files.write(of, 0)?;
        }
        files.write_hosts(HEALTHY)?;
        Ok(files)
    }

    fn host(&self, number: usize) -> String {
        format!("{NETWORK}.{number}:{}", self.hosts.number())
    }

    fn name(of: Discovered) -> &'static str {
        match of {
            Discovered::Routes => "rds.json",
            Discovered::Clusters => "cds.json",
            Discovered::Hosts => "eds.json",
            // The name that `Delivery` uses.
            Discovered::Filter => "ecds.json",
        }
    }

    fn source(&self, of: Discovered) -> Value {
        json!({
            "resource_api_version": "V3",
            "path_config_source": {"path": self.workdir.path().join(Self::name(of))},
        })
    }

    fn bootstrap(&self, service: &Port) -> Result<Bootstrap> {
        let filters = self.delivery.filters();
        let mut listener = http_listener("service", service.number(), &[], filters);
        let manager = &mut listener["filter_chains"][0]["filters"][0]["typed_config"];
        manager["rds"] = json!({
            "route_config_name": "service",
            "config_source": self.source(Discovered::Routes),
        });
        if let Some(manager) = manager.as_object_mut() {
            manager.remove("route_config");
        }
        Ok(Bootstrap::new().listener(listener))
    }

    fn cluster(&self, health: &str) -> Result<Cluster> {
        let priorities = vec![priority(NETWORK, self.hosts.number(), health)?];
        Ok(plain(CLUSTER, Policy::RoundRobin, priorities))
    }

    fn write_hosts(&self, health: &str) -> Result<()> {
        let mut hosts = assignment(&self.cluster(health)?)?;
        hosts["@type"] =
            json!("type.googleapis.com/envoy.config.endpoint.v3.ClusterLoadAssignment");
        self.write_resource(Discovered::Hosts, &hosts)
    }

    /// The hosts are those of `health`, unless they come from their own file.
    fn write_cluster(&self, number: u64, health: &str) -> Result<()> {
        let hosts = self.workdir.path().join(Self::name(Discovered::Hosts));
        let mut cluster = eds(self.workdir.form(), CLUSTER, &hosts, self.unlisted);
        if self.from == HostsFrom::Cluster {
            cluster["type"] = json!("STATIC");
            cluster["eds_cluster_config"] = Value::Null;
            cluster["load_assignment"] = assignment(&self.cluster(health)?)?;
        }
        cluster["@type"] = json!("type.googleapis.com/envoy.config.cluster.v3.Cluster");
        cluster["connect_timeout"] = json!(format!("{}s", 5 + number % 100));
        self.write_resource(Discovered::Clusters, &cluster)
    }

    fn write(&self, of: Discovered, number: u64) -> Result<()> {
        let resource = match of {
            Discovered::Routes => json!({
                "@type": "type.googleapis.com/envoy.config.route.v3.RouteConfiguration",
                "name": "service",
                "virtual_hosts": [{
                    "name": format!("service-{number}"),
                    "domains": ["*"],
                    "routes": [to_cluster_of_module(CLUSTER)],
                }],
            }),
            Discovered::Clusters => return self.write_cluster(number, HEALTHY),
            Discovered::Hosts => {
                let health = ["hhhhh", "hhuhh", "hhhhhh", "uhhhhh", "hhhh"];
                let number = usize::try_from(number)? % health.len();
                return self.write_hosts(health[number]);
            }
            Discovered::Filter => {
                return self.delivery.give(&configuration(number).to_string());
            }
        };
        self.write_resource(of, &resource)
    }

    fn write_resource(&self, of: Discovered, resource: &Value) -> Result<()> {
        let text = json!({"resources": [resource]}).to_string();
        self.workdir.write(Self::name(of), &text)?;
        Ok(())
    }
}

/// The filter's configuration. The module learns the hosts from Envoy.
fn configuration(number: u64) -> Value {
    json!({
        "clusters": [{"name": CLUSTER, "lb_policy": "ROUND_ROBIN"}],
        "target": CLUSTER,
        "hash_policy": hash_policy(),
        "reserved_headers": [format!("x-change-{number}")],
    })
}
