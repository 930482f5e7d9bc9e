//! A configuration, compiled: everything that stays the same from request to request.

mod compiled;
mod criteria;
mod targets;

pub use compiled::CompiledConfig;
pub(crate) use compiled::{Settings, listed};
