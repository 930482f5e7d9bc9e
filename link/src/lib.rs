//! Every scenario is a link: the fragment `#<version><codec>.<base64url payload>`.
//!
//! A [`Scenario`] is some clusters and the one that is looked at; the page edits it, and [`write`]
//! and [`read`] are the way to its link and back. Version 1 has two codecs. `g` (grouped) counts
//! equal hosts of a level; it stays short however many hosts there are. `h` (by host) keeps each
//! host in its place, with addresses and hash keys where they are wanted. The payload is a row of
//! variable-length integers in a fixed order and a CRC-16 of them, so that a link that was cut
//! short is told from a whole one.
//!
//! Reading is total: whatever the text, a scenario or a reason comes out, and neither costs more
//! than a bounded amount of memory.
#![no_std]
#![forbid(unsafe_code)]
#![warn(
    clippy::std_instead_of_core,
    clippy::std_instead_of_alloc,
    clippy::alloc_instead_of_core
)]

extern crate alloc;

mod address;
mod base64url;
mod crc;
mod error;
mod host_codec;
mod left_out;
mod read;
mod scenario;
mod scenario_codec;
mod varint;
mod write;

pub use address::address;
pub use error::LinkError;
pub use left_out::left_out;
pub use read::read;
pub use scenario::{
    HostAt, LevelAt, MAXIMUM_HOSTS, MAXIMUM_TABLE_ENTRIES, Scenario, ScenarioError, proposed,
};
pub use write::{Addresses, write};

/// The version that is written.
const VERSION: char = '1';

/// The longest payload in characters that is looked at.
const LONGEST_TEXT: usize = 64 * 1024;

#[cfg(test)]
mod tests;
