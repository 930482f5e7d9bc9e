//! What `/clusters` of Envoy's admin says of hosts, as text or JSON, laid over a configuration.
//!
//! A configuration states what hosts there should be; a running Envoy knows which there are, in
//! what order, and how they are. [`read`] takes its answer apart; [`lay_over`] lets it decide on
//! members, their health, weights, priorities, localities and the addresses behind DNS names. What
//! `/clusters` does not tell (metadata, locality weights, policies) stays as configured.
//!
//! The text is read line by line without copying anything, so that a proxy can do it often.

mod flags;
mod json;
mod live;
mod matching;
mod overlay;
mod priorities;
mod published;
mod read;
mod status;
mod text;

pub use live::LiveHosts;
pub use overlay::lay_over;
pub use published::Published;
pub use read::read;
pub use status::{ClusterStatus, HostLocality, HostStatus};
pub use text::read_text;
