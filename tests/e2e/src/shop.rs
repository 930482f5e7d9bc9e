//! A small shop behind our filter: an aggregate of a primary and a secondary cluster.

use std::net::SocketAddr;

use anyhow::{Context as _, Result, anyhow, ensure};
use serde_json::{Value, json};
use spillgate_core::model::{Cluster, MaglevConfig, Model, Policy};

use crate::config::{
    Bootstrap, CLUSTER_HEADER, Delivery, HOST_HEADER, KEY_HEADER, SERVED_HEADER, Unlisted,
    aggregate, assignment, eds, hash_policy, http_listener, native, plain, priority,
    to_chosen_cluster,
};
use crate::{Client, Envoy, Port, ReferenceEngine, Workdir};

/// The secret that a caller presents to see a trace.
pub const DEBUG_SECRET: (&str, &str) = ("x-spillgate-debug", "open sesame, open sesame");
/// The response header of the trace.
pub const TRACE_HEADER: &str = "x-spillgate-trace";

/// A cluster of the same Envoy that is unknown to the filter. Its one host is at 127.3.9.1.
pub const PRIVATE_CLUSTER: &str = "private";

/// The running shop. `primary` is at 127.3.0.x, `secondary` at 127.3.1.x.
#[derive(Debug)]
pub struct Shop<'w> {
    /// The process.
    pub envoy: Envoy,
    /// The filter's configuration file.
    pub delivery: Delivery<'w>,
    /// A client of the listener with the filter.
    pub client: Client,
    workdir: &'w Workdir,
    service: Port,
    hosts: Port,
}

impl<'w> Shop<'w> {
    /// Opens with that health, one letter a host.
    ///
    /// # Errors
    /// When Envoy does not start.
    pub fn open(workdir: &'w Workdir, primary: &str, secondary: &str) -> Result<Self> {
        Self::open_with(workdir, primary, secondary, |right| right)
    }

    /// Likewise, with another first configuration of the filter, made from the right one.
    ///
    /// # Errors
    /// As [`Shop::open`].
    pub fn open_with(
        workdir: &'w Workdir,
        primary: &str,
        secondary: &str,
        first: impl FnOnce(String) -> String,
    ) -> Result<Self> {
        let (service, hosts) = (Port::lease()?, Port::lease()?);
        let delivery = Delivery::new(workdir)?;
        let clusters = clusters(hosts.number(), primary, secondary)?;
        delivery.give(&first(configuration(&clusters)?.to_string()))?;
        let private = priority("127.3.9", hosts.number(), "h")?;
        let private = plain(PRIVATE_CLUSTER, Policy::Random, vec![private]);
        let mut bootstrap = Bootstrap::new()
            .listener(http_listener(
                "service",
                service.number(),
                &[to_chosen_cluster(workdir.form())],
                delivery.filters(),
            ))
            .cluster(native(&private)?)
            .hosts_of(&private);
        for member in &clusters[..2] {
            let file = workdir.write(&eds_file(member), &eds_text(member)?)?;
            bootstrap = bootstrap
                .cluster(eds(workdir.form(), &member.name, &file, Unlisted::Served))
                .hosts_of(member);
        }
        Ok(Self {
            envoy: Envoy::start(workdir, &bootstrap)?,
            delivery,
            client: Client::new(service.local()),
            workdir,
            service,
            hosts,
        })
    }

    /// The clusters with that health.
    ///
    /// # Errors
    /// When a letter is no health.
    pub fn clusters(&self, primary: &str, secondary: &str) -> Result<[Cluster; 3]> {
        clusters(self.hosts.number(), primary, secondary)
    }

    /// The engine for that health.
    ///
    /// # Errors
    /// When a letter is no health.
    pub fn engine(&self, primary: &str, secondary: &str) -> Result<ReferenceEngine> {
        let model = Model::new(self.clusters(primary, secondary)?.into())
            .map_err(|errors| anyhow!("{errors:?}"))?;
        Ok(ReferenceEngine::new(&model))
    }

    /// Changes the health of the hosts, both for Envoy and for the filter.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub fn change_health(&self, primary: &str, secondary: &str) -> Result<()> {
        let clusters = self.clusters(primary, secondary)?;
        for member in &clusters[..2] {
            self.workdir.write(&eds_file(member), &eds_text(member)?)?;
        }
        self.delivery.give(&configuration(&clusters)?.to_string())
    }

    /// The filter's configuration for that health.
    ///
    /// # Errors
    /// When a letter is no health.
    pub fn configuration(&self, primary: &str, secondary: &str) -> Result<Value> {
        configuration(&self.clusters(primary, secondary)?)
    }

    /// The listener with the filter.
    #[must_use]
    pub const fn service(&self) -> SocketAddr {
        self.service.local()
    }

    /// The `ip:port` of a host.
    #[must_use]
    pub fn host(&self, ip: &str) -> String {
        format!("{ip}:{}", self.hosts.number())
    }

    /// Sends a key with further headers to the shop. Whatever is sent, it must be served, and what
    /// our filter sends to Envoy must reach neither host nor client.
    ///
    /// # Errors
    /// When it is not so.
    pub fn visit(&mut self, key: &str, headers: &[(&str, &str)]) -> Result<Visit> {
        let mut all = vec![(KEY_HEADER, key)];
        all.extend_from_slice(headers);
        let response = self.client.get("/", &all)?;
        let seen = &response.headers;
        ensure!(
            response.status == 200,
            "{} {}: {seen:?}",
            response.status,
            response.text()
        );
        for internal in [HOST_HEADER, CLUSTER_HEADER] {
            ensure!(
                response.header(internal).is_none(),
                "the client got {internal}: {seen:?}"
            );
        }
        let host = response.header(SERVED_HEADER);
        Ok(Visit {
            host: host.context("the answer names no host")?.to_owned(),
            trace: response.header(TRACE_HEADER).map(str::to_owned),
        })
    }
}

/// The result of a visit.
#[derive(Debug)]
pub struct Visit {
    /// The host that served.
    pub host: String,
    /// The trace header.
    pub trace: Option<String>,
}

/// The member that owns a host.
#[must_use]
pub fn member_of(host: &str) -> &'static str {
    if host.starts_with("127.3.0.") {
        "primary"
    } else {
        "secondary"
    }
}

fn clusters(port: u16, primary: &str, secondary: &str) -> Result<[Cluster; 3]> {
    let member = |name, network, health| -> Result<Cluster> {
        let policy = Policy::Maglev(MaglevConfig::default());
        Ok(plain(name, policy, vec![priority(network, port, health)?]))
    };
    Ok([
        member("primary", "127.3.0", primary)?,
        member("secondary", "127.3.1", secondary)?,
        aggregate("shop", &["primary", "secondary"]),
    ])
}

/// The filter's configuration for those clusters.
fn configuration(clusters: &[Cluster]) -> Result<Value> {
    let clusters = clusters.iter().map(native).collect::<Result<Vec<_>>>()?;
    let (header, value) = DEBUG_SECRET;
    Ok(json!({
        "clusters": clusters,
        "target": "shop",
        "hash_policy": hash_policy(),
        "trace": {"header": TRACE_HEADER, "when": {"header": header, "value": value}},
    }))
}

fn eds_file(cluster: &Cluster) -> String {
    format!("eds-{}.json", cluster.name)
}

fn eds_text(cluster: &Cluster) -> Result<String> {
    let mut assignment = assignment(cluster)?;
    assignment["@type"] =
        json!("type.googleapis.com/envoy.config.endpoint.v3.ClusterLoadAssignment");
    Ok(json!({"resources": [assignment]}).to_string())
}
