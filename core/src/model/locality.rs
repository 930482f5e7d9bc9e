//! The locality of a host.

use alloc::string::String;
use core::fmt;

/// A locality (`envoy.config.core.v3.Locality`). An empty part is not set. Localities sort bytewise
/// by region, zone and sub-zone, which is the order of the localities in a priority.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Locality {
    /// The region, for example `eu-west-1`.
    pub region: String,
    /// The zone within the region.
    pub zone: String,
    /// The sub-zone within the zone.
    pub sub_zone: String,
}

impl fmt::Display for Locality {
    /// Formats `region/zone/sub_zone`, without empty parts at the end.
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
