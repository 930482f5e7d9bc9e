//! Sessions: the token that a client sends, the host it refers to, the token that the client gets.
//!
//! [`carried`] finds the token in the request headers, [`read`] opens it and looks up its host in
//! the [`directory`]; the decision is core's; after the response [`request_session`] determines the
//! token that is due and [`response`] writes it.

mod carried;
mod directory;
mod policy;
mod read;
mod request_session;
mod response;

pub(crate) use directory::HostDirectory;
pub(crate) use policy::{Refusal, SessionPolicy};
pub(crate) use read::SessionQuery;
pub(crate) use request_session::{Hosts, RequestSession};
