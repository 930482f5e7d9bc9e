//! The protobuf wire format: integers, message fields, `google.protobuf.Struct`.
//!
//! A small reader without generated code. The filter reads route metadata with it, and the codec
//! writes links with [`varint`].
//!
//! Binary protobuf occurs in four places: a plugin's `Struct`, route metadata, Envoy's session
//! cookies, and header values. Data from Envoy are read strictly (an unknown field means that it is
//! not a `Struct`), data from clients as leniently as Envoy reads them.

mod base64;
mod fields;
mod value;
pub mod varint;

pub use base64::{Base64, decode_base64};
pub use fields::{FieldValue, Fields};
pub use value::read_struct;
pub(crate) use value::read_value;
