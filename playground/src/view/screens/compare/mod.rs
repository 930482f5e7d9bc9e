//! The Compare screen: what a change of the configuration does to its traffic.
//!
//! `spillgate-diff` compares, as for `spillgate diff`; this module arranges its report, and [`view`] draws it.
//!
//! | file | content |
//! |---|---|
//! | `comparison` | the report of both sides |
//! | `routes` | how the routes and the other settings of two imports differ |
//! | `findings` | the lint findings of two imports that differ |
//! | `listed` | the clusters, the worst first |
//! | `cluster` | both sides of a cluster, and how its requests move |
//! | `ribbons` | the geometry of moved requests |
//! | `sentences` | the words that the report does not have |

mod cluster;
mod command;
mod comparison;
mod findings;
mod listed;
mod ribbons;
mod routes;
mod sentences;
#[cfg(test)]
mod tests;
mod view;

pub use cluster::{ComparedCluster, ComparedOutcome};
pub use command::command;
pub use comparison::ScenarioComparison;
pub use findings::finding_changes;
pub use listed::{LISTED, ListedDifference, matching};
pub use ribbons::{BAR_WIDTH, OwnerBar, Ribbon, RibbonPicture, ribbon_picture};
pub use routes::{RouteComparison, imported_configs};
pub use sentences::{doubts, flow_sentence, headline_text, owner_label, side_title};
pub(crate) use view::Compare;
