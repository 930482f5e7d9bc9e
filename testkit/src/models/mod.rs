//! Random legal models for tests: every field that a configuration can say, from a seed.
//!
//! The same seed and [`Extent`] give the same model on every machine. Models are as reading leaves
//! them: what has no effect has its default.

mod cluster;
mod dice;
mod extent;
mod filters;
mod hosts;
mod metadata;
mod policy;
mod route_match;
mod routes;
mod subset;
mod text;

pub use cluster::model;
pub use dice::Dice;
pub use extent::Extent;
pub use routes::listeners;
