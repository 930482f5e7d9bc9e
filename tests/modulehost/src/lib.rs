//! A host for the dynamic module in tests: it plays Envoy's part of the dynamic-module ABI, without Envoy.
//!
//! A test program that links this crate contains the module and every callback that the module calls. So
//! sanitizers see both sides, and a test decides what happens in which order, on which thread.
//!
//! Sanitizers cannot see into Envoy's binary, and Envoy lends texts from memory that lives longer
//! than a hook: hence a host of our own. What Envoy does with an answer is tested with Envoy.
//!
//! ```no_run
//! use spillgate_modulehost::{FakeEnvoy, LoadedFilter, HostRequest, ClusterHosts, HttpStream, HostRoute};
//!
//! let mut envoy = FakeEnvoy::start(1);
//! let text = br#"{"clusters": [{"name": "shop", "lb_policy": "MAGLEV"}], "target": "shop"}"#;
//! let config = LoadedFilter::read(text).expect("a valid configuration");
//! envoy.add_cluster("shop", b"{}", &ClusterHosts::of(&["10.0.0.1:80"]));
//! let stream = HttpStream::open(&config, HostRequest::get("/"), HostRoute::to("shop"));
//! assert!(stream.request_headers());
//! assert_eq!(stream.host_list(), ["10.0.0.1:80"]);
//! # drop(stream);
//! # envoy.finish();
//! ```
//!
//! The thread that [starts](FakeEnvoy::start) the host is Envoy's main thread; [workers](WorkerThread) are
//! threads of their own, which run what the main thread posts to them, as Envoy's do.
//!
//! Modeled, because a module can break it: an address is valid only on its thread, and a request or a context
//! only inside its hook; every text that the host lends has an allocation of its own without a terminating
//! zero, and is freed as soon as Envoy may free it; a question for the cluster calls the cluster specifier
//! inside the filter's hook; metrics have the labels of their definition.
//!
//! Deliberately absent: bodies, trailers, retries, and Envoy's rules for override hosts.

mod abi;
mod balancer;
mod balancer_config;
mod balancer_hosts;
mod bootstrap;
mod callbacks;
mod envoy;
mod filter;
mod headers;
mod lent;
mod metadata;
mod process;
mod route;
mod scheduler;
mod specifier;
mod stream;
mod worker;

// The hooks: only the linker uses them.
use spillgate_module as _;

pub use balancer::{Balancer, ChosenHost, ClusterNumber};
pub use balancer_config::PolicyConfig;
pub use balancer_hosts::{ClusterHosts, LoadBalancedHost, LocalityText, ReportedHealth};
pub use bootstrap::Extension;
pub use envoy::FakeEnvoy;
pub use filter::LoadedFilter;
pub use headers::{HostHeaders, HostRequest};
pub use metadata::LentValue;
pub use process::messages;
pub use route::{HostRoute, RouteCluster};
pub use specifier::ClusterSpecifier;
pub use stream::{HttpStream, SentResponse};
pub use worker::{WorkerState, WorkerThread};
