//! Documents: input formats, root messages, dumps, wrappers, the proxy's own location.

mod cause;
mod dump;
mod duplicates;
mod files;
mod format;
mod kind;
mod local;
mod missing;
mod recognize;
mod roots;
mod source;
mod wrapper;
#[cfg(feature = "yaml")]
mod ytt;

pub(crate) use cause::explain;
pub(crate) use dump::{Live, is_rejected_version};
pub(crate) use duplicates::warn_duplicates;
pub use files::{FileReference, referenced_files, refused_file};
pub use format::Format;
pub(crate) use local::check_local_cluster;
pub(crate) use missing::note_missing_clusters;
pub use recognize::has_messages;
#[cfg(feature = "yaml")]
pub use roots::is_simulation;
pub(crate) use roots::{Roots, sort};
pub use source::SourceText;
pub(crate) use source::{ParsedText, explain_all, parse_all};
use wrapper::expand;
#[cfg(feature = "mesh")]
pub(crate) use wrapper::universal_kind;
