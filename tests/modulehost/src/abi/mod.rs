//! The values that both sides pass, and the hooks that the module exports.

#![allow(unsafe_code, reason = "the ABI consists of C functions")]

pub(crate) mod hooks;
mod types;

pub(crate) use types::{AbiBuffer, AbiHeader, Address, Own, fill, fill_all, lent_array};
