//! The compiled configuration: everything that is the same for all requests.

mod compiled;
mod criteria;
mod targets;

pub use compiled::CompiledConfig;
pub(crate) use compiled::Settings;
