//! An Envoy that keeps sessions with our filter.

use std::time::Duration;

use anyhow::Result;
use serde_json::{Value, json};
use spillgate_config::filter::FilterForm;
use spillgate_core::model::{Cluster, PanicThreshold};

use super::EdsHosts;
use crate::config::{
    Bootstrap, admin_cluster, dropping_internal_headers, http_listener, isolated, native,
    our_filters, to_chosen_cluster,
};
use crate::{Client, Envoy, Port, Workdir, eventually};

/// Far more than a poll and a tick take.
const LIMIT: Duration = Duration::from_secs(30);

/// The Envoy and its service, the listener with our filter.
#[derive(Debug)]
pub struct Gateway {
    /// The process.
    pub envoy: Envoy,
    /// The port of its service.
    pub service: Port,
}

impl Gateway {
    /// A gateway whose filter polls the admin for the health of these hosts; it waits for the first
    /// decision. `filter` is the filter's configuration without the clusters of the hosts, and
    /// `bootstrap` has the other listeners and clusters.
    ///
    /// # Errors
    /// When Envoy does not start or the filter makes no decision.
    pub fn polling(
        workdir: &Workdir,
        hosts: &[&EdsHosts<'_>],
        filter: Value,
        bootstrap: Bootstrap,
    ) -> Result<Self> {
        Self::polling_at(PanicThreshold::DEFAULT, workdir, hosts, filter, bootstrap)
    }

    /// Like [`Gateway::polling`], with another panic threshold of the clusters.
    ///
    /// # Errors
    /// As [`Gateway::polling`].
    pub fn polling_at(
        panic: PanicThreshold,
        workdir: &Workdir,
        hosts: &[&EdsHosts<'_>],
        mut filter: Value,
        bootstrap: Bootstrap,
    ) -> Result<Self> {
        let names: Vec<&str> = hosts.iter().map(|hosts| hosts.cluster()).collect();
        let clusters = names.iter().map(|name| {
            let panic = json!({"healthy_panic_threshold": {"value": panic.percent()}});
            Ok(json!({"name": name, "lb_policy": "ROUND_ROBIN", "common_lb_config": panic}))
        });
        add_clusters(&mut filter, clusters)?;
        filter["health"] = json!({"source": "admin", "cluster": "admin"});
        filter["tick"] = json!("0.05s");
        let (service, form) = (Port::lease()?, workdir.form());
        let filters = our_filters(form, &filter)?;
        let poll = json!({"poll": [{"cluster": "admin", "targets": names, "interval": "0.1s"}]});
        let mut bootstrap = bootstrap
            .listener(session_listener(form, &service, filters))
            .observing(form, &poll)?;
        for hosts in hosts {
            bootstrap = bootstrap.cluster(hosts.steered(form));
        }
        let envoy = Envoy::start_with(workdir, |node, admin| {
            bootstrap.cluster(admin_cluster(admin)).to_json(node, admin)
        })?;
        let gateway = Self { envoy, service };
        eventually("a decision", LIMIT, || {
            // Until the first poll, requests get 503.
            gateway.client().get("/", &[])?;
            let decided = gateway.envoy.total("spillgate.decisions.")?;
            Ok((decided > 0).then_some(()))
        })?;
        Ok(gateway)
    }

    /// A gateway whose filter has these hosts in its configuration.
    ///
    /// # Errors
    /// When Envoy does not start.
    pub fn configured(
        workdir: &Workdir,
        hosts: &[&Cluster],
        mut filter: Value,
        mut bootstrap: Bootstrap,
    ) -> Result<Self> {
        add_clusters(&mut filter, hosts.iter().map(|cluster| native(cluster)))?;
        let (service, form) = (Port::lease()?, workdir.form());
        for cluster in hosts {
            bootstrap = bootstrap
                .hosts_of(cluster)
                .cluster(isolated(form, cluster)?);
        }
        let filters = our_filters(form, &filter)?;
        let bootstrap = bootstrap.listener(session_listener(form, &service, filters));
        let envoy = Envoy::start(workdir, &bootstrap)?;
        Ok(Self { envoy, service })
    }

    /// A new client of the service.
    #[must_use]
    pub const fn client(&self) -> Client {
        Client::new(self.service.local())
    }
}

/// The listener of a service with these filters.
#[must_use]
pub fn session_listener(form: FilterForm, port: &Port, filters: Vec<Value>) -> Value {
    let routes = [to_chosen_cluster(form)];
    dropping_internal_headers(http_listener("service", port.number(), &routes, filters))
}

/// Puts clusters before those that the filter's configuration has already.
fn add_clusters(filter: &mut Value, clusters: impl Iterator<Item = Result<Value>>) -> Result<()> {
    let mut all = clusters.collect::<Result<Vec<Value>>>()?;
    if let Some(others) = filter["clusters"].as_array() {
        all.extend_from_slice(others);
    }
    filter["clusters"] = all.into();
    Ok(())
}
