//! What a gRPC client reads of the clusters of an input, whatever the health of their hosts.

use std::collections::{BTreeMap, BTreeSet};

use crate::{input::Faults, unknown::HOSTS_UNKNOWN};
use spillgate_config::{
    NamedText, SourceMap,
    envoy::{
        EnvoyConfig,
        facts::{ClusterFacts, ConfigFacts, LocalityFacts},
    },
};
use spillgate_core::model::{Cluster, ClusterKind, Locality, Model, PlainCluster};
use spillgate_grpc::shares::{FieldErrors, LeafPolicy, assignment_errors, entries};

use super::{
    assignment::{has_more_addresses, stated_entries},
    cluster::{ReadCluster, read_cluster},
    messages::{Messages, ParsedTexts},
    policy::ReadPolicy,
};

/// What Istio's control plane sends to gRPC clients.
pub const ISTIO_GRPC: &str = "Istio sends gRPC clients other clusters than Envoys (its generator `grpc`): ROUND_ROBIN unless the policy \
     is a consistent hash; these are not modeled";

/// The clusters by name.
#[derive(Debug, Default)]
pub struct GrpcReading {
    pub(super) clusters: BTreeMap<String, GrpcResource>,
}

/// One cluster.
#[derive(Debug)]
pub(super) struct GrpcResource {
    /// Why gRPC rejects the cluster (NACK).
    pub(super) cluster_rejected: Option<String>,
    /// Why it rejects the endpoints (NACK).
    pub(super) endpoints_rejected: Option<String>,
    /// Why its shares are not known.
    pub(super) unknown: Option<String>,
    /// Its policy, if the cluster is accepted.
    pub(super) policy: LeafPolicy,
    /// Whether it has the addresses of a DNS name as hosts.
    pub(super) logical_dns: bool,
    /// Whether its hosts have addresses that the model does not have (`additional_addresses`).
    pub(super) more_addresses: bool,
    /// What the answer assumes.
    pub(super) notes: Vec<String>,
}

impl GrpcReading {
    /// Reads the clusters of texts, from the facts that lint reads there; `of_istio` for texts of its control
    /// plane.
    ///
    /// # Errors
    /// Those of the texts.
    pub fn of(
        texts: &[NamedText],
        envoy: &EnvoyConfig,
        facts: Option<&ConfigFacts>,
        of_istio: bool,
    ) -> Result<Self, Faults> {
        let parsed = ParsedTexts::of(texts)?;
        let messages = Messages::of(&parsed, &envoy.sources);
        let clusters = envoy.model.clusters().iter();
        let read = clusters.map(|cluster| {
            let found = facts.and_then(|facts| facts_of(facts, &cluster.name));
            let mut resource = resource(cluster, found, &messages);
            if let ClusterKind::Plain(plain) = &cluster.kind {
                if !envoy.marks.knows_hosts(&cluster.name) {
                    resource.unknown = Some(HOSTS_UNKNOWN.into());
                } else if facts.is_some() && lacks_weights(plain, found) {
                    let why = "the weights of localities are not in the input";
                    resource.unknown = Some(why.into());
                }
            }
            if of_istio {
                resource.notes.push(ISTIO_GRPC.into());
            }
            (cluster.name.clone(), resource)
        });
        Ok(Self {
            clusters: read.collect(),
        })
    }

    /// Reads the clusters of a model whose messages are not in the input.
    pub fn of_model(model: &Model) -> Self {
        let parsed = ParsedTexts::none();
        let files = SourceMap::default();
        let messages = Messages::of(&parsed, &files);
        let clusters = model.clusters().iter();
        let read = clusters.map(|of| (of.name.clone(), resource(of, None, &messages)));
        Self {
            clusters: read.collect(),
        }
    }
}

fn facts_of<'f>(facts: &'f ConfigFacts, name: &str) -> Option<&'f ClusterFacts> {
    facts.clusters.iter().find(|facts| facts.name == name)
}

fn resource(
    cluster: &Cluster,
    facts: Option<&ClusterFacts>,
    messages: &Messages<'_>,
) -> GrpcResource {
    let stated = facts.filter(|facts| !facts.endpoints_only);
    let message = stated.and_then(|facts| Some((facts, messages.at(&facts.place)?)));
    let read = match message {
        Some((facts, message)) => read_cluster(message, is_static(&facts.place.path)),
        None => of_model(cluster),
    };
    let mut resource = GrpcResource {
        cluster_rejected: None,
        endpoints_rejected: None,
        unknown: None,
        policy: LeafPolicy::ROUND_ROBIN,
        logical_dns: read.logical_dns,
        more_addresses: facts.is_some_and(|facts| has_more_addresses(&facts.localities, messages)),
        notes: read.notes,
    };
    if !read.errors.is_empty() {
        let heading = "errors validating Cluster resource";
        resource.cluster_rejected = Some(read.errors.text(heading));
        return resource;
    }
    match read.policy {
        Some(ReadPolicy::Known(policy)) => resource.policy = policy,
        Some(ReadPolicy::Unknown(why)) => resource.unknown = Some(why),
        None => resource.unknown = Some("the policy is not readable".into()),
    }
    if let ClusterKind::Plain(plain) = &cluster.kind
        && !read.logical_dns
    {
        let facts = facts.filter(|facts| !facts.localities.is_empty());
        let entries = match facts {
            Some(facts) => stated_entries(&facts.localities, messages),
            None => entries(&plain.priorities),
        };
        let errors = assignment_errors(&entries);
        if !errors.is_empty() {
            let heading = "errors parsing EDS resource";
            resource.endpoints_rejected = Some(errors.text(heading));
        } else if let Some(what) = facts.and_then(|facts| merged(&facts.localities)) {
            resource.unknown = Some(format!(
                "{what} appears twice: Envoy merges or drops one, gRPC ignores one by its status or weight"
            ));
        }
    }
    resource
}

/// An address or a weighted locality that entries have twice. A model has merged it, and gRPC does not.
fn merged(entries: &[LocalityFacts]) -> Option<String> {
    let (mut addresses, mut localities) = (BTreeSet::new(), BTreeMap::new());
    for entry in entries {
        for endpoint in &entry.endpoints {
            if !endpoint.address.is_empty() && !addresses.insert(&endpoint.address) {
                return Some(format!("address {}", endpoint.address));
            }
        }
        let name = (entry.priority, entry.locality.to_string());
        let weighted = entry.weight_value > 0;
        if let Some(before) = localities.insert(name, weighted)
            && (before || weighted)
        {
            return Some(format!(
                "locality {} of P{}",
                entry.locality, entry.priority
            ));
        }
    }
    None
}

/// A cluster whose message is not in the input, such as that of a mesh: a control plane sends it with
/// type EDS.
fn of_model(cluster: &Cluster) -> ReadCluster {
    let mut errors = FieldErrors::default();
    let mut policy = None;
    match &cluster.kind {
        ClusterKind::Plain(plain) => match LeafPolicy::of_lb_policy(&plain.policy) {
            Ok(read) => policy = Some(ReadPolicy::Known(read)),
            Err((field, error)) => errors.add(field, error),
        },
        ClusterKind::Aggregate(_) => policy = Some(ReadPolicy::Known(LeafPolicy::ROUND_ROBIN)),
        ClusterKind::Composite(_) | ClusterKind::OriginalDst(_) => {
            errors.add("type", "unknown discovery type");
        }
    }
    ReadCluster {
        errors,
        policy,
        ..ReadCluster::default()
    }
}

/// Whether the path is that of a cluster in a bootstrap.
fn is_static(path: &str) -> bool {
    path.split(['.', '[']).any(|part| {
        matches!(
            part,
            "static_resources" | "static_clusters" | "staticResources"
        )
    })
}

/// Whether hosts of a running Envoy are in localities that the configuration does not have, so that
/// nothing states a weight.
fn lacks_weights(plain: &PlainCluster, facts: Option<&ClusterFacts>) -> bool {
    let stated = |priority: usize, locality: &Locality| {
        let entries = facts.map_or(&[][..], |facts| &facts.localities);
        let mut entries = entries.iter();
        entries.any(|entry| entry.priority == priority && entry.locality == *locality)
    };
    let priorities = plain.priorities.iter().enumerate();
    let mut localities = priorities.flat_map(|(priority, of)| {
        of.localities
            .iter()
            .map(move |locality| (priority, locality))
    });
    localities.any(|(priority, of)| of.weight.is_none() && !stated(priority, &of.locality))
}
