//! Clients: the tokens that they keep and the requests that they send.

mod client;
mod request;

pub use client::Brings;
pub(in crate::world) use client::{Client, Issued, Kept, Sent};
