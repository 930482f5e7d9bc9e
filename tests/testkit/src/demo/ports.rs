//! The demo's ports, the usual ones and free ones.

use std::net::{Ipv4Addr, SocketAddr, TcpListener};

use anyhow::{Result, bail};

use crate::Port;

/// Where the demo listens. Everything is on loopback addresses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DemoPorts {
    /// Of the playground and its documentation.
    pub page: u16,
    /// Of the listener with the filter.
    pub service: u16,
    /// Of every host.
    pub hosts: u16,
    /// Of Envoy's admin interface.
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
    pub(super) fn free() -> Result<(Self, Vec<Port>)> {
        let leases = (0..4).map(|_| Port::lease()).collect::<Result<Vec<_>>>()?;
        let [page, service, hosts, admin] = [0, 1, 2, 3].map(|port: usize| leases[port].number());
        let ports = Self {
            page,
            service,
            hosts,
            admin,
        };
        Ok((ports, leases))
    }

    /// Whether a demo can use them.
    ///
    /// # Errors
    /// Names the first port in use and the flag for another.
    pub fn check_free(&self) -> Result<()> {
        let wanted = [
            (self.page(), "--page-port"),
            (self.service(), "--service-port"),
            (self.admin(), "--admin-port"),
            (
                SocketAddr::from(([127, 0, 1, 1], self.hosts)),
                "--hosts-port",
            ),
        ];
        for (address, flag) in wanted {
            if let Err(error) = TcpListener::bind(address) {
                bail!("cannot listen on {address} ({error}); choose another port with {flag}");
            }
        }
        Ok(())
    }

    /// The address of the playground.
    #[must_use]
    pub fn page(&self) -> SocketAddr {
        local(self.page)
    }

    /// The address of the listener with the filter.
    #[must_use]
    pub fn service(&self) -> SocketAddr {
        local(self.service)
    }

    /// The address of the admin interface.
    #[must_use]
    pub fn admin(&self) -> SocketAddr {
        local(self.admin)
    }
}

fn local(port: u16) -> SocketAddr {
    SocketAddr::from((Ipv4Addr::LOCALHOST, port))
}
