//! The use cases: documents of `docs/mesh/examples/`, the caller, and the health of its zone.

/// Documents and the proxy that sends requests.
#[derive(Debug, Clone, Copy)]
pub struct UseCase {
    /// The name of its files in `docs/mesh/examples/`, or of the variant.
    pub name: &'static str,
    /// The files with policies and routes.
    pub policies: &'static [&'static str],
    /// A text of the policies and its replacement.
    pub change: Option<(&'static str, &'static str)>,
    /// The file with Dataplanes.
    pub endpoints: &'static str,
    /// The zone of the caller.
    pub zone: &'static str,
    /// The file with the caller; without one, any proxy of the zone.
    pub proxy: Option<&'static str>,
}

/// The reading of Kuma's policies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reading {
    /// The released code.
    Kuma,
    /// The decision record.
    Madr,
}

/// The health of the hosts in the zone of the caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LocalZone {
    /// All hosts are healthy.
    Healthy,
    /// The second half of the hosts is unhealthy.
    HalfLost,
    /// All hosts are unhealthy.
    Lost,
}

/// The eight use cases, each as its page shows it.
pub const USE_CASES: [UseCase; 8] = [
    three_zones("single-zone", &["single-zone.yaml"], "zone-1"),
    UseCase {
        endpoints: "nodes.yaml",
        proxy: Some("web-on-n1.yaml"),
        ..three_zones("node-and-az", &["node-and-az.yaml"], "zone-1")
    },
    three_zones("any-zone", &["any-zone.yaml"], "zone-1"),
    three_zones("zone-list", &["zone-list.yaml"], "zone-2"),
    three_zones("ordered-zones", &["ordered-zones.yaml"], "zone-2"),
    three_zones("route-split", &["route-split.yaml"], "zone-1"),
    three_zones("exclude-zone", &["exclude-zone.yaml"], "zone-2"),
    UseCase {
        endpoints: "six-zones.yaml",
        ..three_zones("zone-groups", &["zone-groups.yaml"], "eu-2")
    },
];

/// Use cases where the two readings differ, or a part of the requests has no host.
pub const VARIANTS: [UseCase; 3] = [
    three_zones("exclude-zone from zone-3", &["exclude-zone.yaml"], "zone-3"),
    UseCase {
        change: Some((
            "crossZone:\n",
            "crossZone:\n          failoverThreshold: {percentage: 70}\n",
        )),
        ..three_zones("any-zone below 70 %", &["any-zone.yaml"], "zone-1")
    },
    three_zones(
        "route-split within the zone",
        &["route-split.yaml", "single-zone.yaml"],
        "zone-1",
    ),
];

/// A hash policy with locality weights and failover: the control plane gives the failover zone no
/// weight, so that Envoy answers 503 for it; `convert` adds one.
pub const WEIGHTLESS: UseCase = UseCase {
    change: Some((
        "      localityAwareness:\n",
        "      loadBalancer: {type: Maglev}
      hashPolicies:
      - {type: Header, header: {name: x-key}}
      localityAwareness:
        crossZone: {failover: [{to: {type: Any}}]}
",
    )),
    ..USE_CASES[1]
};

/// The use cases that gRPC's own client serves: locality weights, two failover zones, two failover
/// priorities, and priorities that have a gap for Envoy.
pub const GRPC_CASES: [&str; 4] = ["node-and-az", "any-zone", "ordered-zones", "zone-groups"];

const fn three_zones(
    name: &'static str,
    policies: &'static [&'static str],
    zone: &'static str,
) -> UseCase {
    UseCase {
        name,
        policies,
        change: None,
        endpoints: "three-zones.yaml",
        zone,
        proxy: None,
    }
}

impl UseCase {
    /// The use case with this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        USE_CASES.into_iter().find(|case| case.name == name)
    }
}

impl Reading {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Kuma, Self::Madr];

    /// The value of `--compat`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Kuma => "kuma",
            Self::Madr => "madr",
        }
    }
}

impl LocalZone {
    /// All three.
    pub const ALL: [Self; 3] = [Self::Healthy, Self::HalfLost, Self::Lost];

    /// A short text.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Healthy => "healthy",
            Self::HalfLost => "half lost",
            Self::Lost => "lost",
        }
    }

    /// How many of the zone's hosts stay healthy.
    #[must_use]
    pub const fn kept(self, hosts: usize) -> usize {
        match self {
            Self::Healthy => hosts,
            Self::HalfLost => hosts / 2,
            Self::Lost => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;

    use anyhow::{Result, ensure};

    use super::super::files::examples;
    use super::*;

    #[test]
    fn every_policy_of_the_documentation_is_a_use_case() -> Result<()> {
        let mut policies = BTreeSet::new();
        for entry in fs::read_dir(examples())? {
            let path = entry?.path();
            let text = fs::read_to_string(&path)?;
            let kinds = ["type: MeshLoadBalancingStrategy", "type: MeshHTTPRoute"];
            if kinds.iter().any(|kind| text.contains(kind)) {
                policies.extend(
                    path.file_name()
                        .map(|name| name.to_string_lossy().into_owned()),
                );
            }
        }
        let used = USE_CASES.iter().flat_map(|case| case.policies);
        let used: BTreeSet<String> = used.map(|name| (*name).to_owned()).collect();
        ensure!(used == policies, "{used:?} instead of {policies:?}");
        ensure!(GRPC_CASES.iter().all(|name| UseCase::named(name).is_some()));
        Ok(())
    }
}
