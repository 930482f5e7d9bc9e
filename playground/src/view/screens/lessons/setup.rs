//! The clusters and the request of a lesson.

use spillgate_config::envoy::ListenerConfig;
use spillgate_core::{
    model::{
        Cluster, Endpoint, Health, HealthStatus, Locality, Metadata, PlainCluster, Priority,
        PriorityLocality,
    },
    route::{
        ClusterName, Forward, HeaderMutations, PathMatch, RequestFilter, RequestRewrite,
        RetryPolicy, Route, RouteAction, RouteMatch, RouteMetadata, RouteTable, RouteTarget,
        StatefulSession, VirtualHost,
    },
};
use spillgate_scenario::{EditedScenario, PriorityAt, link::address};

/// The number of hosts of a priority, so that hosts are percentages.
pub(super) const HOSTS: u32 = 100;

/// The clusters and the request of a lesson.
#[derive(Debug, Clone)]
pub struct LessonSetup {
    /// The clusters; the first one gets the request.
    pub clusters: Vec<Cluster>,
    /// The subset criteria of the request.
    pub criteria: Metadata,
    /// The session of the request.
    pub session: Option<LessonSession>,
}

/// A session of Envoy's filter `stateful_session`.
#[derive(Debug, Clone)]
pub struct LessonSession {
    /// The settings of the filter.
    pub filter: StatefulSession,
    /// The address of its host.
    pub address: String,
}

/// The hosts of a zone, by health.
#[derive(Debug, Clone, Copy)]
pub(super) struct ZoneHosts {
    pub(super) zone: &'static str,
    pub(super) weight: Option<u32>,
    pub(super) healthy: u32,
    pub(super) degraded: u32,
}

impl ZoneHosts {
    /// 100 hosts without a weight, the first ones healthy and the others unhealthy.
    pub(super) const fn healthy(zone: &'static str, healthy: u32) -> Self {
        Self {
            zone,
            weight: None,
            healthy,
            degraded: 0,
        }
    }

    fn health(&self, host: u32) -> HealthStatus {
        match host {
            host if host < self.healthy => HealthStatus::Unknown,
            host if host < self.healthy.saturating_add(self.degraded) => HealthStatus::Degraded,
            _ => HealthStatus::Unhealthy,
        }
    }
}

/// A host with a generated address.
pub(super) fn endpoint(at: PriorityAt, number: usize, status: HealthStatus) -> Endpoint {
    Endpoint {
        health: Health::from_status(status),
        ..Endpoint::new(address(at, number))
    }
}

/// A cluster with 100 hosts in each zone of each priority.
pub(super) fn plain(cluster: usize, priorities: &[&[ZoneHosts]]) -> PlainCluster {
    let priority = |(number, zones): (usize, &&[ZoneHosts])| {
        let at = PriorityAt {
            cluster,
            priority: number,
        };
        let mut priority = Priority::default();
        for (locality, zone) in zones.iter().enumerate() {
            priority.localities.push(PriorityLocality {
                locality: Locality {
                    zone: zone.zone.into(),
                    ..Locality::default()
                },
                weight: zone.weight,
            });
            for host in 0..HOSTS {
                let number = priority.endpoints.len();
                priority.endpoints.push(Endpoint {
                    locality,
                    ..endpoint(at, number, zone.health(host))
                });
            }
        }
        priority
    };
    PlainCluster {
        priorities: priorities.iter().enumerate().map(priority).collect(),
        ..PlainCluster::default()
    }
}

impl LessonSetup {
    /// The clusters, for a request without criteria and session.
    pub(super) const fn of(clusters: Vec<Cluster>) -> Self {
        Self {
            clusters,
            criteria: Metadata::EMPTY,
            session: None,
        }
    }

    /// One cluster, for a request without criteria and session.
    pub(super) fn one(plain: PlainCluster) -> Self {
        Self::of(vec![Cluster::plain("shop", plain)])
    }

    /// The scenario of the playground.
    #[must_use]
    pub fn scenario(&self) -> EditedScenario {
        EditedScenario::new(self.clusters.clone(), 0).unwrap_or_else(|_| EditedScenario::nothing())
    }

    /// The listener that sends the request, if the request needs more than its cluster.
    #[must_use]
    pub fn listeners(&self) -> Vec<ListenerConfig> {
        if self.criteria.is_empty() && self.session.is_none() {
            return Vec::new();
        }
        let name = self.clusters.first().map(|cluster| cluster.name.clone());
        let forward = Forward {
            target: RouteTarget::One(ClusterName::Name(name.unwrap_or_default())),
            criteria: self.criteria.clone(),
            hash_policies: Vec::new(),
            rewrite: RequestRewrite::default(),
            retry: RetryPolicy::default(),
            cluster_not_found: 503,
        };
        let route = Route {
            id: 0,
            name: String::new(),
            matcher: RouteMatch::path(PathMatch::Prefix("/".into())),
            action: RouteAction::Forward(forward),
            filters: None,
            headers: HeaderMutations::default(),
            metadata: RouteMetadata::default(),
        };
        let filters = self
            .session
            .iter()
            .map(|session| RequestFilter::StatefulSession(session.filter.clone()));
        let routes = RouteTable {
            virtual_hosts: vec![VirtualHost {
                name: "any".into(),
                domains: vec!["*".into()],
                routes: vec![route],
                headers: HeaderMutations::default(),
            }],
            filters: filters.collect(),
            ..RouteTable::default()
        };
        vec![ListenerConfig {
            name: "edge".into(),
            address: String::new(),
            routes,
            ..ListenerConfig::default()
        }]
    }
}
