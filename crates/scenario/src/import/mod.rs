//! From the answer of a reader to a scenario, and from a position back to the texts.
//!
//! The modules of readers read the texts, the import dialog shows them.

mod choices;
mod cluster_list;
mod doubt;
mod example;
mod excerpt;
mod fault;
mod kept;
mod lines;
mod origin;
mod result;

pub use choices::{Imported, select};
pub use cluster_list::{ClusterList, FoundClusters, LISTED_CLUSTERS, ListedCluster};
pub(super) use doubt::unknown_hosts;
pub use doubt::{limits_of, unknown_clusters};
pub use example::EXAMPLE_CONFIG;
pub use excerpt::{LineView, excerpt};
pub use fault::{page_error, severity_counts, severity_name};
pub use kept::{KeptImport, KeptState};
pub use lines::{ConfigLines, PlacedCluster};
pub use origin::{ImportOrigin, ImportTexts};
pub use result::{ImportResult, LISTED_FAULTS, import_result};

#[cfg(test)]
mod tests;
#[cfg(test)]
pub(super) use tests::import_of;
