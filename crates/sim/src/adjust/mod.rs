//! Changes of a configuration before a loss: more hosts (`--add`) and other settings (`--set`).
//!
//! A change gives the model of a configuration that was edited by hand in the same way.
//! [`Scene::what_if_since`](crate::Scene::what_if_since) compares it with the one before.

mod addition;
mod address;
mod field;
mod place;
mod setting;

pub(crate) use addition::kept_host;

pub use addition::Addition;
pub use place::LocalityPlace;
pub use setting::Setting;
