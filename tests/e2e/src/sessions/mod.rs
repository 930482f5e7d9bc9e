//! Sessions from the outside: clients that keep their cookies, many of them, and under load.

mod chaos;
mod eds_hosts;
mod filters;
mod gateway;
mod rush;
mod visitor;

pub use chaos::{Crowd, CrowdReport, Failures};
pub use eds_hosts::{EdsHosts, addresses, opened};
pub use filters::{COOKIE, native_sessions, sticky};
pub use gateway::{Gateway, session_listener};
pub use rush::{Rush, Visits};
pub use visitor::{Visitor, begun, kept, round, settled};
