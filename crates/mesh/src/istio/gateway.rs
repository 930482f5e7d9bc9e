//! A Gateway of Istio: the servers of the proxies that it selects.

use alloc::{
    collections::BTreeMap,
    format,
    string::{String, ToString as _},
    vec::Vec,
};

use super::select::has_labels;

/// One Gateway (`networking.istio.io`).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct IstioGateway {
    /// The name (`metadata.name`).
    pub name: String,
    /// The namespace.
    pub namespace: String,
    /// When it was created (`metadata.creationTimestamp`), as written.
    pub created: String,
    /// The labels of its proxies (`spec.selector`); without any, all gateway proxies are its own.
    pub selector: BTreeMap<String, String>,
    /// The servers, in order.
    pub servers: Vec<IstioServer>,
}

/// One server of a Gateway: a port and the hosts that it serves.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct IstioServer {
    /// The port (`port.number`).
    pub port: u16,
    /// The name of the port (`port.name`).
    pub port_name: String,
    /// The address of the listener (`bind`); empty for all addresses.
    pub bind: String,
    /// The protocol of its connections.
    pub protocol: IstioServerProtocol,
    /// The hosts, as written: `NAMESPACE/HOST` limits the VirtualServices to a namespace.
    pub hosts: Vec<String>,
    /// Whether it has TLS settings (`tls`).
    pub tls: bool,
    /// Whether all requests are redirected to HTTPS (`tls.httpsRedirect`).
    pub https_redirect: bool,
}

/// The protocol of a server's connections, after its own TLS.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum IstioServerProtocol {
    /// HTTP requests.
    #[default]
    Http,
    /// HTTP requests, after TLS that the gateway terminates.
    Https,
    /// Connections whose bytes the gateway does not read; TLS names can select their routes.
    Connections,
}

impl IstioGateway {
    /// `NAMESPACE/NAME`.
    #[must_use]
    pub fn full_name(&self) -> String {
        format!("{}/{}", self.namespace, self.name)
    }

    /// Whether proxies with these labels are its own.
    #[must_use]
    pub fn selects(&self, labels: &BTreeMap<String, String>) -> bool {
        has_labels(&self.selector, labels)
    }
}

impl IstioServer {
    /// The name of the route configuration of its requests; servers with one name share it
    /// (`gatewayRDSRouteName`).
    #[must_use]
    pub fn route_name(&self, gateway: &IstioGateway) -> String {
        let port = self.port;
        let bind = match self.bind.as_str() {
            "" => String::new(),
            bind => format!(".{bind}"),
        };
        match self.protocol {
            IstioServerProtocol::Http => format!("http.{port}{bind}"),
            IstioServerProtocol::Https => {
                let (name, own) = (&gateway.name, &gateway.namespace);
                format!("https.{port}.{}.{name}.{own}{bind}", self.port_name)
            }
            IstioServerProtocol::Connections => format!("tcp.{port}{bind}"),
        }
    }

    /// Its hosts for VirtualServices of a namespace, in lower case (`NamesForNamespace`).
    #[must_use]
    pub fn hosts_for(&self, gateway: &IstioGateway, namespace: &str) -> Vec<String> {
        let hosts = self.hosts.iter().filter_map(|host| {
            let Some((of, host)) = host.split_once('/') else {
                return Some(host.to_ascii_lowercase());
            };
            let of = match of {
                "." => &gateway.namespace,
                of => of,
            };
            (of == "*" || of == namespace).then(|| host.to_ascii_lowercase())
        });
        hosts.collect()
    }
}

/// The hosts that both lists contain: of two that overlap, the narrower one (`Names.Intersection`).
///
/// # Examples
/// ```
/// use spillgate_mesh::istio::common_hosts;
///
/// let of = |names: &[&str]| names.iter().map(|&name| name.into()).collect::<Vec<String>>();
/// let found = common_hosts(&of(&["a.example", "*.net"]), &of(&["*.example", "b.net"]));
/// assert_eq!(found, ["a.example", "b.net"]);
/// ```
#[must_use]
pub fn common_hosts(a: &[String], b: &[String]) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for a in a {
        for b in b {
            let narrow = match (is_within(a, b), is_within(b, a)) {
                (true, _) => a,
                (false, true) => b,
                (false, false) => continue,
            };
            if !found.contains(narrow) {
                found.push(narrow.clone());
            }
        }
    }
    found
}

/// Whether a host, possibly with a wildcard, has no names but those of another one (`SubsetOf`).
fn is_within(host: &str, of: &str) -> bool {
    match (host.strip_prefix('*'), of.strip_prefix('*')) {
        (Some(host), Some(of)) => host.ends_with(of),
        (None, Some(of)) => host.ends_with(of),
        (Some(_), None) => false,
        (None, None) => host == of,
    }
}

/// The name of all sidecars in a list of gateways.
pub const SIDECARS: &str = "mesh";

/// A gateway that a VirtualService names, as `NAMESPACE/NAME`; [`SIDECARS`] stays as it is
/// (`resolveGatewayName`). `NAME.NAMESPACE.svc.cluster.local` is the form of old versions.
#[must_use]
pub fn full_gateway(name: &str, namespace: &str) -> String {
    if name == SIDECARS {
        return name.to_string();
    }
    match (name.split_once('/'), name.split_once('.')) {
        (Some((".", name)), _) => format!("{namespace}/{name}"),
        (Some(_), _) => name.to_string(),
        (None, Some((name, rest))) => {
            let of = rest.split('.').next().unwrap_or_default();
            format!("{of}/{name}")
        }
        (None, None) => format!("{namespace}/{name}"),
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec;

    use super::*;

    #[test]
    fn names_of_gateways_have_four_forms() {
        for (name, full) in [
            ("mesh", "mesh"),
            ("edge", "shop/edge"),
            ("./edge", "shop/edge"),
            ("infra/edge", "infra/edge"),
            ("edge.infra.svc.cluster.local", "infra/edge"),
            ("edge.infra", "infra/edge"),
        ] {
            assert_eq!(full_gateway(name, "shop"), full);
        }
    }

    #[test]
    fn hosts_of_a_server_can_be_limited_to_a_namespace() {
        let gateway = IstioGateway {
            namespace: "infra".into(),
            ..IstioGateway::default()
        };
        let server = IstioServer {
            hosts: ["A.example", "shop/b.example", "./c.example", "*/d.example"]
                .map(String::from)
                .to_vec(),
            ..IstioServer::default()
        };
        assert_eq!(
            server.hosts_for(&gateway, "shop"),
            ["a.example", "b.example", "d.example"]
        );
        assert_eq!(
            server.hosts_for(&gateway, "infra"),
            ["a.example", "c.example", "d.example"]
        );
    }

    #[test]
    fn wildcards_overlap_with_narrower_names() {
        let of = |names: &[&str]| {
            names
                .iter()
                .map(|&name| String::from(name))
                .collect::<Vec<_>>()
        };
        for (a, b, common) in [
            (vec!["*"], vec!["a.x"], vec!["a.x"]),
            (vec!["*.x"], vec!["*.a.x", "b.y"], vec!["*.a.x"]),
            (vec!["a.x"], vec!["b.x"], vec![]),
            (vec!["*.x"], vec!["*.x"], vec!["*.x"]),
        ] {
            assert_eq!(common_hosts(&of(&a), &of(&b)), common);
        }
    }
}
