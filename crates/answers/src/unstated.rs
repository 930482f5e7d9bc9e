//! Addresses of a connection that decide an answer and that nothing states.

/// An address that decides the result and is not stated.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum UnstatedAddress {
    /// The client's port: Envoy makes a missing cookie from it, so each connection has one of the possible hosts.
    Port {
        /// The name of the cookie.
        cookie: String,
    },
    /// The client's address, which a hash policy hashes.
    SourceIp {
        /// The address that the answer assumes.
        assumed: String,
    },
    /// The client's address, which Envoy writes to a header that something reads.
    InHeader {
        /// The name of the header.
        header: String,
        /// The address that the answer assumes.
        assumed: String,
    },
    /// The proxy's address, from which Envoy makes a missing cookie.
    Local {
        /// The name of the cookie.
        cookie: String,
        /// The address that the answer assumes.
        assumed: String,
    },
}

impl UnstatedAddress {
    /// What decides, which address is assumed, and the name of the field and option that states it.
    #[must_use]
    pub fn text(&self) -> String {
        match self {
            Self::Port { cookie } => format!(
                "the client's port: Envoy makes the missing cookie {cookie} from the addresses of the connection, so all \
                 requests of one connection have the same host (source is not stated)"
            ),
            Self::SourceIp { assumed } => format!(
                "the client's address, which hash_policy source_ip hashes: {assumed} is assumed (source is not stated)"
            ),
            Self::InHeader { header, assumed } => format!(
                "the client's address, which Envoy writes to {header}: {assumed} is assumed (source is not stated)"
            ),
            Self::Local { cookie, assumed } => format!(
                "the proxy's address, from which Envoy makes the missing cookie {cookie}: {assumed} is assumed (local is \
                 not stated)"
            ),
        }
    }
}
