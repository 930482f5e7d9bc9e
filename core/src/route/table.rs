//! Virtual hosts and routes (`envoy.config.route.v3.RouteConfiguration`).

use alloc::{string::String, vec::Vec};

use super::{
    Connection, ConnectionManager, Forward, HeaderMutations, Headers, PathMatch, PathParameters,
    ProxyFilter, ReceivedRequest, RequestFilter, RouteMatch,
    domain::{rank, without_port},
};
use crate::model::Metadata;

/// All routes of a listener, and the HTTP filters before the router.
///
/// # Examples
/// ```
/// use spillgate_core::route::{HeaderMutations, RouteTable, VirtualHost};
///
/// let host = |name: &str, domain: &str| VirtualHost {
///     name: name.into(),
///     domains: vec![domain.into()],
///     routes: vec![],
///     headers: HeaderMutations::default(),
/// };
/// let table = RouteTable {
///     virtual_hosts: vec![host("any", "*"), host("shop", "*.shop.example")],
///     ..RouteTable::default()
/// };
/// let found = table.virtual_host(b"eu.shop.example").unwrap();
/// assert_eq!(found.name, "shop");
/// assert_eq!(table.virtual_host(b"other").unwrap().name, "any");
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RouteTable {
    /// The virtual hosts in configuration order.
    pub virtual_hosts: Vec<VirtualHost>,
    /// Whether domains are compared without the port of the host (`ignore_port_in_host_matching`).
    pub ignore_port_in_host_matching: bool,
    /// Whether path parameters (`;x=y`) are ignored (`ignore_path_parameters_in_path_matching`).
    pub ignore_path_parameters_in_path_matching: bool,
    /// The filter that has the routes.
    pub proxy: ProxyFilter,
    /// The HTTP filters that affect load balancing, in order.
    pub filters: Vec<RequestFilter>,
    /// The connection manager; `None` if the routes have none, so that requests arrive unchanged.
    pub manager: Option<ConnectionManager>,
    /// The lower-case names of headers that external requests lose (`internal_only_headers`).
    pub internal_only_headers: Vec<String>,
    /// The headers that all requests gain and lose (`request_headers_to_add`,
    /// `request_headers_to_remove`).
    pub headers: HeaderMutations,
    /// Whether the changes of routes come after those of their virtual host and the table
    /// (`most_specific_header_mutations_wins`).
    pub most_specific_header_mutations_wins: bool,
}

/// Routes for a list of domains (`envoy.config.route.v3.VirtualHost`).
#[derive(Debug, Clone, PartialEq)]
pub struct VirtualHost {
    /// The name.
    pub name: String,
    /// `example.org`, `*.example.org`, `example.*` or `*`.
    pub domains: Vec<String>,
    /// The routes in order; the first match applies.
    pub routes: Vec<Route>,
    /// The headers that its requests gain and lose (`request_headers_to_add`,
    /// `request_headers_to_remove`).
    pub headers: HeaderMutations,
}

/// One route (`envoy.config.route.v3.Route`).
#[derive(Debug, Clone, PartialEq)]
pub struct Route {
    /// The number of the route in the table, from 0. Readers map it to a text position.
    pub id: usize,
    /// The name; may be empty.
    pub name: String,
    /// The conditions (`match`).
    pub matcher: RouteMatch,
    /// The action.
    pub action: RouteAction,
    /// The HTTP filters of the requests, if they differ from those of the table
    /// (`typed_per_filter_config`).
    pub filters: Option<Vec<RequestFilter>>,
    /// The headers that its requests gain and lose (`request_headers_to_add`,
    /// `request_headers_to_remove`).
    pub headers: HeaderMutations,
    /// Metadata for the Spillgate filter.
    pub metadata: RouteMetadata,
}

/// The metadata of a route that the Spillgate filter reads (`Route.metadata`).
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RouteMetadata {
    /// Subset criteria (`filter_metadata."envoy.lb"`).
    pub criteria: Metadata,
    /// Target and switches of the Spillgate filter (`filter_metadata.spillgate`).
    pub settings: Metadata,
}

/// The action of a route.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
#[expect(clippy::large_enum_variant, reason = "nearly all routes forward")]
pub enum RouteAction {
    /// Forward to a cluster (`route`).
    Forward(Forward),
    /// Answer directly (`direct_response`, `redirect`).
    Respond {
        /// The response status.
        status: u16,
    },
    /// An action with this field, which the engine does not model.
    Unmodeled(&'static str),
}

impl RouteTable {
    /// The request as routes see it.
    #[must_use]
    pub fn receive<'r, H: Headers>(
        &self,
        headers: &'r H,
        connection: Connection<'r>,
    ) -> ReceivedRequest<'r, H> {
        match &self.manager {
            Some(manager) => manager.receive(headers, connection, &self.internal_only_headers),
            None => {
                let proxy = self.proxy;
                ReceivedRequest::unchanged(
                    headers,
                    Connection {
                        proxy,
                        ..connection
                    },
                )
            }
        }
    }

    /// The virtual host for a host name: exact domains first, then the longest `*.suffix`, then the
    /// longest `prefix.*`, then `*`. The port is part of the name unless
    /// [`ignore_port_in_host_matching`](Self::ignore_port_in_host_matching) is set.
    #[must_use]
    pub fn virtual_host(&self, host: &[u8]) -> Option<&VirtualHost> {
        let host = if self.ignore_port_in_host_matching {
            without_port(host)
        } else {
            host
        };
        let mut best = None;
        for virtual_host in &self.virtual_hosts {
            for domain in &virtual_host.domains {
                let Some(rank) = rank(domain, host) else {
                    continue;
                };
                if best.is_none_or(|(best, _)| rank >= best) {
                    best = Some((rank, virtual_host));
                }
            }
        }
        best.map(|(_, virtual_host)| virtual_host)
    }

    /// The table of a TCP proxy: every connection takes its only route. Connections have no headers, so
    /// only the sources of the connection have a hash.
    #[must_use]
    pub fn of_connections(forward: Forward) -> Self {
        let route = Route {
            id: 0,
            name: String::new(),
            matcher: RouteMatch::path(PathMatch::Prefix(String::new())),
            action: RouteAction::Forward(forward),
            filters: None,
            headers: HeaderMutations::default(),
            metadata: RouteMetadata::default(),
        };
        let host = VirtualHost {
            name: String::new(),
            domains: Vec::from([String::from("*")]),
            routes: Vec::from([route]),
            headers: HeaderMutations::default(),
        };
        Self {
            virtual_hosts: Vec::from([host]),
            proxy: ProxyFilter::Tcp,
            ..Self::default()
        }
    }

    pub(super) const fn path_parameters(&self) -> PathParameters {
        if self.ignore_path_parameters_in_path_matching {
            PathParameters::Ignore
        } else {
            PathParameters::Keep
        }
    }

    /// The virtual host of a request.
    pub(super) fn host_of<'t, H: Headers>(&'t self, headers: &H) -> Option<&'t VirtualHost> {
        self.virtual_host(headers.first(":authority").unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use alloc::{string::ToString, vec};

    use super::{
        super::{ClusterName, HeaderList, RequestRewrite, RetryPolicy, RouteOutcome, RouteTarget},
        *,
    };

    fn table() -> RouteTable {
        RouteTable {
            virtual_hosts: ["*", "*.org", "*.example.org", "api.*", "api.example.org"]
                .map(|domain| VirtualHost {
                    name: domain.to_string(),
                    domains: vec![domain.to_string()],
                    routes: Vec::new(),
                    headers: HeaderMutations::default(),
                })
                .into(),
            ..RouteTable::default()
        }
    }

    #[test]
    fn the_most_specific_domain_wins() {
        let table = table();
        for (host, domain) in [
            ("api.example.org", "api.example.org"),
            ("API.Example.org", "api.example.org"),
            ("www.example.org", "*.example.org"),
            ("api.elsewhere.org", "*.org"),
            ("api.net", "api.*"),
            ("api.example.org:80", "api.*"),
            (".org", "*"),
            ("", "*"),
        ] {
            let found = table.virtual_host(host.as_bytes()).unwrap();
            assert_eq!(found.name, domain, "{host}");
        }
    }

    #[test]
    fn ports_can_be_ignored() {
        let table = RouteTable {
            ignore_port_in_host_matching: true,
            ..table()
        };
        let found = table.virtual_host(b"api.example.org:80").unwrap();
        assert_eq!(found.name, "api.example.org");
    }

    #[test]
    fn every_connection_takes_the_only_route() {
        let forward = Forward {
            target: RouteTarget::One(ClusterName::Name("db".into())),
            criteria: Metadata::EMPTY,
            hash_policies: Vec::new(),
            rewrite: RequestRewrite::default(),
            retry: RetryPolicy::NONE,
            cluster_not_found: 503,
        };
        let table = RouteTable::of_connections(forward);
        let none = HeaderList::<&str, &str>(&[]);
        let received = table.receive(&none, Connection::default());
        let RouteOutcome::Forward(routed) = table.route(&received) else {
            panic!("no route");
        };
        assert_eq!(routed.choose(0).cluster, Some("db"));
        assert_eq!(routed.connection.proxy, ProxyFilter::Tcp);
    }
}
