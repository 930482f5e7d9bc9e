//! Random legal models for tests: every field that a configuration can set, from a seed.
//!
//! The same seed and [`Extent`] give the same model on every machine. Unless values come from a few
//! ([`Extent::few`]), models are as the readers leave them: a field without effect has its default.

mod chain;
mod cluster;
mod dice;
mod extent;
mod filters;
mod metadata;
mod named;
mod pair;
mod priorities;
mod random_policy;
mod request;
mod route_match;
mod routes;
mod subset;
mod text;

pub use cluster::{model, plain};
pub use dice::Dice;
pub use extent::Extent;
pub use named::named_clusters;
pub use pair::pair;
pub use routes::listeners;
