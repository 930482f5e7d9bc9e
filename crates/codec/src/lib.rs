//! Two binary formats: a scenario as a [`link`] of the playground, and the [`import`] answer of the playground's
//! second module. [`wire`] has the second format for other values.
//!
//! Both are sequences of variable-length integers, strings and bytes in a fixed order. Reading any
//! input returns a value or an error; the length of the input bounds its time and memory.
#![no_std]
#![forbid(unsafe_code)]
#![warn(
    clippy::std_instead_of_core,
    clippy::std_instead_of_alloc,
    clippy::alloc_instead_of_core
)]

extern crate alloc;

mod bytes;
pub mod import;
pub mod link;
mod view_name;
pub mod wire;
