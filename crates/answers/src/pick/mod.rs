//! `spillgate pick`: the host of each request in a list.
//!
//! A deterministic choice has one host. A random choice has the exact shares of all possible hosts;
//! `pick` itself draws nothing. If a request reaches a setting that is not modeled, the answer names the setting.
//!
//! A row can name its client, which sends back the cookies and session headers of its earlier
//! responses. If such a response was random, the later row has the same shares, and `same_as` names
//! the row whose random choice decides.

mod alternatives;
mod answer;
mod answerer;
mod balancing;
mod branches;
mod chain;
mod clients;
mod deciding_addresses;
mod destinations;
mod lessons;
mod listed_hosts;
mod local_reply;
mod original_dst;
mod redis;
mod request;
mod success;
mod unknown_answers;

pub use crate::status::{CLOSED, NOT_FOUND, UNAVAILABLE};
pub use answer::{PickOutcome, PickOutput};
pub use answerer::Answerer;
pub use chain::{ListenerChains, ServingChain, no_chain};
pub(crate) use deciding_addresses::read_by;
pub use destinations::{destinations, route_parts};
pub use listed_hosts::Addresses;
pub use local_reply::{OwnReply, OwnReplyReason};
pub use original_dst::{original_host, unknown_original_host};
pub use redis::{REDIS_KEY, redis_table, redis_tables};
pub use request::{
    CountField, GivenConnection, LOCAL, MAXIMUM_ATTEMPT, PickRequest, RequestList, RequestRow,
    SOURCE, add_sent, read_connections, read_requests,
};
pub use success::{AttemptOutcome, Success, SuccessFault, connection_success, success};

use spillgate_config::{Diagnostic, envoy::EnvoyConfig};
use spillgate_core::route::RouteTable;

/// The routes of the named listener's first filter chain, or of the first listener's. The second value warns
/// if there are several listeners and no name.
///
/// # Errors
/// If no listener has this name, or no listener has routes.
pub fn routes_of<'c>(
    config: &'c EnvoyConfig,
    name: Option<&str>,
) -> Result<(&'c RouteTable, Option<Diagnostic>), Box<Diagnostic>> {
    let (chains, warning) = ListenerChains::find(config, name)?;
    Ok((&chains.first().routes, warning))
}
