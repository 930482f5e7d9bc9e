//! The response of `/config_dump`: the configuration of a running Envoy, by kind and state.
//!
//! Whole responses, responses to `?resource=...` and single sections are read alike. Resources that
//! Envoy uses are read; warming resources and rejected updates get a warning. With `?include_eds`,
//! a dump also reports the health of each host.

mod found;
mod listeners;
mod live;
mod sections;
mod untyped;

pub(crate) use found::is_rejected_version;
pub(crate) use live::Live;
pub(crate) use sections::Dump;
pub(crate) use untyped::is_dump;
