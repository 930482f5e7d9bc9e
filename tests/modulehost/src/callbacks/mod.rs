//! The callbacks that the module imports.

#![allow(unsafe_code, reason = "the ABI consists of C functions")]

mod balancer;
mod bootstrap;
mod metadata;
mod process;
mod scheduler;
mod specifier;
mod stream;

use crate::abi::{AbiBuffer, AbiHeader, Address, fill, fill_all, lent_array};
