//! Every scenario is a link: the fragment `#<version><codec>.<base64url payload>`.
//!
//! A [`LinkScenario`] is some clusters and the one that is shown; the page edits it, and [`write`]
//! and [`read`] convert it to its link and back. Version 1 has two codecs. `g` (grouped) counts
//! equal hosts of a priority; it stays short however many hosts there are. `h` (by host) keeps each
//! host in its place, with addresses and hash keys if requested. The payload ends with a CRC-16, so
//! that a link that was cut is refused.

mod address;
mod addresses;
mod crc;
mod error;
mod host_codec;
mod left_out;
mod payload;
mod read;
mod scenario;
mod scenario_codec;
mod write;

pub use address::address;
pub use addresses::Addresses;
pub use error::LinkError;
pub use left_out::left_out;
pub use read::read;
pub use scenario::{
    HostAt, LinkScenario, MAXIMUM_HOSTS, MAXIMUM_TABLE_ENTRIES, PriorityAt, ScenarioError, proposed,
};
pub use write::write;

/// The version that is written.
const VERSION: char = '1';

/// The longest payload that is read, in characters.
const LONGEST_TEXT: usize = 64 * 1024;

#[cfg(test)]
mod tests;
