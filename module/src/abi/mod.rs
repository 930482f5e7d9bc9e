//! Envoy's dynamic-module ABI, as far as the module uses it.
//!
//! [`imports`] declares the callbacks that every supported version of Envoy has, [`optional`] finds
//! newer ones by name. The other modules make them safe: a handle exists only inside the hook that
//! Envoy passed it to, and everything that Envoy lends is copied or borrowed from its handle.
//!
//! Envoy's SDK for dynamic modules is in no package registry, so the callbacks are declared here.
//! An object of Envoy is a handle with the lifetime of the hook that received it. A load balancer
//! lives longer: its thread keeps it until the hook that destroys it.

#![allow(unsafe_code, reason = "the ABI consists of C functions")]

mod balancer;
mod bootstrap;
mod imports;
mod optional;
mod process;
mod scheduler;
mod specifier;
mod stream;
mod types;

pub(crate) use balancer::{
    BalancerHandle, ChoiceHandle, HostHealth, HostPlace, KeptBalancer, LocalityNames,
};
pub(crate) use bootstrap::{
    forget_extension, gauge, has_extension, keep_extension, signal_init_complete,
};
pub(crate) use process::{is_main_thread, log, monotonic_clock, wall_clock};
pub(crate) use scheduler::Scheduler;
pub(crate) use specifier::SpecifierHandle;
pub(crate) use stream::{ConfigHandle, HeaderMap, MetadataKey, MetadataSource, StreamHandle};
pub(crate) use types::{Address, Buffer, Header, Metric};
