//! Protobuf's binary form: integers, the fields of a message, `google.protobuf.Struct`.

mod base64;
mod fields;
mod value;
pub mod varint;

pub use base64::decode_base64;
pub use fields::{FieldValue, Fields};
pub use value::read_struct;
pub(crate) use value::read_value;
