//! What the page's second module answers, as bytes.
//!
//! One module reads texts and the other shows clusters; between them there is only memory. An
//! [`ImportAnswer`] is written field by field, without names and without a version: both modules
//! are built together. Every type lists its fields once, for both directions. Reading ends with
//! `None` on any other bytes.

mod answer;
mod fields;
mod model;
mod policy;
mod subset;

pub use answer::{
    ClusterPlaces, FaultSeverity, HostPlace, ImportAnswer, ImportFault, ImportField, TextPosition,
};
