//! Links of the playground: the fragment `#<version><codec>.<payload>[.<view>]`, in base64url.
//!
//! A [`Scenario`] is a list of clusters and the one that is shown. The playground edits it; [`write`]
//! and [`read`] convert it to a link and back. Version 1 has two codecs. `g` (grouped) counts the
//! equal hosts of a priority, so its length does not depend on the number of hosts. `h` (by host)
//! keeps the order of the hosts, their addresses and hash keys. A [`SharedScenario`] has only what its
//! user wants to disclose. The optional
//! view has what the playground shows of the scenario. Each part ends with a CRC-16, so that a truncated link
//! is rejected.
//!
//! Counts in variable-length integers keep 1,000 hosts below 400 characters without a compressor in
//! the playground, and reading has a bounded cost for any text. The view has the input of the screens as
//! texts by name: a page ignores names that it does not know, so new screens need no new version of
//! the format. The command line checks the view. Of its texts it uses only `old`: the other side of a comparison,
//! whose new side is the scenario itself ([`OldSide`]).

mod address;
mod comparison;
mod crc;
mod disclosure;
mod envelope;
mod error;
mod generated_names;
mod host_codec;
mod left_out;
mod limits;
mod payload;
mod read;
mod scenario;
mod scenario_codec;
mod scenario_error;
mod shared_pair;
mod shared_scenario;
mod view;
mod work;
mod write;

pub use address::address;
pub use comparison::{
    ComparisonGaps, OLD_SIDE, OldSide, gaps_from_text, gaps_to_text, old_side, old_side_setting,
    read,
};
pub use disclosure::Disclosure;
pub use error::LinkError;
pub use left_out::left_out;
pub use limits::{ClusterLimits, fits};
pub use scenario::{HostAt, PriorityAt, Scenario, proposed};
pub use scenario_error::{MAXIMUM_HOSTS, MAXIMUM_TABLE_ENTRIES, ScenarioError};
pub use shared_pair::SharedPair;
pub use shared_scenario::SharedScenario;
pub use view::{LinkView, read_view, with_view};
pub use work::{MAXIMUM_UNASKED_WORK, ScenarioWork};
pub use write::{with_payload, write};

/// The version of written links.
const VERSION: char = '1';

/// The maximum length of a link that [`read`] accepts, in bytes.
pub const MAXIMUM_LINK_BYTES: usize = 64 * 1024;

#[cfg(test)]
mod tests;
