//! The picker of `xds_override_host`: the host that the cookie names, wherever it stands (A55, A61,
//! A75).
//!
//! It looks at every address of the cluster, whatever its priority, because it stands above the
//! priority policy.

use alloc::string::String;

use crate::{AddressEntry, Connectivity, OverrideHosts};

/// What the child policy picks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ChildPick {
    /// This address.
    Complete(String),
    /// Nothing yet; the request waits.
    Queue,
    /// Nothing; the request fails, or waits where it is `wait_for_ready`.
    Fail,
    /// The request is dropped on purpose.
    Drop,
}

/// Why a request waits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wait {
    /// For this host, which must be told to connect.
    Connect(String),
    /// For this host, which is connecting.
    Connecting(String),
    /// For this host, whose connection must be made ([`OverrideHosts::create`]).
    Create(String),
}

/// Where a request goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Pick {
    /// To the host of its session.
    Override {
        /// The address.
        address: String,
        /// What the cookie has to say from now on.
        address_list: String,
    },
    /// Nowhere yet; it picks again when something changes.
    Queue(Wait),
    /// Where the child policy says.
    Delegate {
        /// What that says.
        pick: ChildPick,
        /// What the cookie has to say from now on; `None`: nothing, because no host was picked or
        /// the request has no session filter.
        address_list: Option<String>,
    },
}

impl OverrideHosts {
    /// Picks for one request. `cookie_addresses` is the list that its cookie names, empty without
    /// a cookie, and `None` where the session filter is off for it; `child` is asked only when the
    /// cookie leads nowhere.
    ///
    /// A host that the request waits for counts as used.
    pub fn pick(
        &mut self,
        now: u64,
        cookie_addresses: Option<&str>,
        child: impl FnOnce() -> ChildPick,
    ) -> Pick {
        let Some(addresses) = cookie_addresses else {
            return Pick::Delegate {
                pick: child(),
                address_list: None,
            };
        };
        let picked = self.named_host(addresses);
        match picked {
            Some(Pick::Override { ref address, .. }) => self.used(now, address),
            Some(Pick::Queue(ref wait)) => self.used(now, wait.address()),
            _ => {}
        }
        picked.unwrap_or_else(|| {
            let pick = child();
            let mut address_list = None;
            if let ChildPick::Complete(address) = &pick {
                self.used(now, address);
                address_list = self.entry(address).map(|entry| entry.address_list.clone());
            }
            Pick::Delegate { pick, address_list }
        })
    }

    /// The first that is connected; else the first IDLE one, the first CONNECTING one, the first
    /// without a connection.
    fn named_host(&self, addresses: &str) -> Option<Pick> {
        let (mut idle, mut connecting, mut missing) = (None, None, None);
        for address in addresses.split(',').filter(|address| !address.is_empty()) {
            let Some(entry) = self.session_entry(address) else {
                continue;
            };
            match entry.subchannel.map(|subchannel| subchannel.state) {
                Some(Connectivity::Ready) => {
                    return Some(Pick::Override {
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
        idle.or(connecting).or(missing).map(Pick::Queue)
    }

    fn session_entry(&self, address: &str) -> Option<&AddressEntry> {
        let entry = self.entries.get(address)?;
        self.statuses.contains(entry.health).then_some(entry)
    }
}

impl Wait {
    /// The host that is waited for.
    #[must_use]
    pub fn address(&self) -> &str {
        match self {
            Self::Connect(address) | Self::Connecting(address) | Self::Create(address) => address,
        }
    }
}
