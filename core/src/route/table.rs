//! Virtual hosts and their routes (`RouteConfiguration`).

use alloc::{string::String, vec::Vec};

use super::{HashPolicy, Headers, RouteMatch};

/// All routes of a listener.
#[derive(Debug, Clone, Default)]
pub struct RouteTable {
    /// The virtual hosts.
    pub virtual_hosts: Vec<VirtualHost>,
}

/// Routes for a set of host names.
#[derive(Debug, Clone)]
pub struct VirtualHost {
    /// Its name.
    pub name: String,
    /// `example.org`, `*.example.org`, `example.*` or `*`.
    pub domains: Vec<String>,
    /// The routes; the first that matches is taken.
    pub routes: Vec<Route>,
}

/// One route.
#[derive(Debug, Clone)]
pub struct Route {
    /// Its name; may be empty.
    pub name: String,
    /// Which requests it is for.
    pub matcher: RouteMatch,
    /// What happens to them.
    pub action: RouteAction,
}

/// What a route does.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum RouteAction {
    /// Forwards to a cluster.
    Cluster {
        /// The cluster's name.
        cluster: String,
        /// How the request hash is made.
        hash_policies: Vec<HashPolicy>,
    },
    /// Answers by itself: a direct response or a redirect.
    Respond {
        /// The status.
        status: u16,
    },
}

impl RouteTable {
    /// The route that a request takes, if any.
    #[must_use]
    pub fn route<H: Headers>(&self, headers: &H) -> Option<&Route> {
        let host = headers.first(":authority").unwrap_or_default();
        self.virtual_host(host)?
            .routes
            .iter()
            .find(|route| route.matcher.matches(headers))
    }

    /// The virtual host for a name: exact domains first, then the longest `*.suffix`, then the
    /// longest `prefix.*`, then `*`. Ports are part of the name, as in Envoy.
    #[must_use]
    pub fn virtual_host(&self, host: &[u8]) -> Option<&VirtualHost> {
        self.virtual_hosts
            .iter()
            .flat_map(|virtual_host| {
                virtual_host
                    .domains
                    .iter()
                    .filter_map(|domain| rank(domain, host))
                    .map(move |rank| (rank, virtual_host))
            })
            .max_by_key(|(rank, _)| *rank)
            .map(|(_, virtual_host)| virtual_host)
    }
}

/// How well a domain fits a host: the kind of match, then its length.
fn rank(domain: &str, host: &[u8]) -> Option<(u8, usize)> {
    if domain == "*" {
        return Some((0, 0));
    }
    let domain = domain.as_bytes();
    if let Some(suffix) = domain.strip_prefix(b"*") {
        // The wildcard stands for at least one character.
        let start = host.len().checked_sub(suffix.len()).filter(|&at| at > 0)?;
        let fits = host.get(start..)?.eq_ignore_ascii_case(suffix);
        return fits.then_some((2, suffix.len()));
    }
    if let Some(prefix) = domain.strip_suffix(b"*") {
        let start = host
            .get(..prefix.len())
            .filter(|start| start.len() < host.len())?;
        return start
            .eq_ignore_ascii_case(prefix)
            .then_some((1, prefix.len()));
    }
    host.eq_ignore_ascii_case(domain)
        .then_some((3, domain.len()))
}

#[cfg(test)]
mod tests {
    use alloc::{string::ToString, vec};

    use super::*;

    #[test]
    fn the_most_specific_domain_wins() {
        let table = RouteTable {
            virtual_hosts: ["*", "*.org", "*.example.org", "api.*", "api.example.org"]
                .map(|domain| VirtualHost {
                    name: domain.to_string(),
                    domains: vec![domain.to_string()],
                    routes: Vec::new(),
                })
                .into(),
        };
        for (host, domain) in [
            ("api.example.org", "api.example.org"),
            ("API.Example.org", "api.example.org"),
            ("www.example.org", "*.example.org"),
            ("api.elsewhere.org", "*.org"),
            ("api.net", "api.*"),
            (".org", "*"),
            ("", "*"),
        ] {
            let found = table.virtual_host(host.as_bytes()).unwrap();
            assert_eq!(found.name, domain, "{host}");
        }
    }
}
