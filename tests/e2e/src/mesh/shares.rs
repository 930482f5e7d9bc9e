//! The shares that `spillgate split` predicts, over the routes of a destination.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context as _, Result, ensure};
use serde_json::Value;

use super::{ConvertedMesh, MeshFiles, Reading};
use crate::{Workdir, command::spillgate};

/// Predicted shares of the requests to a destination, in percent.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct MeshShares {
    /// By address.
    pub hosts: BTreeMap<String, f64>,
    /// Without a host.
    pub no_host: f64,
}

impl MeshShares {
    /// `split` of the documents, with `--health` of hosts of which these are lost. `published` is
    /// the `/clusters` of the Envoy that runs the converted form, if there is one: with it as
    /// `--health`, `split` must give the same.
    ///
    /// # Errors
    /// If a command fails, or the two kinds of health differ.
    pub fn of_documents(
        workdir: &Workdir,
        files: &MeshFiles,
        reading: Reading,
        lost: &BTreeSet<String>,
        published: Option<&str>,
    ) -> Result<Self> {
        let all = files.run("split", reading, &["--format", "json"])?;
        let health = clusters_text(&serde_json::from_str(&all)?, lost)?;
        let split = |name: &str, health: &str| {
            // `/clusters` without a host is not a health of anything.
            if health.is_empty() {
                return Ok(all.clone());
            }
            let path = workdir.write(name, health)?;
            let path = path.to_str().context("a path in UTF-8")?;
            files.run("split", reading, &["--format", "json", "--health", path])
        };
        let predicted = split("health.txt", &health)?;
        if let Some(published) = published.filter(|_| !health.is_empty()) {
            let by_envoy = split("clusters.txt", published)?;
            ensure!(
                by_envoy == predicted,
                "with /clusters, split prints {by_envoy} instead of {predicted}"
            );
        }
        Self::over_routes(&serde_json::from_str(&predicted)?, files, reading)
    }

    /// `split` of a converted configuration.
    ///
    /// # Errors
    /// If a command fails.
    pub fn of_converted(
        workdir: &Workdir,
        files: &MeshFiles,
        reading: Reading,
        converted: &ConvertedMesh,
    ) -> Result<Self> {
        let path = workdir.write("converted.json", &converted.text())?;
        let path = path.to_str().context("a path in UTF-8")?;
        let split = spillgate(["split", path, "--format", "json"])?.output;
        Self::over_routes(&serde_json::from_str(&split)?, files, reading)
    }

    /// Whether the shares of all hosts are equal, apart from rounding.
    #[must_use]
    pub fn near(&self, other: &Self) -> bool {
        let hosts: BTreeSet<&String> = self.hosts.keys().chain(other.hosts.keys()).collect();
        let share = |of: &Self, host| of.hosts.get(host).copied().unwrap_or(0.0);
        (self.no_host - other.no_host).abs() < 1e-6
            && hosts
                .iter()
                .all(|host| (share(self, *host) - share(other, *host)).abs() < 1e-6)
    }

    /// The shares of the clusters, weighted as the route does.
    fn over_routes(split: &Value, files: &MeshFiles, reading: Reading) -> Result<Self> {
        let converted = files.run("convert", reading, &["--to", "json"])?;
        let converted: Value = serde_json::from_str(&converted)?;
        let destinations = &converted["views"][0]["destinations"];
        ensure!(
            destinations.as_array().map(Vec::len) == Some(1),
            "not one destination: {destinations}"
        );
        let routes = destinations[0]["rules"][0]["splits"].as_array();
        let clusters = split["clusters"].as_array().context("no clusters")?;
        let mut shares = Self::default();
        for route in routes.context("no routes")? {
            let percent = route["percent"].as_f64().context("no share of a route")?;
            let mut named = clusters.iter();
            let cluster = named
                .find(|cluster| cluster["name"] == route["cluster"])
                .with_context(|| format!("{split} without {route}"))?;
            let part = |share: &Value| {
                let share = share.as_f64().context("no share")?;
                anyhow::Ok(share * percent / 100.0)
            };
            shares.no_host += part(&cluster["no_host"])?;
            for endpoint in cluster["endpoints"].as_array().context("no endpoints")? {
                let address = endpoint["address"].as_str().context("no address")?;
                *shares.hosts.entry(address.into()).or_default() += part(&endpoint["share"])?;
            }
        }
        Ok(shares)
    }
}

/// `/clusters` of an Envoy with the hosts of a split.
fn clusters_text(split: &Value, lost: &BTreeSet<String>) -> Result<String> {
    let mut text = String::new();
    for cluster in split["clusters"].as_array().context("no clusters")? {
        let name = cluster["name"].as_str().context("no name")?;
        for endpoint in cluster["endpoints"].as_array().context("no endpoints")? {
            let address = endpoint["address"].as_str().context("no address")?;
            let flags = if lost.contains(address) {
                "/failed_eds_health"
            } else {
                "healthy"
            };
            text.push_str(&format!("{name}::{address}::health_flags::{flags}\n"));
        }
    }
    Ok(text)
}
