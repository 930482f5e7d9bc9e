//! The ABI from Envoy's side: [`hooks`] declares what the module exports, the other modules export what it
//! imports.

#![allow(unsafe_code, reason = "the ABI consists of C functions")]

mod balancer;
mod bootstrap;
pub(crate) mod hooks;
mod metadata;
mod process;
mod specifier;
mod stream;
mod types;

pub(crate) use types::{AbiBuffer, Address, Own};
use types::{AbiHeader, fill, fill_all, lent_array};
