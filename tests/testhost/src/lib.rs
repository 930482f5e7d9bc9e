//! A proxy-wasm 0.2.1 host for tests, on the interpreter wasmi.
//!
//! It loads the very `.wasm` file that ships and drives it as Envoy does: configuration in, request
//! headers in, request headers and local responses out. Clock, random bytes, callouts and
//! properties are the test's: nothing here reads the machine's clock or its entropy, so a run with
//! the same inputs gives the same bytes.
//!
//! ```no_run
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use spillgate_testhost::{TestHost, FilterRequest};
//!
//! let mut host = TestHost::load(&std::fs::read("filter.wasm")?)?;
//! let configured = host.configure(br#"{"target": "shop"}"#)?;
//! assert!(configured.accepted, "{:?}", configured.logs);
//! let exchange = host.request(FilterRequest::get("/").header("x-user", "u1"))?;
//! assert_eq!(exchange.request_headers.text("x-user"), Some("u1"));
//! # Ok(())
//! # }
//! ```
//!
//! What it models because filters trip over it: headers of a finished phase are gone (`BadArgument`,
//! on which the Rust SDK panics), a single look-up gives only the first of several values, a
//! replacement removes all copies, a local response passes through the filter's own response phase,
//! several configurations share one VM, and a trap ends the VM for every later call.
//!
//! Deliberately absent: bodies and trailers of the HTTP stream, TCP streams, gRPC callouts (an
//! import that is not provided traps with its name), merging of repeated well-known headers, and
//! routing: the host does not act on the headers that a filter writes.

mod abi;
mod callout;
mod error;
mod exchange;
mod guest;
mod headers;
mod host;
mod log;
mod memory;
mod metrics;
mod properties;
mod random;
mod shared;
mod state;
mod status;
mod ticks;

pub use callout::{Callout, CalloutReply};
pub use error::HostError;
pub use exchange::{Exchange, FilterRequest, FilterResponse, InFlight, LocalReply};
pub use headers::HeaderMap;
pub use host::{Configured, RootId, TestHost};
pub use log::{GuestLogLevel, LogLine};
pub use metrics::{MetricKind, Metrics};
pub use properties::Property;
pub use shared::Shared;
pub use status::Status;
