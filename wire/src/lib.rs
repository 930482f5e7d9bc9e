//! What the page's second module answers, as bytes.
//!
//! One module reads texts and the other shows clusters; between them there is only memory. An
//! [`Answer`] goes over as its fields one after the other, without names and without a version:
//! both modules are built together. Every type states its fields once, for both directions.
//!
//! Reading is total. It trusts its own kind and still ends with `None` on any other bytes, in time
//! and memory that are bounded by their number.
#![no_std]
#![forbid(unsafe_code)]
#![warn(
    clippy::std_instead_of_core,
    clippy::std_instead_of_alloc,
    clippy::alloc_instead_of_core
)]

extern crate alloc;

mod answer;
mod bytes;
mod model;
mod policy;
mod subset;

pub use answer::{Answer, Fault, Field, HostPlace, Places, Position, Severity};
