//! From the bytes that the host hands over to the text of a configuration.
//!
//! A `StringValue` or `BytesValue` arrives as it was written. A `Struct` arrives as JSON from some
//! hosts and as its wire form from others (Envoy 1.40 is one), so both are read.

use crate::structs::{self, StructError};
use spillgate_config::{Diagnostic, node};
use std::borrow::Cow;

/// The text of a configuration.
pub(crate) struct Text<'a> {
    /// JSON, or what should be.
    pub(crate) json: Cow<'a, str>,
    /// Whether lines and columns of it mean anything to whoever wrote the configuration.
    pub(crate) has_positions: bool,
}

/// Reads the bytes of a configuration.
///
/// # Errors
/// When they are neither text nor a `Struct`, or a `Struct` with a number that JSON cannot hold.
pub(crate) fn read(bytes: &[u8]) -> Result<Text<'_>, Box<Diagnostic>> {
    match structs::to_json(bytes) {
        Ok(json) => Ok(Text {
            json: Cow::Owned(json),
            has_positions: false,
        }),
        Err(StructError::Number) => {
            let fault = Diagnostic::error("config/value", "a number cannot be read");
            Err(fault
                .expected("a finite number of at most 15 digits")
                .into())
        }
        Err(StructError::NoStruct) => Ok(Text {
            json: Cow::Borrowed(node::decode(bytes)?),
            has_positions: true,
        }),
    }
}
