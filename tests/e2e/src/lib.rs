//! What the end-to-end tests use: a real Envoy, an HTTP client, the
//! configurations that it is given, and a real browser.
//!
//! Every process that a test starts is ended by that test, by its own process id, also when the
//! test fails. Ports are leased, so that tests in separate processes cannot meet. What a test was
//! run with and what was logged stays below `target/e2e/`.
//!
//! Deliberately absent: any rule of load balancing. Expectations come from Envoy's own policies
//! or from `spillgate-core`.

mod answer;
mod browser;
mod chi_square;
mod command;
mod copied_command;
mod discovery;
mod engine;
mod environment;
mod envoy;
mod faults;
mod grpc_peer;
mod guests;
mod load;
mod memory;
mod scripted;
mod secret;
mod stand_in;
mod static_files;
mod stored;
mod upstream;
mod validate;
mod workdir;
mod yaml;

pub mod admin_cost;
pub mod compatibility;
pub mod config;
pub mod cost;
pub mod demo;
pub mod diff_truth;
pub mod differential;
pub mod documented;
pub mod fleet;
pub mod health_time;
pub mod hostile;
pub mod ignored_fields;
pub mod incident_requests;
pub mod lighthouse;
pub mod mesh;
pub mod oracle;
pub mod page_bytes;
pub mod page_speed;
pub mod playground;
pub mod polls;
pub mod recorded;
pub mod scenario;
pub mod sessions;
pub mod shop;
pub mod site;
pub mod versions;

pub use answer::ServedAnswer;
pub use browser::{Browser, Engine};
pub use chi_square::{SIGNIFICANCE, chi_square_p};
pub use command::spillgate;
pub use copied_command::run_copied;
pub use discovery::{Discovered, DiscoveredShop, HostsFrom};
pub use engine::{EngineShares, ReferenceEngine};
pub use environment::{Need, needed};
pub use envoy::{Envoy, EnvoyOptions};
pub use faults::DeliberatePanics;
pub use grpc_peer::{Called, CalledHosts, GrpcPeer};
pub use guests::{Guest, Hostcall};
pub use load::{Load, Tally};
pub use memory::resident;
pub use secret::fresh_secret;
pub use spillgate_testkit::{Client, HttpResponse, Port, amount, eventually, figure};
pub use stand_in::StandIn;
pub use static_files::StaticFiles;
pub use upstream::{Responder, Upstream};
pub use validate::refusal;
pub use workdir::Workdir;
pub use yaml::documents;
