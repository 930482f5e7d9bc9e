//! Sessions and override hosts: what breaks them, and who can name a destination.

pub(crate) mod clusters;
pub(crate) mod header_trust;
pub(crate) mod hosts;
pub(crate) mod lifetime;
pub(crate) mod override_place;
pub(crate) mod states;
