//! The Zones screen: from which zone to which zone requests go, before and after a loss.
//!
//! Each zone of a mesh has proxies with priorities of their own, so an import of a mesh has a cluster
//! for each zone. [`ZoneViews`] are the clusters of one destination; another scenario has one view.

mod input;
mod traffic;
mod view;
mod views;

pub use input::ZonesInput;
pub use traffic::{ZoneLossRow, ZonesTraffic};
pub(crate) use view::Zones;
pub use views::{ZoneView, ZoneViews};

#[cfg(test)]
mod tests;
