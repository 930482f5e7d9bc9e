//! Values as bytes, field by field, without names and without a version: for modules that are built
//! together.

pub use crate::import::fields::{Wire, from_bytes, to_bytes};
