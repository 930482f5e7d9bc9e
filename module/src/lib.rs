//! The engine inside Envoy without a virtual machine: a native dynamic module.
//!
//! One shared object is three extensions. The [`filter`] decides about requests, as the proxy-wasm filter
//! does, with [`spillgate_steer`]; [`stream`] is its host environment. The load-balancing [`policy`]
//! learns the hosts of its cluster from Envoy ([`balancers`]) and publishes them in [`registry`]; it also chooses hosts
//! that the filter did not choose. The cluster [`specifier`] routes a request to the cluster that owns the
//! chosen host.
//!
//! The main thread publishes hosts, the workers read them: [`published`] has what they share, [`worker`]
//! what each of them keeps. [`hooks`] receives Envoy's calls, [`abi`] makes ours; only these two contain
//! unsafe code.

mod abi;
mod balancers;
mod draining;
mod filter;
mod hooks;
mod hosts;
mod metrics;
mod policy;
mod published;
mod registry;
mod specifier;
mod stream;
mod worker;
