//! The engine inside Envoy without a virtual machine: a dynamic module.
//!
//! One shared object is four extensions. The HTTP filter decides about a [`request`] by its [`settings`],
//! as the proxy-wasm filter does, with [`spillgate_steer`]; [`plugin`], [`stream`] and [`headers`] are the
//! host environment. The load-balancing [`policy`] learns its [`cluster_hosts`] from Envoy, publishes them
//! in [`registry`], and chooses hosts that the filter did not choose; Envoy has one of its [`balancers`] for
//! each cluster on each thread. The cluster [`specifier`] routes a request to the cluster that owns the
//! chosen host. The bootstrap extension reads statistics, which show the [`draining`] hosts.
//!
//! The main thread publishes hosts, the workers read them: [`published`] has what they share, [`worker`]
//! what each of them keeps. [`hooks`] receives Envoy's calls, [`abi`] makes ours; only these two contain
//! unsafe code.
//!
//! The crate contains no rule of load balancing and none of sessions, so both forms of the filter
//! decide alike, and one configuration serves both. Envoy offers more here in four places: the
//! source of hosts, active requests, how a decision reaches Envoy, and attempts that the filter has
//! not decided.

mod abi;
mod balancers;
mod cluster_hosts;
mod decision_counters;
mod draining;
mod headers;
mod hooks;
mod lock;
mod log_limit;
mod logger;
mod metadata;
mod metrics;
mod names;
mod plugin;
mod policy;
mod published;
mod registry;
mod request;
mod settings;
mod specifier;
mod stream;
mod worker;
