//! The protocol of requests to the hosts of a cluster.

use crate::{
    envoy::common::HTTP_OPTIONS,
    proto::{Message, field_of},
};

/// Whether requests to a host share a connection (`HttpProtocolOptions`).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum UpstreamProtocol {
    /// HTTP/1.1: each request has a connection of its own. The default.
    #[default]
    Http1,
    /// HTTP/2 or HTTP/3: requests share connections.
    Multiplexed,
    /// `auto_config` or the protocol of the client decides.
    Unknown,
}

/// Reads the protocol of a cluster.
pub(super) fn read_upstream_protocol(cluster: &Message<'_, '_>) -> UpstreamProtocol {
    let Some((options, _)) = cluster.nested(&HTTP_OPTIONS) else {
        return if cluster.has("http2_protocol_options") {
            UpstreamProtocol::Multiplexed
        } else {
            UpstreamProtocol::Http1
        };
    };
    let explicit = field_of(options, "explicit_http_config");
    let of_explicit = |field| explicit.is_some_and(|node| field_of(node, field).is_some());
    let decided_later = ["auto_config", "use_downstream_protocol_config"];
    if of_explicit("http2_protocol_options") || of_explicit("http3_protocol_options") {
        UpstreamProtocol::Multiplexed
    } else if decided_later
        .iter()
        .any(|field| field_of(options, field).is_some())
    {
        UpstreamProtocol::Unknown
    } else {
        UpstreamProtocol::Http1
    }
}
