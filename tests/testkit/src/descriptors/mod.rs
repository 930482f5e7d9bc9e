//! The messages of Envoy's API, from the descriptors in its binary.
//!
//! An Envoy contains the serialized `FileDescriptorProto` of each of its API's files. [`find()`] collects them from a
//! binary; the text form of [`Descriptors`] is `vectors/descriptors/envoy-1.40.txt`.

mod field;
mod find;
mod table;
mod text;
mod wire;

pub use field::{ApiField, Cardinality};
pub use find::find;
pub use table::Descriptors;
