//! The fuzz target `requests`.
#![no_main]

spillgate_fuzz::program!("requests");
