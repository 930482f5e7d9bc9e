//! Ports that no other test uses.

use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::process;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Result, bail};

/// Below the range from which Linux takes the ports of outgoing connections, which would meet
/// those of listeners now and then.
const FIRST: u32 = 20_000;
const COUNT: u32 = 12_000;

/// Nothing serves at this address: binding a port here marks it as taken for every test, whatever
/// the addresses at which it uses the port. The system ends the lease with the process.
const LEASES: Ipv4Addr = Ipv4Addr::new(127, 255, 255, 254);

/// A port on every address of 127.0.0.0/8, for as long as this value lives.
#[derive(Debug)]
pub struct Port {
    number: u16,
    _lease: TcpListener,
}

impl Port {
    /// A free one.
    ///
    /// # Errors
    /// When no port is free.
    pub fn lease() -> Result<Self> {
        let now = SystemTime::now().duration_since(UNIX_EPOCH)?;
        // Tests that start at the same time begin to look at different places.
        let start = process::id().wrapping_mul(7919) ^ now.subsec_nanos();
        for step in 0..COUNT {
            let number = u16::try_from(FIRST + start.wrapping_add(step) % COUNT)?;
            let Ok(lease) = TcpListener::bind((LEASES, number)) else {
                continue;
            };
            if TcpListener::bind((Ipv4Addr::LOCALHOST, number)).is_ok() {
                return Ok(Self {
                    number,
                    _lease: lease,
                });
            }
        }
        bail!("no free port from {FIRST} to {}", FIRST + COUNT - 1);
    }

    /// Its number.
    #[must_use]
    pub const fn number(&self) -> u16 {
        self.number
    }

    /// The port at 127.0.0.1.
    #[must_use]
    pub const fn local(&self) -> SocketAddr {
        SocketAddr::new(std::net::IpAddr::V4(Ipv4Addr::LOCALHOST), self.number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_port_is_given_once() -> Result<()> {
        let ports: Vec<Port> = (0..50).map(|_| Port::lease()).collect::<Result<_>>()?;
        let mut numbers: Vec<u16> = ports.iter().map(Port::number).collect();
        numbers.sort_unstable();
        numbers.dedup();
        assert_eq!(numbers.len(), 50);
        Ok(())
    }
}
