//! Documents: input formats, root messages, dumps, wrappers, the proxy's own location.

mod cause;
mod dump;
mod format;
mod kind;
mod local;
mod roots;
mod wrapper;

pub(crate) use cause::explain;
pub(crate) use dump::Live;
pub use format::Format;
pub(crate) use local::{check_local_cluster, note_missing_clusters};
#[cfg(feature = "yaml")]
pub use roots::is_simulation;
pub(crate) use roots::{Roots, sort};
pub(crate) use wrapper::expand;
#[cfg(feature = "mesh")]
pub(crate) use wrapper::universal_kind;
