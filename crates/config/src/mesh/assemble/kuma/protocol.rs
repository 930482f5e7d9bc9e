//! The protocol of a destination of Kuma (`GetCommonProtocol`).

use spillgate_mesh::kuma::KumaEndpoint;

/// The tag with the protocol of an inbound.
pub(super) const PROTOCOL_TAG: &str = "kuma.io/protocol";

/// The protocol of a destination, which decides the settings that Kuma writes for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KumaProtocol {
    /// `http`.
    Http,
    /// `http2`.
    Http2,
    /// `grpc`.
    Grpc,
    /// `tcp`, also that of TLS.
    Tcp,
    /// Another one, such as `kafka`.
    Other,
}

impl KumaProtocol {
    /// The protocol with a name (`kuma.io/protocol`, `appProtocol`).
    pub(super) fn named(name: &str) -> Self {
        match name {
            "http" => Self::Http,
            "http2" | "kubernetes.io/h2c" => Self::Http2,
            "grpc" => Self::Grpc,
            "tcp" | "tls" => Self::Tcp,
            _ => Self::Other,
        }
    }

    /// The common protocol of the endpoints of a service; `None` if none of them names its protocol.
    pub(super) fn common(endpoints: &[KumaEndpoint]) -> Option<Self> {
        let named = |of: &KumaEndpoint| of.tags.get(PROTOCOL_TAG).map(|name| Self::named(name));
        if endpoints.iter().all(|of| named(of).is_none()) {
            return None;
        }
        let all = endpoints.iter().map(|of| named(of).unwrap_or(Self::Other));
        all.reduce(Self::and)
    }

    /// The protocol that both can carry.
    fn and(self, other: Self) -> Self {
        match (self, other) {
            (one, other) if one == other => one,
            (Self::Other, _) | (_, Self::Other) => Self::Other,
            (Self::Grpc, Self::Http2) | (Self::Http2, Self::Grpc) => Self::Http2,
            _ => Self::Tcp,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn common_protocols() {
        use KumaProtocol::{Grpc, Http, Http2, Other, Tcp};
        for (one, other, common) in [
            (Http, Http, Http),
            (Grpc, Http2, Http2),
            (Http, Http2, Tcp),
            (Http, Tcp, Tcp),
            (Http, Other, Other),
        ] {
            assert_eq!(one.and(other), common);
            assert_eq!(other.and(one), common);
        }
    }
}
