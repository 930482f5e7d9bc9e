//! Documents: input formats, root messages, dumps, the proxy's own location.

mod dump;
mod format;
mod local;
mod roots;

pub(crate) use dump::Live;
pub use format::Format;
pub(crate) use local::check_local_cluster;
#[cfg(feature = "yaml")]
pub use roots::is_simulation;
pub(crate) use roots::{Roots, sort};
