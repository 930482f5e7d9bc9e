//! The fuzz target `clusters`.
#![no_main]

spillgate_fuzz::program!("clusters");
