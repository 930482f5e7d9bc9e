//! Kuma's tags of inbounds.

/// The tag and label with the zone of a proxy.
pub const ZONE_TAG: &str = "kuma.io/zone";
/// The tag with the service of an inbound, until Kuma 2.14.
pub const SERVICE_TAG: &str = "kuma.io/service";
