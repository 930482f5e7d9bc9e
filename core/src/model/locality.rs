//! Where a host stands.

use alloc::string::String;
use core::fmt;

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

impl fmt::Display for Locality {
    /// `region/zone/sub_zone`, without the parts that are missing at the end.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.region)?;
        if !self.zone.is_empty() || !self.sub_zone.is_empty() {
            write!(f, "/{}", self.zone)?;
        }
        if !self.sub_zone.is_empty() {
            write!(f, "/{}", self.sub_zone)?;
        }
        Ok(())
    }
}
