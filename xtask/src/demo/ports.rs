//! The demo's ports, the usual ones and free ones.

use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener};

use anyhow::{Context as _, Result, bail};

/// Where the demo listens. Everything is on loopback addresses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ports {
    pub page: u16,
    pub service: u16,
    pub hosts: u16,
    pub admin: u16,
}

impl Default for Ports {
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

impl Ports {
    /// Ports that nothing listens on now. They are held together while they are chosen, so that
    /// they differ.
    pub fn free() -> Result<Self> {
        let page = listen(local(0))?;
        let service = listen(local(0))?;
        let admin = listen(local(0))?;
        let hosts = listen(first_host(0))?;
        Ok(Self {
            page: page.local_addr()?.port(),
            service: service.local_addr()?.port(),
            admin: admin.local_addr()?.port(),
            hosts: hosts.local_addr()?.port(),
        })
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
                bail!("{address} cannot be listened on ({error}); choose another port with {flag}");
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

fn listen(address: SocketAddr) -> Result<TcpListener> {
    TcpListener::bind(address).with_context(|| format!("cannot listen on {}", address.ip()))
}
