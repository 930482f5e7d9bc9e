//! Many proxies of a mesh that reach many services, with and without a cache of assignments.

use std::sync::Arc;

use spillgate_core::draw::{Draw as _, SplitMix64};
use spillgate_mesh::{
    Compat, MeshAssignment,
    kuma::{
        AssignmentCache, CachedPolicy, KumaAffinityTag, KumaCrossZone, KumaDestinationKind,
        KumaEndpoint, KumaFailover, KumaFailoverTo, KumaLocalZone, KumaLocalityAwareness,
        KumaLocalityRules, KumaProxy, KumaView, assignment,
    },
};

/// The size of a mesh.
#[derive(Debug, Clone, Copy)]
pub struct MeshShape {
    /// The number of services.
    pub services: usize,
    /// The endpoints of each service, on random nodes.
    pub endpoints: usize,
    /// The number of proxies, on random nodes.
    pub proxies: usize,
    /// How many random services each proxy reaches.
    pub reached: usize,
    /// The number of zones.
    pub zones: usize,
    /// The nodes of each zone. Every fifth node is in the same availability zone.
    pub nodes: usize,
}

/// A mesh with one policy: same node, same availability zone, rest of the zone, the other zones of
/// the own half, all other zones.
pub struct Mesh {
    services: Vec<Vec<KumaEndpoint>>,
    proxies: Vec<(KumaProxy, Vec<usize>)>,
    rules: KumaLocalityRules,
}

/// How the assignments of all proxies were found.
#[derive(Debug, Clone, Copy, Default)]
pub struct MeshLookups {
    /// The number of assignments, one for each proxy and service.
    pub lookups: u64,
    /// How many of them were known.
    pub hits: u64,
}

impl MeshShape {
    /// The mesh of this size; always the same one.
    #[must_use]
    pub fn mesh(self) -> Mesh {
        let mut draw = SplitMix64::new(1);
        let mut below = |end: usize| (draw.draw() % end as u64) as usize;
        let mut place = || {
            let (zone, node) = (below(self.zones), below(self.nodes));
            (
                format!("zone-{zone}"),
                format!("node-{zone}-{node}"),
                format!("az-{}", node % 5),
            )
        };
        let mut endpoint = |at: usize| {
            let (zone, node, az) = place();
            let address = format!("10.{}.{}.{}:80", at / 65_536, at / 256 % 256, at % 256);
            let mut endpoint = KumaEndpoint::new(address, zone);
            endpoint.tags.insert("k8s.io/node".into(), node);
            endpoint.tags.insert("k8s.io/az".into(), az);
            endpoint
        };
        let services: Vec<Vec<KumaEndpoint>> = (0..self.services)
            .map(|service| {
                let first = service * self.endpoints;
                (first..first + self.endpoints).map(&mut endpoint).collect()
            })
            .collect();
        let places: Vec<_> = (0..self.proxies).map(|_| place()).collect();
        let proxies = places.into_iter().map(|(zone, node, az)| {
            let mut proxy = KumaProxy::new(zone);
            proxy.add_tag("k8s.io/node", node);
            proxy.add_tag("k8s.io/az", az);
            let reached = (0..self.reached).map(|_| below(self.services)).collect();
            (proxy, reached)
        });
        Mesh {
            services,
            proxies: proxies.collect(),
            rules: self.rules(),
        }
    }

    fn rules(self) -> KumaLocalityRules {
        let tag = |key: &str| KumaAffinityTag {
            key: key.into(),
            weight: None,
        };
        let half = |zones: std::ops::Range<usize>| {
            let zones: Vec<String> = zones.map(|zone| format!("zone-{zone}")).collect();
            KumaFailover {
                from_zones: Some(zones.clone()),
                to: KumaFailoverTo {
                    kind: "Only".into(),
                    zones: Some(zones),
                },
            }
        };
        let any = KumaFailover {
            from_zones: None,
            to: KumaFailoverTo {
                kind: "Any".into(),
                zones: None,
            },
        };
        let middle = self.zones / 2;
        let locality = KumaLocalityAwareness {
            disabled: None,
            local_zone: Some(KumaLocalZone {
                affinity_tags: Some(vec![tag("k8s.io/node"), tag("k8s.io/az")]),
            }),
            cross_zone: Some(KumaCrossZone {
                failover: Some(vec![half(0..middle), half(middle..self.zones), any]),
                failover_threshold: None,
            }),
        };
        KumaLocalityRules::new(Some(&locality)).expect("a legal policy")
    }
}

impl Mesh {
    /// The same mesh with only the first proxies.
    pub fn truncate(&mut self, proxies: usize) {
        self.proxies.truncate(proxies);
    }

    /// Every proxy with each service that it reaches.
    fn lookups(&self) -> impl Iterator<Item = (KumaView<'_>, usize)> {
        self.proxies.iter().flat_map(|(proxy, reached)| {
            let view = KumaView {
                proxy,
                destination: KumaDestinationKind::MeshMultiZoneService,
            };
            reached.iter().map(move |&service| (view, service))
        })
    }

    /// All assignments, each computed.
    #[must_use]
    pub fn computed(&self) -> Vec<MeshAssignment> {
        let of = |(view, service): (KumaView<'_>, usize)| {
            assignment(
                view,
                Some(&self.rules),
                &self.services[service],
                Compat::Kuma,
            )
        };
        self.lookups().map(of).collect()
    }

    /// All assignments by a cache for each service. The caches with their indexes live as long as
    /// the assignments.
    #[must_use]
    pub fn cached(&self) -> CachedMesh<'_> {
        let services = self.services.iter();
        let mut caches: Vec<AssignmentCache<'_>> = services
            .map(|endpoints| AssignmentCache::new(endpoints))
            .collect();
        let policy = CachedPolicy {
            number: 0,
            rules: Some(&self.rules),
        };
        let assignments = self
            .lookups()
            .map(|(view, service)| caches[service].assignment(view, policy, Compat::Kuma))
            .collect();
        CachedMesh {
            caches,
            assignments,
        }
    }
}

/// All assignments of a mesh, shared.
pub struct CachedMesh<'a> {
    caches: Vec<AssignmentCache<'a>>,
    /// One for each proxy and service.
    pub assignments: Vec<Arc<MeshAssignment>>,
}

impl CachedMesh<'_> {
    /// How they were found.
    #[must_use]
    pub fn found(&self) -> MeshLookups {
        MeshLookups {
            lookups: self.assignments.len() as u64,
            hits: self.caches.iter().map(AssignmentCache::hits).sum(),
        }
    }
}
