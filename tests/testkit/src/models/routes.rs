//! Listeners, virtual hosts and routes.

use spillgate_config::envoy::{ListenerConfig, RegexCompiler};
use spillgate_core::{
    model::{Metadata, Model},
    route::{
        ClusterName, Forward, HostPredicate, ProxyFilter, RetryPolicy, Route, RouteAction,
        RouteMetadata, RouteTable, RouteTarget, SplitBy, VirtualHost, WeightedCluster,
        WeightedClusters,
    },
};

use super::{Dice, Extent};

/// The input for random routes.
#[derive(Clone, Copy)]
pub(super) struct Making<'m> {
    pub(super) model: &'m Model,
    pub(super) extent: Extent,
    pub(super) compile: RegexCompiler,
}

/// Listeners whose routes lead to the clusters of a model. Their marks are empty: they come from
/// no text.
pub fn listeners(
    dice: &mut Dice,
    model: &Model,
    extent: Extent,
    compile: RegexCompiler,
) -> Vec<ListenerConfig> {
    let making = Making {
        model,
        extent,
        compile,
    };
    let mut names: Vec<String> = Vec::new();
    for number in 0..dice.below(extent.size + 1) {
        // Several connection managers of one listener share its name.
        match names.last().filter(|_| dice.chance(20)) {
            Some(last) => names.push(last.clone()),
            None => names.push(format!("{} {number}", dice.text(extent))),
        }
    }
    names
        .into_iter()
        .map(|name| ListenerConfig {
            name,
            address: String::new(),
            routes: dice.table(making),
            ..ListenerConfig::default()
        })
        .collect()
}

impl Dice {
    fn table(&mut self, making: Making<'_>) -> RouteTable {
        let mut table = RouteTable {
            virtual_hosts: Vec::new(),
            proxy: ProxyFilter::Http,
            ignore_port_in_host_matching: self.chance(30),
            ignore_path_parameters_in_path_matching: self.chance(30),
            filters: self.filters(making),
            manager: Some(self.manager(making.extent)),
            internal_only_headers: self.some(&["x-internal".into()], 20),
            headers: self.header_mutations(making.extent),
            most_specific_header_mutations_wins: self.chance(30),
        };
        let mut id = 0;
        for number in 0..self.below(making.extent.size + 1) {
            let mut domains = vec![format!("*.shop{number}.example.org")];
            domains.extend(self.some(&[format!("shop{number}.*")], 50));
            if number == 0 {
                domains.push("*".into());
            }
            let mut routes = Vec::new();
            for _ in 0..self.below(making.extent.size + 1) {
                routes.push(self.route(id, &table, making));
                id += 1;
            }
            let name = format!("{} {number}", self.text(making.extent));
            table.virtual_hosts.push(VirtualHost {
                name,
                domains,
                routes,
                headers: self.header_mutations(making.extent),
            });
        }
        table
    }

    fn route(&mut self, id: usize, table: &RouteTable, making: Making<'_>) -> Route {
        let filters = self.chance(20).then(|| self.filters(making));
        Route {
            id,
            name: if self.chance(50) {
                self.text(making.extent)
            } else {
                String::new()
            },
            matcher: self.route_match(making),
            action: if self.chance(15) {
                RouteAction::Respond {
                    status: self.one(&[200, 301, 404, 599]),
                }
            } else {
                RouteAction::Forward(self.forward(making))
            },
            // Without filters in the table a route has nothing to override.
            filters: filters.filter(|own| !own.is_empty() || !table.filters.is_empty()),
            headers: self.header_mutations(making.extent),
            metadata: RouteMetadata::default(),
        }
    }

    fn forward(&mut self, making: Making<'_>) -> Forward {
        let criteria = if self.chance(40) {
            self.metadata(making.extent)
        } else {
            Metadata::default()
        };
        Forward {
            target: self.target(&criteria, making),
            criteria,
            hash_policies: self.hash_policies(making.extent, Some(making.compile)),
            rewrite: self.rewrites(making),
            retry: self.retry(making.extent),
            cluster_not_found: self.one(&[503, 503, 404, 500]),
        }
    }

    fn target(&mut self, criteria: &Metadata, making: Making<'_>) -> RouteTarget {
        if self.chance(60) {
            return RouteTarget::One(self.cluster_name(making));
        }
        let clusters = (0..self.between(1, making.extent.size.max(1)))
            .map(|number| {
                let own = if self.chance(40) {
                    self.metadata(making.extent)
                } else {
                    Metadata::default()
                };
                WeightedCluster {
                    cluster: self.cluster_name(making),
                    // One at least has a weight.
                    weight: self.below(100) as u32 + u32::from(number == 0),
                    criteria: criteria.overridden(&own),
                    filters: self
                        .chance(10)
                        .then(|| self.filters(making))
                        .filter(|own| !own.is_empty()),
                    headers: self.header_mutations(making.extent),
                    host_rewrite: self.chance(10).then(|| "weighted.example".into()),
                }
            })
            .collect();
        let by = match self.below(3) {
            0 => SplitBy::HashPolicy,
            1 => SplitBy::Header(self.header()),
            _ => SplitBy::Random,
        };
        let weighted = WeightedClusters::new(clusters, by).expect("weights of a small sum");
        RouteTarget::Weighted(weighted)
    }

    fn cluster_name(&mut self, making: Making<'_>) -> ClusterName {
        if self.chance(15) {
            return ClusterName::Header(self.header());
        }
        let clusters = making.model.clusters();
        ClusterName::Name(clusters[self.below(clusters.len())].name.clone())
    }

    fn retry(&mut self, extent: Extent) -> RetryPolicy {
        let mut policy = RetryPolicy::NONE;
        if self.chance(70) {
            return policy;
        }
        policy.previous_priorities = self.chance(50).then(|| (self.any_u32() >> 1).max(1));
        for _ in 0..self.below(3) {
            let predicate = match self.below(3) {
                0 => HostPredicate::PreviousHosts,
                1 => HostPredicate::OmitCanaryHosts,
                _ => HostPredicate::OmitHostMetadata(self.metadata(extent)),
            };
            policy.predicates.push(predicate);
        }
        policy.host_selection_attempts = self.between(1, 9) as u32;
        policy.refreshes_cluster = self.chance(20);
        policy.retry_on = (if self.chance(50) {
            "5xx"
        } else {
            "reset,unavailable"
        })
        .into();
        policy.retries = self.below(5) as u32;
        policy
    }
}
