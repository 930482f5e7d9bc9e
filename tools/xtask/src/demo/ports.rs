//! The demo's ports, the usual ones and free ones.

use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener};

use anyhow::{Result, bail};
use spillgate_testkit::Port;

/// Where the demo listens. Everything is on loopback addresses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DemoPorts {
    pub page: u16,
    pub service: u16,
    pub hosts: u16,
    pub admin: u16,
}

impl Default for DemoPorts {
    /// The ports that `envoy-config/demo` names.
    fn default() -> Self {
        Self {
            page: 8080,
            service: 8081,
            hosts: 8090,
            admin: 9901,
        }
    }
}

impl DemoPorts {
    /// Free ports, with the leases that keep them from other tests.
    pub fn free() -> Result<(Self, [Port; 4])> {
        let leases = [
            Port::lease()?,
            Port::lease()?,
            Port::lease()?,
            Port::lease()?,
        ];
        let [page, service, hosts, admin] = leases.each_ref().map(Port::number);
        let ports = Self {
            page,
            service,
            hosts,
            admin,
        };
        Ok((ports, leases))
    }

    /// An error that names the first port in use and the flag for another.
    pub fn check_free(&self) -> Result<()> {
        let wanted = [
            (local(self.page), "--page-port"),
            (local(self.service), "--service-port"),
            (local(self.admin), "--admin-port"),
            (first_host(self.hosts), "--hosts-port"),
        ];
        for (address, flag) in wanted {
            if let Err(error) = TcpListener::bind(address) {
                bail!("cannot listen on {address} ({error}); choose another port with {flag}");
            }
        }
        Ok(())
    }

    pub fn page(&self) -> SocketAddr {
        local(self.page)
    }

    pub fn service(&self) -> SocketAddr {
        local(self.service)
    }

    pub fn admin(&self) -> SocketAddr {
        local(self.admin)
    }
}

fn local(port: u16) -> SocketAddr {
    SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), port)
}

fn first_host(port: u16) -> SocketAddr {
    SocketAddr::new(IpAddr::V4(Ipv4Addr::new(127, 0, 1, 1)), port)
}
