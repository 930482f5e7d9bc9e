//! What the page's modules exchange, as bytes.
//!
//! One module reads texts and the other shows clusters; they exchange bytes in memory. An
//! [`ImportAnswer`] is written field by field, without names and without a version, because both
//! modules are built together. Every type lists its fields once, for both directions. Other bytes
//! are read as `None`.

mod answer;
mod fields;
mod model;
mod policy;
mod scenarios;
mod subset;
mod view_name;

pub use answer::{
    ClusterPlaces, FaultSeverity, HostPlace, ImportAnswer, ImportFault, ImportField, TextPosition,
};
pub use scenarios::{scenarios_from_bytes, scenarios_to_bytes};
pub use view_name::{view_name, view_of};
