//! Bytes that travel: a scenario as a [`link`], and the answer that the page's second module gives
//! about an [`import`].
//!
//! Both are rows of variable-length integers, texts and bytes in a fixed order. Reading is total:
//! whatever the input, a value or a reason comes out, in time and memory that the length of the
//! input bounds.
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
