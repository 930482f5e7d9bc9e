//! What hosts report: `--reported`, weights for `client_side_weighted_round_robin`, and `--utilization`.

use spillgate_core::visible::quoted;
use std::net::SocketAddr;

use spillgate_answers::input::Faults;
use spillgate_config::{Affects, Diagnostic, nearest};
use spillgate_core::model::{Cluster, ClusterKind, Endpoint, Policy};

use crate::{
    config::Config,
    utilization::{self, utilization},
};

/// The code of the limit that reported weights are not in the input.
const LIMIT: &str = "config/reported-weights";

/// The weights and the utilization that hosts report.
#[derive(Debug, Clone, Default, clap::Args)]
pub(crate) struct ReportedArgs {
    /// Weight that a host reports; repeatable [default: equal weights].
    #[arg(long, value_name = "HOST=WEIGHT", value_parser = reported)]
    pub(crate) reported: Vec<(String, u32)>,
    /// Load that a host reports, 0.5 for half; repeatable [default: idle].
    #[arg(long, value_name = "HOST=U", value_parser = utilization)]
    pub(crate) utilization: Vec<(String, f64)>,
}

/// Parses `IP:PORT=WEIGHT`.
fn reported(text: &str) -> Result<(String, u32), String> {
    let parts = text.rsplit_once('=').and_then(|(address, weight)| {
        let address: SocketAddr = address.parse().ok()?;
        Some((address.to_string(), weight.parse().ok()?))
    });
    parts.ok_or_else(|| "expected IP:PORT=WEIGHT, such as 10.0.0.1:80=120".into())
}

impl ReportedArgs {
    /// Gives the hosts of a configuration their weights, and localities those of their utilization. As in
    /// Envoy, hosts without a reported weight get the median of the others, so the limit of these
    /// clusters ends.
    ///
    /// # Errors
    /// Every address that no cluster with such reports has.
    pub(crate) fn apply(&self, config: &mut Config) -> Result<(), Faults> {
        let mut faults = Faults::default();
        for (address, weight) in &self.reported {
            if let Err(fault) = set(config, address, *weight) {
                faults.push(&format!("--reported {address}"), &fault);
            }
        }
        if faults.is_empty() {
            utilization::apply(&self.utilization, config)
        } else {
            Err(faults)
        }
    }
}

/// Sets the weight of a host in all clusters that use it.
#[allow(clippy::result_large_err, reason = "called once for each option")]
fn set(config: &mut Config, address: &str, weight: u32) -> Result<(), Diagnostic> {
    let envoy = &mut config.envoy;
    let uses = |cluster: &Cluster| match &cluster.kind {
        ClusterKind::Plain(plain) => plain.policy == Policy::ClientSideWeightedRoundRobin,
        ClusterKind::Aggregate(_) | ClusterKind::Composite(_) | ClusterKind::OriginalDst(_) => {
            false
        }
    };
    let mut found = Vec::new();
    let mut known = Vec::new();
    for (index, cluster) in envoy.model.clusters().iter().enumerate() {
        if !uses(cluster) {
            continue;
        }
        let mut priorities = cluster.priorities().to_vec();
        let hosts = || cluster.priorities().iter().flat_map(|of| &of.endpoints);
        known.extend(hosts().map(|host| host.address.clone()));
        if hosts().any(|host| host.address == address) {
            let all = priorities.iter_mut().flat_map(|of| &mut of.endpoints);
            for Endpoint {
                reported_weight, ..
            } in all.filter(|host| host.address == address)
            {
                *reported_weight = Some(weight);
            }
            found.push((index, cluster.name.clone(), priorities));
        }
    }
    if found.is_empty() {
        let what = "no cluster with client_side_weighted_round_robin has this host";
        let fault = Diagnostic::error("reported/unknown-host", what).found(quoted(address));
        let known = known.iter().map(String::as_str);
        return Err(fault.suggest(nearest(address, known)));
    }
    for (index, name, priorities) in found {
        let set = envoy.model.set_priorities(index, priorities);
        set.map_err(|error| Diagnostic::error("config/unusable", error.to_string()))?;
        let of_cluster = Affects::Cluster(name);
        let settled = |one: &Diagnostic| one.code == LIMIT && one.affects == of_cluster;
        envoy.warnings.retain(|warning| !settled(warning));
    }
    Ok(())
}
