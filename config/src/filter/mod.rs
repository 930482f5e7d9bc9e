//! The filter's configuration: JSON, read strictly.
//!
//! Nobody looks at a warning in a proxy's log before the traffic does, so whatever cannot be
//! meant is an error here: members that do not exist, clusters without endpoints, keys that stand
//! twice, unknown fields. Fields that are specified and not supported yet are refused by name.

mod config;
mod header_name;
mod output;
mod read;
mod target;
mod trace;

pub use config::{FilterConfig, Output, TraceCondition, TraceConfig};
pub(crate) use read::DEFAULT_TICK;
pub use read::read;
pub use target::{Target, TargetRule};
pub(crate) use trace::DEFAULT_TRACE_HEADER;
