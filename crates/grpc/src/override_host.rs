//! The picker of `xds_override_host`: the host in the cookie, in any priority (A55, A61, A75).
//!
//! It considers the addresses of all priorities, because it is above the priority policy.

use alloc::string::String;

use crate::{AddressEntry, Connectivity, OverrideHosts};

/// The result of the child policy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ChildPick {
    /// This address.
    Complete(String),
    /// No host yet; the request waits.
    Queue,
    /// No host; the request fails, or waits if it is `wait_for_ready`.
    Fail,
    /// The request is dropped by configuration.
    Drop,
}

/// Why a request waits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wait {
    /// For this host, which must start to connect.
    Connect(String),
    /// For this host, which is connecting.
    Connecting(String),
    /// For this host, whose connection must be made ([`OverrideHosts::create`]).
    Create(String),
}

/// The result of a pick.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OverrideHostPick {
    /// To the host of its session.
    Override {
        /// The address.
        address: String,
        /// The new address list of the cookie.
        address_list: String,
    },
    /// No host yet; the request picks again after the next change.
    Queue(Wait),
    /// The host of the child policy.
    Delegate {
        /// The result of the child policy.
        pick: ChildPick,
        /// The new address list of the cookie; `None` if no host was picked or the request has no
        /// session filter.
        address_list: Option<String>,
    },
}

impl OverrideHosts {
    /// Picks the host of one request. `cookie_addresses` is the address list of its cookie: empty
    /// without a cookie, `None` if the session filter is off. `child` runs only if the cookie gives no
    /// host.
    ///
    /// Waiting for a host counts as using it.
    pub fn pick(
        &mut self,
        now: u64,
        cookie_addresses: Option<&str>,
        child: impl FnOnce() -> ChildPick,
    ) -> OverrideHostPick {
        let Some(addresses) = cookie_addresses else {
            return OverrideHostPick::Delegate {
                pick: child(),
                address_list: None,
            };
        };
        let picked = self.named_host(addresses);
        match picked {
            Some(OverrideHostPick::Override { ref address, .. }) => self.used(now, address),
            Some(OverrideHostPick::Queue(ref wait)) => self.used(now, wait.address()),
            _ => {}
        }
        picked.unwrap_or_else(|| {
            let pick = child();
            let mut address_list = None;
            if let ChildPick::Complete(address) = &pick {
                self.used(now, address);
                address_list = self.entry(address).map(|entry| entry.address_list.clone());
            }
            OverrideHostPick::Delegate { pick, address_list }
        })
    }

    /// The first that is connected; else the first IDLE one, the first CONNECTING one, the first
    /// without a connection.
    fn named_host(&self, addresses: &str) -> Option<OverrideHostPick> {
        let (mut idle, mut connecting, mut missing) = (None, None, None);
        for address in addresses.split(',').filter(|address| !address.is_empty()) {
            let Some(entry) = self.session_entry(address) else {
                continue;
            };
            match entry.subchannel.map(|subchannel| subchannel.state) {
                Some(Connectivity::Ready) => {
                    return Some(OverrideHostPick::Override {
                        address: address.into(),
                        address_list: entry.address_list.clone(),
                    });
                }
                Some(Connectivity::Idle) => _ = idle.get_or_insert(address),
                Some(Connectivity::Connecting) => _ = connecting.get_or_insert(address),
                Some(Connectivity::TransientFailure) => {}
                None => _ = missing.get_or_insert(address),
            }
        }
        let idle = idle.map(|address| Wait::Connect(address.into()));
        let connecting = connecting.map(|address| Wait::Connecting(address.into()));
        let missing = missing.map(|address| Wait::Create(address.into()));
        idle.or(connecting).or(missing).map(OverrideHostPick::Queue)
    }

    fn session_entry(&self, address: &str) -> Option<&AddressEntry> {
        let entry = self.entries.get(address)?;
        self.statuses.contains(entry.health).then_some(entry)
    }
}

impl Wait {
    /// The host that the request waits for.
    #[must_use]
    pub fn address(&self) -> &str {
        match self {
            Self::Connect(address) | Self::Connecting(address) | Self::Create(address) => address,
        }
    }
}
