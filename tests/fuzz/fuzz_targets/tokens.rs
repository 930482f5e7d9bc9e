//! The fuzz target `tokens`.
#![no_main]

spillgate_fuzz::program!("tokens");
