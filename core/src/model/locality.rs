//! Where a host stands.

use alloc::string::String;

/// `core.v3.Locality`; empty parts are unset. Orders bytewise by region, zone, sub-zone.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Locality {
    /// The region.
    pub region: String,
    /// The zone within the region.
    pub zone: String,
    /// The sub-zone within the zone.
    pub sub_zone: String,
}
