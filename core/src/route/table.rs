//! Virtual hosts and their routes (`RouteConfiguration`).

use alloc::{string::String, vec::Vec};

use super::{
    Forward, Headers, RequestFilter, RouteMatch,
    domain::{rank, without_port},
};
use crate::model::Metadata;

/// All routes of a listener, with what its HTTP filters do to requests before the router.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RouteTable {
    /// The virtual hosts.
    pub virtual_hosts: Vec<VirtualHost>,
    /// Domains are compared without the port of the request's host.
    pub ignore_port_in_host_matching: bool,
    /// Path parameters (`;x=y`) do not count.
    pub ignore_path_parameters_in_path_matching: bool,
    /// The filters that say something about load balancing, in order.
    pub filters: Vec<RequestFilter>,
    /// How many addresses at the end of `x-forwarded-for` are those of trusted proxies; `None`
    /// where the header is not heeded (`use_remote_address`).
    pub forwarded_for: Option<u32>,
}

/// Routes for a set of host names.
#[derive(Debug, Clone, PartialEq)]
pub struct VirtualHost {
    /// Its name.
    pub name: String,
    /// `example.org`, `*.example.org`, `example.*` or `*`.
    pub domains: Vec<String>,
    /// The routes; the first that matches is taken.
    pub routes: Vec<Route>,
}

/// One route.
#[derive(Debug, Clone, PartialEq)]
pub struct Route {
    /// Its number among the table's routes, by which its place in the text is found.
    pub id: usize,
    /// Its name; may be empty.
    pub name: String,
    /// Which requests it is for.
    pub matcher: RouteMatch,
    /// What happens to them.
    pub action: RouteAction,
    /// The filters of its requests, where they differ from those of the table
    /// (`typed_per_filter_config`).
    pub filters: Option<Vec<RequestFilter>>,
    /// What it tells the Spillgate filter.
    pub metadata: RouteMetadata,
}

/// The metadata of a route (`Route.metadata`), as far as the Spillgate filter reads it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RouteMetadata {
    /// Subset criteria (`filter_metadata."envoy.lb"`).
    pub criteria: Metadata,
    /// Target and switch (`filter_metadata.spillgate`).
    pub settings: Metadata,
}

/// What a route does.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum RouteAction {
    /// Forwards to a cluster.
    Forward(Forward),
    /// Answers by itself: a direct response or a redirect.
    Respond {
        /// The status.
        status: u16,
    },
    /// Something that the engine does not have: the field that says so.
    Unmodelled(&'static str),
}

impl RouteTable {
    /// The virtual host for a name: exact domains first, then the longest `*.suffix`, then the
    /// longest `prefix.*`, then `*`. Ports are part of the name unless they are ignored.
    #[must_use]
    pub fn virtual_host(&self, host: &[u8]) -> Option<&VirtualHost> {
        let host = match self.ignore_port_in_host_matching {
            true => without_port(host),
            false => host,
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

    /// The virtual host of a request.
    pub(super) fn host_of<'t, H: Headers>(&'t self, headers: &H) -> Option<&'t VirtualHost> {
        self.virtual_host(headers.first(":authority").unwrap_or_default())
    }
}

impl Route {
    /// The cluster of a route that forwards to one by name.
    #[must_use]
    pub fn cluster(&self) -> Option<&str> {
        match &self.action {
            RouteAction::Forward(Forward {
                target: super::RouteTarget::One(super::ClusterName::Name(name)),
                ..
            }) => Some(name),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use alloc::{string::ToString, vec};

    use super::*;

    fn table() -> RouteTable {
        RouteTable {
            virtual_hosts: ["*", "*.org", "*.example.org", "api.*", "api.example.org"]
                .map(|domain| VirtualHost {
                    name: domain.to_string(),
                    domains: vec![domain.to_string()],
                    routes: Vec::new(),
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
}
