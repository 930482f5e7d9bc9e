//! The fuzz target `links`.
#![no_main]

spillgate_fuzz::program!("links");
