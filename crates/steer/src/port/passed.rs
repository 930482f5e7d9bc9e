//! The hosts that were passed to the proxy, to compare them with the host that responds.

use alloc::{borrow::ToOwned, string::String};

use spillgate_core::model::Endpoint;

/// The hosts of a decision, as the proxy has them. It is kept until the response, so it has no snapshot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PassedHosts {
    /// In order of preference, separated by commas; at least one.
    addresses: String,
    /// Whether the proxy tries every host of the list that exists before any other one.
    is_binding: bool,
}

impl PassedHosts {
    /// A host list. The proxy uses it whatever the health of its hosts.
    #[must_use]
    pub const fn listed(addresses: String) -> Self {
        Self {
            addresses,
            is_binding: true,
        }
    }

    /// A host that the proxy uses only if it finds it healthy.
    #[must_use]
    pub fn suggested(host: &Endpoint) -> Self {
        Self {
            addresses: host.address.as_str().to_owned(),
            is_binding: false,
        }
    }

    /// Whether an address is that of the first host.
    pub(crate) fn is_first(&self, address: &str) -> bool {
        let rest = self.addresses.strip_prefix(address);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(','))
    }

    /// The place of an address in the list, from 0.
    pub(crate) fn place(&self, address: &str) -> Option<usize> {
        self.addresses.split(',').position(|host| host == address)
    }

    /// Whether the proxy finds no other host as long as a host of the list exists.
    pub(crate) const fn is_binding(&self) -> bool {
        self.is_binding
    }

    /// The list, separated by commas.
    pub(crate) fn addresses(&self) -> &str {
        &self.addresses
    }
}
