//! Clusters.

use alloc::{string::String, vec::Vec};

use super::{FieldPlace, HealthSignals, LocalityFacts, PolicyFacts};
use crate::{
    envoy::discovery::{self, HostOrigin, Members},
    proto::{Message, field_of},
};

/// The facts of a cluster.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClusterFacts {
    /// Its name.
    pub name: String,
    /// Its position.
    pub place: FieldPlace,
    /// Whether the input has only its endpoints, so that its settings are unknown.
    pub endpoints_only: bool,
    /// How it finds its hosts.
    pub discovery: Discovery,
    /// The JSON text of the fields that name the source of hosts that are not in the input: `type`, `cluster_type` and
    /// `eds_cluster_config`; without EDS also those that decide how DNS names are resolved. Clusters of one name with
    /// the same text have the same source.
    #[cfg(feature = "yaml")]
    pub discovery_source: String,
    /// Whether each address of a DNS name is a host (`STRICT_DNS`).
    pub strict_dns: bool,
    /// Whether all addresses of its DNS name are one host (`LOGICAL_DNS`).
    pub one_host: bool,
    /// The field that says so, if it has another value for several hosts: `type`, or
    /// `all_addresses_in_single_endpoint`.
    pub one_host_field: Option<FieldPlace>,
    /// The members of an aggregate, including duplicate and unknown ones.
    pub members: Vec<MemberFacts>,
    /// How Envoy finds out the health of its hosts, and related settings.
    pub signals: HealthSignals,
    /// Its policy with nested policies.
    pub policy: PolicyFacts,
    /// The header with the destination of an `ORIGINAL_DST` cluster, lowercase.
    pub original_dst_header: Option<(String, FieldPlace)>,
    /// Whether metadata can have that destination (`metadata_key`).
    pub original_dst_metadata: bool,
    /// An `idle_timeout` in `typed_extension_protocol_options`.
    pub idle_timeout: Option<FieldPlace>,
    /// The entries of its assignment, in input order.
    pub localities: Vec<LocalityFacts>,
}

/// How a cluster finds its hosts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Discovery {
    /// From the configuration, including DNS names.
    Stated,
    /// From a control plane, with their health.
    Eds,
    /// From the members of the aggregate.
    Aggregate,
    /// From each request.
    OriginalDst,
    /// From another source.
    Other,
}

/// A member of an aggregate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MemberFacts {
    /// Its name.
    pub name: String,
    /// Place of the name.
    pub place: FieldPlace,
}

impl ClusterFacts {
    /// A cluster of which only the name is known yet.
    pub(in crate::envoy) fn new(name: &str, message: &Message<'_, '_>) -> Self {
        Self::at(name, FieldPlace::of(message))
    }

    /// A cluster that a control plane derives from documents of a mesh.
    #[cfg(feature = "mesh")]
    pub(crate) fn of_mesh(name: &str, signals: HealthSignals) -> Self {
        Self {
            discovery: Discovery::Eds,
            signals,
            ..Self::at(name, FieldPlace::default())
        }
    }

    fn at(name: &str, place: FieldPlace) -> Self {
        Self {
            name: name.into(),
            endpoints_only: false,
            discovery: Discovery::Stated,
            #[cfg(feature = "yaml")]
            discovery_source: String::new(),
            strict_dns: false,
            one_host: false,
            one_host_field: None,
            members: Vec::new(),
            signals: HealthSignals::default(),
            policy: PolicyFacts::none(place.clone()),
            original_dst_header: None,
            original_dst_metadata: false,
            idle_timeout: None,
            localities: Vec::new(),
            place,
        }
    }

    /// An assignment without a cluster, read as from EDS.
    pub(in crate::envoy) fn lone(name: &str, message: &Message<'_, '_>) -> Self {
        Self {
            endpoints_only: true,
            discovery: Discovery::Eds,
            ..Self::new(name, message)
        }
    }

    /// Adds how the cluster finds its hosts.
    pub(in crate::envoy) fn found_origin(
        &mut self,
        origin: &HostOrigin,
        cluster: &Message<'_, '_>,
    ) {
        #[cfg(feature = "yaml")]
        {
            self.discovery_source = discovery_source(origin, cluster);
        }
        self.strict_dns = origin.discovery() == Some(discovery::Discovery::StrictDns);
        self.one_host = origin.discovery() == Some(discovery::Discovery::LogicalDns);
        if self.one_host {
            self.one_host_field = match cluster.get("cluster_type") {
                None => Some(self.place.field("type")),
                Some(custom) => field_of(custom, "typed_config").map(|_| {
                    let config = self.place.field("cluster_type").field("typed_config");
                    config.field("all_addresses_in_single_endpoint")
                }),
            };
        }
        self.discovery = match origin {
            HostOrigin::Aggregate(members) => {
                self.members = member_facts(members, cluster);
                Discovery::Aggregate
            }
            #[cfg(feature = "yaml")]
            HostOrigin::Composite(_) => Discovery::Other,
            HostOrigin::Own(own) => (*own).into(),
        };
    }
}

/// The fields that name the source of hosts, as one JSON object.
#[cfg(feature = "yaml")]
fn discovery_source(origin: &HostOrigin, cluster: &Message<'_, '_>) -> String {
    const SOURCE: [&str; 3] = ["type", "cluster_type", "eds_cluster_config"];
    /// With the JSON texts of their defaults.
    const DNS: [(&str, &str); 5] = [
        ("dns_lookup_family", "\"AUTO\""),
        ("dns_resolvers", "[]"),
        ("typed_dns_resolver_config", ""),
        ("dns_resolution_config", ""),
        ("use_tcp_for_dns_lookups", "false"),
    ];
    let text = |field: &'static str, default: &str| {
        let value = crate::node::to_json(cluster.get(field)?);
        (value != default).then(|| alloc::format!("\"{field}\":{value}"))
    };
    let source = SOURCE.into_iter();
    let mut stated: Vec<String> = source.filter_map(|field| text(field, "")).collect();
    if origin.discovery() != Some(discovery::Discovery::Eds) {
        let dns = DNS.into_iter();
        stated.extend(dns.filter_map(|(field, default)| text(field, default)));
    }
    alloc::format!("{{{}}}", stated.join(","))
}

impl From<discovery::Discovery> for Discovery {
    fn from(own: discovery::Discovery) -> Self {
        match own {
            discovery::Discovery::Eds => Self::Eds,
            discovery::Discovery::OriginalDst => Self::OriginalDst,
            discovery::Discovery::Other => Self::Other,
            discovery::Discovery::Static
            | discovery::Discovery::StrictDns
            | discovery::Discovery::LogicalDns => Self::Stated,
        }
    }
}

fn member_facts(members: &Members, cluster: &Message<'_, '_>) -> Vec<MemberFacts> {
    let config = cluster.path.field("cluster_type").field("typed_config");
    let path = config.field("clusters");
    let named = members.names.iter().zip(&members.positions).enumerate();
    named
        .map(|(at, (name, position))| MemberFacts {
            name: name.clone(),
            place: FieldPlace::new(&path.index(at), *position),
        })
        .collect()
}
