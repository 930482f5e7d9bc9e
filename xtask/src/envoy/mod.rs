//! A running Envoy: started, waited for, and ended by its process id.

mod server;

pub use server::Server;
