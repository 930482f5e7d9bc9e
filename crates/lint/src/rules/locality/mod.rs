//! Locality weights and zone-aware routing without effect.

pub(crate) mod groups;
pub(crate) mod hash_health;
pub(crate) mod weights;
pub(crate) mod zone_aware;
