//! What `/config_dump` answers: the configuration of a running Envoy, by kind and state.
//!
//! Whole answers, those to `?resource=...` and single sections are read alike. What Envoy uses
//! counts; resources that still warm up and updates that it refused are named in warnings. With
//! `?include_eds` a dump also tells what each host's health came to.

mod found;
mod listeners;
mod live;
mod sections;

pub(crate) use live::Live;
pub(crate) use sections::{Dump, is_dump};
