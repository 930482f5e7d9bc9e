//! The hostcall for foreign functions.

use crate::memory::{Guest, Outcome};
use crate::status::Status;

/// No foreign function is registered, which a filter must bear: other hosts have none either.
pub(super) fn call(
    _guest: &mut Guest<'_>,
    _at: u32,
    _length: u32,
    _argument_at: u32,
    _argument_length: u32,
    _address_at: u32,
    _length_at: u32,
) -> Outcome {
    Err(Status::NotFound.into())
}
