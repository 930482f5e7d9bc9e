//! The files of a scenario: what the playground offers for download, and what `spillgate export` writes.
//!
//! [`write_file`] writes every [`FileFormat`]. An [`ExportSource`] is complete: hosts have their addresses,
//! and clusters their names. `SharedScenario` of `spillgate-codec` replaces them before, if the user does
//! not want to disclose them.
//!
//! A written filter configuration is read once before it is offered. A scenario is an Envoy bootstrap with its
//! question in `node.metadata`, which Envoy does not interpret, so Envoy, the import and all commands read it.
//! The picture has plain colors and no variables, because viewers other than browsers support none.

mod comments;
mod filter;
mod filter_clusters;
mod format;
mod markdown;
mod native;
mod owners;
mod picture;
mod scenario;
mod shipped_config;
mod source;
mod target;
mod write;

pub use filter_clusters::filter_clusters;
pub use format::FileFormat;
pub use native::native_bootstrap;
pub use picture::{PictureColors, picture};
pub use shipped_config::{ShippedConfig, ShippedNeeds};
pub use source::ExportSource;
pub use spillgate_config::question::ScenarioQuestion;
pub use target::named_target;
pub use write::write_file;
