//! Session affinity: the token that a client sends, its host, and the token that the client gets.
//!
//! [`carried`] finds the token in the request headers, and [`read`] opens it and finds its host in
//! the [`directory`]. After the decision and the response, [`request_session`] determines the next
//! token and [`response`] writes it; [`strip`] removes the upstream host's own copies. A [`refusal`]
//! answers a request whose session is lost.

mod carried;
mod compiled_affinity;
mod directory;
mod read;
mod refusal;
mod request_session;
mod response;
mod strip;

pub(crate) use compiled_affinity::SessionPolicy;
pub(crate) use directory::HostDirectory;
pub(crate) use read::{SessionQuery, TokenMemory};
pub(crate) use request_session::{GuardedSession, Hosts, RequestSession};
