//! The fuzz target `published_hosts`.
#![no_main]

spillgate_fuzz::program!("published_hosts");
