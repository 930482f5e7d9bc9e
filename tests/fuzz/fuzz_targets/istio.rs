//! The fuzz target `istio`.
#![no_main]

spillgate_fuzz::program!("istio");
