//! Aggregate clusters: their member list and their settings.

pub(crate) mod members;
pub(crate) mod settings;
