//! The protocol of requests to the hosts of a cluster.

use crate::proto::{Message, field_of};

/// The key of a cluster's HTTP options.
const HTTP_OPTIONS: &str = "envoy.extensions.upstreams.http.v3.HttpProtocolOptions";

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
    let options = cluster.get("typed_extension_protocol_options");
    let Some(options) = options.and_then(|all| field_of(all, HTTP_OPTIONS)) else {
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
